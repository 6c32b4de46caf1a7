// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Monetize
import MonetizeJSON

extension Scenario {
  /// Reads a scenario.
  /// - Parameters:
  ///   - json: The text of the scenario.
  ///   - parameters: Values that replace those of the file.
  /// - Throws: ``ScenarioError`` with every mistake. A scenario with a mistake never runs.
  public init(json: Data, parameters: [String: String] = [:]) throws(ScenarioError) {
    try self.init(json: json, parameters: parameters, .standard)
  }

  /// Reads a scenario with a larger vocabulary.
  init(json: Data, parameters: [String: String] = [:], _ vocabulary: ScenarioVocabulary) throws(ScenarioError) {
    let source: JSONDocument
    do throws(Diagnostic) { source = try JSONDocument(parsing: [UInt8](json)) } catch {
      throw ScenarioError(diagnostics: [error])
    }
    var reader = ScenarioReader(source: source, vocabulary)
    self = try reader.read(replacing: parameters)
  }
}

/// Reads the structure of a scenario. Expands loops while reading, so that the runner gets plain steps only.
struct ScenarioReader {
  let source: JSONDocument
  let vocabulary: ScenarioVocabulary
  var diagnostics: [Diagnostic] = []
  var zone = Calendar.storeCalendar.timeZone
  var deviceNames: [String] = []
  /// The number of steps that the file may still have, with loops and `times` expanded.
  ///
  /// The limit is more than anyone reads; a mistake is reported before it fills the memory.
  private var stepsLeft = Self.mostSteps
  static let mostSteps = 50_000

  init(source: JSONDocument, _ vocabulary: ScenarioVocabulary) { (self.source, self.vocabulary) = (source, vocabulary) }

  mutating func read(replacing parameters: [String: String]) throws(ScenarioError) -> Scenario {
    let own = JSONReader(source)
    let names = try ScenarioNames(parametersOf: source.root, replacedBy: parameters, own)
    names.reportUnfilled(in: source.root, own)
    diagnostics = own.diagnostics
    let document = names.filling(source.root)
    let reader = JSONReader(document)
    guard let fields = reader.object(document.root, "a scenario") else { throw ScenarioError(diagnostics: reader.finish()) }
    let header = ScenarioHeader(StepKeys(fields, reading(reader)))
    (zone, deviceNames) = (header.zone, header.devices.map(\.name))
    let reading = reading(reader)
    let begins = fields.value(
      "start", or: "The key \"start\" is missing. Add the time of the beginning, such as \"2026-03-01T12:00:00Z\".")
    let start = begins.flatMap { value in reader.decode(String.self, from: value).flatMap { reading.instant($0, value) } }
    let settings = fields.value("store").map { (values: readSettings($0, reading), line: $0.position.line) }
    var steps: [ScenarioStep] = []
    if let value = fields.value("steps"), value.kind == .array {
      if value.elements.isEmpty { reader.report("missing-key", at: value, "\"steps\" is empty. Add a step.") }
      for step in value.elements { steps += readStep(step, reading, names) }
    } else {
      reader.report("missing-key", at: fields.value("steps") ?? document.root, "A scenario needs \"steps\", a list. Add it.")
    }
    diagnostics += reader.finish { key, known in
      known.contains("do") && isFact(key) ? "It is an expectation: write \"expect\": { \"\(key)\": … }." : nil
    }
    let errors = diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty, let start else { throw ScenarioError(diagnostics: unique(diagnostics)) }
    return Scenario(
      title: header.title, shows: header.shows, catalogPath: header.catalog, start: start, zone: zone, seed: header.seed,
      parameters: names.values.mapValues(\.text), devices: header.devices,
      catalogPatch: header.patch, settings: settings, steps: steps, names: reading.names, vocabulary: vocabulary,
      catalogPlace: fields.value("catalog")?.position)
  }

  private func reading(_ reader: JSONReader) -> ScenarioReading {
    reader.synonyms = Self.synonyms
    return ScenarioReading(reader, zone: zone, devices: deviceNames, vocabulary)
  }

  /// Removes duplicates. Ignores mistakes in a text that contains an undefined name.
  private func unique(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    let unfilled = Set(diagnostics.filter { $0.code == "missing-parameter" }.compactMap(\.position))
    var seen: Set<Diagnostic> = []
    return diagnostics.filter {
      ($0.code == "missing-parameter" || $0.position.map { !unfilled.contains($0) } ?? true) && seen.insert($0).inserted
    }.sorted {
      ($0.position ?? .init(line: 0, column: 0)) < ($1.position ?? .init(line: 0, column: 0))
    }
  }

  /// Words of other test formats for keys of a scenario and of a step.
  private static let synonyms = [
    "action": ["do"], "assert": ["expect"], "check": ["expect"], "event": ["do"], "loop": ["each"], "name": ["title"], "then": ["expect"],
    "verb": ["do"], "wait": ["advance"],
  ]

  // MARK: Steps

  private static let kinds = ["do", "advance", "expect", "each"]

  private mutating func readStep(_ value: JSONValue, _ reading: ScenarioReading, _ names: ScenarioNames) -> [ScenarioStep] {
    let reader = reading.reader
    guard let fields = reader.object(value, "a step") else { return [] }
    stepsLeft -= 1
    let kinds = Self.kinds.filter { value[$0] != nil }
    // A verb may have its own expectation.
    let kind = kinds == ["do", "expect"] ? "do" : kinds.count == 1 ? kinds[0] : nil
    if kinds.isEmpty || kinds == ["expect"], let mend = mend(ofStepWithoutVerb: value) {
      reader.report("step", at: value, mend)
      reader.markRead(value)
      return []
    }
    if kinds.isEmpty, Self.kinds.contains(where: { reader.reportMisspelt($0, in: value) }) { return [] }
    guard let kind else {
      let found = kinds.isEmpty ? "none of them" : kinds.joined(separator: " and ")
      reader.report("step", at: value, "A step has exactly one of \"do\", \"advance\", \"expect\" and \"each\", but this has \(found).")
      reader.markRead(value)
      return []
    }
    switch kind {
    case "do": return readVerb(fields, value, reading).map { [step($0, $1, value, reader)] } ?? []
    case "advance":
      let (advance, device, note) = Self.advance(StepKeys(fields, reading))
      return [ScenarioStep(content: .advance(advance, device: device, note: note), line: value.position.line)]
    case "expect":
      let device = Self.expect(StepKeys(fields, reading))
      let expectations = fields.value("expect").map { readExpectations($0, device, reading) } ?? []
      return [ScenarioStep(content: .expect(expectations), line: value.position.line)]
    default: return readLoop(fields, value, reading, names)
    }
  }

  /// What is missing in a step without a verb: the first verb with all of its keys, or `expect`. `nil` if its keys are of neither.
  private func mend(ofStepWithoutVerb value: JSONValue) -> String? {
    let keys = value.members.map(\.key).filter { !["expect", "note", "on", "as", "times"].contains($0) }
    if keys.isEmpty { return nil }
    if let verb = vocabulary.verbs().map(\.name).first(where: { Set(keys).isSubset(of: vocabulary.keys(of: $0).map(\.name)) }) {
      return "This step has no verb. Add \"do\", such as \"do\": \"\(verb)\"."
    }
    return keys.first(where: isFact).map { "\"\($0)\" is an expectation. Write a step with \"expect\": { \"expect\": { \"\($0)\": … } }." }
  }

  private func isFact(_ key: String) -> Bool { vocabulary.subjects.contains { $0.facts.contains { $0.name == key } } }

  /// A step with a verb, repeated as often as it states.
  private mutating func step(_ verb: any ScenarioVerb, _ frame: ActionFrame, _ value: JSONValue, _ reader: JSONReader) -> ScenarioStep {
    let isWithin = stepsLeft >= 0
    stepsLeft -= frame.times * verb.calls - 1
    if isWithin, stepsLeft < 0 {
      reader.report(
        "step", at: value["times"] ?? value["parallel"] ?? value,
        "The scenario has more than 50,000 steps, with loops, \"times\" and \"parallel\" expanded. Repeat less.")
    }
    return ScenarioStep(content: .act(verb, frame), line: value.position.line)
  }

  static let advance: @Sendable (StepKeys) -> (ScenarioAdvance, device: String?, note: String?) = { keys in
    let advance = keys.required(
      "advance", .advance, "A length, an instant, a local time, nextChange or nextRenewal.")
    let note = keys.optional("note", .text, "A note on the timeline.")
    let device = keys.optional("on", .device, "The device of the next change or renewal. Absent: any device.")
    switch advance {
    case .by, .to: keys.noEffect(["on"], when: .has("advance"), "time passes on all devices.", isRule: false)
    case .nextChange, .nextRenewal: break
    }
    keys.rule([
      "if": ["properties": ["advance": ["anyOf": [["enum": ["nextChange", "nextRenewal"]], .ref("parameter")]]]],
      "else": ["not": ["anyOf": [.required(["on"])]]],
    ])
    return (advance, device, note)
  }

  static let expect: @Sendable (StepKeys) -> String? = { keys in
    _ = keys.optional("note", .text, "A note for the reader.")
    return keys.optional("on", .device, "The device to ask. Absent: the first.")
  }

  /// Reads the steps again for each pass, with the loop's value filled in.
  private mutating func readLoop(
    _ fields: JSONFields, _ value: JSONValue, _ reading: ScenarioReading, _ names: ScenarioNames
  ) -> [ScenarioStep] {
    let reader = reading.reader
    if reader.reportMisspelt("steps", in: value) { return [] }
    _ = fields.value("each")
    let steps = fields.value("steps")
    if let steps { reader.markRead(steps) }
    guard let each = value["each"], let loop = reader.object(each, "a name with its values"), let member = each.members.first,
      each.members.count == 1, let steps, steps.kind == .array, let values = loopValues(loop.value(member.key), reader), !values.isEmpty
    else {
      reader.markRead(value)
      reader.report(
        "step", at: value,
        "A loop is { \"each\": { \"n\": [1, 2] }, \"steps\": [ … ] } with one name; a range is \"1...20\", of at most 10,000 numbers.")
      return []
    }
    var found: [ScenarioStep] = []
    for one in values {
      guard stepsLeft > 0 else {
        reader.report("step", at: each, "With loops expanded, the scenario has more than 50,000 steps. Repeat less.")
        break
      }
      let inner = names.with(member.key, one)
      let body = inner.filling(steps)
      let bodyReading = self.reading(JSONReader(body))
      let before = diagnostics.count
      for step in body.root.elements { found += readStep(step, bodyReading, inner) }
      diagnostics += bodyReading.reader.finish()
      reading.names += bodyReading.names
      // A mistake in the first pass would repeat in each.
      if diagnostics.count > before { break }
    }
    return found
  }

  private func loopValues(_ value: JSONValue?, _ reader: JSONReader) -> [JSONScalar]? {
    guard let value else { return nil }
    if let text = value.string {
      let ends = text.components(separatedBy: "...")
      guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]), first <= last, last - first < 10_000 else { return nil }
      return (first...last).map { .number(String($0)) }
    }
    guard value.kind == .array else { return nil }
    reader.markRead(value)
    return value.elements.map { element in
      if let scalar = JSONScalar(element) { return scalar }
      reader.report(
        "type-mismatch", at: element,
        "The values of a loop are strings, numbers, true, false and null, but this is \(element.shortDescription).")
      return .null
    }
  }
}

/// The keys above the steps.
struct ScenarioHeader {
  let title: String
  let shows: [String]
  let catalog: String
  let zone: TimeZone
  let seed: UInt64
  let patch: JSONValue?
  let devices: [(name: String, customer: String)]

  init(_ keys: StepKeys) {
    _ = keys.optional("$schema", .text, "The schema's path, for editors.")
    title = keys.optional("title", .text, "One sentence about the scenario.") ?? ""
    shows = keys.optional("shows", .list(of: .text), "The ids of the requirements that the scenario shows.") ?? []
    catalog = keys.required("catalog", .text, "The catalog's path, relative to this file.")
    patch = keys.json("set", "A merge patch on the catalog.")
    zone =
      keys.optional("timeZone", .timeZone, "The zone of local times, such as Europe/Berlin. Absent: UTC.")
      ?? Calendar.storeCalendar.timeZone
    seed = keys.optional("seed", .seed, "The seed of everything random. Absent: 0.") ?? 0
    // Local times need the zone, so this is read after it.
    if keys.isListing { _ = keys.required("start", .instant, "The date of the beginning.") }
    _ = keys.json("parameters", "Values by name, filled in as ${name}; the command line can replace them.", .parameters)
    let named = keys.optional("devices", .devices, "Devices, each with its customer. Absent: one device, one customer.") ?? []
    devices = named.isEmpty ? [("device", "customer")] : named
  }
}

extension ScenarioSort where Value == UInt64 {
  fileprivate static let seed = ScenarioSort("a number", .orFilled(["type": "integer", "minimum": 0]), or: 0) { value, reading in
    reading.reader.decode(UInt64.self, from: value)
  }
}

extension ScenarioSort where Value == [(name: String, customer: String)] {
  /// The customer of each device, in the order of the file.
  fileprivate static let devices = ScenarioSort(
    "from devices to customers", ScenarioSort<[String: String]>.map(to: .text).schema().adding(["propertyNames": ["minLength": 1]]), or: []
  ) { value, reading in
    guard let object = reading.reader.object(value, "an object from devices to customers") else { return nil }
    return value.members.filter { $0.key != "$comment" }.compactMap { member in
      if member.key.isEmpty { reading.report("bad-value", member, "A device needs a name. Write one, such as \"phone\".") }
      return object.required(member.key, as: String.self).map { (member.key, $0) }
    }
  }
}

extension ScenarioSort where Value == ScenarioAdvance {
  fileprivate static let advance = ScenarioSort(
    "a length, an instant, nextChange or nextRenewal",
    ["anyOf": [["enum": ["nextChange", "nextRenewal"]], .ref("period"), .ref("instant")]],
    or: .nextChange
  ) { value, reading in
    guard let text = reading.reader.decode(String.self, from: value) else { return nil }
    switch text {
    case "nextChange": return .nextChange
    case "nextRenewal": return .nextRenewal
    default:
      if let period = Period(text) { return .by(period) }
      if ISODate.parse(text, in: reading.zone) != nil { return reading.instant(text, value).map(ScenarioAdvance.to) }
      reading.report(
        "bad-value", value,
        "\"\(text)\" is not a length, such as \"P7D\" or \"PT20H\", not a time, such as \"2026-03-01T12:00:00Z\", and not \"nextChange\" or \"nextRenewal\". Write one of them."
      )
      return nil
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Monetize
import MonetizeJSON

extension Scenario {
  /// Reads a scenario.
  /// - Parameter parameters: Values that replace the file's own.
  /// - Throws: ``ScenarioError`` with every mistake; a scenario that does not parse never runs.
  public init(json: Data, parameters: [String: String] = [:]) throws(ScenarioError) {
    let source: JSONDocument
    do throws(JSONSyntaxError) { source = try JSONDocument(parsing: [UInt8](json)) } catch {
      throw ScenarioError(diagnostics: [error.diagnostic])
    }
    var reader = ScenarioReader(source: source)
    self = try reader.read(replacing: parameters)
  }
}

/// Reads the structure of a scenario. Loops are counted out while reading, so that a step is just a step when it runs.
struct ScenarioReader {
  let source: JSONDocument
  var diagnostics: [Diagnostic] = []
  var zone = Instant.utc.timeZone
  var deviceNames: [String] = []
  /// What the catalog must know.
  private var namedThings: [ScenarioName] = []
  /// How many steps the file may still come to, loops and `times` counted out.
  ///
  /// More than anybody reads: what was meant shorter is told before it fills the memory or takes the day.
  private var stepsLeft = Self.mostSteps
  static let mostSteps = 50_000

  init(source: JSONDocument) { self.source = source }

  mutating func read(replacing parameters: [String: String]) throws(ScenarioError) -> Scenario {
    let own = JSONReader(source)
    let names = try ScenarioNames(parametersOf: source.root, replacedBy: parameters, own)
    names.reportUnfilled(in: source.root, own)
    diagnostics = own.diagnostics
    let document = names.filling(source.root)
    let reader = JSONReader(document)
    guard let fields = reader.object(document.root, "a scenario") else { throw ScenarioError(diagnostics: reader.finish()) }
    _ = fields.optional("$schema", as: String.self)
    let catalog = fields.required("catalog", as: String.self)
    if let name = fields.optional("timeZone", as: String.self) {
      if let zone = TimeZone(identifier: name) {
        self.zone = zone
      } else {
        reader.report(
          "bad-value", at: fields.value("timeZone") ?? document.root,
          "There is no time zone \"\(name)\". Write one such as \"Europe/Berlin\".")
      }
    }
    let start = fields.required("start", as: String.self).flatMap { instant($0, fields.value("start"), reader) }
    if let value = fields.value("parameters") { reader.markRead(value) }
    let patch = fields.value("set")
    if let patch { reader.markRead(patch) }
    var devices: [(name: String, customer: String)] = []
    if let value = fields.value("devices"), let object = reader.object(value, "an object from devices to customers") {
      for member in value.members where member.key != "$comment" {
        if let customer = object.required(member.key, as: String.self) { devices.append((member.key, customer)) }
      }
    }
    if devices.isEmpty { devices = [("device", "customer")] }
    deviceNames = devices.map(\.name)
    let settings = fields.value("store").flatMap { value in
      namedThings += ScenarioName.all(inSettings: value)
      return self.settings(value, reader).map { ($0, line: value.position.line) }
    }
    let title = fields.optional("title", as: String.self)
    let shows = fields.optional("shows", as: [String].self) ?? []
    let seed = fields.optional("seed", as: UInt64.self) ?? 0
    var steps: [ScenarioStep] = []
    if let value = fields.value("steps"), value.kind == .array {
      if value.elements.isEmpty { reader.report("missing-key", at: value, "\"steps\" is empty, so that nothing happens. Add a step.") }
      for step in value.elements { steps += readStep(step, reader, names) }
    } else {
      reader.report("missing-key", at: fields.value("steps") ?? document.root, "A scenario has \"steps\", a list. Add them.")
    }
    diagnostics += reader.finish()
    let errors = diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty, let catalog, let start else { throw ScenarioError(diagnostics: unique(diagnostics)) }
    return Scenario(
      title: title ?? "", shows: shows, catalogPath: catalog, start: start, zone: zone, seed: seed,
      parameters: names.values.mapValues(\.text), devices: devices,
      catalogPatch: patch, settings: settings, steps: steps, names: namedThings)
  }

  /// Each mistake once. Where a name is not filled in, what is wrong with the text itself says nothing.
  private func unique(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    let unfilled = Set(diagnostics.filter { $0.code == "missing-parameter" }.compactMap(\.position))
    var seen: Set<Diagnostic> = []
    return diagnostics.filter {
      ($0.code == "missing-parameter" || $0.position.map { !unfilled.contains($0) } ?? true) && seen.insert($0).inserted
    }.sorted {
      ($0.position ?? .init(line: 0, column: 0)) < ($1.position ?? .init(line: 0, column: 0))
    }
  }

  func instant(_ text: String, _ value: JSONValue?, _ reader: JSONReader) -> Date? {
    guard let date = Instant.parse(text, in: zone) else {
      if let value {
        reader.report(
          "bad-value", at: value, "\"\(text)\" is not a date and time. Write 2026-03-01T12:00:00Z, or a local time without the Z.")
      }
      return nil
    }
    // What the store does by itself from then on, it does step by step.
    if let value, !(0..<32_503_680_000).contains(date.timeIntervalSince1970) {
      reader.report("bad-value", at: value, "\"\(text)\" is not within the years 1970 to 2999. Write a time of these.")
      return nil
    }
    return date
  }

  // MARK: Steps

  private mutating func readStep(_ value: JSONValue, _ reader: JSONReader, _ names: ScenarioNames) -> [ScenarioStep] {
    guard let fields = reader.object(value, "a step") else { return [] }
    stepsLeft -= 1
    let kinds = ["do", "advance", "expect", "each"].filter { value[$0] != nil }
    // A verb may carry an expectation about itself.
    let kind = kinds == ["do", "expect"] ? "do" : kinds.count == 1 ? kinds[0] : nil
    guard let kind else {
      let found = kinds.isEmpty ? "none of them" : kinds.joined(separator: " and ")
      reader.report("step", at: value, "A step has exactly one of \"do\", \"advance\", \"expect\" and \"each\", and this has \(found).")
      reader.markRead(value)
      return []
    }
    namedThings += ScenarioName.all(inStep: value)
    let line = value.position.line
    switch kind {
    case "do":
      guard let (action, frame) = readAction(fields, value, reader) else { return [] }
      let calls = if case .use(let use) = action { use.parallel } else { 1 }
      let isWithin = stepsLeft >= 0
      stepsLeft -= frame.times * calls - 1
      if isWithin, stepsLeft < 0 {
        reader.report(
          "step", at: value["times"] ?? value["parallel"] ?? value,
          "The steps come to more than 50,000, with loops, \"times\" and \"parallel\" counted out. Repeat less.")
      }
      return [ScenarioStep(content: .act(action, frame), line: line)]
    case "advance":
      let note = fields.optional("note", as: String.self)
      let device = device(fields, reader)
      guard let advance = readAdvance(fields, value, reader) else { return [] }
      switch advance {
      case .by, .to: refuse(["on"], in: value, "time passes on all devices.", reader)
      case .nextChange, .nextRenewal: break
      }
      return [ScenarioStep(content: .advance(advance, device: device, note: note), line: line)]
    case "expect":
      _ = fields.optional("note", as: String.self)
      let device = device(fields, reader)
      return [ScenarioStep(content: .expect(readExpectations(fields.value("expect"), device, reader)), line: line)]
    default:
      return readLoop(fields, value, reader, names)
    }
  }

  private func readAdvance(_ fields: JSONFields, _ value: JSONValue, _ reader: JSONReader) -> ScenarioAdvance? {
    guard let text = fields.required("advance", as: String.self) else { return nil }
    switch text {
    case "nextChange": return .nextChange
    case "nextRenewal": return .nextRenewal
    default:
      if text.hasPrefix("P") {
        guard let period = Period(text) else {
          reader.report(
            "bad-value", at: fields.value("advance") ?? value, "\"\(text)\" is not a length of time. Write ISO 8601, such as P7D or PT20H.")
          return nil
        }
        return .by(period)
      }
      return instant(text, fields.value("advance"), reader).map(ScenarioAdvance.to)
    }
  }

  /// Each time round, the steps are read again with the loop's value in its place.
  private mutating func readLoop(_ fields: JSONFields, _ value: JSONValue, _ reader: JSONReader, _ names: ScenarioNames) -> [ScenarioStep] {
    _ = fields.value("each")
    let steps = fields.value("steps")
    if let steps { reader.markRead(steps) }
    guard let each = value["each"], let loop = reader.object(each, "a name with its values"), let member = each.members.first,
      each.members.count == 1, let steps, steps.kind == .array, let values = loopValues(loop.value(member.key), reader), !values.isEmpty
    else {
      for member in value["each"]?.members ?? [] { reader.markRead(member.value) }
      reader.report(
        "step", at: value,
        "A loop is { \"each\": { \"n\": [1, 2] }, \"steps\": [ … ] } over one name; a range is \"1...20\", of at most 10,000 numbers.")
      return []
    }
    var found: [ScenarioStep] = []
    for one in values {
      guard stepsLeft > 0 else {
        reader.report("step", at: each, "The loops make more than 50,000 steps of this file. Repeat less.")
        break
      }
      let inner = names.with(member.key, one)
      let body = inner.filling(steps)
      let bodyReader = JSONReader(body)
      let before = diagnostics.count
      for step in body.root.elements { found += readStep(step, bodyReader, inner) }
      diagnostics += bodyReader.finish()
      // What is wrong the first time is wrong each time.
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
        "type-mismatch", at: element, "A loop goes over strings, numbers, true, false and null, but this is \(element.shortDescription).")
      return .null
    }
  }
}

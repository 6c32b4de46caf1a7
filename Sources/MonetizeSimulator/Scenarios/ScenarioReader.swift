// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Monetize

extension Scenario {
  /// Reads a scenario.
  /// - Parameter parameters: Values that replace the file's own.
  /// - Throws: ``ScenarioError`` with every mistake; a scenario that does not parse never runs.
  public init(json: Data, parameters: [String: String] = [:]) throws(ScenarioError) {
    do {
      let document = try JSONDocument(parsing: [UInt8](json))
      var bindings = Self.ownParameters(document.root)
      let unknown = parameters.keys.filter { bindings[$0] == nil }.sorted()
      if let first = unknown.first {
        let known = bindings.keys.sorted()
        let guess = closestMatch(to: first, in: known).map { " Did you mean \"\($0)\"?" }
        throw ScenarioError(diagnostics: [
          Diagnostic(
            .error, "unknown-parameter", path: "parameters", position: document.root["parameters"]?.position,
            message: "The scenario has no parameter \"\(first)\"."
              + (guess ?? (known.isEmpty ? " It has none." : " It has \(known.joined(separator: ", ")).")))
        ])
      }
      bindings.merge(parameters) { _, own in own }
      var reader = ScenarioReader(text: json, bindings: bindings)
      self = try reader.read()
    } catch let error as JSONSyntaxError {
      throw ScenarioError(diagnostics: [error.diagnostic])
    } catch let error as ScenarioError {
      throw error
    } catch {
      throw ScenarioError(diagnostics: [Diagnostic(.error, "unreadable", path: "", position: nil, message: "\(error)")])
    }
  }

  private static func ownParameters(_ root: JSONValue) -> [String: String] {
    Dictionary((root["parameters"]?.members ?? []).compactMap { member in filling(member.value).map { (member.key, $0) } }) { first, _ in
      first
    }
  }

  /// What a value fills in for a name: a string as it is, a number and a truth as they are written.
  fileprivate static func filling(_ value: JSONValue) -> String? {
    value.string ?? value.numberText ?? value.bool.map { $0 ? "true" : "false" }
  }
}

/// Reads the structure of a scenario. Loops are counted out while reading, so that a step is just a step when it runs.
struct ScenarioReader {
  let text: Data
  let bindings: [String: String]
  var diagnostics: [Diagnostic] = []
  var zone = Instant.utc.timeZone
  /// How many steps loops may still make of the file.
  ///
  /// More than anybody reads: a loop that was meant shorter is told before it fills the memory.
  private var stepsLeft = 50_000

  init(text: Data, bindings: [String: String]) {
    self.text = text
    self.bindings = bindings
  }

  /// The text with `${name}` replaced. Lines stay lines; only columns behind a replaced name move.
  private func document(_ bindings: [String: String]) throws -> JSONDocument {
    var content = String(decoding: text, as: UTF8.self)
    for (name, value) in bindings {
      let escaped = (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self).dropFirst().dropLast() } ?? ""
      content = content.replacingOccurrences(of: "${\(name)}", with: String(escaped))
    }
    return try JSONDocument(parsing: content)
  }

  mutating func read() throws -> Scenario {
    let document = try document(bindings)
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
    if let value = fields.value("parameters") { readParameters(value, reader) }
    reportUnfilled(document.root, [], reader)
    let patch = fields.value("set").map { value in
      reader.markRead(value)
      return value.text(pretty: false)
    }
    var devices: [(name: String, customer: String)] = []
    if let value = fields.value("devices"), let object = reader.object(value, "an object from devices to customers") {
      for member in value.members where member.key != "$comment" {
        if let customer = object.required(member.key, as: String.self) { devices.append((member.key, customer)) }
      }
    }
    if devices.isEmpty { devices = [("device", "customer")] }
    let settings = fields.optional("store", as: WorldSettings.self)
    let title = fields.optional("title", as: String.self)
    let shows = fields.optional("shows", as: [String].self) ?? []
    let seed = fields.optional("seed", as: UInt64.self) ?? 0
    var steps: [ScenarioStep] = []
    if let value = fields.value("steps"), value.kind == .array {
      if value.elements.isEmpty { reader.report("missing-key", at: value, "\"steps\" is empty, so that nothing happens. Add a step.") }
      for (place, step) in value.elements.enumerated() { steps += readStep(step, reader, bindings, [place]) }
    } else {
      reader.report("missing-key", at: fields.value("steps") ?? document.root, "A scenario has \"steps\", a list. Add them.")
    }
    diagnostics += reader.finish()
    let errors = diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty, let catalog, let start else { throw ScenarioError(diagnostics: unique(diagnostics)) }
    return Scenario(
      title: title ?? "", shows: shows, catalogPath: catalog, start: start, zone: zone, seed: seed, parameters: bindings, devices: devices,
      catalogPatch: patch, settings: settings, steps: steps)
  }

  /// A mistake in a loop is the same one each time round.
  private func unique(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var seen: Set<Diagnostic> = []
    return diagnostics.filter { seen.insert($0).inserted }.sorted {
      ($0.position ?? .init(line: 0, column: 0)) < ($1.position ?? .init(line: 0, column: 0))
    }
  }

  func instant(_ text: String, _ value: JSONValue?, _ reader: JSONReader) -> Date? {
    if let date = Instant.parse(text, in: zone) { return date }
    if let value {
      reader.report("bad-value", at: value, "\"\(text)\" is no instant. Write 2026-03-01T12:00:00Z, or a local time without the Z.")
    }
    return nil
  }

  // MARK: Parameters

  private func readParameters(_ value: JSONValue, _ reader: JSONReader) {
    reader.markRead(value)
    guard value.kind == .object else {
      return reader.report("type-mismatch", at: value, "Expected names with their values here, but found \(value.shortDescription).")
    }
    for member in value.members where member.key != "$comment" && Scenario.filling(member.value) == nil {
      reader.report(
        "type-mismatch", at: member.value, "A parameter is a string, a number, true or false, but this is \(member.value.shortDescription)."
      )
    }
  }

  /// Tells of each `${name}` that nothing has filled in. The names of loops are filled in later, and only in their own steps.
  private func reportUnfilled(_ value: JSONValue, _ names: Set<String>, _ reader: JSONReader) {
    func check(_ text: String) {
      for part in text.components(separatedBy: "${").dropFirst() {
        guard let end = part.firstIndex(of: "}"), case let name = String(part[..<end]), !names.contains(name) else { continue }
        let guess = closestMatch(to: name, in: bindings.keys.sorted() + names.sorted()).map { "Did you mean \"\($0)\"?" }
        reader.report(
          "missing-parameter", at: value, "Nothing fills in ${\(name)}. " + (guess ?? "Name it in \"parameters\", or in a loop."))
      }
    }
    switch value.kind {
    case .string: check(value.string ?? "")
    case .array: for element in value.elements { reportUnfilled(element, names, reader) }
    case .object:
      let own = names.union(value["each"]?.members.map(\.key) ?? [])
      for member in value.members where member.key != "$comment" {
        check(member.key)
        reportUnfilled(member.value, member.key == "steps" ? own : names, reader)
      }
    default: break
    }
  }

  // MARK: Steps

  private mutating func readStep(_ value: JSONValue, _ reader: JSONReader, _ bindings: [String: String], _ place: [Int]) -> [ScenarioStep] {
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
    let line = value.position.line
    switch kind {
    case "do":
      guard let (action, frame) = readAction(fields, value, reader) else { return [] }
      return [ScenarioStep(content: .act(action, frame), line: line)]
    case "advance":
      let note = fields.optional("note", as: String.self)
      return readAdvance(fields, value, reader).map { [ScenarioStep(content: .advance($0, note: note), line: line)] } ?? []
    case "expect":
      _ = fields.optional("note", as: String.self)
      let device = fields.optional("on", as: String.self)
      return [ScenarioStep(content: .expect(readExpectations(fields.value("expect"), device, reader)), line: line)]
    default:
      return readLoop(fields, value, reader, bindings, place)
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

  /// Each time round, the file is read again with the loop's value in its place.
  private mutating func readLoop(
    _ fields: JSONFields, _ value: JSONValue, _ reader: JSONReader, _ bindings: [String: String], _ place: [Int]
  )
    -> [ScenarioStep]
  {
    _ = fields.value("each")
    let steps = fields.value("steps")
    if let steps { reader.markRead(steps) }
    guard let each = value["each"], let loop = reader.object(each, "a name with its values"), let member = each.members.first,
      each.members.count == 1,
      steps != nil, let values = loopValues(loop.value(member.key), reader), !values.isEmpty
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
      var inner = bindings
      inner[member.key] = one
      guard let document = try? document(inner) else { continue }
      var container: JSONValue? = document.root
      for index in place { container = container?["steps"]?.elements.dropFirst(index).first }
      let innerReader = JSONReader(document)
      innerReader.markRead(document.root)
      for (index, step) in (container?["steps"]?.elements ?? []).enumerated() {
        found += readStep(step, innerReader, inner, place + [index])
      }
      diagnostics += innerReader.finish()
    }
    return found
  }

  private func loopValues(_ value: JSONValue?, _ reader: JSONReader) -> [String]? {
    guard let value else { return nil }
    if let text = value.string {
      let ends = text.components(separatedBy: "...")
      guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]), first <= last, last - first < 10_000 else { return nil }
      return (first...last).map(String.init)
    }
    guard value.kind == .array else { return nil }
    reader.markRead(value)
    return value.elements.map { Scenario.filling($0) ?? $0.text(pretty: false) }
  }
}

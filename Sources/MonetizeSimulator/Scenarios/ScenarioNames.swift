// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

/// The values of `${name}`: the parameters of a scenario and, in the steps of a loop, the loop's name.
///
/// A string that is only `${name}` becomes the value itself, of any type; within a longer text it becomes the value's text.
struct ScenarioNames: Sendable {
  var values: [String: JSONScalar] = [:]

  /// The same names with one more, which hides an outer one of the same name.
  func with(_ name: String, _ value: JSONScalar) -> ScenarioNames {
    var names = self
    names.values[name] = value
    return names
  }

  /// A copy of a part of a file with names filled in, except in the steps of loops: these are filled in for each pass.
  func filling(_ value: JSONValue) -> JSONDocument {
    var bodies: Set<JSONValue> = []
    Self.findLoops(in: value, &bodies)
    return JSONDocument(copying: value, verbatim: bodies, replacing: fill)
  }

  private static func findLoops(in value: JSONValue, _ bodies: inout Set<JSONValue>) {
    if value["each"] != nil, let steps = value["steps"] { bodies.insert(steps) }
    for child in value.members.map(\.value) + value.elements where !bodies.contains(child) { findLoops(in: child, &bodies) }
  }

  /// The filled text; `nil` when it has no known name.
  private func fill(_ text: String) -> JSONScalar? {
    guard text.contains("${") else { return nil }
    let pieces = Self.pieces(of: text)
    if pieces.count == 1, case .name(let name) = pieces[0] { return values[name] }
    var filled = ""
    for piece in pieces {
      switch piece {
      case .text(let text): filled += text
      case .name(let name): filled += values[name]?.text ?? "${\(name)}"
      case .unclosed(let text): filled += "${" + text
      }
    }
    return .string(filled)
  }

  /// A part of a text.
  enum Piece: Equatable {
    case text(String)
    case name(String)
    /// The text after a `${` without a closing brace.
    case unclosed(String)
  }

  static func pieces(of text: String) -> [Piece] {
    let parts = text.components(separatedBy: "${")
    var pieces: [Piece] = parts[0].isEmpty ? [] : [.text(parts[0])]
    for part in parts.dropFirst() {
      guard let end = part.firstIndex(of: "}") else {
        pieces.append(.unclosed(part))
        continue
      }
      pieces.append(.name(String(part[..<end])))
      let rest = String(part[part.index(after: end)...])
      if !rest.isEmpty { pieces.append(.text(rest)) }
    }
    return pieces
  }
}

extension ScenarioNames {
  /// The parameters of a file with some of them replaced. A parameter may name others, in any order.
  init(parametersOf root: JSONValue, replacedBy replacements: [String: String], _ reader: JSONReader) throws(ScenarioError) {
    let value = root["parameters"]
    if let value, value.kind != .object {
      reader.report("type-mismatch", at: value, "Expected names with their values here, but found \(value.shortDescription).")
    }
    let members = value?.members.filter { $0.key != "$comment" } ?? []
    try Self.refuseUnknown(replacements, members.map(\.key), value)
    var given: [String: JSONScalar] = [:]
    for member in members {
      guard let own = JSONScalar(member.value), own.kind != .null else {
        reader.report(
          "type-mismatch", at: member.value,
          "A parameter is a string, a number, true or false, but this is \(member.value.shortDescription).")
        continue
      }
      given[member.key] =
        try replacements[member.key].map { text throws(ScenarioError) in
          try Self.read(text, as: own, member)
        } ?? own
    }
    var open: [String] = []
    for member in members { _ = resolve(member.key, given, &open, member.value, reader) }
  }

  /// Reads the replacement of a parameter, which must have the parameter's type.
  private static func read(_ text: String, as own: JSONScalar, _ member: JSONMember) throws(ScenarioError) -> JSONScalar {
    if own.kind == .string { return .string(text) }
    if let value = (try? JSONDocument(parsing: text)).flatMap({ JSONScalar($0.root) }), value.kind == own.kind { return value }
    let sort = own.kind == .bool ? "true or false" : "a number"
    throw Self.mistake(member.value, "The parameter \"\(member.key)\" is \(sort), and \"\(text)\" is not. Give it \(sort).")
  }

  private static func refuseUnknown(_ replacements: [String: String], _ known: [String], _ value: JSONValue?) throws(ScenarioError) {
    guard let first = replacements.keys.sorted().first(where: { !known.contains($0) }) else { return }
    let others = known.isEmpty ? "It has none." : "It has \(known.sorted().joined(separator: ", "))."
    let mend = didYouMean(closestMatch(to: first, in: known.sorted()), or: others)
    throw mistake(value, "The scenario has no parameter \"\(first)\".\(mend)")
  }

  private static func mistake(_ site: JSONValue?, _ message: String) -> ScenarioError {
    let path = site?.path ?? "parameters"
    return ScenarioError(diagnostics: [Diagnostic(.error, "unknown-parameter", path: path, position: site?.position, message: message)])
  }

  /// A parameter with its names filled in. `open` is the list of parameters being filled in, to find circular references.
  private mutating func resolve(
    _ name: String, _ given: [String: JSONScalar], _ open: inout [String], _ value: JSONValue, _ reader: JSONReader
  ) -> JSONScalar? {
    if let known = values[name] { return known }
    guard let own = given[name] else { return nil }
    guard !open.contains(name) else {
      let round = (open[(open.firstIndex(of: name) ?? 0)...] + [name]).map { "${\($0)}" }.joined(separator: " → ")
      reader.report("missing-parameter", at: value, "Circular reference: \(round). Give one of them a value of its own.")
      return nil
    }
    open.append(name)
    if own.kind == .string {
      var inner = ScenarioNames()
      for case .name(let other) in Self.pieces(of: own.text) {
        if let found = resolve(other, given, &open, value, reader) { inner.values[other] = found }
      }
      let filled = inner.fill(own.text) ?? own
      // Nested parameters can multiply: report them before they exhaust the memory.
      if filled.text.utf8.count > 10_000 {
        reader.report(
          "bad-value", at: value, "Filled in, this has \(filled.text.utf8.count) characters; a parameter has 10,000 at most. Shorten it.")
      }
      values[name] = filled.text.utf8.count > 10_000 ? own : filled
    } else {
      values[name] = own
    }
    open.removeLast()
    return values[name]
  }

  /// Reports each `${name}` in a file that has no value.
  func reportUnfilled(in value: JSONValue, _ reader: JSONReader, _ loops: Set<String> = []) {
    switch value.kind {
    case .string: reportUnfilled(value.string ?? "", loops) { reader.report("missing-parameter", at: value, $0) }
    case .array: for element in value.elements { reportUnfilled(in: element, reader, loops) }
    case .object:
      let own = loops.union(value["each"]?.members.map(\.key) ?? [])
      // Without "steps" the loop has a mistake of its own, and its steps are probably under another key.
      let isLoop = value["steps"] != nil
      for member in value.members where member.key != "$comment" {
        reportUnfilled(member.key, loops) { reader.report("missing-parameter", at: member, $0) }
        reportUnfilled(in: member.value, reader, member.key == "steps" || !isLoop ? own : loops)
      }
    default: break
    }
  }

  private func reportUnfilled(_ text: String, _ loops: Set<String>, _ report: (String) -> Void) {
    guard text.contains("${") else { return }
    let known = values.keys.sorted() + loops.sorted()
    for piece in Self.pieces(of: text) {
      switch piece {
      case .text: break
      case .unclosed: report("\"${\" begins a name, but the closing brace is missing. Write ${name}.")
      case .name(let name) where known.contains(name): break
      case .name(let name):
        let guess =
          name.firstIndex(of: ".").map { String(name[..<$0]) }.flatMap {
            known.contains($0) ? "${\($0)} is one value, without parts." : nil
          }
          ?? closestMatch(to: name, in: known).map { "Did you mean \"\($0)\"?" }
        report("${\(name)} has no value. " + (guess ?? "Define it in \"parameters\", or in a loop."))
      }
    }
  }
}

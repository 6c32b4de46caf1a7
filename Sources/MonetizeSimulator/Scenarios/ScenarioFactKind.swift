// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

/// The declaration of a fact: its name, the type of its value, and its description.
struct ScenarioFactShape: Sendable {
  let name: String
  let kind: ScenarioFactKind
  let about: String
}

/// The type of a fact's value. An expectation that could never hold is a mistake of the file, reported with its place before the run.
indirect enum ScenarioFactKind: Sendable {
  case yesNo
  /// A number, or bounds.
  case number
  /// A number, bounds, or `"unlimited"`.
  case amount
  /// An instant, or bounds.
  case moment
  /// A decimal string.
  case money
  case text
  case one(of: [String])
  case list
  /// Names with values; any names when `keys` is empty.
  case object(of: ScenarioFactKind, keys: [String] = [])
  /// Some of these names, each with a value of its own sort.
  case facts([ScenarioFactShape])
  /// A list, each entry in words or by some of its facts.
  case log([ScenarioFactShape])
  /// A number, bounds, or a list, each entry by some of its facts.
  case counted([ScenarioFactShape])
  case any

  /// The expected value. A value of another type is reported, and read as it is.
  func read(_ json: JSONValue, _ reader: JSONReader, _ zone: TimeZone) -> ScenarioValue {
    if !json.isNull, let wanted = mistake(in: json, zone) {
      let code: Diagnostic.Code = json.kind == .string ? "bad-value" : "type-mismatch"
      reader.report(code, at: json, "Expected \(wanted) here, but found \(json.shortDescription).\(guess(json))")
    }
    switch self {
    case .object(let kind, let keys) where json.kind == .object:
      return object(json, reader, zone, keys) { _ in kind }
    case .facts(let kinds) where json.kind == .object:
      return object(json, reader, zone, kinds.map(\.name)) { key in kinds.first { $0.name == key }?.kind ?? .any }
    case .log(let facts) where json.kind == .array:
      return .list(json.elements.map { ($0.kind == .object ? .facts(facts) : ScenarioFactKind.text).read($0, reader, zone) })
    case .counted(let facts) where json.kind == .array:
      return .list(json.elements.map { ScenarioFactKind.facts(facts).read($0, reader, zone) })
    case .text, .one: return json.wording.map(ScenarioValue.text) ?? ScenarioValue(json: json)
    case .moment: return ScenarioValue(json: json).withInstants(in: zone)
    default: return ScenarioValue(json: json)
    }
  }

  private func object(
    _ json: JSONValue, _ reader: JSONReader, _ zone: TimeZone, _ keys: [String], _ kind: (String) -> ScenarioFactKind
  ) -> ScenarioValue {
    for member in json.members where !keys.isEmpty && !keys.contains(member.key) {
      let mend = didYouMean(closestMatch(to: member.key, in: keys), or: "There are \(keys.joined(separator: ", ")).")
      reader.report("unknown-key", at: member, "There is no key \"\(member.key)\" here.\(mend)")
    }
    return .object(Dictionary(json.members.map { ($0.key, kind($0.key).read($0.value, reader, zone)) }) { first, _ in first })
  }

  /// The values that were expected here; `nil` when the value is one of them.
  private func mistake(in json: JSONValue, _ zone: TimeZone) -> String? {
    switch self {
    case .yesNo: return json.kind == .bool ? nil : "true or false"
    case .number: return isNumber(json) || isBounds(json, isNumber) ? nil : "a number, or bounds such as { \"atLeast\": 1 }"
    case .amount:
      return isNumber(json) || json.string == "unlimited" || isBounds(json, isNumber)
        ? nil : "a number, \"unlimited\", or bounds such as { \"atLeast\": 1 }"
    case .moment:
      let isMoment = { (value: JSONValue) in value.string.flatMap { ISODate.parse($0, in: zone) } != nil }
      return isMoment(json) || isBounds(json, isMoment) ? nil : "an instant such as \"2026-03-01T12:00:00Z\", or bounds of such"
    case .money:
      let isMoney = { (value: JSONValue) in value.string.flatMap { Money.amount($0) } != nil }
      return json.string.map(isSum) ?? false || isBounds(json, { isMoney($0) || $0.kind == .number })
        ? nil : "a decimal string such as \"9.99\", or bounds such as { \"atLeast\": \"1.00\" }"
    case .text: return json.wording != nil ? nil : "a string"
    case .one(let names):
      return names.contains(json.wording ?? "") ? nil : "one of \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
    case .counted:
      return json.kind == .array || isNumber(json) || isBounds(json, isNumber) ? nil : "a number, or a list of transactions in brackets"
    case .list, .log: return json.kind == .array ? nil : "a list in brackets"
    case .object, .facts: return json.kind == .object ? nil : "names with their values in braces"
    case .any: return nil
    }
  }

  /// The closest of a few words.
  private func guess(_ json: JSONValue) -> String {
    guard case .one(let names) = self, let text = json.string else { return "" }
    return closestMatch(to: text, in: names).map { " Did you mean \"\($0)\"?" } ?? ""
  }

  /// `9.99`, or a sum in several currencies: `19.98 USD + 8.99 EUR`.
  private func isSum(_ text: String) -> Bool {
    text.components(separatedBy: " + ").allSatisfy { Money.amount($0.split(separator: " ").first.map(String.init) ?? "") != nil }
  }

  private func isNumber(_ json: JSONValue) -> Bool { json.kind == .number }

  private func isBounds(_ json: JSONValue, _ isRight: (JSONValue) -> Bool) -> Bool {
    json.kind == .object && !json.members.isEmpty
      && json.members.allSatisfy { ["atLeast", "atMost"].contains($0.key) && isRight($0.value) }
  }
}

extension ScenarioFactKind {
  /// The same type for the JSON Schema.
  var schema: JSONTree {
    switch self {
    case .yesNo: .ref("yesNo")
    case .number: .ref("number")
    case .amount: .ref("amount")
    case .moment: .ref("moment")
    case .money: .ref("money")
    case .text: ["type": ["string", "null"]]
    case .one(let names): ["anyOf": [["enum": .list(names.map(JSONTree.text) + [.null])], .ref("parameter")]]
    case .list: ["type": ["array", "null"]]
    case .object(let kind, let keys) where keys.isEmpty: ["type": ["object", "null"], "additionalProperties": kind.schema]
    case .object(let kind, let keys): Self.schema(keys.map { ScenarioFactShape(name: $0, kind: kind, about: "Of \($0).") })
    case .facts(let facts): Self.schema(facts)
    case .log(let facts): ["type": ["array", "null"], "items": ["anyOf": [["type": "string"], Self.schema(facts)]]]
    case .counted(let facts): ["anyOf": [.ref("number"), ["type": "array", "items": Self.schema(facts)]]]
    case .any: [:]
    }
  }

  private static func schema(_ facts: [ScenarioFactShape]) -> JSONTree {
    ["type": ["object", "null"], "additionalProperties": false, "properties": .object(facts.map(\.described))]
  }
}

extension ScenarioFactShape {
  var described: (key: String, value: JSONTree) { (name, JSONTree.object([("description", .text(about))]).adding(kind.schema)) }
}

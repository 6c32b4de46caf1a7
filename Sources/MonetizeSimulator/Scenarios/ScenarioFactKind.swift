// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// What sort of value a fact has: an expectation that could never hold is a mistake of the file, told with its place before anything runs.
indirect enum ScenarioFactKind {
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
  case any

  /// What was expected, as a value of this sort. What is none is reported, and read as it stands. What a parameter fills in is always a
  /// string, and is read as what it says.
  func read(_ json: JSONValue, _ reader: JSONReader, _ zone: TimeZone) -> ScenarioValue {
    if !json.isNull, let wanted = mistake(in: json, zone) {
      let code: Diagnostic.Code = json.kind == .string ? "bad-value" : "type-mismatch"
      reader.report(code, at: json, "Expected \(wanted) here, but found \(json.shortDescription).\(guess(json))")
    }
    if case .object(let kind, let keys) = self, json.kind == .object {
      for member in json.members where !keys.isEmpty && !keys.contains(member.key) {
        let guess = closestMatch(to: member.key, in: keys).map { "Did you mean \"\($0)\"?" } ?? "There are \(keys.joined(separator: ", "))."
        reader.report("unknown-key", atKey: member, "There is no \"\(member.key)\" here. \(guess)")
      }
      return .object(Dictionary(json.members.map { ($0.key, kind.read($0.value, reader, zone)) }) { first, _ in first })
    }
    switch (self, json.string) {
    case (.yesNo, "true"?): return .bool(true)
    case (.yesNo, "false"?): return .bool(false)
    case (.number, _), (.amount, _):
      guard json.kind == .object else { return Self.value(of: json) }
      return .object(Dictionary(json.members.map { ($0.key, Self.value(of: $0.value)) }) { first, _ in first })
    default: return ScenarioValue(json: json)
    }
  }

  /// What had to stand there; `nil` when it does.
  private func mistake(in json: JSONValue, _ zone: TimeZone) -> String? {
    switch self {
    case .yesNo: return json.kind == .bool || ["true", "false"].contains(json.string) ? nil : "true or false"
    case .number: return isNumber(json) || isBounds(json, isNumber) ? nil : "a number, or bounds such as { \"atLeast\": 1 }"
    case .amount:
      return isNumber(json) || json.string == "unlimited" || isBounds(json, isNumber)
        ? nil : "a number, \"unlimited\", or bounds such as { \"atLeast\": 1 }"
    case .moment:
      let isMoment = { (value: JSONValue) in value.string.flatMap { Instant.parse($0, in: zone) } != nil }
      return isMoment(json) || isBounds(json, isMoment) ? nil : "an instant such as \"2026-03-01T12:00:00Z\", or bounds of such"
    case .money: return json.kind == .string ? nil : "a decimal string such as \"9.99\""
    case .text: return json.kind == .string ? nil : "a string"
    case .one(let names):
      return names.contains(json.string ?? "") ? nil : "one of \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
    case .list: return json.kind == .array ? nil : "a list in brackets"
    case .object: return json.kind == .object ? nil : "names with their values in braces"
    case .any: return nil
    }
  }

  /// What was probably meant, of a few words.
  private func guess(_ json: JSONValue) -> String {
    guard case .one(let names) = self, let text = json.string else { return "" }
    return closestMatch(to: text, in: names).map { " Did you mean \"\($0)\"?" } ?? ""
  }

  private func isNumber(_ json: JSONValue) -> Bool { json.kind == .number || json.string.flatMap(Self.number) != nil }

  private func isBounds(_ json: JSONValue, _ isRight: (JSONValue) -> Bool) -> Bool {
    json.kind == .object && !json.members.isEmpty
      && json.members.allSatisfy { ["atLeast", "atMost"].contains($0.key) && isRight($0.value) }
  }

  private static func value(of json: JSONValue) -> ScenarioValue {
    json.string.flatMap(number).map(ScenarioValue.number) ?? ScenarioValue(json: json)
  }

  private static func number(_ text: String) -> Decimal? {
    guard text.allSatisfy({ $0.isNumber || "+-.eE".contains($0) }) else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}

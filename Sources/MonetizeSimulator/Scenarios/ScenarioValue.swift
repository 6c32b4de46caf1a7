// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

/// A value that is expected or that was found.
indirect enum ScenarioValue: Sendable, Hashable {
  case absent
  case bool(Bool)
  case number(Decimal)
  case text(String)
  case instant(Date)
  /// An amount per currency; an empty list is 0.
  case money([Money])
  case list([ScenarioValue])
  case object([String: ScenarioValue])

  init(_ value: (some ScenarioScalar)?) { self = value?.inScenario ?? .absent }
  init(_ values: [String]) { self = .list(values.map(Self.text)) }

  /// Makes the value of a JSON value in a scenario.
  init(json: JSONValue) {
    switch json.kind {
    case .null: self = .absent
    case .bool: self = .bool(json.bool ?? false)
    case .number: self = .number(Decimal(string: json.numberText ?? "", locale: Locale(identifier: "en_US_POSIX")) ?? .nan)
    case .string: self = .text(json.string ?? "")
    case .array: self = .list(json.elements.map(ScenarioValue.init(json:)))
    case .object:
      self = .object(Dictionary(json.members.map { ($0.key, ScenarioValue(json: $0.value)) }) { first, _ in first })
    }
  }

  /// Whether a found value meets this expectation: it is equal, `null` means absent, an object names some of the keys, a list must match
  /// exactly, numbers and instants may have bounds.
  func accepts(_ found: ScenarioValue) -> Bool {
    switch (self, found) {
    case (.text(let text), .money(let amounts)): Self.isSame(text, amounts)
    // An event may be given by its name only, or by some of its values.
    case (.text(let name), .object(let event)) where event["name"] != nil: event["name"] == .text(name)
    case (.list(let expected), .list(let list)):
      expected.count == list.count && zip(expected, list).allSatisfy { $0.accepts($1) }
    case (.object(let keys), _) where !keys.isEmpty && keys.keys.allSatisfy({ $0 == "atLeast" || $0 == "atMost" }):
      keys.allSatisfy { Self.isBounded(found, key: $0, by: $1) }
    case (.object(let expected), .object(let object)):
      expected.allSatisfy { key, value in value.accepts(object[key] ?? .absent) }
    default: self == found
    }
  }

  /// Whether a text states these amounts: "19.990" and "19.99 USD" state 19.99 dollars. The currency may be left out where there is one.
  private static func isSame(_ text: String, _ amounts: [Money]) -> Bool {
    if amounts.count < 2, let amount = Money.amount(text) { return amount == amounts.first?.amount ?? 0 }
    let stated = text.components(separatedBy: " + ").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
    if amounts.isEmpty { return stated.allSatisfy { $0.first.flatMap { Money.amount($0) } == 0 } }
    return stated.count == amounts.count
      && zip(stated, amounts).allSatisfy { $0.count == 2 && Money.amount($0[0]) == $1.amount && $0[1] == $1.currency }
  }

  private static func isBounded(_ found: ScenarioValue, key: String, by bound: ScenarioValue) -> Bool {
    switch (found, bound) {
    case (.number(let number), .number(let bound)): key == "atLeast" ? number >= bound : number <= bound
    // Money is a decimal string; its bounds may also be numbers.
    case (.money(let amounts), .number) where amounts.count < 2: isBounded(.number(amounts.first?.amount ?? 0), key: key, by: bound)
    case (.money, .text(let amount)): Money.amount(amount).map { isBounded(found, key: key, by: .number($0)) } ?? false
    case (.instant(let date), .instant(let bound)): key == "atLeast" ? date >= bound : date <= bound
    default: false
    }
  }

  /// The value with instants in place of their texts, also in bounds.
  func withInstants(in zone: TimeZone) -> ScenarioValue {
    switch self {
    case .text(let text): ISODate.parse(text, in: zone).map(Self.instant) ?? self
    case .object(let bounds): .object(bounds.mapValues { $0.withInstants(in: zone) })
    default: self
    }
  }

  /// The keys of an object, or of the objects in a list, that the expectation has; an amount with its currency, if the expectation has one;
  /// any other value unchanged.
  func asked(by expected: ScenarioValue) -> ScenarioValue {
    if case .list(let asked) = expected, case .list(let found) = self, asked.count == found.count {
      return .list(zip(found, asked).map { $0.isEvent ? $0 : $0.asked(by: $1) })
    }
    if case .text(let text) = expected, text.contains(" "), case .money(let amounts) = self, !amounts.isEmpty {
      return .text(amounts.map(\.description).joined(separator: " + "))
    }
    guard case .object(let keys) = expected, case .object(let found) = self else { return self }
    return .object(found.filter { keys[$0.key] != nil })
  }

  private var isEvent: Bool { if case .object(let object) = self { object["name"] != nil } else { false } }

  /// An event: its name, followed by its values.
  private static func event(_ object: [String: ScenarioValue], _ zone: TimeZone) -> String {
    let carried = object.filter { $0.key != "name" }.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text(in: zone))" }
    return object["name", default: .absent].text(in: zone) + (carried.isEmpty ? "" : " (\(carried.joined(separator: ", ")))")
  }

  /// The value as a person writes it.
  func text(in zone: TimeZone) -> String {
    switch self {
    case .absent: "none"
    case .bool(let value): value ? "yes" : "no"
    case .number(let value): "\(value)"
    case .text(let text): text
    case .instant(let date): ISODate.text(date, in: .storeCalendar(in: zone)).replacingOccurrences(of: "T", with: " ")
    case .money(let amounts): ScenarioWorld.total(amounts)
    case .list(let list): "[" + list.map { $0.text(in: zone) }.joined(separator: ", ") + "]"
    case .object(let object) where isEvent: Self.event(object, zone)
    case .object(let object):
      object.count == 1 && object["atLeast"] != nil
        ? "at least \(object["atLeast", default: .absent].text(in: zone))"
        : object.count == 1 && object["atMost"] != nil
          ? "at most \(object["atMost", default: .absent].text(in: zone))"
          : "{" + object.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text(in: zone))" }.joined(separator: ", ") + "}"
    }
  }
}

/// A type of single values.
protocol ScenarioScalar: Sendable {
  var inScenario: ScenarioValue { get }
}

extension Bool: ScenarioScalar { var inScenario: ScenarioValue { .bool(self) } }
extension Int: ScenarioScalar { var inScenario: ScenarioValue { .number(Decimal(self)) } }
extension String: ScenarioScalar { var inScenario: ScenarioValue { .text(self) } }
extension Date: ScenarioScalar { var inScenario: ScenarioValue { .instant(self) } }

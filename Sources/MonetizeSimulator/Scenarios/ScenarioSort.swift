// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

/// The type of a key's value: how to read it, and its JSON Schema.
struct ScenarioSort<Value: Sendable>: Sendable {
  /// The type in a few words, for help.
  let words: String
  let schema: @Sendable () -> JSONTree
  /// Replaces a value that could not be read. The mistake is reported and the scenario never runs.
  let placeholder: @Sendable () -> Value
  /// Reads the value; returns `nil` after reporting a mistake.
  let read: @Sendable (JSONValue, ScenarioReading) -> Value?

  init(
    _ words: String, _ schema: @autoclosure @escaping @Sendable () -> JSONTree,
    or placeholder: @autoclosure @escaping @Sendable () -> Value,
    _ read: @escaping @Sendable (JSONValue, ScenarioReading) -> Value?
  ) {
    (self.words, self.schema, self.placeholder, self.read) = (words, schema, placeholder, read)
  }

  /// The same type with a further condition; `check` reports a violation.
  func checked(_ check: @escaping @Sendable (Value, JSONValue, ScenarioReading) -> Void) -> Self {
    Self(words, schema(), or: placeholder()) { value, reading in
      guard let found = read(value, reading) else { return nil }
      check(found, value, reading)
      return found
    }
  }

  func map<Other>(_ change: @escaping @Sendable (Value) -> Other) -> ScenarioSort<Other> {
    ScenarioSort<Other>(words, schema(), or: change(placeholder())) { value, reading in read(value, reading).map(change) }
  }
}

extension JSONTree {
  static func ref(_ name: String) -> JSONTree { ["$ref": .text("#/$defs/\(name)")] }

  /// A filled-in text may replace any value that is not text.
  static func orFilled(_ schema: JSONTree) -> JSONTree { ["anyOf": [schema, ref("filled")]] }

  static func one(of words: [String]) -> JSONTree { ["anyOf": [["enum": .list(words.map(JSONTree.text))], ref("parameter")]] }

  static func required(_ keys: [String]) -> JSONTree { ["required": .list(keys.map(JSONTree.text))] }

  static let remark: JSONTree = ["description": "A remark for people; ignored. Allowed in every object."]
}

// MARK: Types

extension ScenarioSort where Value == String {
  static let text = ScenarioSort("text", ["type": "string"], or: "") { value, reading in reading.reader.decode(String.self, from: value) }

  /// A name or an id.
  static let name = text.checked { text, value, reading in
    if text.isEmpty { reading.report("bad-value", value, "A name is not empty. Write one.") }
  }

  static let storefront = capitals("storefront", "ISO 3166-1", "DEU", or: "USA")
  static let currency = capitals("currency", "ISO 4217", "EUR", or: "USD")

  /// A code of three capital letters.
  private static func capitals(_ what: String, _ standard: String, _ example: String, or placeholder: String) -> ScenarioSort {
    ScenarioSort("a code such as \(example)", ["type": "string", "pattern": "^[A-Z]{3}$|\\$\\{"], or: placeholder, text.read).checked {
      text, value, reading in
      guard text.utf8.count != 3 || !text.utf8.allSatisfy({ (65...90).contains($0) }) else { return }
      reading.report(
        "bad-value", value, "\"\(text)\" is not a \(what). Write an \(standard) code of three capital letters, such as \"\(placeholder)\".")
    }
  }

  /// One of the scenario's devices.
  static let device = text.checked { text, value, reading in reading.check(text, among: reading.devices, "device", value) }

  static func word(of known: [String], _ what: String) -> ScenarioSort {
    ScenarioSort(known.joined(separator: ", "), .one(of: known), or: "", text.read).checked { text, value, reading in
      reading.check(text, among: known, what, value)
    }
  }

  static func key(_ kind: ScenarioName.Kind, _ what: String) -> ScenarioSort {
    ScenarioSort(what, ["type": "string"], or: "") { value, reading in
      reading.note(kind, value)
      return text.read(value, reading)
    }
  }
}

extension ScenarioSort where Value == Bool {
  static let flag = ScenarioSort("true or false", .orFilled(["type": "boolean"]), or: false) { value, reading in
    reading.reader.decode(Bool.self, from: value)
  }

  /// `true` only, for keys where `false` would have no effect.
  static let yes = ScenarioSort("true", .orFilled(["const": true]), or: true, flag.read).checked { isTrue, value, reading in
    if !isTrue { reading.report("bad-value", value, "Only true has an effect here. Remove this key.") }
  }
}

extension ScenarioSort where Value == Int {
  /// A whole number in a range.
  /// - Parameter limit: The origin of the range, for the message.
  static func whole(_ range: ClosedRange<Int>, _ limit: String = "") -> ScenarioSort {
    let most = range.upperBound == .max ? "" : " to \(range.upperBound)"
    let bounds: JSONTree = range.upperBound == .max ? [:] : ["maximum": .number(Decimal(range.upperBound))]
    let schema = JSONTree.object([("type", "integer"), ("minimum", .number(Decimal(range.lowerBound)))]).adding(bounds)
    return ScenarioSort("\(range.lowerBound)\(most.isEmpty ? " or more" : most)", .orFilled(schema), or: range.lowerBound) {
      value, reading in
      guard let number = reading.reader.decode(Int.self, from: value) else { return nil }
      if range.contains(number) { return number }
      reading.report("bad-value", value, "Expected a whole number from \(range.lowerBound)\(most), but found \(number).\(limit)")
      return nil
    }
  }
}

extension ScenarioSort where Value == Period {
  static let period = ScenarioSort("a length such as P7D", .ref("period"), or: Period()) { value, reading in
    reading.reader.decode(Period.self, from: value)
  }
}

extension ScenarioSort where Value == Date {
  static let instant = ScenarioSort("an instant", .ref("instant"), or: .distantPast) { value, reading in
    reading.reader.decode(String.self, from: value).flatMap { reading.instant($0, value) }
  }
}

extension ScenarioSort where Value == ScenarioDate {
  /// An instant, or a length before now.
  static let date = ScenarioSort("an instant, or a length before now such as -P7D", .ref("date"), or: .instant(.distantPast)) {
    value, reading in
    guard let text = reading.reader.decode(String.self, from: value) else { return nil }
    if text.hasPrefix("-"), let period = Period(String(text.dropFirst())) { return .before(period) }
    return reading.instant(text, value).map(ScenarioDate.instant)
  }
}

extension ScenarioSort where Value == Decimal {
  /// A price.
  static let amount = ScenarioSort(
    "a decimal string such as \"9.99\"", ["type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?$|\\$\\{"], or: 0
  ) {
    value, reading in
    guard let text = reading.reader.decode(String.self, from: value) else { return nil }
    if let amount = Money.amount(text), amount >= 0 { return amount }
    reading.report("bad-value", value, "\"\(text)\" is not a price. Write a decimal string such as \"9.99\".")
    return nil
  }
}

extension ScenarioSort where Value == Member {
  static let member = ScenarioSort("child:NAME, parent, guest, demo or customer", .ref("member"), or: .customer) { value, reading in
    reading.reader.decode(String.self, from: value).map { reading.member($0, value) }
  }
}

extension ScenarioSort where Value == JSONValue? {
  /// Any JSON, unchanged.
  static let json = ScenarioSort("JSON", [:], or: nil) { value, reading in
    reading.reader.markRead(value)
    return value
  }
  /// Names with scalar values.
  static let parameters = ScenarioSort(
    "names with values",
    ["type": "object", "additionalProperties": ["type": ["string", "number", "boolean"]], "properties": ["$comment": .remark]], or: nil,
    json.read)
}

extension ScenarioSort where Value: CaseIterable & RawRepresentable & Decodable, Value.RawValue == String, Value.AllCases == [Value] {
  /// One of an enumeration's cases.
  static var word: ScenarioSort {
    let words = Value.allCases.map(\.rawValue)
    return ScenarioSort(words.joined(separator: ", "), .one(of: words), or: Value.allCases[0]) { value, reading in
      reading.reader.decode(Value.self, from: value)
    }
  }
}

extension ScenarioSort {
  static func list<Element>(of sort: ScenarioSort<Element>) -> ScenarioSort where Value == [Element] {
    ScenarioSort("a list", ["type": "array", "items": sort.schema()], or: []) { value, reading in
      guard value.kind == .array else {
        _ = reading.reader.decode([String].self, from: value)
        return nil
      }
      reading.reader.markRead(value)
      return value.elements.compactMap { sort.read($0, reading) }
    }
  }

  /// An object with values by name: any names, the catalog's products, or some of these.
  static func map<Element>(
    to sort: ScenarioSort<Element>, of what: String = "name", among known: [String] = [], naming kind: ScenarioName.Kind? = nil
  ) -> ScenarioSort where Value == [String: Element] {
    let names: JSONTree =
      known.isEmpty ? [:] : ["propertyNames": ["anyOf": [["enum": .list((known + ["$comment"]).map(JSONTree.text))], .ref("parameter")]]]
    let schema: JSONTree = ["type": "object", "additionalProperties": sort.schema(), "properties": ["$comment": .remark]]
    return ScenarioSort("by \(what), \(sort.words)", schema.adding(names), or: [:]) { value, reading in
      guard let fields = reading.reader.object(value, "an object") else { return nil }
      var found: [String: Element] = [:]
      for member in value.members where member.key != "$comment" {
        _ = fields.value(member.key)
        if member.key.isEmpty { reading.report("bad-value", member, "A name is not empty. Write one.") }
        if let kind { reading.note(kind, key: member) }
        if !known.isEmpty { reading.check(member.key, among: known, what, member, "unknown-key") }
        if let element = sort.read(member.value, reading) { found[member.key] = found[member.key] ?? element }
      }
      return found
    }
  }

  /// An object with keys of its own.
  static func object(_ what: String, _ make: @escaping @Sendable (StepKeys) -> Value) -> ScenarioSort {
    ScenarioSort(what, StepKeys.listing(ScenarioVocabulary(), make).objectSchema, or: make(StepKeys(ScenarioVocabulary()))) {
      value, reading in
      reading.reader.object(value, what).map { make(StepKeys($0, reading)) }
    }
  }

  /// An identifier that must be in the catalog.
  static func id(_ kind: ScenarioName.Kind, _ what: String) -> ScenarioSort where Value: StringIdentifier {
    ScenarioSort<String>.key(kind, what).map { Value(rawValue: $0) }
  }
}

extension ScenarioSort where Value == ProductID { static let product = id(.product, "a product's id") }
extension ScenarioSort where Value == FeatureID { static let feature = id(.feature, "a feature's id") }
extension ScenarioSort where Value == PlacementID { static let placement = id(.placement, "a placement") }
extension ScenarioSort where Value == EntitlementID { static let entitlement = id(.entitlement, "an entitlement's id") }

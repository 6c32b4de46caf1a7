// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

/// The context of one reading of a text: the inputs and the results so far.
final class ScenarioReading {
  let reader: JSONReader
  let zone: TimeZone
  let devices: [String]
  let vocabulary: ScenarioVocabulary
  /// The names that the catalog must have.
  var names: [ScenarioName] = []

  init(_ reader: JSONReader, zone: TimeZone, devices: [String], _ vocabulary: ScenarioVocabulary) {
    (self.reader, self.zone, self.devices, self.vocabulary) = (reader, zone, devices, vocabulary)
  }

  func report(_ code: Diagnostic.Code, _ place: any JSONSite, _ message: String) { reader.report(code, at: place, message) }

  func note(_ kind: ScenarioName.Kind, _ value: JSONValue) { names += [ScenarioName(kind, value)].compactMap { $0 } }
  func note(_ kind: ScenarioName.Kind, key member: JSONMember) { names.append(ScenarioName(kind, key: member)) }

  /// Reports a name that is not one of a few.
  func check(_ text: String, among known: [String], _ what: String, _ place: any JSONSite, _ code: Diagnostic.Code = "bad-value") {
    guard !known.contains(text) else { return }
    let mend = didYouMean(closestMatch(to: text, in: known), or: "Known names: \(known.joined(separator: ", ")).")
    report(code, place, "There is no \(what) \"\(text)\".\(mend)")
  }

  func instant(_ text: String, _ value: JSONValue) -> Date? {
    guard let date = ISODate.parse(text, in: zone) else {
      report("bad-value", value, "\"\(text)\" is not a date and time. Write 2026-03-01T12:00:00Z, or a local time without the Z.")
      return nil
    }
    let hasZone = text.hasSuffix("Z") || text.dropFirst(10).contains { "+-".contains($0) }
    if !hasZone, text.count >= 16, ISODate.text(date, in: .storeCalendar(in: zone)).prefix(16) != text.prefix(16) {
      report("bad-value", value, "\"\(text)\" does not exist in \(zone.identifier): its clocks skip this time. Write another time.")
      return nil
    }
    // The store performs each later event one by one, so the range is limited.
    if !(0..<32_503_680_000).contains(date.timeIntervalSince1970) {
      report("bad-value", value, "\"\(text)\" is not within the years 1970 to 2999. Write a time in this range.")
      return nil
    }
    return date
  }

  func member(_ text: String, _ value: JSONValue) -> Member {
    if let member = Member(text: text) { return member }
    let isChild = text == "child" || text.hasPrefix("child:")
    report(
      "bad-value", value,
      isChild
        ? "\"\(text)\" has no child's name. Write the child's name after the colon, such as \"child:max\"."
        : "Unknown person \"\(text)\". Write \"child:max\", \"parent\", \"guest\" or \"demo\".")
    return .customer
  }
}

/// The condition of a rule about keys: another key is there, or has this value.
struct StepCondition: Sendable {
  let key: String
  var value: JSONTree?

  static func has(_ key: String) -> StepCondition { StepCondition(key: key) }
  static func `is`(_ key: String, _ value: JSONTree) -> StepCondition { StepCondition(key: key, value: value) }

  func holds(of object: JSONValue) -> Bool {
    guard let found = object[key] else { return false }
    return switch value {
    case .text(let text)?: found.wording == text
    case .bool(let isOn)?: found.bool == isOn
    default: true
    }
  }

  var schema: JSONTree {
    let constant = value.map { JSONTree.object([("const", $0)]) }
    return constant.map { ["required": [.text(key)], "properties": .object([(key, $0)])] } ?? .required([key])
  }
}

/// The keys of a verb, a setting's object or a question. The code that reads a key also describes it: when reading a text, the values come
/// from the text; when listing, the keys are collected with their types and rules, for the schema, the guide and help.
final class StepKeys {
  let vocabulary: ScenarioVocabulary
  private let source: (fields: JSONFields, reading: ScenarioReading)?
  private(set) var keys: [ScenarioVocabulary.Term] = []
  /// The rules about several keys, as parts of the schema.
  private(set) var rules: [JSONTree] = []
  /// The number of repetitions, for a verb that handles them itself.
  let times: Int
  /// Whether a rule allows only the customer to act.
  private(set) var isCustomers = false

  init(_ vocabulary: ScenarioVocabulary) { (self.vocabulary, source, times) = (vocabulary, nil, 1) }

  init(_ fields: JSONFields, _ reading: ScenarioReading, times: Int = 1) {
    (vocabulary, source, self.times) = (reading.vocabulary, (fields, reading), times)
  }

  static func listing(_ vocabulary: ScenarioVocabulary, _ make: (StepKeys) -> some Any) -> StepKeys {
    let keys = StepKeys(vocabulary)
    _ = make(keys)
    return keys
  }

  var isListing: Bool { source == nil }
  func has(_ key: String) -> Bool { source?.fields.value[key] != nil }

  // MARK: Keys

  /// Reads an optional key; `null` counts as absent.
  func optional<Value>(_ key: String, _ sort: ScenarioSort<Value>, _ about: String) -> Value? {
    guard let source else { return list(key, sort, about, isRequired: false) }
    guard let value = source.fields.value(key), !value.isNull else { return nil }
    return sort.read(value, source.reading)
  }

  /// Reads a required key.
  func required<Value>(_ key: String, _ sort: ScenarioSort<Value>, _ about: String) -> Value {
    guard let source else { return list(key, sort, about, isRequired: true) ?? sort.placeholder() }
    guard let value = source.fields.value(key) else {
      source.fields.reportMissing(key, about)
      return sort.placeholder()
    }
    return sort.read(value, source.reading) ?? sort.placeholder()
  }

  private func list<Value>(_ key: String, _ sort: ScenarioSort<Value>, _ about: String, isRequired: Bool) -> Value? {
    keys.append(.init(name: key, words: sort.words, about: about, isRequired: isRequired, schema: sort.schema()))
    return nil
  }

  // MARK: Rules

  /// Requires exactly one of some keys.
  func exactlyOne(of names: [String], _ sentence: String) {
    guard let source else { return rules.append(["oneOf": .list(names.map { .required([$0]) })]) }
    let there = names.filter(has)
    guard there.count != 1 else { return }
    let place = there.last.flatMap { source.fields.value($0) } ?? source.fields.value
    source.reading.report(there.isEmpty ? "missing-key" : "bad-value", place, sentence)
    if there.count > 1 { source.reading.reader.markRead(source.fields.value) }
  }

  /// Requires at least one of all keys so far.
  func any(of names: [String], _ sentence: String) {
    guard let source else { return rules.append(["anyOf": .list(names.map { .required([$0]) })]) }
    let common = ["do", "on", "as", "times", "expect", "note", "$comment"]
    // An unknown key has its own message, with the closest known key.
    if source.fields.value.members.allSatisfy({ common.contains($0.key) }) {
      source.reading.report("missing-key", source.fields.value, sentence)
    }
  }

  /// Forbids keys that have no effect.
  func noEffect(_ names: [String], when condition: StepCondition, _ why: String, isRule: Bool = true) {
    guard let source else {
      guard isRule else { return }
      let none: JSONTree = ["not": ["anyOf": .list(names.map { .required([$0]) })]]
      return rules.append(["if": condition.schema, "then": none])
    }
    guard condition.holds(of: source.fields.value) else { return }
    for member in source.fields.value.members where names.contains(member.key) {
      source.reading.report("no-effect", member, "\"\(member.key)\" has no effect here: \(why) Remove it.")
    }
  }

  /// Requires a key under a condition.
  func needs(_ key: String, when condition: StepCondition, _ sentence: String) {
    guard let source else { return rules.append(["if": condition.schema, "then": .required([key])]) }
    guard condition.holds(of: source.fields.value), !has(key) else { return }
    source.reading.report("missing-key", source.fields.value, sentence)
  }

  /// Allows only the customer to act under a condition.
  func customersOnly(when condition: StepCondition) {
    guard let source else { return rules.append(["if": condition.schema, "then": Self.customersOnly]) }
    isCustomers = isCustomers || condition.holds(of: source.fields.value)
  }

  static let customersOnly: JSONTree = [
    "properties": [
      "as": ["description": "Only the customer: this does not depend on the member.", "anyOf": [["const": "customer"], .ref("parameter")]]
    ]
  ]

  /// Reports a mistake at a key.
  func report(_ code: Diagnostic.Code, at key: String, _ message: String) {
    guard let source else { return }
    source.reading.report(code, source.fields.value(key) ?? source.fields.value, message)
  }

  func rule(_ schema: JSONTree) { if isListing { rules.append(schema) } }

  // MARK: A question

  /// Reads a question; `nil` when it is optional and absent.
  func question(isRequired: Bool = true) -> ScenarioRequest? {
    let about = "The feature in question."
    let named = isRequired ? required("feature", .feature, about) : optional("feature", .feature, about)
    guard isListing || named != nil else { return nil }
    let feature = named ?? ""
    // A malformed item is a valid question, whose answer is an error.
    let item = optional("item", .key(.item, "collection/item"), "One item: collection/item or collection/item/part.")
    let position = optional("position", .whole(1...Int.max), "The position in the collection that item names, from 1.")
    let level = optional("level", .key(.level(of: feature), "a level"), "The requested level.")
    let date = optional(
      "date", .date, "The date of the data in question: an instant, or a length before the question, such as -P7D.")
    let held = optional("held", .whole(0...Int.max), "The number that exists already.")
    let count = optional("count", .whole(1...Int.max), "The number of uses or seconds.")
    rule([
      "if": .required(["position"]),
      "then": ["required": ["item"], "properties": ["item": ["description": "A collection.", "type": "string", "pattern": "^[^/]+$"]]],
    ])
    let path = item.map { ItemPath(stringLiteral: $0) }
    if position != nil, path?.item != "" {
      report(
        "bad-value", at: "position",
        "\"position\" counts from 1 in the collection that \"item\" names. Write the collection's id there, without an item.")
    }
    return ScenarioRequest(
      feature: feature, item: path, position: position, level: level, date: date, held: held, count: count ?? 1)
  }

  /// Reads any JSON, including `null`; `nil` when the key is not there.
  func json(_ key: String, _ about: String, _ sort: ScenarioSort<JSONValue?> = .json) -> JSONValue? {
    guard let source else { return list(key, sort, about, isRequired: false) ?? nil }
    guard let value = source.fields.value(key) else { return nil }
    source.reading.reader.markRead(value)
    return value
  }

  // MARK: Schema

  /// The schema: the properties, the required keys, and the rules.
  var schema: JSONTree {
    var parts: [(key: String, value: JSONTree)] = [("properties", .object(keys.map(\.described)))]
    let required = keys.filter(\.isRequired).map(\.name)
    if !required.isEmpty { parts.append(("required", .list(required.map(JSONTree.text)))) }
    if !rules.isEmpty { parts.append(("allOf", .list(rules))) }
    return .object(parts)
  }

  /// The same for an object with these keys only.
  var objectSchema: JSONTree {
    let properties: JSONTree = .object([("$comment", .remark)] + keys.map(\.described))
    return JSONTree.object([("type", "object"), ("additionalProperties", false)]).adding(schema).adding(
      .object([("properties", properties)]))
  }
}

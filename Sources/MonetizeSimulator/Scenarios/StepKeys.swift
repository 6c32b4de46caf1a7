// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

/// What reading values needs to know, and what it comes to know. Made and used by one reading of a text.
final class ScenarioReading {
  let reader: JSONReader
  let zone: TimeZone
  let devices: [String]
  let vocabulary: ScenarioVocabulary
  /// What the catalog must know.
  var names: [ScenarioName] = []

  init(_ reader: JSONReader, zone: TimeZone, devices: [String], _ vocabulary: ScenarioVocabulary) {
    (self.reader, self.zone, self.devices, self.vocabulary) = (reader, zone, devices, vocabulary)
  }

  func report(_ code: Diagnostic.Code, _ place: any JSONSite, _ message: String) { reader.report(code, at: place, message) }

  func note(_ kind: ScenarioName.Kind, _ value: JSONValue) { names += [ScenarioName(kind, value)].compactMap { $0 } }
  func note(_ kind: ScenarioName.Kind, key member: JSONMember) { names.append(ScenarioName(kind, key: member)) }

  /// Tells of a name that is none of a few.
  func check(_ text: String, among known: [String], _ what: String, _ place: any JSONSite, _ code: Diagnostic.Code = "bad-value") {
    guard !known.contains(text) else { return }
    let guess = closestMatch(to: text, in: known).map { "Did you mean \"\($0)\"?" } ?? "Known are \(known.joined(separator: ", "))."
    report(code, place, "There is no \(what) \"\(text)\". \(guess)")
  }

  func instant(_ text: String, _ value: JSONValue) -> Date? {
    guard let date = Instant.parse(text, in: zone) else {
      report("bad-value", value, "\"\(text)\" is not a date and time. Write 2026-03-01T12:00:00Z, or a local time without the Z.")
      return nil
    }
    // What the store does by itself from then on, it does step by step.
    if !(0..<32_503_680_000).contains(date.timeIntervalSince1970) {
      report("bad-value", value, "\"\(text)\" is not within the years 1970 to 2999. Write a time of these.")
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
        ? "\"\(text)\" names no child. Write the child's name after the colon, such as \"child:max\"."
        : "Unknown person \"\(text)\". Write \"child:max\", \"parent\", \"guest\" or \"demo\".")
    return .customer
  }
}

/// A key that a verb, a setting or an object in one has.
struct ScenarioKey: Sendable {
  let name: String
  let about: String
  /// What its value is, in a few words.
  let words: String
  let isRequired: Bool
  let schema: JSONTree

  var described: (key: String, value: JSONTree) { (name, JSONTree.object([("description", .text(about))]).adding(schema)) }
}

/// When a rule about keys holds: another key is there, or has this value.
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

/// The keys of a verb, a setting's object or a question. Where a key is read is where it is described: read from a text, the values are what
/// stands there; listed, the keys themselves are kept, with their sorts and rules, for the schema, the guide and help.
final class StepKeys {
  let vocabulary: ScenarioVocabulary
  private let source: (fields: JSONFields, reading: ScenarioReading)?
  private(set) var keys: [ScenarioKey] = []
  /// Parts of the schema that are rules about several keys.
  private(set) var rules: [JSONTree] = []
  /// How often the step happens; for a verb that counts by itself.
  let times: Int
  /// Why only the customer does it, where that is not the verb's nature.
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

  /// A key that may be left out; `null` is left out, too.
  func optional<Value>(_ key: String, _ sort: ScenarioSort<Value>, _ about: String) -> Value? {
    guard let source else { return list(key, sort, about, isRequired: false) }
    guard let value = source.fields.value(key), !value.isNull else { return nil }
    return sort.read(value, source.reading)
  }

  /// A key that must be there.
  func required<Value>(_ key: String, _ sort: ScenarioSort<Value>, _ about: String) -> Value {
    guard let source else { return list(key, sort, about, isRequired: true) ?? sort.placeholder() }
    guard let value = source.fields.value(key) else {
      _ = source.fields.required(key, as: Bool.self)
      return sort.placeholder()
    }
    return sort.read(value, source.reading) ?? sort.placeholder()
  }

  private func list<Value>(_ key: String, _ sort: ScenarioSort<Value>, _ about: String, isRequired: Bool) -> Value? {
    keys.append(ScenarioKey(name: key, about: about, words: sort.words, isRequired: isRequired, schema: sort.schema()))
    return nil
  }

  // MARK: Rules

  /// Exactly one of some keys is there.
  func exactlyOne(of names: [String], _ sentence: String) {
    guard let source else { return rules.append(["oneOf": .list(names.map { .required([$0]) })]) }
    let there = names.filter(has)
    guard there.count != 1 else { return }
    let place = there.last.flatMap { source.fields.value($0) } ?? source.fields.value
    source.reading.report(there.isEmpty ? "missing-key" : "bad-value", place, sentence)
    if there.count > 1 { source.reading.reader.markRead(source.fields.value) }
  }

  /// One of all keys so far is there.
  func any(of names: [String], _ sentence: String) {
    guard let source else { return rules.append(["anyOf": .list(names.map { .required([$0]) })]) }
    let common = ["do", "on", "as", "times", "expect", "note", "$comment"]
    // A key that is not known is told by itself, with what was probably meant.
    if source.fields.value.members.allSatisfy({ common.contains($0.key) }) {
      source.reading.report("missing-key", source.fields.value, sentence)
    }
  }

  /// Some keys do nothing there.
  func noEffect(_ names: [String], when condition: StepCondition, _ why: String, isRule: Bool = true) {
    guard let source else {
      guard isRule else { return }
      let none: JSONTree = ["not": ["anyOf": .list(names.map { .required([$0]) })]]
      return rules.append(["if": condition.schema, "then": none])
    }
    guard condition.holds(of: source.fields.value) else { return }
    for member in source.fields.value.members where names.contains(member.key) {
      source.reading.report("no-effect", member, "\"\(member.key)\" does nothing here: \(why) Leave it out.")
    }
  }

  /// A key must be there then.
  func needs(_ key: String, when condition: StepCondition, _ sentence: String) {
    guard let source else { return rules.append(["if": condition.schema, "then": .required([key])]) }
    guard condition.holds(of: source.fields.value), !has(key) else { return }
    source.reading.report("missing-key", source.fields.value, sentence)
  }

  /// It is the customer's then, and no member's.
  func customersOnly(when condition: StepCondition) {
    guard let source else { return rules.append(["if": condition.schema, "then": Self.customersOnly]) }
    isCustomers = isCustomers || condition.holds(of: source.fields.value)
  }

  static let customersOnly: JSONTree = [
    "properties": [
      "as": ["description": "Only the customer: this is the same for everybody.", "anyOf": [["const": "customer"], .ref("parameter")]]
    ]
  ]

  /// A mistake at a key.
  func report(_ code: Diagnostic.Code, at key: String, _ message: String) {
    guard let source else { return }
    source.reading.report(code, source.fields.value(key) ?? source.fields.value, message)
  }

  func rule(_ schema: JSONTree) { if isListing { rules.append(schema) } }

  // MARK: A question

  /// What a question is about; `nil` when it need not be there and is not.
  func question(isRequired: Bool = true) -> ScenarioRequest? {
    let about = "The feature that is asked about."
    let named = isRequired ? required("feature", .feature, about) : optional("feature", .feature, about)
    guard isListing || named != nil else { return nil }
    let feature = named ?? ""
    // An item that is written wrongly is a question, too: the answer is an error.
    let item = optional("item", .key(.item, "collection/item"), "One item: collection/item or collection/item/part.")
    let position = optional("position", .whole(1...Int.max), "The place in the collection that item names, from 1.")
    let level = optional("level", .key(.level(of: feature), "a level"), "A level that is asked for.")
    let date = optional(
      "date", .date, "The date of the thing that is looked at: an instant, or a length before the moment of asking, such as -P7D.")
    let held = optional("held", .whole(0...Int.max), "How many exist already.")
    let count = optional("count", .whole(1...Int.max), "How many uses, or seconds.")
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

  // MARK: Schema

  /// The properties, what is required, and the rules.
  var schema: JSONTree {
    var parts: [(key: String, value: JSONTree)] = [("properties", .object(keys.map(\.described)))]
    let required = keys.filter(\.isRequired).map(\.name)
    if !required.isEmpty { parts.append(("required", .list(required.map(JSONTree.text)))) }
    if !rules.isEmpty { parts.append(("allOf", .list(rules))) }
    return .object(parts)
  }

  /// The same of an object by itself, which has no other keys.
  var objectSchema: JSONTree {
    let properties: JSONTree = .object([("$comment", .remark)] + keys.map(\.described))
    return JSONTree.object([("type", "object"), ("additionalProperties", false)]).adding(schema).adding(
      .object([("properties", properties)]))
  }
}

extension StepKeys {
  /// Any JSON, `null` as well; `nil` when the key is not there.
  func json(_ key: String, _ about: String, _ sort: ScenarioSort<JSONValue?> = .json) -> JSONValue? {
    guard let source else {
      _ = list(key, sort, about, isRequired: false)
      return nil
    }
    guard let value = source.fields.value(key) else { return nil }
    source.reading.reader.markRead(value)
    return value
  }
}

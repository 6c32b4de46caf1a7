// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// A validator of the keywords of JSON Schema 2020-12 that the catalog's schema uses. A schema with any other keyword is refused, so that no
/// keyword is ignored.
final class JSONSchema {
  struct UnknownKeyword: Error { let keyword: String }

  private let root: JSONValue
  private var definitions: [String: JSONValue] = [:]
  private var patterns: [String: NSRegularExpression] = [:]

  init(_ root: JSONValue) throws {
    self.root = root
    definitions = Dictionary((root["$defs"]?.members ?? []).map { ("#/$defs/\($0.key)", $0.value) }) { first, _ in first }
    try checkKeywords(root)
  }

  /// What a value violates, each as its path and the keyword; empty for a valid value.
  func mistakes(in value: JSONValue) -> [String] { check(value, root, at: "").mistakes }

  // MARK: Keywords

  private static let plain: Set<String> = [
    "$schema", "title", "description", "type", "const", "enum", "pattern", "required", "uniqueItems", "minimum", "maximum",
    "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems", "minProperties", "minLength", "minContains", "maxContains", "$ref",
  ]
  private static let one: Set<String> = [
    "additionalProperties", "unevaluatedProperties", "items", "contains", "propertyNames", "not", "if", "then", "else",
  ]
  private static let many: Set<String> = ["anyOf", "allOf", "prefixItems"]
  private static let named: Set<String> = ["properties", "$defs"]

  private func checkKeywords(_ schema: JSONValue) throws {
    for member in schema.members {
      switch member.key {
      case let key where Self.plain.contains(key): break
      case let key where Self.one.contains(key): try checkKeywords(member.value)
      case let key where Self.many.contains(key): for element in member.value.elements { try checkKeywords(element) }
      case let key where Self.named.contains(key): for inner in member.value.members { try checkKeywords(inner.value) }
      default: throw UnknownKeyword(keyword: member.key)
      }
    }
  }

  // MARK: Checking

  /// The result for one value and one schema: its violations, and the properties that were looked at.
  private struct Outcome {
    var mistakes: [String] = []
    var seen: Set<String> = []
    var isValid: Bool { mistakes.isEmpty }

    /// Takes over the result of a schema that must hold as well.
    mutating func add(_ other: Outcome) {
      mistakes += other.mistakes
      if other.isValid { seen.formUnion(other.seen) }
    }
  }

  private func check(_ value: JSONValue, _ schema: JSONValue, at path: String) -> Outcome {
    var outcome = Outcome()
    if let allowed = schema.bool {
      if !allowed { outcome.mistakes.append("\(path): nothing is allowed here") }
      return outcome
    }
    func require(_ isMet: Bool, _ keyword: String) { if !isMet { outcome.mistakes.append("\(path): \(keyword)") } }
    if let reference = schema["$ref"]?.string, let definition = definitions[reference] { outcome.add(check(value, definition, at: path)) }
    if let type = schema["type"] {
      let types = type.string.map { [$0] } ?? type.elements.compactMap(\.string)
      require(types.contains { Self.isType($0, value) }, "type \(types.joined(separator: " or "))")
    }
    if let constant = schema["const"] { require(Self.same(value, constant), "const") }
    if let list = schema["enum"] { require(list.elements.contains { Self.same(value, $0) }, "enum") }
    checkNumber(value, schema, require)
    checkText(value, schema, require)
    checkArray(value, schema, path, &outcome)
    checkApplicators(value, schema, path, &outcome)
    checkObject(value, schema, path, &outcome)
    return outcome
  }

  private static func isType(_ type: String, _ value: JSONValue) -> Bool {
    switch type {
    case "null": value.isNull
    case "boolean": value.kind == .bool
    case "string": value.kind == .string
    case "array": value.kind == .array
    case "object": value.kind == .object
    case "number": value.kind == .number
    case "integer": value.numberText.flatMap(Double.init).map { $0 == $0.rounded() } ?? false
    default: false
    }
  }

  private static func same(_ a: JSONValue, _ b: JSONValue) -> Bool {
    guard a.kind == b.kind else { return false }
    switch a.kind {
    case .string: return a.string == b.string
    case .number: return a.numberText.flatMap(Double.init) == b.numberText.flatMap(Double.init)
    case .array: return a.count == b.count && zip(a.elements, b.elements).allSatisfy(same)
    case .object: return a.count == b.count && a.members.allSatisfy { member in b[member.key].map { same(member.value, $0) } ?? false }
    default: return a.literal == b.literal
    }
  }

  private func checkNumber(_ value: JSONValue, _ schema: JSONValue, _ require: (Bool, String) -> Void) {
    guard let number = value.numberText.flatMap(Double.init) else { return }
    func limit(_ keyword: String, _ holds: (Double, Double) -> Bool) {
      if let limit = schema[keyword]?.numberText.flatMap(Double.init) { require(holds(number, limit), keyword) }
    }
    limit("minimum", >=)
    limit("maximum", <=)
    limit("exclusiveMinimum", >)
    limit("exclusiveMaximum", <)
  }

  private func checkText(_ value: JSONValue, _ schema: JSONValue, _ require: (Bool, String) -> Void) {
    guard let text = value.string else { return }
    if let least = schema["minLength"]?.int { require(text.unicodeScalars.count >= least, "minLength") }
    if let pattern = schema["pattern"]?.string { require(matches(text, pattern), "pattern \(pattern)") }
  }

  private func matches(_ text: String, _ pattern: String) -> Bool {
    guard let expression = patterns[pattern] ?? (try? NSRegularExpression(pattern: pattern)) else { return false }
    patterns[pattern] = expression
    return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }

  private func checkArray(_ value: JSONValue, _ schema: JSONValue, _ path: String, _ outcome: inout Outcome) {
    guard value.kind == .array else { return }
    let elements = value.elements
    func require(_ isMet: Bool, _ keyword: String) { if !isMet { outcome.mistakes.append("\(path): \(keyword)") } }
    if let least = schema["minItems"]?.int { require(elements.count >= least, "minItems") }
    if let most = schema["maxItems"]?.int { require(elements.count <= most, "maxItems") }
    if schema["uniqueItems"]?.bool == true {
      require(elements.indices.allSatisfy { index in !elements[..<index].contains { Self.same($0, elements[index]) } }, "uniqueItems")
    }
    let first = schema["prefixItems"]?.elements ?? []
    for (index, element) in elements.enumerated() {
      guard let item = index < first.count ? first[index] : schema["items"] else { continue }
      outcome.mistakes += check(element, item, at: "\(path)[\(index)]").mistakes
    }
    if let sought = schema["contains"] {
      let count = elements.filter { check($0, sought, at: path).isValid }.count
      require(count >= schema["minContains"]?.int ?? 1 && count <= schema["maxContains"]?.int ?? .max, "contains")
    }
  }

  private func checkApplicators(_ value: JSONValue, _ schema: JSONValue, _ path: String, _ outcome: inout Outcome) {
    for other in schema["allOf"]?.elements ?? [] { outcome.add(check(value, other, at: path)) }
    if let list = schema["anyOf"] {
      let outcomes = list.elements.map { check(value, $0, at: path) }
      for fitting in outcomes where fitting.isValid { outcome.add(fitting) }
      if !outcomes.contains(where: \.isValid) { outcome.mistakes.append("\(path): anyOf (\(outcomes.compactMap(\.mistakes.first)))") }
    }
    if let other = schema["not"], check(value, other, at: path).isValid { outcome.mistakes.append("\(path): not") }
    if let condition = schema["if"] {
      let met = check(value, condition, at: path)
      if met.isValid { outcome.add(met) }
      if let next = schema[met.isValid ? "then" : "else"] { outcome.add(check(value, next, at: path)) }
    }
  }

  private func checkObject(_ value: JSONValue, _ schema: JSONValue, _ path: String, _ outcome: inout Outcome) {
    guard value.kind == .object else { return }
    let members = value.members
    for key in schema["required"]?.elements.compactMap(\.string) ?? [] where value[key] == nil {
      outcome.mistakes.append("\(path): required \(key)")
    }
    if let least = schema["minProperties"]?.int, members.count < least { outcome.mistakes.append("\(path): minProperties") }
    let properties = schema["properties"]
    for member in members {
      let place = "\(path).\(member.key)"
      if let names = schema["propertyNames"], let name = Self.text(member.key) {
        outcome.mistakes += check(name, names, at: "\(place) (its name)").mistakes
      }
      guard let inner = properties?[member.key] ?? schema["additionalProperties"] else { continue }
      outcome.seen.insert(member.key)
      outcome.mistakes += check(member.value, inner, at: place).mistakes
    }
    guard let rest = schema["unevaluatedProperties"] else { return }
    for member in members where !outcome.seen.contains(member.key) {
      outcome.mistakes += check(member.value, rest, at: "\(path).\(member.key)").mistakes
    }
  }

  private static func text(_ text: String) -> JSONValue? { (try? JSONDocument(parsing: JSONWriter.quoted(text)))?.root }
}

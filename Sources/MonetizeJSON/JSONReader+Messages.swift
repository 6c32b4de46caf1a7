// SPDX-License-Identifier: Apache-2.0

import Foundation

extension JSONReader {
  /// The declared name that an unknown one probably means. Only for the first hundred mistakes, because each suggestion compares all names.
  package func suggestion(for name: String, among known: @autoclosure () -> [String]) -> String? {
    notes.count < 100 ? closestMatch(to: name, in: known()) : nil
  }

  /// The beginning of the message about a missing key.
  static func missing(_ key: String) -> String { "The key \(JSONWriter.quoted(key)) is missing." }

  /// - Parameter values: The valid values. Default: the cases of an enumeration.
  static func missingMessage(_ key: String, _ type: Any.Type, oneOf values: [String]? = nil) -> String {
    let values = values ?? JSONPlace.rawValues(of: type)
    let form = values.isEmpty ? JSONExpectation.form(of: type) : "one of \(JSONPlace.list(values))"
    return "\(missing(key)) Add it to this object" + (form.map { ", as \($0)." } ?? ".")
  }

  static func describe(_ error: any Error) -> String {
    guard let context = (error as? DecodingError)?.context else { return (error as? any LocalizedError)?.errorDescription ?? "\(error)" }
    return context.debugDescription.isEmpty ? "This value is not accepted. Correct it." : context.debugDescription
  }
}

extension JSONPlace {
  /// Lists the valid cases, instead of the standard library's "Cannot initialize Mode from invalid String value x".
  func enumerated(_ context: DecodingError.Context?, _ type: Any.Type) -> String? {
    guard let context, context.debugDescription.hasPrefix("Cannot initialize") else { return nil }
    let values = Self.rawValues(of: type)
    if values.isEmpty { return nil }
    let mend = didYouMean(value.string.flatMap { closestMatch(to: $0, in: values) }, or: "Write one of these.")
    return "Expected one of \(Self.list(values)) here, but found \(value.shortDescription).\(mend)"
  }

  static func list(_ values: [String]) -> String {
    values.prefix(12).map(JSONWriter.quoted).joined(separator: ", ") + (values.count > 12 ? ", …" : "")
  }

  /// The texts of an enumeration; none for any other type.
  static func rawValues(of type: Any.Type) -> [String] {
    func texts<C: CaseIterable>(_ type: C.Type) -> [String] {
      C.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
    }
    return (type as? any CaseIterable.Type).map { texts($0) } ?? []
  }
}

extension JSONValue {
  /// The value in a message, such as `the number 3` or `an array`. Shortens long values, and hides a value that may be a signing key.
  package var shortDescription: String {
    switch kind {
    case .null: "null"
    case .bool: bool == true ? "true" : "false"
    case .number: "the number \(Self.cut(numberText ?? ""))"
    case .string where KeyMaterial.isIn(string ?? ""): "a string of \(string?.count ?? 0) characters"
    case .string: "the string \(JSONWriter.quoted(Self.cut(string ?? "")))"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// A message with the value that a type found instead of the expected one.
  func found(in message: String) -> String {
    guard message.hasPrefix("Expected "), !message.contains("but found") else { return message }
    let end = message.range(of: ". ")?.lowerBound ?? message.lastIndex(of: ".") ?? message.endIndex
    return message[..<end] + ", but found \(shortDescription)" + message[end...]
  }

  static func cut(_ text: String) -> String { text.utf8.count > 40 ? text.prefix(40) + "…" : text }
}

enum JSONExpectation: String {
  case string = "a string"
  case whole = "a whole number"
  case number = "a number"
  case bool = "true or false"
  case array = "an array"
  case object = "an object"

  /// The form of the values of a type; `nil` when only the type knows it.
  static func form(of type: Any.Type) -> String? {
    func raw<R: RawRepresentable>(_: R.Type) -> Any.Type { R.RawValue.self }
    let raw = (type as? any RawRepresentable.Type).map { raw($0) } ?? type
    return switch raw {
    case is String.Type: string.rawValue
    case is Int.Type: whole.rawValue
    case is Bool.Type: bool.rawValue
    default: (raw as? any JSONPlaceholder.Type)?.jsonForm
    }
  }

  /// - Parameter keys: The keys of the expected object, if they are known.
  func sentence(_ found: JSONValue, keys: [String] = []) -> String {
    "Expected \(rawValue) here, but found \(found.shortDescription). \(mend(found, keys))"
  }

  private func mend(_ found: JSONValue, _ keys: [String]) -> String {
    switch (self, found.kind) {
    case (.string, .number), (.string, .bool): "Put it in quotes."
    case (.whole, .number): "Write it without a fraction and without an exponent."
    case (.whole, .string) where Int(found.string ?? "") != nil, (.number, .string) where Double(found.string ?? "") != nil,
      (.bool, .string) where ["true", "false"].contains(found.string ?? ""):
      "Remove the quotes."
    case (.bool, _): "Write true or false."
    case (.array, .null), (.array, .object): "Write an array: [ … ]."
    case (.array, _): "Put it in brackets: [ … ]."
    case (.object, _): "Write an object: { \(keys.isEmpty ? "…" : keys.map { "\"\($0)\": …" }.joined(separator: ", ")) }."
    case (_, .null): "Write \(rawValue), or remove the key."
    default: "Write \(rawValue)."
    }
  }
}

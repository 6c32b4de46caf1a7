// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The sentences of the decoder: what was expected, what was found, how to mend it.
extension JSONReader {
  static func missingMessage(_ key: String) -> String { "The key \(JSONWriter.quoted(key)) is missing. Add it to this object." }

  static func describe(_ error: any Error) -> String {
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
      return context.debugDescription.isEmpty ? "This value is not accepted. Correct it." : context.debugDescription
    case let error as any LocalizedError:
      return error.errorDescription ?? "\(error)"
    default: return "\(error)"
    }
  }

  /// The standard library says "Cannot initialize Mode from invalid String value x": better is to list what would be right.
  func enumerated(_ error: any Error, at node: Int) -> String? {
    guard case DecodingError.dataCorrupted(let context) = error, context.debugDescription.hasPrefix("Cannot initialize"),
      let (thrower, type) = inFlight, thrower == node, let cases = type as? any CaseIterable.Type, let values = rawValues(of: cases)
    else { return nil }
    let value = JSONValue(storage: storage, node: node)
    let list = values.prefix(12).map(JSONWriter.quoted).joined(separator: ", ") + (values.count > 12 ? ", …" : "")
    let guess = value.string.flatMap { closestMatch(to: $0, in: values) }
    let mend = guess.map { "Did you mean \(JSONWriter.quoted($0))?" } ?? "Write one of these."
    return "Expected one of \(list) here, but found \(value.shortDescription). \(mend)"
  }

  private func rawValues<C: CaseIterable>(of type: C.Type) -> [String]? {
    let values = C.allCases.compactMap { ($0 as? any RawRepresentable).flatMap { raw($0) } }
    return values.isEmpty ? nil : values
  }

  private func raw(_ value: some RawRepresentable) -> String? { value.rawValue as? String }
}

extension JSONValue {
  /// The value for a sentence, such as `the number 3` or `an array`; long ones are cut.
  package var shortDescription: String {
    switch kind {
    case .null: "null"
    case .bool: bool == true ? "true" : "false"
    case .number: "the number \(Self.cut(numberText ?? ""))"
    case .string: "the string \(JSONWriter.quoted(Self.cut(string ?? "")))"
    case .array: "an array"
    case .object: "an object"
    }
  }

  private static func cut(_ text: String) -> String { text.utf8.count > 40 ? text.prefix(40) + "…" : text }
}

/// What a decoder can expect at a place.
enum JSONExpectation: String {
  case string = "a string"
  case whole = "a whole number"
  case number = "a number"
  case bool = "true or false"
  case array = "an array"
  case object = "an object"
  case value = "a value"

  func sentence(_ found: JSONValue) -> String {
    "Expected \(rawValue) here, but found \(found.shortDescription). \(mend(found))"
  }

  private func mend(_ found: JSONValue) -> String {
    switch (self, found.kind) {
    case (.string, .number), (.string, .bool): "Put it in quotes."
    case (.whole, .number): "Write it without a fraction and without an exponent."
    case (.whole, .string) where Int(found.string ?? "") != nil, (.number, .string) where Double(found.string ?? "") != nil,
      (.bool, .string) where ["true", "false"].contains(found.string ?? ""):
      "Remove the quotes."
    case (.bool, _): "Write true or false."
    case (.array, .null), (.array, .object): "Write an array: [ … ]."
    case (.array, _): "Put it in brackets: [ … ]."
    case (.object, _): "Write an object: { … }."
    case (_, .null): "Write \(rawValue), or remove the key."
    default: "Write \(rawValue)."
    }
  }
}

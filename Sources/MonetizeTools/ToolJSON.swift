// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The JSON format of every verb.
public enum ToolJSON: Sendable {
  /// A value as readable JSON with sorted keys, without a final newline. Control characters are escaped.
  public static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // The tools encode only strings, whole numbers, Booleans and dates, which cannot fail.
    guard let data = try? encoder.encode(value) else { return "null" }
    // Foundation writes an empty list on three lines. A JSON string never contains a line end, so only lists match.
    let lines = String(decoding: data, as: UTF8.self).replacingOccurrences(of: "\\[\n\n *\\]", with: "[]", options: .regularExpression)
    var text = ""
    for scalar in lines.unicodeScalars {
      switch scalar.value {
      case 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069:
        text += "\\u00".prefix(scalar.value < 0x100 ? 4 : 2) + String(scalar.value, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// An object as readable JSON, as ``text(_:)`` writes it.
  public static func object(_ members: ToolObject) -> String { text(members) }
}

/// An object of JSON, written as a dictionary. A member without a value is left out.
public struct ToolObject: Encodable, Sendable, ExpressibleByDictionaryLiteral {
  private let members: [String: any Encodable & Sendable]

  /// Makes an object from its members. The first of two with one key counts.
  public init(dictionaryLiteral members: (String, (any Encodable & Sendable)?)...) { self.init(members) }

  /// Makes an object from its members. The first of two with one key counts. O(members).
  public init(_ members: [(String, (any Encodable & Sendable)?)]) {
    self.members = Dictionary(members.compactMap { key, value in value.map { (key, $0) } }) { first, _ in first }
  }

  /// Writes the members in no particular order: ``ToolJSON`` sorts keys.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (key, value) in members { try container.encode(value, forKey: Name(stringValue: key)) }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

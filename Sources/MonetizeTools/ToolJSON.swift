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
    let lines = String(decoding: withoutEmptyLines(data), as: UTF8.self)
    var (text, rest) = ("", lines[...])
    while let index = rest.unicodeScalars.firstIndex(where: isHidden) {
      let scalar = rest.unicodeScalars[index].value
      text += rest[..<index] + "\\u00".prefix(scalar < 0x100 ? 4 : 2) + String(scalar, radix: 16)
      rest = rest[rest.unicodeScalars.index(after: index)...]
    }
    return text + rest
  }

  /// An object as readable JSON, as ``text(_:)`` writes it.
  public static func object(_ members: ToolObject) -> String { text(members) }

  /// Foundation writes an empty list or object on three lines, of which the second is empty. No string of JSON contains a line end.
  private static func withoutEmptyLines(_ data: Data) -> [UInt8] {
    let (newline, space) = (UInt8(ascii: "\n"), UInt8(ascii: " "))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count)
    var isAfterEmptyLine = false
    for byte in data {
      if byte == newline, bytes.last == newline {
        bytes.removeLast()
        isAfterEmptyLine = true
      } else if byte != space || !isAfterEmptyLine {
        bytes.append(byte)
        isAfterEmptyLine = false
      }
    }
    return bytes
  }

  /// Whether a terminal may act on a character, or write the rest of the line backwards.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
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

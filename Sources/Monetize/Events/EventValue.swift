// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A value of an app's own event.
public enum EventValue: Sendable, Hashable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByStringLiteral
{
  /// A number.
  case number(Double)
  /// Yes or no.
  case boolean(Bool)
  /// A word: one of those that the catalog lists, or free text, as the property's type says.
  case text(String)

  /// A number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Yes or no.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// A word.
  public init(stringLiteral value: String) { self = .text(value) }
}

extension EventValue: Codable {
  /// Reads a number, a boolean or a string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  /// Writes a number, a boolean or a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let value): try container.encode(value)
    case .boolean(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    }
  }
}

/// A value that says nothing of a person: what may leave the device. There is no text in it but a word that the catalog lists.
public enum SharedValue: Sendable, Hashable {
  /// A number.
  case number(Double)
  /// Yes or no.
  case boolean(Bool)
  /// One of the words that the catalog lists for a property.
  case choice(String)
}

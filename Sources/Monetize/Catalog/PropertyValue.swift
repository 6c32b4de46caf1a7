// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A value of a property: of an app's own event, or of a form in the onboarding.
public enum PropertyValue: Sendable, Hashable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByStringLiteral
{
  /// A number.
  case number(Double)
  /// A truth value.
  case boolean(Bool)
  /// A text: of an event, a word that the catalog lists or free text, according to the property's type.
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

extension PropertyValue: Codable {
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

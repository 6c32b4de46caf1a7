// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

/// An exact amount in a currency. In JSON the amount is a decimal string, never a float: `{ "amount": "4.50", "currency": "USD" }`.
public struct Money: Sendable, Hashable, CustomStringConvertible {
  /// The exact amount.
  public let amount: Decimal
  /// The ISO 4217 code, such as `USD`.
  public let currency: String

  /// Makes an amount of money.
  public init(amount: Decimal, currency: String) { (self.amount, self.currency) = (amount, currency) }

  /// Parses a plain decimal such as `4.50`: digits, at most one point, an optional minus. Returns `nil` for anything else.
  public static func amount(_ text: String) -> Decimal? {
    // `Decimal(string:)` would read "4.50 or so" as 4.50. It also looks up a locale, which takes longer than reading the rest of a product.
    var digits = 0
    var decimals: Int?
    var number = Decimal()
    var (chunk, scale) = (0 as UInt64, 1 as UInt64)
    for (index, character) in text.utf8.enumerated() {
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits += 1
        if digits > 30 { return nil }
        decimals = decimals.map { $0 + 1 }
        (chunk, scale) = (chunk * 10 + UInt64(character - UInt8(ascii: "0")), scale * 10)
        if digits == 18 { (number, chunk, scale) = (Decimal(chunk), 0, 1) }
      case UInt8(ascii: ".") where digits > 0 && decimals == nil: decimals = 0
      case UInt8(ascii: "-") where index == 0: break
      default: return nil
      }
    }
    guard digits > 0, decimals != 0 else { return nil }
    number = number * Decimal(scale) + Decimal(chunk)
    return Decimal(sign: text.utf8.first == UInt8(ascii: "-") ? .minus : .plus, exponent: -(decimals ?? 0), significand: number)
  }

  /// A text such as `4.50 USD`. Not for customers, whose prices come from the store.
  public var description: String { "\(amountText) \(currency)" }

  /// The amount with a point and at least the decimals of its currency: `4.50` dollars, `500` yen, `1.250` dinars.
  public var amountText: String { Money.text(amount, decimals: Money.decimals(of: currency)) }

  /// Formats a decimal with a point and at least `wanted` decimals, the same on every machine.
  public static func text(_ amount: Decimal, decimals wanted: Int = 2) -> String {
    // A description has no locale; a number formatter would look one up, which takes longer than everything else here.
    var text = amount.description
    let decimals = text.utf8.firstIndex(of: UInt8(ascii: ".")).map { text.utf8.distance(from: $0, to: text.endIndex) - 1 } ?? 0
    if decimals == 0, wanted > 0 { text += "." }
    for _ in 0..<max(0, wanted - decimals) { text += "0" }
    return text
  }

  /// The number of decimals of a currency: 2 for dollars, 0 for yen, 3 for dinars; 2 for unknown currencies. Source: ISO 4217, minor units.
  public static func decimals(of currency: String) -> Int {
    switch currency {
    case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF": 0
    case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
    case "CLF", "UYW": 4
    default: 2
    }
  }

  /// Whether it can be paid: the amount has no more decimals than the currency.
  public var isPayable: Bool {
    var (exact, rounded) = (amount, Decimal())
    NSDecimalRound(&rounded, &exact, Money.decimals(of: currency), .plain)
    return rounded == amount
  }

  /// The reason why it cannot be paid, and how to fix that; `nil` when it can.
  package var whyUnpayable: String? {
    if isPayable { return nil }
    let decimals = Money.decimals(of: currency)
    return "\(self) cannot be paid: \(currency) has \(decimals == 0 ? "no" : "\(decimals)") decimals. Round the amount."
  }
}

extension Money: Codable, JSONPlaceholder {
  private enum CodingKeys: String, CodingKey, CaseIterable { case amount, currency }

  /// Reads `{ "amount": "4.50", "currency": "USD" }`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let text = try container.decode(String.self, forKey: .amount)
    currency = try container.decode(String.self, forKey: .currency)
    guard let amount = Money.amount(text), amount >= 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .amount, in: container, debugDescription: "\"\(text)\" is not an amount. Write a decimal string such as \"4.50\".")
    }
    guard currency.utf8.count == 3, currency.utf8.allSatisfy({ (65...90).contains($0) }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .currency, in: container,
        debugDescription: "\"\(currency)\" is not a currency. Write its ISO 4217 code in capitals, such as \"USD\".")
    }
    self.amount = amount
  }

  /// Writes the amount as a decimal string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(amountText, forKey: .amount)
    try container.encode(currency, forKey: .currency)
  }

  package static var jsonPlaceholder: Money { Money(amount: 0, currency: "USD") }
  package static var jsonForm: String? { "an object: { \"amount\": …, \"currency\": … }" }
}

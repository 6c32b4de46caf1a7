// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@testable import MonetizePaywalls

@Suite("The store's style of prices")
struct PriceStyleTests {
  @Test(
    "A derived price has the store's format",
    arguments: [
      ("$89.99", "89.99", "7.50", "$7.50"), ("89,99 €", "89.99", "7.50", "7,50 €"), ("¥1,200", "1200", "100", "¥100"),
      ("1.234,56 €", "1234.56", "102.88", "102,88 €"), ("1.234,56 €", "1234.56", "1000.5", "1.000,50 €"),
      ("₹1,00,000.00", "100000", "12345.6", "₹12,345.60"), ("₹12,00,000.00", "1200000", "234567", "₹2,34,567.00"),
      ("CHF 1’250.00", "1250", "104.2", "CHF 104.20"), ("٨٩٫٩٩ ر.س", "89.99", "7.5", "٧٫٥٠ ر.س"),
      ("1 234 567 kr", "1234567", "23456", "23 456 kr"),
      ("1.250 KWD", "1.250", "0.105", "0.105 KWD"), ("1.250 đ", "1250", "105", "105 đ"),
      ("$1,200.00", "1200", "1234567.5", "$1,234,567.50"), ("₹1,200", "1200", "1234567", "₹1,234,567"),
      ("R$ 1.299", "1299", "1000", "R$ 1.000"),
    ])
  func derives(text: String, amount: String, other: String, expected: String) throws {
    let (whole, part) = (try #require(Money.amount(amount)), try #require(Money.amount(other)))
    let style = try #require(PriceStyle(of: text, amount: whole))
    #expect(style.text(for: part) == expected)
    #expect(style.text(for: whole) == text)
  }

  @Test(
    "A text that differs from its amount has no style",
    arguments: [("free", "0"), ("$10.00", "9.99"), ("", "1"), ("$1.2.3", "1.23"), ("10 for $5", "5"), ("$5 / 3", "5")])
  func none(text: String, amount: String) throws {
    let amount = try #require(Money.amount(amount))
    #expect(PriceStyle(of: text, amount: amount) == nil)
  }

  @Test("An amount with more decimals than the style is not written")
  func decimals() throws {
    let style = try #require(PriceStyle(of: "$10", amount: 10))
    let cents = try #require(Money.amount("0.84"))
    #expect(style.text(for: cents) == nil && style.text(for: -1) == nil)
  }

  @Test("For any amount and separators, a style reproduces its own text")
  func roundTrip() throws {
    var random = SplitMix64(seed: 20_261_122)
    for _ in 0..<2_000 {
      let decimals = Int.random(in: 0...3, using: &random)
      let amount = Decimal(sign: .plus, exponent: -decimals, significand: Decimal(Int.random(in: 1...99_999_999, using: &random)))
      let (decimal, group) = [(".", ","), (",", "."), (",", " "), (".", "’")].randomElement(using: &random) ?? (".", ",")
      let plain = Money.text(amount, decimals: decimals).split(separator: ".").map(String.init)
      var whole = ""
      for (index, digit) in plain[0].enumerated() {
        if index > 0, (plain[0].count - index) % 3 == 0 { whole += group }
        whole.append(digit)
      }
      let text = "€ " + whole + (decimals > 0 ? decimal + plain[1] : "")
      let style = PriceStyle(of: text, amount: amount)
      #expect(style?.text(for: amount) == text, "\(text)")
    }
  }
}

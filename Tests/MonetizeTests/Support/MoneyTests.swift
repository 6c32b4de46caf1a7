// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// Amounts are exact: they are read as written, or not at all.
@Suite(.timeLimit(.minutes(30)))
struct MoneyTests {
  @Test("A currency has three capital letters", arguments: ["USD", "USDD", "US", "", "usd", "U$D"]) func currency(code: String) {
    let money = try? JSONDecoder().decode(Money.self, from: Data(#"{ "amount": "1", "currency": "\#(code)" }"#.utf8))
    #expect((money != nil) == (code == "USD"))
  }

  @Test("Every plain decimal of up to 30 digits is read like Foundation's, to the last digit")
  func random() {
    var random = SplitMix64(seed: Seed.base)
    for _ in 0..<5000 {
      let (whole, decimals) = (Int.random(in: 1...18, using: &random), Int.random(in: 0...12, using: &random))
      func digits(_ count: Int) -> String { (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined() }
      let text = (Bool.random(using: &random) ? "-" : "") + digits(whole) + (decimals == 0 ? "" : "." + digits(decimals))
      let amount = Money.amount(text)
      #expect(amount == Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), "\(text)")
      #expect(amount.map { Money.amount(Money.text($0)) } == amount, "\(text)")
    }
  }

  @Test(
    "At the limits",
    arguments: [
      ("0", "0"), ("0.00", "0"), ("-0", "0"), ("-0.00", "0"), ("4.50", "4.5"), ("-4.50", "-4.5"), ("007", "7"),
      ("999999999999999999", "999999999999999999"), ("9999999999999999999", "9999999999999999999"),
      ("123456789012345678901234567890", "123456789012345678901234567890"),
      ("0.12345678901234567890123456789", "0.12345678901234567890123456789"),
    ])
  func limits(_ text: String, _ same: String) throws {
    let amount = try #require(Money.amount(text))
    #expect(amount == Decimal(string: same))
    #expect(!amount.isNaN && (amount.isZero || (amount < 0) == text.hasPrefix("-")))
    #expect(amount + 1 == (Decimal(string: same) ?? 0) + 1)
  }

  @Test(
    "Anything else is not an amount",
    arguments: [
      "", "-", ".", "5.", ".5", "-.5", "1.2.3", "1,5", "1e3", "+1", " 1", "1 ", "4.50 or so", "١", "1234567890123456789012345678901",
      "1234567890123456789012345678901234567890123456789012345678901234567890", "0x1", "--1", "1-",
    ])
  func refused(_ text: String) {
    #expect(Money.amount(text) == nil)
  }

  @Test(
    "An amount shows the decimals of its currency",
    arguments: [
      ("1700", "JPY", "1700"), ("4.5", "USD", "4.50"), ("0", "EUR", "0.00"), ("1.25", "KWD", "1.250"), ("7", "XPF", "7"),
      ("7", "LYD", "7.000"),
      ("550.505", "JPY", "550.505"), ("3", "XXX", "3.00"),
    ]) func decimals(amount: String, currency: String, text: String) throws
  {
    let money = Money(amount: try #require(Money.amount(amount)), currency: currency)
    #expect(money.amountText == text)
    #expect(money.description == "\(text) \(currency)")
    #expect(money.isPayable == (text != "550.505"))
    #expect(try JSONDecoder().decode(Money.self, from: JSONEncoder().encode(money)) == money)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@testable import MonetizePaywalls

@Suite("Prices for a year", .timeLimit(.minutes(30)))
struct YearlyPriceTests {
  private func plan(_ price: Decimal, _ period: Period?) -> YearlyPrice? {
    YearlyPrice(StoreProduct(id: "p", displayName: "", displayPrice: "", price: Money(amount: price, currency: "USD"), period: period))
  }

  @Test(
    "the saving against a monthly or weekly plan is exact, and rounded down",
    arguments: [
      ("10.00", "P1M", "60.00", 50), ("10.00", "P1M", "60.01", 49), ("8.99", "P1M", "89.99", 16), ("1000", "P1M", "9900", 17),
      ("1.99", "P1W", "99.99", 3), ("5.00", "P1M", "59.40", 1), ("5.00", "P1M", "59.41", nil), ("5.00", "P1M", "60.00", nil),
      ("5.00", "P1M", "70.00", nil), ("5.00", "P1M", "0", 100), ("0", "P1M", "0", nil), ("0", "P1M", "5.00", nil),
      ("159000000", "P7D", "1590000000", 80),
    ] as [(String, String, String, Int?)])
  func saving(_ price: String, _ period: String, _ yearly: String, _ expected: Int?) throws {
    let (price, yearly) = (try #require(Money.amount(price)), try #require(Money.amount(yearly)))
    let other = try #require(plan(price, Period(period)))
    let own = try #require(plan(yearly, Period(years: 1)))
    #expect(own.saving(against: other) == expected)
  }

  @Test("no saving is derived from a mixed period, from seconds, without a period, or from a price that no currency has")
  func unknown() {
    for period in [Period(months: 1, days: 1), Period(hours: 1), Period(days: 1, hours: 1), Period(), nil] {
      #expect(plan(5, period) == nil)
    }
    #expect(plan(Decimal(string: "1.00001") ?? 0, Period(months: 1)) == nil)
    #expect(plan(-1, Period(months: 1)) == nil)
    #expect(plan(.nan, Period(months: 1)) == nil)
    #expect(plan(.greatestFiniteMagnitude, Period(months: 1)) == nil)
  }

  @Test("an amount in cents is the same number as its decimal")
  func units() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<2000 {
      let decimals = Int.random(in: 0...4, using: &random)
      let units = Int.random(in: 0...(Bool.random(using: &random) ? 100_000 : 99_999_999_999), using: &random)
      let amount = Decimal(sign: .plus, exponent: -decimals, significand: Decimal(units))
      #expect(amount.units(decimals: decimals) == units)
      #expect(Money.amount(Money.text(amount))?.units(decimals: decimals) == units)
      #expect(amount.units(decimals: 4) == units * [10_000, 1000, 100, 10, 1][decimals])
      if decimals > 0 { #expect(amount.units(decimals: decimals - 1) == (units.isMultiple(of: 10) ? units / 10 : nil)) }
    }
    #expect(Decimal(0).units(decimals: 2) == 0)
    #expect(Decimal(sign: .plus, exponent: 120, significand: 1).units(decimals: 2) == nil)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import Testing

/// Savings and prices per month, computed a second time with fractions that share no code with the paywall.
@Suite("Laws of savings and prices per month", .timeLimit(.minutes(30)))
struct SavingLawTests {
  /// A plan of a random paywall.
  private struct Plan {
    let id: String
    let group: String
    let level: Int
    let period: Period
    let currency: String
    /// In cents, or in whole units of a currency without them.
    let units: Int
    let isForSale: Bool

    var decimals: Int { currency == "JPY" ? 0 : 2 }

    /// The price for a year, times 100 and times every number of days and months used here, so that it is whole.
    var yearly: Int128 {
      let whole: Int128 = 2520
      let months = period.years * 12 + period.months
      return Int128(units) * 100 * (months > 0 ? whole * 12 / Int128(months) : whole * 365 / Int128(period.days))
    }

    init(_ index: Int, _ random: inout SplitMix64) {
      let periods = [
        Period(days: 7), Period(months: 1), Period(months: 2), Period(months: 3), Period(months: 6), Period(years: 1),
      ]
      id = "app.plan.\(index)"
      group = Bool.random(using: &random) ? "one" : "two"
      level = Int.random(in: 1...2, using: &random)
      period = periods[Int.random(in: 0..<periods.count, using: &random)]
      currency = ["USD", "USD", "USD", "EUR", "JPY"][Int.random(in: 0..<5, using: &random)]
      units = Int.random(in: 1...(Bool.random(using: &random) ? 1000 : 200_000), using: &random)
      isForSale = Int.random(in: 0..<6, using: &random) > 0
    }

    var listing: StoreProduct {
      let amount = Decimal(sign: .plus, exponent: -decimals, significand: Decimal(units))
      return StoreProduct(
        id: ProductID(id), displayName: id, displayPrice: text(units), price: Money(amount: amount, currency: currency), period: period)
    }

    func text(_ units: Int) -> String {
      switch currency {
      case "JPY": "¥\(units)"
      case "EUR": "\(units / 100),\(units % 100 < 10 ? "0" : "")\(units % 100) €"
      default: "$\(units / 100).\(units % 100 < 10 ? "0" : "")\(units % 100)"
      }
    }
  }

  private func catalog(_ plans: [Plan]) throws -> Catalog {
    let products = plans.map { plan in
      """
      {"id": "\(plan.id)", "kind": "subscription", "name": "\(plan.id)", "group": "\(plan.group)", "level": \(plan.level),
       "period": "\(plan.period)", "price": {"amount": "1.00", "currency": "USD"}, "entitlements": ["all"]}
      """
    }
    return try Catalog(
      json: Data(
        """
        {"schemaVersion": 1, "app": {"id": "app.plans", "name": "App", "minimumOS": "26.0"},
         "features": {"export": {"title": "Export"}},
         "entitlements": {"all": {"title": "All", "grants": {"export": true}}},
         "products": [\(products.joined(separator: ", "))],
         "paywalls": {"default": {"headline": "All", "products": [\(plans.map { "\"\($0.id)\"" }.joined(separator: ", "))]}}}
        """.utf8))
  }

  @Test("A saving is the exact difference to the most expensive comparable plan, and a price per month the charge shared, rounded up")
  func savings() throws {
    var seen = (savings: 0, months: 0)
    for seed in 1...UInt64(400) {
      var random = SplitMix64(seed: seed)
      let plans = (0..<Int.random(in: 2...7, using: &random)).map { Plan($0, &random) }
      let sold = plans.filter(\.isForSale)
      let snapshot = Screens.snapshot(try catalog(plans))
      let paywall = try #require(snapshot.paywall(at: .default))
      let options = PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(sold.map(\.listing))).options
      #expect(options.map(\.id.rawValue) == sold.map(\.id), "seed \(seed)")
      for (option, plan) in zip(options, sold) {
        let beside = sold.filter { $0.group == plan.group && $0.level == plan.level && $0.currency == plan.currency }
        let most = beside.map(\.yearly).max() ?? 0
        let percent = most == 0 ? 0 : Int((most - plan.yearly) * 100 / most)
        #expect(option.savingPercent == (percent > 0 ? percent : nil), "seed \(seed): \(plan) beside \(beside)")
        #expect(option.saving == (percent > 0 ? "Save \(percent)%" : nil), "seed \(seed)")
        let months = plan.period.years * 12 + plan.period.months
        let shared = (plan.units / max(1, months)) + (plan.units % max(1, months) > 0 ? 1 : 0)
        #expect(option.pricePerMonth == (months > 1 ? "\(plan.text(shared)) per month" : nil), "seed \(seed): \(plan)")
        seen.savings += percent > 0 ? 1 : 0
        seen.months += months > 1 ? 1 : 0
      }
    }
    #expect(seen.savings > 200 && seen.months > 400, "\(seen)")
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

@testable import MonetizeReports

/// What is sold again is bought again: passes, credits and tips with a `retention`.
@Suite("Later purchases", .timeLimit(.minutes(30)))
struct LaterPurchaseTests {
  private static let always = #"{ "alpha": 0.0000001, "beta": 1000000 }"#

  private func catalog(_ product: String, retention: String? = Self.always, more: String = "") throws -> Catalog {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 3 } },
        "features": { "story": { "allowance": "count", "per": "month" } },
        "products": [{ "id": "p", "name": "P", \#(product), "price": { "amount": "2.00", "currency": "USD" } }],
        "forecast": { "x": { "conversion": "1"\#(retention.map { #", "retention": { "p": \#($0) }"# } ?? "")\#(more),
          "costPerUse": { "story": "1" }, "uses": { "story": { "free": "3", "paid": "40" } } } } }
      """#
    return try Catalog(json: Data(json.utf8))
  }

  private func played(_ catalog: Catalog, _ customers: Int, _ months: Int, from start: String = "2026-01-01") throws -> Population {
    var options = Population.Options()
    (options.customers, options.months) = (customers, months)
    options.start = ISODate.parse(start + "T00:00:00Z", in: Calendar.storeCalendar.timeZone) ?? .distantPast
    return try Population(catalog, options)
  }

  @Test(
    "A customer who always buys again pays and uses as the forecast has it",
    arguments: [
      (#""kind": "nonRenewing", "period": "P1M", "grants": { "story": 99 }"#, [1, 1, 1, 1], [40, 40, 40, 40]),
      (#""kind": "nonRenewing", "period": "P2M", "grants": { "story": 99 }"#, [1, 0, 1, 0], [40, 40, 40, 40]),
      (#""kind": "consumable", "credits": { "story": 50 }"#, [1, 1, 1, 1], [53, 53, 53, 53]),
      (#""kind": "consumable""#, [1, 1, 1, 1], [3, 3, 3, 3]),
      (#""kind": "nonConsumable", "grants": { "story": 99 }"#, [1, 0, 0, 0], [40, 40, 40, 40]),
    ] as [(String, [Double], [Double])])
  func always(text: String, payments: [Double], uses: [Double]) throws {
    let played = try played(try catalog(text), 20, 4)
    #expect(played.expected.map { ($0.payments / 20 * 1000).rounded() / 1000 } == payments)
    #expect(played.months.map { Double($0.payments) / 20 } == payments)
    #expect(played.expected.map { ($0.costs.double / 20 * 1000).rounded() / 1000 } == uses)
    #expect(played.months.map { Double($0.uses) / 20 } == uses)
    #expect(played.months.allSatisfy { $0.denials == 0 }, "Each wants what the forecast counts, and no more")
    #expect(played.events.allSatisfy { $0.name != .subscriptionRenewed } && played.expected.allSatisfy { $0.subscribers == 0 })
    #expect(played.expected.allSatisfy { $0.commission == $0.gross * Decimal(sign: .plus, exponent: -1, significand: 3) })
  }

  @Test(
    "Wherever the months begin, the months of the forecast are those of the store, and a pass follows the one before without a gap",
    arguments: ["2026-01-31", "2026-03-31", "2028-01-30", "2026-06-15"], ["P1M", "P3M", "P10D", "P1Y"])
  func days(start: String, length: String) throws {
    let played = try played(
      try catalog(#""kind": "nonRenewing", "period": "\#(length)", "grants": { "story": "unlimited" }"#), 5, 14, from: start)
    #expect(played.months.map { Double($0.payments) } == played.expected.map { $0.payments.rounded() })
    #expect(played.months.allSatisfy { $0.denials == 0 && $0.uses == 5 * 40 }, "\(played.months)")
  }

  @Test("A pass of a week is bought again at its end: four or five times a month, with access all the time") func weeks() throws {
    let played = try played(try catalog(#""kind": "nonRenewing", "period": "P7D", "grants": { "story": 99 }"#), 20, 3)
    #expect(played.expected.map { $0.payments.rounded() } == [100, 80, 80] && played.months.map(\.payments) == [100, 80, 80])
    #expect(played.expected.allSatisfy { abs($0.payers - 20) < 0.5 }, "\(played.expected.map(\.payers))")
  }

  @Test("The declared shares buy again, in the forecast and at the simulated store") func shares() throws {
    let catalog = try catalog(#""kind": "consumable", "credits": { "story": 5 }"#, retention: "[0.5, 0.3, 0.2]")
    let played = try played(catalog, 4000, 4)
    let left = RetentionCurve(fitting: [0.5, 0.3, 0.2])?.survival(through: 3) ?? []
    for (month, share) in left.enumerated() {
      #expect(abs(played.expected[month].payments - 4000 * share) < 1e-6)
      let error = 5 * (4000 * share * (1 - share)).squareRoot()
      #expect(abs(Double(played.months[month].payments) - 4000 * share) <= error, "month \(month + 1): \(played.months[month].payments)")
      #expect(abs(played.expected[month].costs.double - (4000 * share * 5 + 4000 * 3)) < 0.1)
    }
    let forecast = try Forecast(catalog)
    #expect(!forecast.text.contains("buys it once") && !forecast.text.contains("subscribers"))
    #expect(
      try Forecast(self.catalog(#""kind": "consumable""#, retention: nil)).text.contains(
        "buys it once, because its retention is not declared"))
  }

  @Test("A buyer who gets the money back does not buy again") func refunds() throws {
    let played = try played(
      try catalog(#""kind": "nonRenewing", "period": "P1M", "grants": { "story": 99 }"#, more: #", "refunds": "0.5""#), 2000, 3)
    for (month, payments) in [2000.0, 1000, 500].enumerated() {
      #expect(abs(played.expected[month].payments - payments) < 1e-3)
      #expect(abs(Double(played.months[month].payments) - payments) <= 5 * (payments / 2).squareRoot(), "month \(month + 1)")
    }
  }

  @Test("The retention of what is bought once has no effect, and is reported") func once() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": {} },
        "products": [{ "kind": "nonConsumable", "id": "p", "name": "P", "price": { "amount": "2.00", "currency": "USD" }, "grants": { "f": true } },
          { "kind": "consumable", "id": "t", "name": "T", "price": { "amount": "2.00", "currency": "USD" } }],
        "forecast": { "x": { "retention": { "p": [0.4, 0.3], "t": [0.4, 0.3] } } } }
      """#
    let warnings = Catalog.validating(Data(json.utf8)).diagnostics.filter { $0.severity == .warning && $0.code == "forecast-bought-once" }
    #expect(warnings.map(\.path) == ["forecast.x.retention.p"])
  }
}

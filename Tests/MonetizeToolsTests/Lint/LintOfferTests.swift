// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

@Suite("Lint: the prices of offers", .timeLimit(.minutes(30)))
struct LintOfferTests {
  /// An offer of a plan, and whether it is cheaper than the plan for the same time.
  struct Case: Sendable, CustomTestStringConvertible {
    let (plan, price, mode, period, amount, isCheaper): (String, String, String, String, String, Bool)
    var testDescription: String { "\(price) for \(plan), \(mode) \(amount) for \(period)" }

    init(_ plan: String, _ price: String, _ mode: String, _ period: String, _ amount: String, isCheaper: Bool) {
      (self.plan, self.price, self.mode) = (plan, price, mode)
      (self.period, self.amount, self.isCheaper) = (period, amount, isCheaper)
    }
  }

  static let cases = [
    Case("P1M", "4.99", "payUpFront", "P1M", "4.99", isCheaper: false), Case("P1M", "4.99", "payUpFront", "P1M", "4.98", isCheaper: true),
    Case("P1M", "4.99", "payUpFront", "P3M", "14.97", isCheaper: false), Case("P1M", "4.99", "payUpFront", "P3M", "14.96", isCheaper: true),
    Case("P1M", "4.99", "payUpFront", "P1Y", "59.88", isCheaper: false), Case("P1M", "4.99", "payUpFront", "P1Y", "59.87", isCheaper: true),
    Case("P1W", "1.99", "payUpFront", "P1W", "1.99", isCheaper: false), Case("P1W", "1.99", "payUpFront", "P2W", "3.97", isCheaper: true),
    // Less than one period costs at most a whole one.
    Case("P1Y", "39.99", "payUpFront", "P1M", "39.99", isCheaper: false),
    Case("P1Y", "39.99", "payUpFront", "P1M", "9.99", isCheaper: true),
    Case("P1M", "4.99", "payUpFront", "P1W", "4.99", isCheaper: false),
    Case("P1M", "4.99", "payAsYouGo", "P1M", "4.99", isCheaper: false), Case("P1M", "4.99", "payAsYouGo", "P1M", "4.98", isCheaper: true),
  ]

  @Test("An offer is cheaper than the plan for the same time", arguments: cases)
  func cheaper(_ offer: Case) throws {
    func price(_ amount: String) -> String { #""price": { "amount": "\#(amount)", "currency": "USD" }"# }
    let periods = offer.mode == "payAsYouGo" ? #", "periods": 2"# : ""
    let catalog = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": {} },
        "products": [{ "kind": "subscription", "id": "p", "name": "P", "group": "g", "level": 1, "period": "\#(offer.plan)",
          \#(price(offer.price)), "grants": { "f": true }, "offers": [{ "type": "introductory", "mode": "\#(offer.mode)",
            "period": "\#(offer.period)"\#(periods), \#(price(offer.amount)) }] }] }
      """#
    _ = try Catalog(json: Data(catalog.utf8))
    let codes = Lint().findings(in: Data(catalog.utf8)).map(\.diagnostic.code.rawValue)
    #expect(codes.contains("offer-not-cheaper") == !offer.isCheaper, "\(codes)")
  }
}

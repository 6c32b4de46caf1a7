// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import Testing

/// The paywall of an app without subscriptions that begins with a free trial. Source: App Review guideline 3.1.1: before the trial begins, its
/// length and the later price are clear.
@Suite("A free trial on a paywall", .timeLimit(.minutes(30)))
struct TrialOptionTests {
  private static let all = #""grants": { "a": true, "b": true }"#

  private func screen(
    others: String = #"{ "kind": "nonConsumable", "id": "full", "name": "Full Version", \#(all) }"#,
    listing change: (inout StoreProduct) -> Void = { _ in }
  ) throws -> PaywallScreen {
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "a": {}, "b": {} },
          "products": [
            { "kind": "nonConsumable", "id": "trial", "name": "14-day Trial", "period": "P14D", "price": { "amount": "0", "currency": "USD" },
              "grants": { "a": true, "b": true } },
            { "kind": "nonConsumable", "id": "half", "name": "Half", "grants": { "a": true } },
            { "kind": "nonConsumable", "id": "old", "name": "Old Version", "onSale": false, "grants": { "a": true, "b": true } }, \(others)] }
        """.utf8))
    let snapshot = Screens.snapshot(catalog)
    var listings = Screens.products(catalog)
    for index in listings.indices { change(&listings[index]) }
    return PaywallScreen(
      of: try #require(snapshot.paywall(at: .default)), snapshot: snapshot, loading: .loaded(listings), selected: "trial")
  }

  @Test("It names its length, and the price of the first product on sale that gives as much afterwards") func note() throws {
    let screen = try screen()
    #expect(screen.options.map(\.sort) == [.trial, .oneTime, .oneTime])
    #expect(screen.options[0].note == "Free for 14 days. Ends by itself, without a charge. After that: Full Version for $1.00.")
    #expect(screen.options[0].startsFree && screen.options[0].accessibilityLabel.contains("After that"))
    #expect(screen.actions.first { $0.isPrimary }?.label == "Start Free Trial")
  }

  @Test("A plan that follows has its price with its period; where nothing follows, there is no later price") func followers() throws {
    let plan = #"{ "kind": "subscription", "id": "m", "name": "Monthly", "group": "g", "level": 1, "period": "P1M", \#(Self.all) }"#
    #expect(try screen(others: plan).options[0].note?.hasSuffix("After that: Monthly for $1.00 per month.") == true)
    let two = plan + #", { "kind": "nonConsumable", "id": "full", "name": "Full Version", \#(Self.all) }"#
    #expect(try screen(others: two).options[0].note?.hasSuffix("After that: Monthly for $1.00 per month.") == true, "The first one counts")
    // The store's period, not the catalog's.
    let yearly = try screen(others: plan) { if $0.id == "m" { $0.period = Period(years: 1) } }
    #expect(yearly.options[0].note?.hasSuffix("After that: Monthly for $1.00 per year.") == true)
    #expect(yearly.options.last?.cadence == "per year")
    let tip = #"{ "kind": "consumable", "id": "tip", "name": "Tip" }"#
    #expect(try screen(others: tip).options[0].note == "Free for 14 days. Ends by itself, without a charge.")
  }
}

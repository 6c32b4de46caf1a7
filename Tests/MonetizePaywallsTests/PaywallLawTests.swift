// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import Testing

/// No text ever shows a price that the store did not give, or a trial to a customer who is not eligible, whatever the store's style and the
/// customer's history.
@Suite("Laws of the paywall's texts")
struct PaywallLawTests {
  private static let styles: [@Sendable (Money) -> String] = [
    { "$\($0.amountText)" }, { "\($0.amountText.replacingOccurrences(of: ".", with: ",")) €" }, { "from \($0.amountText)*" },
    { "¥\(NSDecimalNumber(decimal: $0.amount).intValue)" }, { _ in "ask" },
  ]

  /// The numbers with a currency's look in a text: digits with an optional fraction.
  private func numbers(_ text: String) -> [String] {
    text.split { !($0.isNumber || $0 == "." || $0 == ",") }.map { $0.trimmingCharacters(in: [".", ","]) }.filter { !$0.isEmpty }
  }

  @Test("Every number in an option is the store's price, a period, a percentage or derived in the store's own style")
  func prices() throws {
    for seed in 1...UInt64(300) {
      var random = SplitMix64(seed: seed)
      let app = ["maze-packs", "heatlab", "magical-stories", "dozzi"].randomElement(using: &random) ?? "dozzi"
      let catalog = try Screens.catalog(app)
      let style = Self.styles.randomElement(using: &random) ?? Self.styles[0]
      var listings = Screens.products(catalog, text: style)
      for index in listings.indices {
        let amount = Decimal(sign: .plus, exponent: -2, significand: Decimal(Int.random(in: 1...20_000, using: &random)))
        listings[index].price = Money(amount: amount, currency: "USD")
        listings[index].displayPrice = style(listings[index].price)
        if Bool.random(using: &random) { listings[index].introductoryOffer = nil }
      }
      listings.removeAll { _ in Int.random(in: 0..<4, using: &random) == 0 }
      let ended = catalog.products.filter { $0.subscription != nil && Bool.random(using: &random) }
      let hasTried = Bool.random(using: &random)
      let facts = ended.map { Screens.transaction($0.id, ended: true, withOffer: hasTried) }
      let snapshot = Screens.snapshot(catalog, facts, answered: Int.random(in: 0..<5, using: &random) > 0)
      let known = Screens.snapshot(catalog)
      guard let paywall = known.paywall(at: .default) else { continue }
      let screen = PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(listings))
      for option in screen.options {
        let listing = try #require(listings.first { $0.id == option.id })
        #expect(option.price == listing.displayPrice, "seed \(seed)")
        let derived = [option.pricePerMonth, option.saving, option.trial].compactMap { $0 }.joined(separator: " ")
        let known = numbers(listing.displayPrice) + ["7", "1"] + (option.savingPercent.map { ["\($0)"] } ?? [])
        let months = listing.period.map { $0.years * 12 + $0.months } ?? 0
        for number in numbers(derived) where !known.contains(number) {
          let amount = try #require(Money.amount(number.replacingOccurrences(of: ",", with: ".")), "seed \(seed): \(derived)")
          // Twelve times the price per month is at least the charge, and less than a cent a month above it.
          let over = amount * Decimal(months) - listing.price.amount
          #expect(months > 1 && over >= 0 && over < Decimal(months) / 100, "seed \(seed): \(number) in \(derived) of \(listing)")
        }
        let mayTry = (facts.isEmpty || !hasTried) && snapshot.situation.store.hasAnswered && listing.introductoryOffer != nil
        #expect((option.trial != nil) == mayTry, "seed \(seed): \(option)")
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import Testing

/// Offers to come back: shown with their price to a customer who has left and may use one, and named by the purchase.
struct WinBackTests {
  private static let monthly: ProductID = "com.magicalstories.premium.monthly"
  private static let lapsed = Screens.transaction(monthly, ended: true, withOffer: true)

  private static func back(
    _ id: String = "back", _ mode: SubscriptionOffer.Mode = .payUpFront, _ eligibility: StoreOffer.Eligibility = .eligible
  ) -> StoreOffer {
    let price = mode == .freeTrial ? nil : Money(amount: 10, currency: "USD")
    return StoreOffer(
      SubscriptionOffer(type: .winBack, mode: mode, period: Period(months: 3), id: id, price: price), displayPrice: "US$10",
      eligibility: eligibility)
  }

  /// The monthly plan on the paywall of a customer.
  private func option(
    _ facts: [Fact], _ offers: [StoreOffer], trial: Bool = false, answered: Bool = true, at now: Date = Screens.now,
    _ change: (String) -> String = { $0 }
  ) throws -> (option: PaywallOption, button: String?) {
    let catalog = try Screens.catalog("magical-stories", change)
    let paywall = try #require(Screens.snapshot(catalog, at: now).paywall(at: .default))
    var products = Screens.products(catalog, trial: trial)
    for index in products.indices where products[index].id == Self.monthly { products[index].offers = offers }
    let screen = PaywallScreen(
      of: paywall, snapshot: Screens.snapshot(catalog, facts, at: now, answered: answered), loading: .loaded(products),
      selected: Self.monthly)
    return (try #require(screen.options.first { $0.id == Self.monthly }), screen.actions.first { $0.isPrimary }?.label)
  }

  @Test("A customer who has left sees the store's first offer, with the store's text of its price, and the purchase names it")
  func shown() throws {
    let (option, button) = try option([Self.lapsed], [Self.back(), Self.back("second", .freeTrial)])
    #expect(option.trial == "3 months for US$10, then $8.99 per month" && option.offerID == "back" && !option.startsFree)
    #expect(button == "Subscribe" && option.accessibilityLabel.contains("US$10"))
    let free = try self.option([Self.lapsed], [Self.back("first", .payUpFront, .ineligible), Self.back("second", .freeTrial)])
    #expect(free.option.trial == "3 months free, then $8.99 per month" && free.option.offerID == "second" && free.option.startsFree)
    #expect(free.button == "Start Free Trial")
  }

  @Test("It is not shown to a subscriber, a new customer and a customer who may not use it, nor before the store's answer")
  func hidden() throws {
    let active = Screens.transaction(Self.monthly)
    let retry = Fact.renewal(
      RenewalInfo(
        originalID: "1", productID: Self.monthly, state: .inBillingRetry, willRenew: true, retryUntil: Screens.now + 86400,
        signed: Screens.now - 86400))
    for facts in [[], [active], [Self.lapsed, retry]] {
      let option = try option(facts, [Self.back()]).option
      #expect(option.trial == nil && option.offerID == nil, "\(facts)")
    }
    for eligibility in [StoreOffer.Eligibility.ineligible, .unknown] {
      #expect(try option([Self.lapsed], [Self.back("back", .payUpFront, eligibility)]).option.trial == nil)
    }
    #expect(try option([Self.lapsed], [Self.back()], answered: false).option.trial == nil)
  }

  @Test("An introductory offer that applies by itself comes first, and no offer is named")
  func introductory() throws {
    let paid = Screens.transaction(Self.monthly, ended: true)
    let option = try option([paid], [Self.back()], trial: true).option
    #expect(option.trial == "7 days free, then $8.99 per month" && option.offerID == nil)
  }

  @Test(
    "Outside the dates of the catalog it is not shown, although the store may list it",
    arguments: [(-1, false), (0, true), (30, true), (31, false)])
  func dates(days: Int, isShown: Bool) throws {
    let offer =
      #"{ "type": "winBack", "id": "back", "mode": "payUpFront", "period": "P3M", "price": { "amount": "9.99", "currency": "USD" },"#
      + #" "from": "2026-03-01T12:00:00Z", "until": "2026-04-01T12:00:00Z" }, "#
    let option = try option([Self.lapsed], [Self.back()], at: Screens.now + Double(days) * 86400) { text in
      // Of the first plan only.
      text.range(of: #""offers": ["#).map { text.replacingCharacters(in: $0, with: #""offers": [\#(offer)"#) } ?? text
    }.option
    #expect((option.offerID == "back") == isShown && option.offerEnds == (isShown ? Screens.now + 31 * 86400 : nil))
  }

  @Test("The simulated store charges what the screen shows") func charged() async throws {
    let url = Screens.products.deletingLastPathComponent().appendingPathComponent("Examples/Scenarios/app-store/catalog.json")
    let catalog = try Catalog(json: Data(contentsOf: url))
    let store = SimulatedStore(catalog: catalog, start: Screens.now)
    let device = store.device()
    let monetizer = Monetizer(catalog: catalog) {
      ($0.store, $0.time, $0.startsByItself) = (device, device.time, false)
    }
    await monetizer.start()
    let product: ProductID = "pro.month"
    guard case .completed = try await monetizer.purchase(product) else {
      Issue.record("The plan was not bought")
      return
    }
    await store.advance(by: Period(months: 2))
    try await store.setAutoRenew(false)
    await store.advance(by: Period(months: 4))
    await monetizer.refresh()
    let paywall = try #require(monetizer.snapshot.paywall(at: .default))
    let screen = PaywallScreen(
      of: paywall, snapshot: monetizer.snapshot, loading: .loaded(try await device.products(for: paywall.products)), selected: product)
    let option = try #require(screen.selected)
    #expect(option.offerID == "pro.back" && option.trial?.contains("9.99") == true, "\(option)")
    guard case .completed(let bought) = try await monetizer.purchase(option.id, offer: option.offerID) else {
      Issue.record("The offer was refused")
      return
    }
    #expect(bought.offer?.type == .winBack && bought.price?.amountText == "9.99")
  }
}

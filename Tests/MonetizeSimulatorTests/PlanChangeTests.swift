// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// Changes between plans, offers and prices (app-store-rules E.1 to E.3).
@Suite(.timeLimit(.minutes(30)))
struct PlanChangeTests {
  @Test func anUpgradeIsAtOnceAndGivesBackTheRest() throws {
    var world = Shop.world(at: "2026-04-01T00:00:00Z")
    try world.buy("monthly")
    world.advance(to: Shop.date("2026-04-11T00:00:00Z"))
    let gold = try world.buy("gold")
    #expect(gold?.productID == "gold")
    #expect(gold?.originalID == "t1")
    #expect(gold?.expirationDate == Shop.date("2026-05-11T00:00:00Z"))
    #expect(world.transactions(of: "ann").first?.isUpgraded == true)
    // 20 of 30 days are left of 10.00.
    #expect(world.money(of: "ann").refunded(in: "USD") == Shop.decimal("6.67"))
    #expect(world.money(of: "ann").charged(in: "USD") == 30)
    #expect(world.answer(for: "ann").transactions.map(\.transaction.productID) == ["gold"])
    #expect(world.lines(until: "2026-05-11T00:00:00Z") == ["2026-05-11 DID_RENEW gold"])
  }

  @Test func aDowngradeWaitsForTheRenewal() throws {
    var world = Shop.world(at: "2026-03-31T00:00:00Z")
    try world.buy("gold")
    let answer = try world.buy("basic")
    #expect(answer?.productID == "gold")
    #expect(world.state()?.renewsInto == "basic")
    #expect(world.state()?.productID == "gold")
    #expect(world.lines(until: "2026-04-30T00:00:00Z") == ["2026-04-30 DID_RENEW basic"])
    #expect(world.state()?.productID == "basic")
    // The anchor survives the change of plan.
    #expect(world.state()?.expires == Shop.date("2026-05-31T00:00:00Z"))
    #expect(world.money(of: "ann").charged(in: "USD") == 25)
  }

  @Test func aCrossgradeGoesByItsDuration() throws {
    var world = Shop.world(at: "2026-04-01T00:00:00Z")
    try world.buy("monthly")
    world.advance(to: Shop.date("2026-04-16T00:00:00Z"))
    #expect(try world.buy("silver")?.productID == "silver")
    #expect(world.money(of: "ann").refunded(in: "USD") == 5)
    #expect(try world.buy("annual")?.productID == "silver")
    #expect(world.state()?.renewsInto == "annual")
    #expect(world.lines(until: "2026-05-16T00:00:00Z") == ["2026-05-16 DID_RENEW annual"])
    #expect(world.state()?.expires == Shop.date("2027-05-16T00:00:00Z"))
  }

  @Test func aPlannedChangeIsTakenBackByBuyingTheCurrentPlan() throws {
    var world = Shop.world()
    try world.buy("gold")
    try world.buy("basic")
    try world.buy("gold")
    #expect(world.state()?.renewsInto == "gold")
    #expect(world.lines(until: "2026-04-01T12:00:00Z") == ["2026-04-01 DID_RENEW gold"])
  }

  @Test func severalGroupsRunSideBySide() throws {
    var world = Shop.world()
    try world.buy("monthly")
    try world.buy("weekly")
    #expect(Set(world.answer(for: "ann").transactions.map(\.transaction.productID)) == ["monthly", "weekly"])
    #expect(world.subscriptions(of: "ann").map(\.originalID) == ["t1", "t2"])
  }

  @Test func promotionalOffersAreForSubscribersPresentAndPast() throws {
    var world = Shop.world()
    #expect(throws: StoreError(.ineligibleForOffer)) { try world.buy("trial", offer: "half") }
    #expect(throws: StoreError(.ineligibleForOffer)) { try world.buy("trial", offer: "nonsense") }
    try world.buy("trial")
    try world.buy("trial", offer: "half")
    // The trial ends on March 8; three periods have half the price, then the full price applies again.
    world.advance(to: Shop.date("2026-06-08T11:00:00Z"))
    #expect(world.transactions(of: "ann").compactMap(\.price?.amountText) == ["0.00", "5.00", "5.00", "5.00"])
    world.advance(to: Shop.date("2026-06-08T12:00:00Z"))
    #expect(world.transactions(of: "ann").compactMap(\.price?.amountText).last == "10.00")
  }

  @Test func winBackIsForThoseWhoLeft() throws {
    var world = Shop.world()
    try world.buy("trial")
    world.advance(to: Shop.date("2026-03-20T00:00:00Z"))
    _ = try world.setAutoRenew("trial", false, customer: "ann")
    #expect(world.eligibility(of: "back", for: "trial", customer: "ann") == .ineligible)
    world.advance(to: Shop.date("2026-04-20T00:00:00Z"))
    // Ended on April 8: a month must pass.
    #expect(world.eligibility(of: "back", for: "trial", customer: "ann") == .ineligible)
    world.advance(to: Shop.date("2026-05-09T00:00:00Z"))
    #expect(world.eligibility(of: "back", for: "trial", customer: "ann") == .eligible)
    let back = try world.buy("trial", offer: "back")
    #expect(back?.price == Shop.usd("12.00"))
    #expect(back?.expirationDate == Shop.date("2026-08-09T00:00:00Z"))
    #expect(back?.offer?.type == .winBack)
  }

  @Test func codesAreRedeemedOnceAndByWhomTheyAreFor() throws {
    var world = Shop.world()
    #expect(try world.buy("trial", offer: "code")?.offer?.type == .code)
    #expect(throws: StoreError(.ineligibleForOffer)) { try world.buy("trial", offer: "code") }
    var product = try #require(Shop.products.first { $0.id == "trial" })
    product.offerRules["code"] = .init(audiences: [.expired])
    world.setProduct(product)
    #expect(throws: StoreError(.ineligibleForOffer)) { try world.buy("trial", by: "bob", offer: "code") }
  }

  @Test func aPriceRiseWithConsent() throws {
    for (agrees, lines) in [
      (true, ["2026-04-01 DID_RENEW monthly"]), (false, ["2026-04-01 EXPIRED PRICE_INCREASE monthly"]),
      (nil, ["2026-04-01 EXPIRED PRICE_INCREASE monthly"]),
    ] {
      var world = Shop.world()
      try world.buy("monthly")
      let events = try world.setPrice("monthly", Shop.usd("12.00"), consent: .required)
      #expect(events.compactMap(\.notification).map(\.short) == ["2026-03-01 PRICE_INCREASE PENDING monthly"])
      #expect(world.state()?.priceIncreaseAgreed == false)
      if agrees == true { _ = try world.approve("monthly", customer: "ann") }
      if agrees == false { _ = try world.decline("monthly", customer: "ann") }
      #expect(world.lines(until: "2026-04-02T00:00:00Z") == lines)
      #expect(world.money(of: "ann").charged(in: "USD") == (agrees == true ? 22 : 10))
      if agrees != true { #expect(world.state()?.expirationReason == .didNotConsentToPriceIncrease) }
    }
  }

  @Test func aPriceRiseByNoticeADecreaseAndAPreservedPrice() throws {
    var world = Shop.world()
    try world.buy("monthly")
    #expect(try world.setPrice("monthly", Shop.usd("12.00"), consent: .notice).compactMap(\.notification?.subtype) == [.accepted])
    world.advance(to: Shop.date("2026-04-02T00:00:00Z"))
    #expect(try world.setPrice("monthly", Shop.usd("8.00")).isEmpty)
    world.advance(to: Shop.date("2026-05-02T00:00:00Z"))
    #expect(try world.setPrice("monthly", Shop.usd("15.00"), consent: .preserved).isEmpty)
    world.advance(to: Shop.date("2026-06-02T00:00:00Z"))
    #expect(world.transactions(of: "ann").compactMap(\.price?.amountText) == ["10.00", "12.00", "8.00", "8.00"])
    _ = try world.expire("monthly", customer: "ann")
    world.advance(to: Shop.date("2026-07-20T00:00:00Z"))
    #expect(try world.buy("monthly")?.price == Shop.usd("8.00"))
    _ = try world.expire("monthly", customer: "ann")
    world.advance(to: Shop.date("2026-12-01T00:00:00Z"))
    #expect(try world.buy("monthly")?.price == Shop.usd("15.00"))
  }

  // Source: App Store Connect help, "Decrease the price": a higher price cannot be preserved for existing subscribers.
  @Test func whoReturnsNeverPaysMoreThanTheList() throws {
    var world = Shop.world()
    try world.buy("monthly")
    _ = try world.setPrice("monthly", Shop.usd("12.00"), consent: .preserved)
    _ = try world.expire("monthly", customer: "ann")
    _ = try world.setPrice("monthly", Shop.usd("8.00"))
    #expect(try world.buy("monthly")?.price == Shop.usd("8.00"))
    world.advance(to: Shop.date("2026-04-02T00:00:00Z"))
    #expect(world.transactions(of: "ann").last?.price == Shop.usd("8.00"))
  }

  // Source: Apple, "Understanding subscription price increase notice and consent": preserving keeps the current price.
  @Test(arguments: [PriceConsent.notice, .required])
  func aPreservedPriceWithdrawsARiseThatWasNotPaid(first: PriceConsent) throws {
    var world = Shop.world()
    try world.buy("monthly")
    _ = try world.setPrice("monthly", Shop.usd("12.00"), consent: first)
    _ = try world.setPrice("monthly", Shop.usd("15.00"), consent: .preserved)
    #expect(world.state()?.priceIncreaseAgreed == nil)
    world.advance(to: Shop.date("2026-04-02T00:00:00Z"))
    #expect(world.transactions(of: "ann").compactMap(\.price) == ["10.00", "10.00"].map(Shop.usd))
  }

  @Test func applesRuleSaysWhoMustAgree() throws {
    for (price, first, second) in [("14.00", "ACCEPTED", "PENDING"), ("15.00", "ACCEPTED", "PENDING"), ("15.01", "PENDING", "PENDING")] {
      var world = Shop.world()
      try world.buy("monthly")
      #expect(try world.setPrice("monthly", Shop.usd(price)).compactMap(\.notification?.subtype?.rawValue) == [first])
      #expect(try world.setPrice("monthly", Shop.usd("16.00")).compactMap(\.notification?.subtype?.rawValue) == [second])
    }
  }

  @Test func storefrontsHaveTheirOwnPrices() throws {
    var world = Shop.world()
    let euros = Money(amount: 11, currency: "EUR")
    _ = try world.setPrice("monthly", euros, storefront: "DEU")
    _ = world.setAccount("ann") { $0.storefront = "DEU" }
    #expect(try world.buy("monthly")?.price == euros)
    #expect(world.money(of: "ann").charged(in: "EUR") == 11)
    _ = world.setAccount("ann") { $0.storefront = "USA" }
    world.advance(to: Shop.date("2026-04-02T00:00:00Z"))
    #expect(world.money(of: "ann").charged == [euros, Shop.usd("10.00")])
    var product = try #require(Shop.products.first { $0.id == "monthly" })
    product.storefronts = ["USA"]
    world.setProduct(product)
    _ = world.setAccount("ann") { $0.storefront = "JPN" }
    #expect(world.storeProducts(for: ["monthly"], customer: "ann").isEmpty)
    #expect(world.lines(until: "2026-05-02T00:00:00Z") == ["2026-05-01 EXPIRED PRODUCT_NOT_FOR_SALE monthly"])
  }
}

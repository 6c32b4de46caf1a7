// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// The storefront, environment and currency of payments.
@Suite(.timeLimit(.minutes(30)))
struct MoneyPlacesTests {
  private let euros = { (text: String) in Money(amount: Shop.decimal(text), currency: "EUR") }

  // MARK: Storefronts

  @Test func anOfferCostsWhatItCostsThere() throws {
    var world = Shop.world()
    _ = try world.setPrice("paygo", euros("9.49"), storefront: "DEU")
    _ = world.setAccount(nil) { $0.storefront = "DEU" }
    // Without a price in the storefront's currency the product is not available.
    #expect(world.eligibility(of: nil, for: "paygo", customer: "ann") == .ineligible)
    #expect(world.storeProducts(for: ["paygo"], customer: "ann").first?.introductoryOffer == nil)
    var without = world
    #expect(try without.buy("paygo")?.price == euros("9.49"))
    try world.setPrice(ofOffer: "introductory", of: "paygo", euros("1.89"), storefront: "DEU")
    #expect(world.storeProducts(for: ["paygo"], customer: "ann").first?.introductoryOffer?.price == euros("1.89"))
    try world.buy("paygo")
    world.advance(to: Shop.date("2026-06-02T00:00:00Z"))
    #expect(world.money(of: "ann").charged == [euros("15.16")])
    #expect(throws: SimulationError.self) { try world.setPrice(ofOffer: "nothing", of: "paygo", self.euros("1.00")) }
    #expect(throws: SimulationError.self) { try world.setPrice("pack", Shop.usd("-0.01")) }
    _ = try world.setPrice("pack", Shop.usd("0.00"))
    #expect(try world.buy("pack", by: "free")?.price == Shop.usd("0.00"), "a price may be zero")
    #expect(throws: SimulationError.self) { try world.setPrice(ofOffer: "introductory", of: "trial", self.euros("1.00")) }
    try world.setPrice(ofOffer: "introductory", of: "paygo", Shop.usd("3.00"))
    _ = world.setAccount("bob") { $0.storefront = "USA" }
    #expect(try world.buy("paygo", by: "bob")?.price == Shop.usd("3.00"))
  }

  @Test func anOfferEndsWhereItHasNoPrice() throws {
    var world = Shop.world()
    _ = try world.setPrice("paygo", euros("9.49"), storefront: "DEU")
    try world.buy("paygo")
    _ = world.setAccount("ann") { $0.storefront = "DEU" }
    world.advance(to: Shop.date("2026-04-02T00:00:00Z"))
    #expect(world.transactions(of: "ann").compactMap(\.price) == [Shop.usd("2.00"), euros("9.49")])
  }

  @Test("A customer who moves pays the new storefront's price, also in the same currency, and no rise of the old one")
  func movers() throws {
    var world = Shop.world()
    _ = try world.setPrice("monthly", Shop.usd("14.99"), storefront: "ECU")
    try world.buy("monthly")
    try world.buy("monthly", by: "bob")
    _ = try world.setPrice("monthly", Shop.usd("30.00"), consent: .required)
    _ = world.setAccount("ann") { $0.storefront = "ECU" }
    // Without its own price, a storefront has the same price and the same rise.
    _ = world.setAccount("bob") { $0.storefront = "PER" }
    world.advance(to: Shop.date("2026-04-02T00:00:00Z"))
    #expect(world.money(of: "ann").charged(in: "USD") == Shop.decimal("24.99"))
    #expect(world.state("bob")?.expirationReason == .didNotConsentToPriceIncrease)
  }

  @Test func aCodeOfAOneTimeProductCostsTheMoneyOfThePlace() throws {
    var world = Shop.world()
    var product = try #require(Shop.products.first { $0.id == "pack" })
    product.codes = ["half": Shop.usd("4.99"), "gift": Shop.usd("0.00")]
    product.prices = ["DEU": euros("9.49")]
    world.setProduct(product)
    _ = world.setAccount("ann") { $0.storefront = "DEU" }
    #expect(throws: StoreError(.ineligibleForOffer)) { try world.buy("pack", offer: "half") }
    #expect(try world.buy("pack", offer: "gift")?.price == euros("0.00"))
    try world.setPrice(ofOffer: "half", of: "pack", euros("4.49"), storefront: "DEU")
    _ = world.setAccount("bob") { $0.storefront = "DEU" }
    #expect(try world.buy("pack", by: "bob", offer: "half")?.price == euros("4.49"))
  }

  // MARK: Environments

  @Test func playMoneyIsNoMoney() throws {
    var world = Shop.world()
    _ = world.setAccount("ann") { $0.environment = .sandbox }
    try world.buy("monthly")
    _ = try world.refund("monthly", customer: "ann")
    _ = world.setAccount("ann") { $0.environment = .production }
    #expect(world.money(of: "ann").charged.isEmpty && world.transactions(of: "ann").isEmpty && world.subscriptions(of: "ann").isEmpty)
    #expect(world.money(of: "ann", in: .sandbox).charged == [Shop.usd("10.00")])
    #expect(world.money(of: "ann", in: .sandbox).refunded == [Shop.usd("10.00")])
    #expect(world.transactions(of: "ann", in: .sandbox).map(\.environment) == [.sandbox])
    #expect(throws: SimulationError.self) { try world.reverseRefund("monthly", customer: "ann") }
    #expect(throws: SimulationError.self) { try world.refund(transaction: "t1", customer: "ann") }
    #expect(throws: SimulationError.self) { try world.requestRefund("monthly", customer: "ann") }
    #expect(throws: SimulationError.self) { try world.declineRefund("monthly", customer: "ann") }
  }

  @Test func aSandboxSubscriptionRenewsInTheSandboxWhereverTheAccountIs() throws {
    var world = Shop.world()
    _ = world.setAccount("ann") { $0.environment = .sandbox }
    try world.buy("paygo")
    _ = world.setAccount("ann") { $0.environment = .production }
    world.advance(to: Shop.date("2026-04-02T00:00:00Z"))
    #expect(world.transactions(of: "ann", in: .sandbox).map(\.environment) == [.sandbox, .sandbox])
    #expect(world.money(of: "ann").charged.isEmpty)
    #expect(world.eligibility(of: nil, for: "paygo", customer: "ann") == .eligible)
  }

  // MARK: Currencies and lengths

  @Test func aPriceCanBePaidInItsCurrency() throws {
    var world = Shop.world()
    let yen = { (text: String) in Money(amount: Shop.decimal(text), currency: "JPY") }
    #expect(throws: SimulationError.self) { try world.setPrice("monthly", yen("550.505"), storefront: "JPN") }
    #expect(throws: SimulationError.self) { try world.setPrice("monthly", Shop.usd("9.999")) }
    _ = try world.setPrice("monthly", yen("550"), storefront: "JPN")
    _ = world.setAccount("ann") { $0.storefront = "JPN" }
    try world.buy("monthly")
    #expect(world.storeProducts(for: ["monthly"], customer: "ann").first?.displayPrice == "550 JPY")
    world.advance(to: Shop.date("2026-03-12T07:13:20Z"))
    _ = try world.refund("monthly", customer: "ann", part: .prorated)
    // 1,745,200 of 2,678,400 seconds are left.
    #expect(world.money(of: "ann").refunded == [yen("358")])
  }

  @Test func aYearIsTwelveMonths() throws {
    var world = StoreWorld(
      products: [Shop.plan("year", "P1Y", "99.99"), Shop.plan("twelve", "P12M", "89.99")], now: Shop.date("2026-03-01T12:00:00Z"))
    try world.buy("year")
    #expect(try world.buy("twelve")?.productID == "twelve")
    #expect(world.transactions(of: "ann").map(\.isUpgraded) == [true, false])
  }
}

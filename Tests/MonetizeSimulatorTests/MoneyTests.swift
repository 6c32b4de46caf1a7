// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// The price of a period, and the customer who is charged.
@Suite(.timeLimit(.minutes(30)))
struct MoneyTests {
  // MARK: Price rises

  @Test(
    "A rise without consent is never charged: not on recovery in grace or retry, and not by force", arguments: [GraceDays.sixteen, nil])
  func noConsentNoCharge(grace: GraceDays?) throws {
    for answer in [nil, false] {
      var world = Shop.world()
      world.configure { $0.gracePeriod = grace }
      try world.buy("monthly")
      _ = world.setAccount("ann") { $0.payment = .fails }
      world.advance(to: Shop.date("2026-04-03T12:00:00Z"))
      _ = try world.setPrice("monthly", Shop.usd("19.99"), consent: .required)
      if answer == false { _ = try world.decline("monthly", customer: "ann") }
      var forced = world
      let recovered = world.setAccount("ann") { $0.payment = .works }.compactMap(\.notification).map(\.short)
      #expect(recovered == ["2026-04-03 EXPIRED PRICE_INCREASE monthly"])
      #expect(world.money(of: "ann").charged(in: "USD") == 10)
      #expect(world.state()?.expirationReason == .didNotConsentToPriceIncrease)
      #expect(try forced.renew("monthly", customer: "ann").compactMap(\.notification).map(\.short) == recovered)
      #expect(forced.money(of: "ann").charged(in: "USD") == 10)
    }
    var world = Shop.world()
    world.configure { $0.gracePeriod = grace }
    try world.buy("monthly")
    _ = world.setAccount("ann") { $0.payment = .fails }
    world.advance(to: Shop.date("2026-04-03T12:00:00Z"))
    _ = try world.setPrice("monthly", Shop.usd("19.99"), consent: .required)
    _ = try world.approve("monthly", customer: "ann")
    _ = world.setAccount("ann") { $0.payment = .works }
    #expect(world.money(of: "ann").charged(in: "USD") == Shop.decimal("29.99"))
  }

  @Test func aForcedRenewalOfARunningPeriodAsksForConsentToo() throws {
    var world = Shop.world()
    try world.buy("monthly")
    _ = try world.setPrice("monthly", Shop.usd("19.99"), consent: .required)
    _ = try world.renew("monthly", customer: "ann")
    #expect(world.state()?.state == .expired)
    #expect(world.money(of: "ann").charged(in: "USD") == 10)
    #expect(world.transactions(of: "ann").first?.expirationDate == world.now)
  }

  @Test func consentIsForThePlanThatIsRenewed() throws {
    var world = Shop.world()
    try world.buy("gold")
    _ = try world.setPrice("gold", Shop.usd("39.99"), consent: .required)
    try world.buy("basic")
    #expect(world.lines(until: "2026-04-02T00:00:00Z") == ["2026-04-01 DID_RENEW basic"])
    #expect(world.money(of: "ann").charged(in: "USD") == 25)
  }

  @Test func aRiseWaitsWhileAnOfferRuns() throws {
    var world = Shop.world()
    try world.buy("paygo")
    _ = try world.setPrice("paygo", Shop.usd("25.00"), consent: .required)
    world.advance(to: Shop.date("2026-05-02T00:00:00Z"))
    #expect(world.money(of: "ann").charged(in: "USD") == 6)
    #expect(world.state()?.priceIncreaseAgreed == false)
    #expect(world.lines(until: "2026-06-02T00:00:00Z") == ["2026-06-01 EXPIRED PRICE_INCREASE paygo"])
  }

  @Test("Only a rise that was paid, of the same plan and purchase, makes the next one within a year need consent")
  func risesWithinAYear() throws {
    func rise(_ product: ProductID, _ price: String, in world: inout StoreWorld) throws -> [String] {
      try world.setPrice(product, Shop.usd(price)).compactMap(\.notification?.subtype?.rawValue)
    }
    var world = Shop.world()
    try world.buy("silver")
    // Corrected before a customer paid it, and withdrawn.
    #expect(try rise("silver", "10.00", in: &world) == ["ACCEPTED"])
    #expect(try rise("silver", "9.50", in: &world) == ["ACCEPTED"])
    #expect(try rise("silver", "9.00", in: &world) == [])
    #expect(try rise("silver", "9.50", in: &world) == ["ACCEPTED"])
    world.advance(to: Shop.date("2026-04-02T00:00:00Z"))
    var (changed, lapsed) = (world, world)
    #expect(try rise("silver", "9.60", in: &world) == ["PENDING"])
    try changed.buy("gold")
    #expect(try rise("gold", "21.00", in: &changed) == ["ACCEPTED"])
    _ = try lapsed.expire("silver", customer: "ann")
    try lapsed.buy("silver")
    #expect(try rise("silver", "9.60", in: &lapsed) == ["ACCEPTED"])
  }

  @Test("A redeemed offer keeps its price, however the new one is set", arguments: [nil, "USA"])
  func offersKeepTheirPrice(storefront: String?) throws {
    var world = Shop.world()
    try world.buy("paygo")
    try world.buy("trial")
    try world.buy("trial", offer: "half")
    for (offer, product) in [("introductory", "paygo"), ("half", "trial")] {
      try world.setPrice(ofOffer: offer, of: ProductID(product), Shop.usd("8.99"), storefront: storefront)
    }
    world.advance(to: Shop.date("2026-05-02T00:00:00Z"))
    let prices = world.transactions(of: "ann").map { "\($0.productID) \($0.price?.amountText ?? "")" }.sorted()
    #expect(prices == ["paygo 2.00", "paygo 2.00", "paygo 2.00", "trial 0.00", "trial 5.00", "trial 5.00"])
    #expect(try world.buy("paygo", by: "bob")?.price == Shop.usd("8.99"))
  }

  @Test("An id that two products have is an offer of each") func oneIDOfTwoOffers() throws {
    var world = Shop.world()
    for id: ProductID in ["gold", "weekly"] {
      var product = try #require(Shop.products.first { $0.id == id })
      let spring = SubscriptionOffer(type: .code, mode: .freeTrial, period: Period(months: 1), id: "spring")
      product.terms = product.terms.map { .init(group: $0.group, level: $0.level, period: $0.period, offers: [spring]) }
      world.setProduct(product)
    }
    try world.buy("gold", offer: "spring")
    #expect(world.eligibility(of: "spring", for: "weekly", customer: "ann") == .eligible)
    #expect(world.eligibility(of: "spring", for: "gold", customer: "ann") == .ineligible)
    try world.buy("weekly", offer: "spring")
    _ = try world.forget("gold", customer: "ann")
    #expect(world.eligibility(of: "spring", for: "gold", customer: "ann") == .eligible)
  }

  // MARK: Commitments

  @Test(
    "A commitment has all its payments: a trial is none, and binds to none",
    arguments: [SubscriptionOffer.Mode.freeTrial, .payUpFront])
  func aTrialIsNoPayment(mode: SubscriptionOffer.Mode) throws {
    var product = Shop.plan(
      "bound", "P1M", "9.00", group: "bound",
      offers: [.init(type: .introductory, mode: mode, period: Period(days: 7), price: mode == .freeTrial ? nil : Shop.usd("1.00"))])
    product.commitmentPeriods = 12
    var world = Shop.world()
    world.setProduct(product)
    try world.buy("bound")
    #expect(world.state()?.commitment == nil)
    var cancelled = world
    _ = try cancelled.setAutoRenew("bound", false, customer: "ann")
    #expect(cancelled.state()?.willRenew == false)
    #expect(cancelled.lines(until: "2026-04-01T00:00:00Z") == ["2026-03-08 EXPIRED VOLUNTARY bound"])
    world.advance(to: Shop.date("2026-03-09T00:00:00Z"))
    #expect(world.state()?.commitment == .init(payment: 1, payments: 12, ends: Shop.date("2027-03-08T12:00:00Z"), willRenew: true))
    _ = try world.setAutoRenew("bound", false, customer: "ann")
    world.advance(to: Shop.date("2028-01-01T00:00:00Z"))
    #expect(world.money(of: "ann").charged(in: "USD") == (mode == .freeTrial ? 108 : 109))
    #expect(world.state()?.expires == Shop.date("2027-03-08T12:00:00Z"))
  }

  @Test("A refund ends a commitment: a reversal gives back only the period") func aRefundEndsACommitment() throws {
    var world = Shop.world()
    try world.buy("committed")
    _ = try world.refund("committed", customer: "ann")
    _ = try world.reverseRefund("committed", customer: "ann")
    #expect(world.state()?.state == .subscribed && world.state()?.willRenew == false && world.state()?.commitment == nil)
    var again = world
    #expect(world.lines(until: "2028-01-01T00:00:00Z") == ["2026-04-01 EXPIRED VOLUNTARY committed"])
    #expect(world.money(of: "ann").charged(in: "USD") == 8)
    // Renewal that is turned on again begins a new commitment.
    _ = try again.setAutoRenew("committed", true, customer: "ann")
    again.advance(to: Shop.date("2026-04-02T00:00:00Z"))
    #expect(again.state()?.commitment?.payment == 1)
  }

  @Test("In billing retry the paid period is over, so its refund revokes only its transaction", arguments: ["monthly", "committed"])
  func aRefundInRetry(product: ProductID) throws {
    var world = Shop.world()
    world.configure { $0.gracePeriod = nil }
    try world.buy(product)
    _ = world.setAccount("ann") { $0.payment = .fails }
    world.advance(to: Shop.date("2026-04-02T12:00:00Z"))
    let events = try world.refund(product, customer: "ann")
    #expect(events.compactMap(\.notification?.type) == [.refund])
    #expect(world.state()?.state == .inBillingRetry && world.state()?.willRenew == true)
    _ = world.setAccount("ann") { $0.payment = .works }
    #expect(world.state()?.state == .subscribed)
    #expect(world.transactions(of: "ann").map { $0.revocation == nil } == [false, true])
    #expect(world.state()?.commitment?.payment == (product == "committed" ? 2 : nil))
  }

  @Test("A commitment stays in force: another choice begins after its last payment", arguments: [("gold", "basic"), ("basic", "gold")])
  func commitmentIsKept(first: ProductID, then: ProductID) throws {
    var world = Shop.world(at: "2026-03-31T12:00:00Z")
    var product = try #require(Shop.products.first { $0.id == first })
    product.commitmentPeriods = 12
    world.setProduct(product)
    try world.buy(first)
    let end = Shop.date("2027-03-31T12:00:00Z")
    #expect(world.state()?.commitment == .init(payment: 1, payments: 12, ends: end, willRenew: true))
    world.advance(to: Shop.date("2026-06-15T12:00:00Z"))
    try world.buy(then)
    _ = try world.setPrice(first, Shop.usd("99.00"), consent: .required)
    #expect(world.state()?.renewsInto == then)
    world.advance(to: end.addingTimeInterval(-1))
    #expect(world.transactions(of: "ann").map(\.productID) == Array(repeating: first, count: 12))
    #expect(Set(world.transactions(of: "ann").map(\.price)) == [product.price])
    #expect(world.state()?.commitment == .init(payment: 12, payments: 12, ends: end, willRenew: true))
    world.advance(to: end)
    #expect(world.state()?.productID == then)
    #expect(world.state()?.commitment == nil)
  }

  @Test func aCancelledCommitmentIsSeen() throws {
    var world = Shop.world()
    try world.buy("committed")
    world.advance(to: Shop.date("2026-09-05T12:00:00Z"))
    _ = try world.setAutoRenew("committed", false, customer: "ann")
    // Source: app-store-rules E.1: `willAutoRenew` stays true, and the commitment has its own flag.
    #expect(world.state()?.willRenew == true)
    #expect(world.state()?.commitment?.willRenew == false)
    #expect(world.nextRenewal(of: "ann") == Shop.date("2026-10-01T12:00:00Z"))
    world.advance(to: Shop.date("2027-02-15T12:00:00Z"))
    #expect(world.state()?.commitment?.payment == 12)
    #expect(world.state()?.willRenew == false)
    #expect(world.nextRenewal(of: "ann") == nil)
    #expect(world.lines(until: "2027-03-02T00:00:00Z") == ["2027-03-01 EXPIRED VOLUNTARY committed"])
  }

  @Test func whoNeverCommittedIsNotBoundByALaterCommitment() throws {
    var world = Shop.world()
    try world.buy("monthly")
    var product = try #require(Shop.products.first { $0.id == "monthly" })
    product.commitmentPeriods = 12
    world.setProduct(product)
    world.advance(to: Shop.date("2026-05-02T00:00:00Z"))
    #expect(world.state()?.commitment == nil)
    _ = try world.setAutoRenew("monthly", false, customer: "ann")
    #expect(world.lines(until: "2026-06-02T00:00:00Z") == ["2026-06-01 EXPIRED VOLUNTARY monthly"])
  }

  // MARK: Offers and plan changes

  @Test func aDowngradeBeginsWithTheIntroductoryOffer() throws {
    let trial = SubscriptionOffer(type: .introductory, mode: .payAsYouGo, period: Period(months: 1), periods: 2, price: Shop.usd("1.00"))
    let products = [Shop.plan("gold", "P1M", "20.00"), Shop.plan("basic", "P1M", "5.00", level: 2, offers: [trial])]
    var world = StoreWorld(products: products, now: Shop.date("2026-03-01T12:00:00Z"))
    try world.buy("gold")
    try world.buy("basic")
    #expect(world.eligibility(of: nil, for: "basic", customer: "ann") == .eligible)
    world.advance(to: Shop.date("2026-06-02T00:00:00Z"))
    #expect(world.transactions(of: "ann").compactMap(\.price) == ["20.00", "1.00", "1.00", "5.00"].map(Shop.usd))
    #expect(world.eligibility(of: nil, for: "basic", customer: "ann") == .ineligible)
  }

  @Test func anOfferForAPlanGoesWithTheChoiceOfThePlan() throws {
    let stay = SubscriptionOffer(
      type: .promotional, mode: .payAsYouGo, period: Period(months: 1), id: "stay", periods: 1, price: Shop.usd("1.00"))
    let products = [Shop.plan("gold", "P1M", "20.00"), Shop.plan("basic", "P1M", "5.00", level: 2, offers: [stay])]
    var world = StoreWorld(products: products, now: Shop.date("2026-03-01T12:00:00Z"))
    try world.buy("gold")
    let events = try world.purchase(PurchaseRequest("basic", offerID: "stay"), by: "ann").events
    #expect(events.compactMap(\.notification).map(\.short) == ["2026-03-01 OFFER_REDEEMED DOWNGRADE gold"])
    try world.buy("gold")
    world.advance(to: Shop.date("2026-04-02T00:00:00Z"))
    #expect(world.transactions(of: "ann").compactMap(\.price) == ["20.00", "20.00"].map(Shop.usd))
  }

  @Test func anUpgradeWithAnOfferIsAnOfferRedeemed() throws {
    let stay = SubscriptionOffer(type: .promotional, mode: .payUpFront, period: Period(months: 1), id: "stay", price: Shop.usd("9.00"))
    let products = [Shop.plan("gold", "P1M", "20.00", offers: [stay]), Shop.plan("basic", "P1M", "5.00", level: 2)]
    var world = StoreWorld(products: products, now: Shop.date("2026-03-01T12:00:00Z"))
    try world.buy("basic")
    let events = try world.purchase(PurchaseRequest("gold", offerID: "stay"), by: "ann").events
    #expect(events.compactMap(\.notification).map(\.short) == ["2026-03-01 OFFER_REDEEMED UPGRADE gold"])
  }

  @Test func aRefundThatTurnsRenewalOffSaysSo() throws {
    var world = Shop.world()
    try world.buy("monthly")
    #expect(
      try world.refund("monthly", customer: "ann").compactMap(\.notification).map(\.short) == [
        "2026-03-01 REFUND monthly", "2026-03-01 DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED monthly",
      ])
    try world.buy("weekly")
    _ = try world.setAutoRenew("weekly", false, customer: "ann")
    #expect(try world.refund("weekly", customer: "ann").compactMap(\.notification).map(\.type) == [.refund])
  }

  @Test func aProratedRefundAfterAnUpgradeAddsNothing() throws {
    var world = Shop.world()
    try world.buy("basic")
    world.advance(to: Shop.date("2026-03-11T12:00:00Z"))
    try world.buy("gold")
    let rest = world.money(of: "ann").refunded(in: "USD")
    _ = try world.refund("basic", customer: "ann", part: .prorated)
    #expect(rest > 0 && world.money(of: "ann").refunded(in: "USD") == rest)
  }

  @Test("Win-back counts what was paid by the calendar, and an upgraded period until the upgrade")
  func paidMonths() throws {
    let back = SubscriptionOffer(type: .winBack, mode: .payUpFront, period: Period(months: 3), id: "back", price: Shop.usd("12.00"))
    var gold = Shop.plan("gold", "P1M", "20.00", offers: [back])
    gold.offerRules["back"] = .init(minimumPaidMonths: 2)
    let products = [gold, Shop.plan("basic", "P1Y", "50.00", level: 2)]
    var world = StoreWorld(products: products, now: Shop.date("2026-02-01T12:00:00Z"))
    try world.buy("basic")
    world.advance(to: Shop.date("2026-02-02T12:00:00Z"))
    try world.buy("gold")
    _ = try world.setAutoRenew("gold", false, customer: "ann")
    // February 2 to March 2, and the day before.
    world.advance(to: Shop.date("2026-06-01T12:00:00Z"))
    #expect(world.eligibility(of: "back", for: "gold", customer: "ann") == .ineligible)
    try world.buy("gold")
    _ = try world.setAutoRenew("gold", false, customer: "ann")
    world.advance(to: Shop.date("2026-09-01T12:00:00Z"))
    #expect(world.eligibility(of: "back", for: "gold", customer: "ann") == .eligible)
  }

  @Test("A refunded period was not paid") func refundedPeriod() throws {
    let back = SubscriptionOffer(type: .winBack, mode: .payUpFront, period: Period(months: 1), id: "back", price: Shop.usd("1.00"))
    for (isRefunded, eligibility) in [(false, OfferEligibility.eligible), (true, .ineligible)] {
      var world = StoreWorld(products: [Shop.plan("week", "P7D", "3.00", offers: [back])], now: Shop.date("2026-02-01T12:00:00Z"))
      let first = try #require(try world.buy("week"))
      world.advance(to: Shop.date("2026-02-22T13:00:00Z"))
      if isRefunded { _ = try world.refund(transaction: first.id, customer: "ann") }
      _ = try world.setAutoRenew("week", false, customer: "ann")
      world.advance(to: Shop.date("2026-06-01T12:00:00Z"))
      #expect(world.eligibility(of: "back", for: "week", customer: "ann") == eligibility)
    }
  }

  @Test func fourWeeksPaidAreAMonth() throws {
    let back = SubscriptionOffer(type: .winBack, mode: .payUpFront, period: Period(months: 1), id: "back", price: Shop.usd("1.00"))
    for (weeks, eligibility) in [(3, OfferEligibility.ineligible), (4, .eligible)] {
      var world = StoreWorld(products: [Shop.plan("week", "P7D", "3.00", offers: [back])], now: Shop.date("2026-02-01T12:00:00Z"))
      try world.buy("week")
      world.advance(to: Shop.date("2026-02-01T13:00:00Z").addingTimeInterval(Double(weeks - 1) * 7 * 86400))
      _ = try world.setAutoRenew("week", false, customer: "ann")
      world.advance(to: Shop.date("2026-06-01T12:00:00Z"))
      #expect(world.eligibility(of: "back", for: "week", customer: "ann") == eligibility)
    }
  }

  @Test func aFamilysSubscriptionIsNotWonBack() throws {
    let back = SubscriptionOffer(type: .winBack, mode: .payUpFront, period: Period(months: 1), id: "back", price: Shop.usd("1.00"))
    var world = StoreWorld(
      products: [Shop.plan("plan", "P1M", "3.00", offers: [back], shareable: true)], now: Shop.date("2026-02-01T12:00:00Z"))
    _ = try world.joinFamily("kid", of: "mum")
    try world.buy("plan", by: "mum")
    _ = try world.setAutoRenew("plan", false, customer: "mum")
    world.advance(to: Shop.date("2026-06-01T12:00:00Z"))
    #expect(world.state("kid")?.state == .expired)
    #expect(world.eligibility(of: "back", for: "plan", customer: "mum") == .eligible)
    #expect(world.eligibility(of: "back", for: "plan", customer: "kid") == .ineligible)
  }

  // MARK: Refusals

  @Test func whatCannotBePaidStillWaits() throws {
    var world = Shop.world()
    _ = try world.purchase(PurchaseRequest("pack"), by: "ann", sheet: .askToBuy)
    _ = world.setAccount("ann") { $0.payment = .fails }
    #expect(#expect(throws: SimulationError.self) { try world.approve("pack", customer: "ann") }?.code == .cannotPay)
    try world.setOnSale("pack", false)
    #expect(#expect(throws: SimulationError.self) { try world.approve("pack", customer: "ann") }?.code == .notSold)
    try world.setOnSale("pack", true)
    _ = world.setAccount("ann") { $0.payment = .works }
    _ = try world.approve("pack", customer: "ann")
    #expect(world.transactions(of: "ann").map(\.productID) == ["pack"])
  }

  @Test func anInterruptedPurchaseSaysWhatItIsSetToAndComesInAnyCase() throws {
    for (answer, result) in [(InterruptedAnswer.cancelled, PurchaseResult.userCancelled), (.pending, .pending)] {
      var world = Shop.world()
      world.configure { $0.interruptedAnswer = answer }
      #expect(try world.purchase(PurchaseRequest("pack"), by: "ann", sheet: .interrupted).result == result)
      _ = try world.approve("pack", customer: "ann")
      #expect(world.transactions(of: "ann").map(\.productID) == ["pack"])
    }
  }

  @Test func anOfferThatWasUsedMeanwhileIsNotApproved() throws {
    var world = Shop.world()
    var pack = try #require(world.products.first { $0.id == "pack" })
    pack.codes = ["c1": Shop.usd("0.99")]
    world.setProduct(pack)
    _ = try world.purchase(PurchaseRequest("pack", offerID: "c1"), by: "ann", sheet: .askToBuy)
    try world.buy("pack", offer: "c1")
    _ = try world.refund("pack", customer: "ann")
    #expect(#expect(throws: SimulationError.self) { try world.approve("pack", customer: "ann") }?.code == .notEligible)
    #expect(world.transactions(of: "ann").count == 1)
  }

  @Test func whatIsPaidAheadIsNotPaidOnceMore() throws {
    var world = Shop.world()
    world.configure { $0.quirks = [.earlyRenewal] }
    try world.buy("monthly")
    world.advance(to: Shop.date("2026-03-31T18:00:00Z"))
    let before = world.money(of: "ann").charged(in: "USD")
    #expect(world.transactions(of: "ann").count == 2)
    #expect(#expect(throws: SimulationError.self) { try world.renew("monthly", customer: "ann") }?.code == .nothingToDo)
    #expect(world.money(of: "ann").charged(in: "USD") == before)
  }

  @Test func theFamilyLosesARunningPeriodThatItsOwnerDeleted() throws {
    var world = Shop.world()
    world.configure { $0.quirks = [.earlyRenewal] }
    _ = try world.joinFamily("ben", of: "ann")
    var basic = try #require(world.products.first { $0.id == "basic" })
    basic.isFamilyShareable = true
    world.setProduct(basic)
    try world.buy("monthly")
    try world.buy("basic")
    world.advance(to: Shop.date("2026-03-31T18:00:00Z"))
    func held() -> [ProductID] { world.transactions(of: "ben").filter { $0.revocation == nil }.map(\.productID) }
    #expect(held() == ["monthly", "basic"])
    _ = try world.forget("monthly", customer: "ann")
    #expect(held() == ["basic"])
  }

  @Test func whoDoesNothingHasNoAccount() {
    var world = Shop.world()
    #expect(throws: StoreError(.productUnavailable)) { try world.buy("nothing", by: "zoe") }
    #expect(throws: StoreError(.ineligibleForOffer)) { try world.buy("trial", by: "zoe", offer: "half") }
    #expect(throws: SimulationError.self) { try world.refund("pack", customer: "zoe") }
    #expect(throws: SimulationError.self) { try world.joinFamily("zoe", of: "zoe") }
    #expect(throws: SimulationError.self) { try world.setAutoRenew(true, customer: "zoe") }
    #expect(world.customerIDs.isEmpty)
  }

  @Test func renewalOfWhatHasEndedIsNeitherTurnedOnNorOff() throws {
    var world = Shop.world()
    try world.buy("monthly")
    _ = try world.expire("monthly", customer: "ann")
    for isOn in [true, false] { #expect(throws: SimulationError.self) { try world.setAutoRenew("monthly", isOn, customer: "ann") } }
  }
}

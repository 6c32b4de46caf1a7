// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeSimulator

/// The life of a subscription, with dates written by hand.
@Suite(.timeLimit(.minutes(30)))
struct LifecycleTests {
  @Test func renewsFromTheAnchor() throws {
    var world = Shop.world(at: "2027-01-31T09:30:00Z")
    try world.buy("monthly")
    world.advance(to: Shop.date("2028-03-31T09:30:00Z"))
    let ends = world.transactions(of: "ann").compactMap(\.expirationDate).map(ISODate.text)
    #expect(
      ends == [
        "2027-02-28T09:30:00Z", "2027-03-31T09:30:00Z", "2027-04-30T09:30:00Z", "2027-05-31T09:30:00Z", "2027-06-30T09:30:00Z",
        "2027-07-31T09:30:00Z", "2027-08-31T09:30:00Z", "2027-09-30T09:30:00Z", "2027-10-31T09:30:00Z", "2027-11-30T09:30:00Z",
        "2027-12-31T09:30:00Z", "2028-01-31T09:30:00Z", "2028-02-29T09:30:00Z", "2028-03-31T09:30:00Z", "2028-04-30T09:30:00Z",
      ])
    #expect(Set(world.transactions(of: "ann").map(\.originalID)) == ["t1"])
  }

  @Test func driftsWhenTheStoreIsSetSo() throws {
    var world = Shop.world(at: "2027-01-31T09:30:00Z")
    world.configure { $0.monthEnd = .drifts }
    try world.buy("monthly")
    world.advance(to: Shop.date("2027-04-01T00:00:00Z"))
    #expect(
      world.transactions(of: "ann").compactMap(\.expirationDate).map(ISODate.text)
        == ["2027-02-28T09:30:00Z", "2027-03-28T09:30:00Z", "2027-04-28T09:30:00Z"])
  }

  @Test func aLeapDayComesBack() throws {
    var world = Shop.world(at: "2024-02-29T00:00:00Z")
    try world.buy("annual")
    world.advance(to: Shop.date("2033-01-01T00:00:00Z"))
    #expect(
      world.transactions(of: "ann").map { String(ISODate.text($0.purchaseDate).prefix(10)) } == [
        "2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29",
      ])
  }

  @Test func tenYearsHave120Renewals() throws {
    var world = Shop.world(at: "2026-01-31T00:00:00Z")
    try world.buy("monthly")
    let events = world.advance(to: Shop.date("2036-01-31T00:00:00Z"))
    #expect(events.count == 120)
    #expect(events.allSatisfy { $0.notification?.type == .didRenew })
    #expect(world.money(of: "ann").charged(in: "USD") == 1210)
    #expect(world.state()?.expires == Shop.date("2036-02-29T00:00:00Z"))
    #expect(world.nextRenewal(of: "ann") == Shop.date("2036-02-29T00:00:00Z"))
  }

  @Test func aTrialComesFirstAndOnce() throws {
    var world = Shop.world(at: "2026-03-01T12:00:00Z")
    #expect(world.eligibility(of: nil, for: "trial", customer: "ann") == .eligible)
    let first = try world.buy("trial")
    #expect(first?.expirationDate == Shop.date("2026-03-08T12:00:00Z"))
    #expect(first?.offer == .init(type: .introductory, mode: .freeTrial))
    #expect(first?.price == Shop.usd("0"))
    #expect(world.eligibility(of: nil, for: "trial", customer: "ann") == .ineligible)
    #expect(world.lines(until: "2026-04-08T12:00:00Z") == ["2026-03-08 DID_RENEW trial", "2026-04-08 DID_RENEW trial"])
    #expect(world.money(of: "ann").charged(in: "USD") == 20)
    _ = try world.setAutoRenew("trial", false, customer: "ann")
    #expect(world.state()?.willRenew == false)
    #expect(world.lines(until: "2026-06-01T00:00:00Z") == ["2026-05-08 EXPIRED VOLUNTARY trial"])
    #expect(world.state()?.expirationReason == .autoRenewDisabled)
    let again = try world.buy("trial")
    #expect(again?.offer == nil)
    #expect(again?.originalID == "t1")
    #expect(world.money(of: "ann").charged(in: "USD") == 30)
    _ = world.forget(customer: "ann")
    #expect(world.eligibility(of: nil, for: "trial", customer: "ann") == .eligible)
    #expect(world.transactions(of: "ann").isEmpty)
  }

  @Test func payAsYouGoAndPayUpFront() throws {
    var world = Shop.world(at: "2026-01-31T00:00:00Z")
    try world.buy("paygo", by: "ann")
    try world.buy("upfront", by: "bob")
    world.advance(to: Shop.date("2026-06-15T00:00:00Z"))
    #expect(world.transactions(of: "ann").compactMap(\.price?.amountText) == ["2.00", "2.00", "2.00", "10.00", "10.00"])
    #expect(world.transactions(of: "ann").map { $0.offer != nil } == [true, true, true, false, false])
    #expect(
      world.transactions(of: "bob").compactMap(\.expirationDate).map { String(ISODate.text($0).prefix(10)) }
        == ["2026-04-30", "2026-05-31", "2026-06-30"])
    #expect(world.transactions(of: "bob").compactMap(\.price?.amountText) == ["15.00", "10.00", "10.00"])
  }

  @Test(arguments: [(GraceDays.three, "2026-04-04"), (.sixteen, "2026-04-17"), (.twentyEight, "2026-04-29")])
  func graceThenRetryThenTheEnd(grace: GraceDays, end: String) throws {
    var world = Shop.world()
    world.configure { $0.gracePeriod = grace }
    try world.buy("monthly")
    _ = world.setAccount("ann") { $0.payment = .fails }
    world.advance(to: Shop.date("2026-04-01T12:00:00Z"))
    #expect(world.state()?.state == .inGracePeriod)
    #expect(world.state()?.graceUntil == Shop.date(end + "T12:00:00Z"))
    #expect(world.state()?.retryUntil == Shop.date("2026-05-31T12:00:00Z"))
    #expect(world.answer(for: "ann").transactions.count == 1)
    #expect(
      world.lines(until: "2026-08-01T00:00:00Z") == ["\(end) GRACE_PERIOD_EXPIRED monthly", "2026-05-31 EXPIRED BILLING_RETRY monthly"])
    #expect(world.state()?.expirationReason == .billingError)
    #expect(world.state()?.willRenew == false)
    #expect(world.answer(for: "ann").transactions.isEmpty)
  }

  @Test("A customer who cancels in a grace period has it to its end, and is then not charged again") func cancelledInGrace() throws {
    var world = Shop.world()
    world.configure { $0.gracePeriod = .sixteen }
    try world.buy("monthly")
    _ = world.setAccount("ann") { $0.payment = .fails }
    world.advance(to: Shop.date("2026-04-05T00:00:00Z"))
    _ = try world.setAutoRenew(false, customer: "ann")
    #expect(world.state()?.state == .inGracePeriod)
    _ = world.setAccount("ann") { $0.payment = .works }
    #expect(world.lines(until: "2026-08-01T00:00:00Z").last == "2026-04-17 EXPIRED VOLUNTARY monthly")
    #expect(world.state()?.expirationReason == .autoRenewDisabled && world.transactions(of: "ann").count == 1)
  }

  @Test func weeklyGraceIsThreeOrSixDays() throws {
    for (grace, end) in [(GraceDays.three, "2026-03-11"), (.sixteen, "2026-03-14"), (.twentyEight, "2026-03-14")] {
      var world = Shop.world()
      world.configure { $0.gracePeriod = grace }
      try world.buy("weekly")
      _ = world.setAccount("ann") { $0.payment = .fails }
      world.advance(to: Shop.date("2026-03-08T12:00:00Z"))
      #expect(world.state()?.graceUntil == Shop.date(end + "T12:00:00Z"))
    }
  }

  @Test func graceForPaidToPaidOnly() throws {
    var world = Shop.world()
    world.configure { $0.gracePeriod = .sixteen }
    world.configure { $0.graceFor = .paidToPaid }
    try world.buy("trial")
    try world.buy("monthly", by: "bob")
    _ = world.setAccount(nil) { $0.payment = .fails }
    world.advance(to: Shop.date("2026-04-02T00:00:00Z"))
    #expect(world.state("ann")?.state == .inBillingRetry)
    #expect(world.state("bob")?.state == .inGracePeriod)
  }

  @Test func aGracePeriodThatIsSetDirectlyCountsAtOnce() throws {
    let store = Shop.store()
    store.configure { $0.gracePeriodAfter = Period(days: 1) }
    try store.setGracePeriod(Period(days: 16))
    #expect(store.world.settings.gracePeriod(at: Shop.date("2026-03-01T18:00:00Z")) == nil)
    #expect(store.world.settings.gracePeriod(at: Shop.date("2026-03-02T12:00:00Z")) == .sixteen)
    store.configure { $0.gracePeriod = .three }
    #expect(store.world.settings.gracePeriod(at: Shop.date("2026-03-01T18:00:00Z")) == .three)
  }

  @Test func recoveryInsideGraceLeavesNoGap() throws {
    var world = Shop.world()
    world.configure { $0.gracePeriod = .sixteen }
    try world.buy("monthly")
    _ = world.setAccount("ann") { $0.payment = .fails }
    world.advance(to: Shop.date("2026-04-10T00:00:00Z"))
    let events = world.setAccount("ann") { $0.payment = .works }
    #expect(events.compactMap(\.notification).map(\.short) == ["2026-04-10 DID_RENEW BILLING_RECOVERY monthly"])
    let last = world.transactions(of: "ann").last
    #expect(last?.purchaseDate == Shop.date("2026-04-01T12:00:00Z"))
    #expect(last?.expirationDate == Shop.date("2026-05-01T12:00:00Z"))
    #expect(last?.revision.date == Shop.date("2026-04-10T00:00:00Z"))
    #expect(world.state()?.state == .subscribed)
  }

  @Test func recoveryAfterGraceBeginsANewPeriod() throws {
    var world = Shop.world()
    world.configure { $0.gracePeriod = .three }
    try world.buy("monthly")
    _ = world.setAccount("ann") { $0.payment = .fails }
    world.advance(to: Shop.date("2026-04-20T08:00:00Z"))
    #expect(world.state()?.state == .inBillingRetry)
    _ = world.setAccount("ann") { $0.payment = .works }
    #expect(world.transactions(of: "ann").last?.purchaseDate == Shop.date("2026-04-20T08:00:00Z"))
    #expect(world.transactions(of: "ann").last?.expirationDate == Shop.date("2026-05-20T08:00:00Z"))
    #expect(world.lines(until: "2026-05-20T08:00:00Z") == ["2026-05-20 DID_RENEW monthly"])
  }

  @Test func cancellingWhileItIsNotPaid() throws {
    var world = Shop.world()
    try world.buy("monthly")
    _ = world.setAccount("ann") { $0.payment = .fails }
    world.advance(to: Shop.date("2026-04-02T00:00:00Z"))
    #expect(world.state()?.state == .inBillingRetry)
    let events = try world.setAutoRenew("monthly", false, customer: "ann")
    #expect(
      events.compactMap(\.notification).map(\.short) == [
        "2026-04-02 DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED monthly", "2026-04-02 EXPIRED VOLUNTARY monthly",
      ])
  }

  @Test func autoRenewOffAndOnAgain() throws {
    var world = Shop.world()
    try world.buy("monthly")
    _ = try world.setAutoRenew("monthly", false, customer: "ann")
    #expect(world.state()?.renewsInto == nil)
    #expect(world.nextRenewal(of: "ann") == nil)
    // Buying it again while it runs turns renewal on, without a charge.
    try world.buy("monthly")
    #expect(world.state()?.willRenew == true)
    #expect(world.money(of: "ann").charged(in: "USD") == 10)
    #expect(world.lines(until: "2026-04-01T12:00:00Z") == ["2026-04-01 DID_RENEW monthly"])
  }

  @Test func forcedVerbs() throws {
    var world = Shop.world()
    try world.buy("monthly")
    world.advance(to: Shop.date("2026-03-11T12:00:00Z"))
    _ = try world.renew("monthly", customer: "ann")
    #expect(world.state()?.expires == Shop.date("2026-04-11T12:00:00Z"))
    // The running period ends at the beginning of the next one: an app that reads transactions must not count both.
    #expect(world.transactions(of: "ann").first?.expirationDate == world.now)
    _ = try world.extend("monthly", by: Period(days: 10), customer: "ann")
    #expect(world.state()?.expires == Shop.date("2026-04-21T12:00:00Z"))
    #expect(world.lines(until: "2026-04-21T12:00:00Z") == ["2026-04-21 DID_RENEW monthly"])
    #expect(world.state()?.expires == Shop.date("2026-05-21T12:00:00Z"))
    #expect(throws: SimulationError.self) { try world.extend("monthly", by: Period(days: 91), customer: "ann") }
    _ = try world.expire("monthly", customer: "ann")
    #expect(world.state()?.state == .expired)
    #expect(world.state()?.expires == world.now)
    #expect(world.answer(for: "ann").transactions.isEmpty)
    #expect(throws: SimulationError.self) { try world.renew("monthly", customer: "ann") }
  }

  @Test func whatIsNoLongerSoldEnds() throws {
    var world = Shop.world()
    try world.buy("monthly")
    try world.setOnSale("monthly", false)
    #expect(world.lines(until: "2026-05-01T00:00:00Z") == ["2026-04-01 EXPIRED PRODUCT_NOT_FOR_SALE monthly"])
    #expect(world.state()?.expirationReason == .productUnavailable)
    #expect(throws: StoreError(.productUnavailable)) { try world.buy("monthly") }
  }

  @Test func boughtInThePastAndRenewedUntilNow() throws {
    var world = Shop.world()
    let (result, events) = try world.purchase(PurchaseRequest("monthly"), by: "ann", at: Shop.date("2025-12-31T00:00:00Z"))
    guard case .success(let signed) = result else { throw StoreError(.unknown) }
    #expect(signed.transaction.purchaseDate == Shop.date("2025-12-31T00:00:00Z"))
    #expect(
      events.compactMap(\.notification).map(\.short)
        == ["2025-12-31 SUBSCRIBED INITIAL_BUY monthly", "2026-01-31 DID_RENEW monthly", "2026-02-28 DID_RENEW monthly"])
    #expect(world.state()?.expires == Shop.date("2026-03-31T00:00:00Z"))
  }

  @Test func aCommitmentIsKept() throws {
    var world = Shop.world()
    world.configure { $0.gracePeriod = .sixteen }
    try world.buy("committed")
    _ = try world.setAutoRenew("committed", false, customer: "ann")
    #expect(world.state()?.willRenew == true)
    let lines = world.lines(until: "2027-06-01T00:00:00Z")
    #expect(lines.count == 12)
    #expect(lines.last == "2027-03-01 EXPIRED VOLUNTARY committed")
    #expect(world.money(of: "ann").charged(in: "USD") == 96)
    try world.buy("committed", by: "bob")
    _ = world.setAccount("bob") { $0.payment = .fails }
    world.advance(to: Shop.date("2027-07-02T00:00:00Z"))
    #expect(world.state("bob")?.state == .inBillingRetry)
    #expect(world.state("bob")?.retryUntil == Shop.date("2027-09-29T00:00:00Z"))
  }

  @Test func monthlyPaymentsAreSoldOnlyWithACommitment() throws {
    var world = Shop.world()
    let result = try world.purchase(PurchaseRequest("committed", billing: .monthly), by: "ann").result
    guard case .success = result else { throw StoreError(.unknown) }
    #expect(throws: StoreError(.unsupported)) { try world.purchase(PurchaseRequest("annual", billing: .monthly), by: "bob") }
    #expect(world.money(of: "bob").charged(in: "USD") == 0)
  }
}

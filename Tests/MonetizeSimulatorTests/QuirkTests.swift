// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeSimulator

/// Each quirk, on and off (lessons.md 4.4).
@Suite(.timeLimit(.minutes(30)))
struct QuirkTests {
  let store = Shop.store()
  var phone: SimulatedDevice { store.device("phone") }

  @Test func lateListing() async throws {
    try store.setQuirk(.lateListing)
    try await phone.buy("pack")
    #expect(try await phone.read().transactions.isEmpty)
    guard case .held = try await phone.standing(of: "t1") else { return #expect(Bool(false), "asked about, it is held") }
    await store.advance(by: 1)
    #expect(try await phone.read().transactions.count == 1)
    try await phone.buy("private")
    #expect(try await phone.read().transactions.count == 1)
    try await phone.synchronize()
    #expect(try await phone.read().transactions.count == 2)
  }

  @Test func readsThatSayNothing() async throws {
    try await phone.buy("pack")
    try store.setQuirk(.emptyReads)
    #expect(try await phone.read() == StoreAnswer(transactions: []))
    try store.setQuirk(.failedReads)
    await #expect(throws: StoreError(.system)) { try await phone.read() }
    try store.setQuirk(.cancelledReads)
    await #expect(throws: StoreError(.cancelled)) { try await phone.read() }
    for quirk in [StoreQuirk.emptyReads, .failedReads, .cancelledReads] { try store.setQuirk(quirk, false) }
    #expect(try await phone.read().transactions.count == 1)
  }

  @Test func renewalsNewestFirstAndDuplicates() async throws {
    try await phone.buy("weekly")
    try await phone.finish("t1")
    await store.advance(by: Period(days: 14))
    #expect(try await phone.unfinished().map(\.transaction.id) == ["t2", "t3"])
    try store.setQuirk(.renewalsNewestFirst)
    #expect(try await phone.unfinished().map(\.transaction.id) == ["t3", "t2"])
    try store.setQuirk(.duplicates)
    #expect(try await phone.unfinished().map(\.transaction.id) == ["t3", "t3", "t2", "t2"])
    let ear = Ear(phone)
    await store.advance(by: Period(days: 7))
    #expect(ear.transactions.map(\.id) == ["t4", "t4"])
    try store.setQuirk(.duplicates, false)
    await store.deliverAgain(times: 2)
    #expect(ear.transactions.count == 2 + 2 * 4)
  }

  @Test func expiredAtRenewal() async throws {
    try store.setQuirk(.expiredAtRenewal)
    let ear = Ear(phone)
    try await phone.buy("weekly")
    await store.advance(to: Shop.date("2026-03-08T12:00:00Z"))
    #expect(ear.renewals.last?.state == .expired)
    #expect(try await phone.read().transactions.isEmpty)
    await store.advance(by: 0.7)
    #expect(ear.renewals.last?.state == .subscribed)
    #expect(ear.transactions.last?.purchaseDate == Shop.date("2026-03-08T12:00:00Z"))
    #expect(store.subscriptions().last?.expires == Shop.date("2026-03-15T12:00:00Z"))
    #expect(store.log.map(\.type) == [.subscribed, .didRenew])
  }

  @Test func approvalBeforeListing() async throws {
    try store.setQuirk(.approvalBeforeListing)
    let ear = Ear(phone)
    try await phone.buy("pack", sheet: .askToBuy)
    try await store.approve("pack")
    #expect(ear.transactions.count == 1)
    #expect(try await phone.read().transactions.isEmpty)
    await store.advance(by: 1)
    #expect(try await phone.read().transactions.count == 1)
  }

  @Test func aRefundOfOneTransactionReachesTheDevice() async throws {
    let first = try #require(try await phone.buy("monthly"))
    await store.advance(by: Period(months: 1))
    let ear = Ear(phone)
    try await store.refund(transaction: first.id)
    #expect(ear.transactions.map(\.id) == [first.id] && ear.transactions.first?.revocation != nil)
    #expect(store.subscriptions().last?.state == .subscribed, "the present period goes on")
  }

  @Test func aDeclinedRequestWaitsNoMoreAndSendsNothing() async throws {
    let ear = Ear(phone)
    try await phone.buy("pack", sheet: .askToBuy)
    #expect(store.waitingPurchases() == ["pack"])
    try await store.decline("pack")
    #expect(store.waitingPurchases().isEmpty && ear.updates.isEmpty)
    await #expect(throws: SimulationError.self) { try await store.approve("pack") }
  }

  @Test func downgradeReturnsOldTransaction() async throws {
    try await phone.buy("gold")
    await store.advance(by: Period(months: 2))
    #expect(try await phone.buy("basic")?.id == "t3")
    try store.setQuirk(.downgradeReturnsOldTransaction)
    #expect(try await phone.buy("basic")?.id == "t1")
  }

  @Test func frozenEligibility() async throws {
    try store.setQuirk(.frozenEligibility)
    #expect(try await phone.products(for: ["trial"]).first?.introductoryOffer != nil)
    try await phone.buy("trial")
    #expect(try await phone.products(for: ["trial"]).first?.introductoryOffer != nil)
    phone.restartProcess()
    #expect(try await phone.products(for: ["trial"]).first?.introductoryOffer == nil)
  }

  @Test func expirySendsNoTransactionAndWithTheQuirkNothing() async throws {
    for isQuirky in [false, true] {
      let store = Shop.store()
      try store.setQuirk(.noUpdateAtExpiry, isQuirky)
      let phone = store.device()
      try await phone.buy("weekly")
      try await store.setAutoRenew(false)
      let ear = Ear(phone)
      await store.advance(by: Period(days: 8))
      #expect(ear.transactions.isEmpty)
      #expect(ear.renewals.map(\.state) == (isQuirky ? [] : [.expired]))
      #expect(store.log.last?.type == .expired)
    }
  }

  @Test func offerNotApplied() async throws {
    try store.setQuirk(.offerNotApplied)
    let bought = try await phone.buy("trial")
    #expect(bought?.offer == nil)
    #expect(bought?.price == Shop.usd("10.00"))
  }

  @Test func ownPurchasesInUpdates() async throws {
    try store.setQuirk(.ownPurchasesInUpdates)
    let ear = Ear(phone)
    try await phone.buy("pack")
    #expect(ear.transactions.map(\.id) == ["t1"])
  }

  @Test func repurchaseReturnsOldTransaction() async throws {
    try await phone.buy("weekly")
    try await store.setAutoRenew(false, product: "weekly")
    await store.advance(by: Period(days: 8))
    try store.setQuirk(.repurchaseReturnsOldTransaction)
    let ear = Ear(phone)
    #expect(try await phone.buy("weekly")?.id == "t1")
    #expect(ear.transactions.map(\.id) == ["t2"])
  }

  @Test func upgradedStaysListed() async throws {
    try store.setQuirk(.upgradedStaysListed)
    try await phone.buy("monthly")
    try await phone.buy("gold")
    let listed = try await phone.read().transactions.map(\.transaction)
    #expect(listed.map(\.productID) == ["monthly", "gold"])
    #expect(listed.map(\.isUpgraded) == [true, false])
  }

  @Test func unknownQuirksAreRefusedWithAHint() throws {
    let error = #expect(throws: SimulationError.self) { try store.setQuirk("lateListings") }
    #expect(error?.message == "There is no quirk \"lateListings\". Did you mean \"lateListing\"?")
    #expect(Set(StoreQuirk.all).count == StoreQuirk.rows.count && StoreQuirk.all.count >= 16)
    #expect(store.settings.quirks.isEmpty)
  }
}

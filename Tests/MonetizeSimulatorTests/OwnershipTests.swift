// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// One-time purchases, refunds, families, requests to buy, environments.
@Suite(.timeLimit(.minutes(30)))
struct OwnershipTests {
  @Test func aNonConsumableIsChargedOnce() throws {
    var world = Shop.world()
    let first = try world.buy("pack")
    #expect(try world.buy("pack") == first)
    #expect(world.money(of: "ann").charged(in: "USD") == Shop.decimal("9.99"))
    #expect(world.answer(for: "ann").transactions.map(\.transaction) == [first])
    #expect(world.nextEvent == nil)
  }

  @Test func consumablesAndNonRenewing() throws {
    var world = Shop.world()
    #expect(try world.buy("coins", quantity: 3)?.price == Shop.usd("5.97"))
    try world.buy("coins")
    try world.buy("season")
    let latest = try world.buy("season")
    #expect(latest?.expirationDate == nil)
    #expect(world.transactions(of: "ann").count == 4)
    #expect(world.answer(for: "ann").transactions.map(\.transaction) == [latest])
    #expect(world.unfinished(of: "ann").count == 4)
    world.finish("t1", customer: "ann")
    #expect(world.unfinished(of: "ann").map(\.transaction.id) == ["t2", "t3", "t4"])
    guard case .held = world.standing(of: "t1", customer: "ann") else { return #expect(Bool(false), "a finished consumable is still held") }
    #expect(world.standing(of: "t1", customer: "bob") == .gone)
  }

  @Test func aRefundTakesBackAndAReversedOneGivesAgain() throws {
    var world = Shop.world()
    try world.buy("pack")
    let events = try world.refund("pack", customer: "ann", reason: .developerIssue)
    #expect(events.compactMap(\.notification).map(\.text) == ["2026-03-01T12:00:00Z ann REFUND pack t1 reason 1"])
    #expect(world.answer(for: "ann").transactions.isEmpty)
    guard case .revoked(let signed) = world.standing(of: "t1", customer: "ann") else { return #expect(Bool(false)) }
    #expect(signed.transaction.revocation == .init(date: world.now, reason: .developerIssue))
    // Signed at the same time as the purchase, and still the later update.
    #expect(signed.transaction.revision > Revision(world.now))
    #expect(world.money(of: "ann").refunded(in: "USD") == Shop.decimal("9.99"))
    #expect(throws: SimulationError.self) { try world.refund("pack", customer: "ann") }
    _ = try world.reverseRefund("pack", customer: "ann")
    #expect(world.answer(for: "ann").transactions.count == 1)
    #expect(world.money(of: "ann").refunded(in: "USD") == 0)
    _ = try world.refund("pack", customer: "ann")
    #expect(try world.buy("pack")?.id == "t2")
  }

  @Test func refundsOfSubscriptions() throws {
    var world = Shop.world(at: "2026-04-01T00:00:00Z")
    try world.buy("monthly")
    world.advance(to: Shop.date("2026-05-11T08:00:00Z"))
    // A past period: only that transaction.
    _ = try world.refund(transaction: "t1", customer: "ann")
    #expect(world.state()?.state == .subscribed)
    #expect(world.answer(for: "ann").transactions.map(\.transaction.id) == ["t2"])
    // 20 days and 16 hours of 31 are left of 10.00.
    _ = try world.refund("monthly", customer: "ann", part: .prorated)
    #expect(world.money(of: "ann").refunded(in: "USD") == Shop.decimal("16.67"))
    #expect(world.state()?.state == .revoked)
    #expect(world.state()?.willRenew == false)
    #expect(world.answer(for: "ann").transactions.isEmpty)
    _ = try world.reverseRefund("monthly", customer: "ann")
    #expect(world.money(of: "ann").refunded(in: "USD") == 10)
    #expect(world.state()?.state == .subscribed)
    #expect(world.lines(until: "2026-07-01T00:00:00Z") == ["2026-06-01 EXPIRED VOLUNTARY monthly"])
    #expect(throws: SimulationError.self) { try world.refund("pack", customer: "ann", part: .prorated) }
  }

  @Test func askToBuyWaitsIsApprovedOrLapses() throws {
    var world = Shop.world()
    _ = world.setAccount("kid") { $0.askToBuy = true }
    #expect(try world.buy("pack", by: "kid") == nil)
    try world.buy("pack", by: "kid")
    #expect(world.waitingPurchases(of: "kid") == ["pack"], "asking again replaces the request")
    #expect(world.nextEvent == Shop.date("2026-03-02T12:00:00Z"))
    world.advance(to: Shop.date("2026-03-02T08:00:00Z"))
    let events = try world.approve("pack", customer: "kid")
    #expect(events.map(\.origin) == [nil])
    #expect(world.transactions(of: "kid").map(\.purchaseDate) == [Shop.date("2026-03-02T08:00:00Z")])
    #expect(throws: SimulationError.self) { try world.approve("pack", customer: "kid") }
    try world.buy("private", by: "kid")
    #expect(try world.decline("private", customer: "kid").isEmpty)
    try world.buy("private", by: "kid")
    world.advance(to: Shop.date("2026-03-03T08:00:01Z"))
    #expect(world.waitingPurchases(of: "kid").isEmpty)
    let error = #expect(throws: SimulationError.self) { try world.approve("pakc", customer: "kid") }
    #expect(error?.message == "There is no product \"pakc\". Did you mean \"pack\"?")
  }

  @Test func anInterruptedPurchaseComesWhenItIsResolved() throws {
    var world = Shop.world()
    let (result, events) = try world.purchase(PurchaseRequest("monthly"), by: "ann", sheet: .interrupted)
    #expect(result == .userCancelled)
    #expect(events.isEmpty)
    world.advance(to: Shop.date("2026-03-10T00:00:00Z"))
    #expect(
      try world.approve("monthly", customer: "ann").compactMap(\.notification).map(\.short) == ["2026-03-10 SUBSCRIBED INITIAL_BUY monthly"]
    )
  }

  @Test func aForgedPurchaseIsUnknownToTheStore() throws {
    var world = Shop.world()
    let (result, events) = try world.purchase(PurchaseRequest("monthly"), by: "ann", sheet: .unverified)
    guard case .success(let signed) = result else { return #expect(Bool(false)) }
    #expect(!signed.isVerified)
    #expect(events.isEmpty)
    #expect(world.money(of: "ann").charged.isEmpty)
    #expect(world.standing(of: signed.transaction.id, customer: "ann") == .gone)
    #expect(world.unfinished(of: "ann") == [signed])
  }

  @Test func withoutPaymentNothingIsSold() throws {
    var world = Shop.world()
    _ = world.setAccount(nil) { $0.payment = .fails }
    #expect(throws: StoreError(.notAllowed)) { try world.buy("pack") }
    #expect(throws: StoreError(.notAllowed)) { try world.buy("trial") }
    #expect(world.transactions(of: "ann").isEmpty)
  }

  @Test func aFamilySharesWhatMayBeShared() throws {
    var world = Shop.world()
    try world.buy("pack", by: "mum")
    try world.buy("private", by: "mum")
    try world.buy("monthly", by: "mum")
    _ = try world.joinFamily("kid", of: "mum")
    #expect(world.family(of: "kid") == ["mum", "kid"])
    let shared = world.answer(for: "kid").transactions.map(\.transaction)
    #expect(shared.map(\.productID) == ["pack", "monthly"])
    #expect(shared.allSatisfy { $0.ownership == .familyShared && $0.price == nil })
    #expect(Set(shared.map(\.id)).isDisjoint(with: world.transactions(of: "mum").map(\.id)))
    #expect(world.money(of: "kid").charged.isEmpty)
    // Bought later, and renewed: the family also has it.
    _ = world.advance(to: Shop.date("2026-04-01T12:00:00Z"))
    #expect(world.answer(for: "kid").transactions.last?.transaction.expirationDate == Shop.date("2026-05-01T12:00:00Z"))
    #expect(world.state("kid")?.state == .subscribed)
    #expect(Set(world.transactions(of: "kid").filter { $0.productID == "monthly" }.map(\.originalID)).count == 1)
    let events = try world.leaveFamily("kid")
    #expect(events.compactMap(\.notification).filter { $0.type == .revoke }.count == 2)
    #expect(world.answer(for: "kid").transactions.isEmpty)
    #expect(world.state("kid")?.state == .revoked)
    #expect(world.transactions(of: "kid").filter { $0.revocation?.reason == .familyLeft }.count == 2)
    _ = try world.joinFamily("kid", of: "mum")
    #expect(world.answer(for: "kid").transactions.count == 2)
  }

  @Test func anOwnPlanAndASharedOneRunSideBySide() throws {
    var world = Shop.world()
    _ = try world.joinFamily("kid", of: "mum")
    try world.buy("monthly", by: "mum")
    try world.buy("gold", by: "kid")
    #expect(world.answer(for: "kid").transactions.map(\.transaction.productID) == ["monthly", "gold"])
    #expect(world.subscriptions(of: "kid").map(\.state) == [.subscribed, .subscribed])
    // A plan that is not shared takes the copy away.
    try world.buy("gold", by: "mum")
    #expect(world.answer(for: "kid").transactions.map(\.transaction.productID) == ["gold"])
    #expect(world.subscriptions(of: "kid").map(\.state) == [.revoked, .subscribed])
  }

  @Test func whatTheOwnerLosesTheFamilyLoses() throws {
    var world = Shop.world()
    _ = try world.joinFamily("kid", of: "mum")
    try world.buy("pack", by: "mum")
    try world.buy("monthly", by: "mum")
    #expect(world.answer(for: "kid").transactions.count == 2)
    #expect(try world.refund("pack", customer: "mum").compactMap(\.notification).map(\.type) == [.refund, .revoke])
    _ = try world.setAutoRenew("monthly", false, customer: "mum")
    world.advance(to: Shop.date("2026-04-02T00:00:00Z"))
    #expect(world.answer(for: "kid").transactions.isEmpty)
    #expect(world.state("kid")?.state == .expired)
  }

  @Test func aFamilyHasSixPeople() throws {
    var world = Shop.world()
    for number in 1...5 { _ = try world.joinFamily(CustomerID("kid\(number)"), of: "mum") }
    #expect(throws: SimulationError.self) { try world.joinFamily("kid6", of: "mum") }
    #expect(throws: SimulationError.self) { try world.joinFamily("kid1", of: "dad") }
    #expect(throws: SimulationError.self) { try world.leaveFamily("stranger") }
  }

  @Test func environmentsNeverMeet() throws {
    var world = Shop.world()
    try world.buy("trial")
    _ = world.setAccount("ann") { $0.environment = .sandbox }
    #expect(world.answer(for: "ann").transactions.isEmpty)
    #expect(world.answer(for: "ann").renewals.isEmpty)
    #expect(world.eligibility(of: nil, for: "trial", customer: "ann") == .eligible)
    #expect(try world.buy("trial")?.environment == .sandbox)
    world.advance(to: Shop.date("2026-03-09T00:00:00Z"))
    #expect(world.transactions(of: "ann").map(\.id) == ["t2", "t4"])
    #expect(world.transactions(of: "ann", in: .production).map(\.id) == ["t1", "t3"])
    #expect(Set(world.answer(for: "ann").transactions.map(\.transaction.environment)) == [.sandbox])
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// Deleting single transactions, and delayed changes of the grace period.
@Suite("Deletions and delays", .timeLimit(.minutes(30)))
struct DeletionTests {
  private func renewed() throws -> StoreWorld {
    var world = Shop.world()
    try world.buy("trial")
    try world.buy("pack")
    world.advance(to: Shop.date("2026-05-10T00:00:00Z"))
    #expect(world.transactions(of: "ann").map(\.id) == ["t1", "t2", "t3", "t4", "t5"])
    return world
  }

  @Test("After deleting the newest of a plan, it ended where the one before it did, and does not renew") func newest() throws {
    var world = try renewed()
    let charged = world.money(of: "ann")
    _ = try world.forget("trial", newestOnly: true, customer: "ann")
    #expect(world.transactions(of: "ann").map(\.id) == ["t1", "t2", "t3", "t4"])
    #expect(world.standing(of: "t5", customer: "ann") == .gone)
    #expect(world.state()?.state == .expired && world.state()?.expires == Shop.date("2026-05-08T12:00:00Z"))
    #expect(world.answer(for: "ann").transactions.map(\.transaction.id) == ["t2"])
    #expect(world.nextEvent == nil && world.money(of: "ann") == charged)
    #expect(world.eligibility(of: nil, for: "trial", customer: "ann") == .ineligible)
    #expect(world.eligibility(of: "half", for: "trial", customer: "ann") == .eligible)
    #expect(try world.buy("trial")?.originalID == "t1")
  }

  @Test("After deleting all of a plan, it never existed, and its introductory offer is available again") func all() throws {
    var world = try renewed()
    _ = try world.forget("trial", customer: "ann")
    #expect(world.transactions(of: "ann").map(\.id) == ["t2"])
    #expect(world.subscriptions(of: "ann").isEmpty && world.nextEvent == nil)
    #expect(world.eligibility(of: nil, for: "trial", customer: "ann") == .eligible)
    #expect(world.eligibility(of: "half", for: "trial", customer: "ann") == .ineligible)
    let again = try world.buy("trial")
    #expect(again?.offer?.type == .introductory && again?.originalID == again?.id)
    #expect(throws: SimulationError.self) { try world.forget("annual", customer: "ann") }
    #expect(throws: SimulationError.self) { try world.forget("nonsense", customer: "ann") }
    #expect(throws: SimulationError.self) { try world.forget("pack", customer: "bob") }
  }

  @Test("Older periods of an active plan can be deleted, and it continues") func older() throws {
    var world = Shop.world()
    try world.buy("basic")
    try world.buy("gold")
    _ = try world.forget("basic", customer: "ann")
    world.advance(to: Shop.date("2026-04-01T12:00:00Z"))
    #expect(world.transactions(of: "ann").map(\.productID) == ["gold", "gold"])
    #expect(world.state()?.state == .subscribed)
  }

  @Test("The family loses the copies of deleted transactions only") func family() throws {
    var world = Shop.world()
    try world.buy("pack")
    try world.buy("monthly")
    _ = try world.joinFamily("ben", of: "ann")
    _ = try world.forget("monthly", customer: "ann")
    #expect(world.answer(for: "ben").transactions.map(\.transaction.productID) == ["pack"])
    #expect(world.subscriptions(of: "ben").map(\.state) == [.revoked])
    #expect(world.transactions(of: "ben").compactMap(\.revocation?.reason) == [.familyLeft])
  }

  @Test("A code that is deleted with its purchase works again") func codes() throws {
    var world = Shop.world()
    try world.buy("trial", offer: "code")
    #expect(world.eligibility(of: "code", for: "trial", customer: "ann") == .ineligible)
    _ = try world.forget("trial", newestOnly: true, customer: "ann")
    #expect(world.eligibility(of: "code", for: "trial", customer: "ann") == .eligible)
  }

  @Test("A change of the grace period applies to failures after its delay, also when it is changed again meanwhile")
  func graceLater() async throws {
    func grace(failingOn date: String) async throws -> Date? {
      let store = Shop.store()
      try store.setGracePeriod(Period(days: 3))
      store.configure { $0.gracePeriodAfter = Period(days: 1) }
      _ = try await store.device().buy("monthly")
      await store.setPayment(.fails)
      // The renewal fails at noon of April 1.
      await store.advance(to: Shop.date(date))
      try store.setGracePeriod(Period(days: 16))
      await store.advance(to: Shop.date("2026-04-01T12:00:00Z"))
      return store.subscriptions().first?.graceUntil
    }
    #expect(try await grace(failingOn: "2026-03-31T13:00:00Z") == Shop.date("2026-04-04T12:00:00Z"))
    #expect(try await grace(failingOn: "2026-03-31T12:00:00Z") == Shop.date("2026-04-17T12:00:00Z"))
  }

  @Test("Transactions of renewals are marked, also family copies") func reasons() throws {
    var world = Shop.world()
    try world.buy("monthly")
    _ = try world.joinFamily("ben", of: "ann")
    world.advance(to: Shop.date("2026-04-01T12:00:00Z"))
    #expect(world.transactions(of: "ann").map(\.reason) == [.purchase, .renewal])
    #expect(world.transactions(of: "ben").map(\.reason) == [.purchase, .renewal])
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// A renewal charged a day before the period ends, with dates and amounts written by hand.
@Suite("Early renewals", .timeLimit(.minutes(30)))
struct EarlyRenewalTests {
  private func world() -> StoreWorld {
    var world = Shop.world()
    world.configure { $0.quirks = [.earlyRenewal] }
    return world
  }

  private func short(_ transactions: [StoreTransaction]) -> [String] {
    transactions.map {
      "\($0.id) \(ISODate.text($0.purchaseDate).prefix(10))…\(ISODate.text($0.expirationDate ?? .distantFuture).prefix(10))"
    }
  }

  @Test("It is charged, listed, delivered and logged at the attempt; both periods are listed until the first ends") func attempt() throws {
    var world = world()
    try world.buy("monthly")
    #expect(world.nextRenewal(of: "ann") == Shop.date("2026-03-31T12:00:00Z"))
    #expect(world.lines(until: "2026-03-31T11:59:59Z").isEmpty)
    let events = world.advance(to: Shop.date("2026-03-31T12:00:00Z"))
    #expect(events.compactMap(\.notification).map(\.short) == ["2026-03-31 DID_RENEW monthly"])
    guard case .transaction(let signed)? = events.first?.updates.first else {
      Issue.record("nothing was delivered")
      return
    }
    #expect(signed.transaction.purchaseDate == Shop.date("2026-04-01T12:00:00Z"))
    #expect(signed.transaction.revision.date == Shop.date("2026-03-31T12:00:00Z"))
    #expect(world.money(of: "ann").charged(in: "USD") == 20)
    #expect(short(world.answer(for: "ann").transactions.map(\.transaction)) == ["t1 2026-03-01…2026-04-01", "t2 2026-04-01…2026-05-01"])
    #expect(world.state()?.state == .subscribed && world.state()?.expires == Shop.date("2026-05-01T12:00:00Z"))
    world.advance(to: Shop.date("2026-04-01T12:00:00Z"))
    #expect(short(world.answer(for: "ann").transactions.map(\.transaction)) == ["t2 2026-04-01…2026-05-01"])
    #expect(world.nextRenewal(of: "ann") == Shop.date("2026-04-30T12:00:00Z"))
  }

  @Test("Ten years have the same periods as without it: the anchor stays") func anchor() throws {
    func ends(_ quirks: Set<StoreQuirk>) throws -> [Date?] {
      var world = Shop.world(at: "2027-01-31T09:30:00Z")
      world.configure { $0.quirks = quirks }
      try world.buy("monthly")
      world.advance(to: Shop.date("2037-01-15T00:00:00Z"))
      return world.transactions(of: "ann").map(\.expirationDate)
    }
    #expect(try ends([.earlyRenewal]) == ends([]))
  }

  @Test("An early failure is a failure only at the end, with its grace; an earlier working payment renews") func failing() throws {
    var world = world()
    world.configure { $0.gracePeriod = .sixteen }
    try world.buy("monthly")
    _ = world.setAccount("ann") { $0.payment = .fails }
    #expect(world.lines(until: "2026-04-01T11:59:59Z").isEmpty)
    var repaired = world
    #expect(world.lines(until: "2026-04-02T00:00:00Z") == ["2026-04-01 DID_FAIL_TO_RENEW GRACE_PERIOD monthly"])
    #expect(world.state()?.graceUntil == Shop.date("2026-04-17T12:00:00Z"))
    #expect(repaired.setAccount("ann") { $0.payment = .works }.isEmpty)
    #expect(repaired.lines(until: "2026-04-02T00:00:00Z") == ["2026-04-01 DID_RENEW monthly"])
  }

  @Test("Turned off before the attempt, it ends with the period; after it, with the paid one") func turnedOff() throws {
    var before = world()
    try before.buy("monthly")
    _ = try before.setAutoRenew("monthly", false, customer: "ann")
    #expect(before.lines(until: "2026-06-01T00:00:00Z") == ["2026-04-01 EXPIRED VOLUNTARY monthly"])
    var after = world()
    try after.buy("monthly")
    after.advance(to: Shop.date("2026-03-31T18:00:00Z"))
    _ = try after.setAutoRenew("monthly", false, customer: "ann")
    #expect(after.lines(until: "2026-06-01T00:00:00Z") == ["2026-05-01 EXPIRED VOLUNTARY monthly"])
    #expect(after.money(of: "ann").charged(in: "USD") == 20)
  }

  @Test("A refund covers all of the next period and the rest of the running one, and can be reversed") func refund()
    throws
  {
    var world = world()
    try world.buy("monthly")
    world.advance(to: Shop.date("2026-04-01T00:00:00Z"))
    _ = try world.refund("monthly", customer: "ann")
    // 12 hours of 31 days are left of 10.00: 0.16.
    #expect(world.money(of: "ann").refunded(in: "USD") == Shop.decimal("10.16"))
    #expect(world.answer(for: "ann").transactions.isEmpty && world.state()?.state == .revoked)
    #expect(world.transactions(of: "ann").allSatisfy { $0.revocation != nil })
    _ = try world.reverseRefund("monthly", customer: "ann")
    #expect(world.money(of: "ann").refunded(in: "USD") == 0)
    #expect(world.answer(for: "ann").transactions.count == 2)
    #expect(world.lines(until: "2026-06-01T00:00:00Z") == ["2026-05-01 EXPIRED VOLUNTARY monthly"])
  }

  @Test("An upgrade refunds the same, and begins now") func upgrade() throws {
    var world = world()
    try world.buy("monthly")
    world.advance(to: Shop.date("2026-04-01T00:00:00Z"))
    let gold = try world.buy("gold")
    #expect(gold?.purchaseDate == Shop.date("2026-04-01T00:00:00Z"))
    #expect(world.money(of: "ann").refunded(in: "USD") == Shop.decimal("10.16"))
    #expect(world.transactions(of: "ann").map(\.isUpgraded) == [true, true, false])
    #expect(world.answer(for: "ann").transactions.map(\.transaction.productID) == ["gold"])
  }

  @Test("A downgrade is paid early, and the running plan is still listed") func downgrade() throws {
    var world = world()
    try world.buy("gold")
    try world.buy("basic")
    world.advance(to: Shop.date("2026-04-01T00:00:00Z"))
    #expect(world.answer(for: "ann").transactions.map(\.transaction.productID) == ["gold", "basic"])
    world.advance(to: Shop.date("2026-04-01T12:00:00Z"))
    #expect(world.answer(for: "ann").transactions.map(\.transaction.productID) == ["basic"])
  }

  @Test("Ended or deleted in those hours, both periods end") func cutShort() throws {
    var world = world()
    try world.buy("monthly")
    world.advance(to: Shop.date("2026-04-01T00:00:00Z"))
    var deleted = world
    _ = try world.expire("monthly", customer: "ann")
    #expect(world.answer(for: "ann").transactions.isEmpty && world.nextEvent == nil)
    #expect(world.transactions(of: "ann").allSatisfy { $0.expirationDate == world.now })
    _ = try deleted.forget("monthly", newestOnly: true, customer: "ann")
    #expect(deleted.answer(for: "ann").transactions.map(\.transaction.id) == ["t1"])
    #expect(deleted.lines(until: "2026-06-01T00:00:00Z") == ["2026-04-01 EXPIRED VOLUNTARY monthly"])
  }

  @Test("A family shares both periods, and loses both") func family() throws {
    var world = world()
    try world.buy("monthly")
    world.advance(to: Shop.date("2026-04-01T00:00:00Z"))
    _ = try world.joinFamily("ben", of: "ann")
    #expect(world.answer(for: "ben").transactions.count == 2)
    #expect(Set(world.transactions(of: "ben").map(\.originalID)) == Set(world.subscriptions(of: "ben").map(\.originalID)))
    var left = world
    _ = try left.leaveFamily("ben")
    #expect(left.transactions(of: "ben").allSatisfy { $0.revocation != nil } && left.answer(for: "ben").transactions.isEmpty)
    _ = try world.refund("monthly", customer: "ann")
    #expect(world.transactions(of: "ben").allSatisfy { $0.revocation != nil })
  }

  @Test("Switched off meanwhile, the renewal happens at the end") func off() throws {
    var world = world()
    try world.buy("monthly")
    world.configure { $0.quirks = [] }
    #expect(world.lines(until: "2026-04-02T00:00:00Z") == ["2026-04-01 DID_RENEW monthly"])
  }

  @Test("With late listing, it is listed a second after the attempt") func late() throws {
    var world = world()
    world.configure { $0.quirks = [.earlyRenewal, .lateListing] }
    try world.buy("monthly")
    world.advance(to: Shop.date("2026-03-31T12:00:01Z"))
    #expect(world.answer(for: "ann").transactions.count == 2)
  }
}

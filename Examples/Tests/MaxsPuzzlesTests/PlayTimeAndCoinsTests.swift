// SPDX-License-Identifier: Apache-2.0
import Foundation
import MaxsPuzzles
import Monetize
import MonetizeSimulator
import Testing

@Suite(.timeLimit(.minutes(30)))
struct PlayTimeAndCoinsTests {
  static let v3 = ["v1", "v2", "v3"]

  @Test("PUZZ-09, AMB-34: 29:59 is allowed, 30:00 is not, until the next local midnight; without a parent's limit there is none")
  func playTime() async throws {
    let app = try await App.launch(releases: Self.v3)
    #expect(app.seat().secondsLeft == nil)
    try await ParentDashboard(app.hub, for: .parent("mum")).limit("max", minutesPerDay: 30)
    #expect(await app.seat().played(seconds: 29 * 60 + 59))
    #expect(app.seat().secondsLeft == 1)
    // Ten seconds more than were left: the limit of the day is reached.
    #expect(await app.seat().played(seconds: 10) == false)
    let midnight = try #require(app.hub.monetizer.as(.child("max")).decision(for: .playTime).resetsAt)
    #expect(midnight == ISODate.parse("2026-03-02T00:00:00+01:00", in: TimeZone.current))
    #expect(await app.seat(.child("mia")).played(seconds: 7200))
    #expect(await app.seat(.guest).played(seconds: 7200))
    #expect(await app.seat(.parent("mum")).played(seconds: 7200))
    app.clock.advance(to: midnight - 1)
    #expect(app.seat().secondsLeft == 0)
    app.clock.advance(to: midnight)
    #expect(app.seat().secondsLeft == 1800)
    try await ParentDashboard(app.hub, for: .parent("mum")).limit("max", minutesPerDay: nil)
    #expect(app.seat().secondsLeft == nil)
  }

  @Test("PUZZ-05: before limits are out, time limits no player") func notOut() async throws {
    #expect(await (try App.launch()).seat().played(seconds: 100_000))
  }

  @Test("PUZZ-10, PUZZ-11, DEF-P12: +10, -30, +5 shows 10, 0, 5; a puzzle that ends below 0 pays and takes nothing")
  func tally() async throws {
    var tally = CoinTally()
    let shown = [10, -30, 5].map { delta -> Int in
      tally.add(delta)
      return tally.coins
    }
    #expect(shown == [10, 0, 5])
    let app = try await App.launch(releases: Self.v3)
    var good = CoinTally()
    good.add(100)
    await app.seat().finish(puzzle: "1", good)
    var bad = CoinTally()
    bad.add(-20)
    await app.seat().finish(puzzle: "2", bad)
    #expect(app.seat().coins == 100)
    // The puzzle clamps its total, the wallet does not, so that spent coins stay spent.
    try await app.seat().buy("avatarItems/hat")
    #expect(app.seat().coins == 60)
  }

  @Test("PUZZ-06: coins that are earned before they are out are there afterwards") func hidden() async throws {
    let app = try await App.launch()
    var tally = CoinTally()
    tally.add(12)
    await app.seat().finish(puzzle: "1", tally)
    await app.seat().finish(puzzle: "1", tally)
    #expect(app.seat().coins == nil && app.seat().shelf.isEmpty)
    let later = try await app.restart(releases: Self.v3)
    #expect(later.seat().coins == 12)
    #expect(later.seat().shelf.map(\.price) == [40, 11] && later.seat().shelf.map(\.isAffordable) == [false, true])
  }

  @Test("PUZZ-33, DEF-P1: 50 coins buy an item for 40 once; 10 do not buy one for 11; a stale device undoes nothing") func shop()
    async throws
  {
    let app = try await App.launch(releases: Self.v3)
    var tally = CoinTally()
    tally.add(50)
    await app.seat().finish(puzzle: "1", tally)
    let stale = app.hub.monetizer.state
    #expect(try await app.seat().buy("avatarItems/hat") == 10)
    #expect(try await app.seat().buy("avatarItems/hat") == 10)
    let error = await #expect(throws: AccessDenied.self) { try await app.seat().buy("avatarItems/cape") }
    #expect(error?.decision.reason == .insufficientCoins && error?.decision.balance == 10 && error?.decision.price == 11)
    #expect(app.seat().shelf.map(\.isOwned) == [true, false])
    // "Higher wins" on the balance would restore 50, and would take the higher of two devices' earnings instead of the sum.
    var merged = app.hub.monetizer.state
    merged.merge(stale)
    merged.insert(.wallet(WalletEntry(id: "puzzle:9", subject: "max", source: "tablet", earned: 7)))
    let access = Snapshot(
      of: merged, catalog: app.hub.monetizer.catalog, situation: Situation(member: .child("max")), at: app.clock.now)
    #expect(access.decision(for: .shop).balance == 17)
  }

  @Test("PUZZ-01: nothing is for sale: no product, no paywall, and a purchase fails") func nothingForSale() async throws {
    let app = try await App.launch()
    #expect(app.hub.monetizer.catalog.products.isEmpty)
    for feature in app.hub.monetizer.catalog.features {
      for member in [Member.parent("mum"), .child("max"), .guest, .demo, .customer] {
        let decision = app.hub.monetizer.as(member).decision(for: feature.id)
        #expect(decision.placement == nil && !decision.buyingHelps)
      }
    }
    #expect(try await app.hub.monetizer.purchase("com.example.anything").name == "failed")
  }
}

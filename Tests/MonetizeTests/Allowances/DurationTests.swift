// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct DurationTests {
  private let feature = #"{ "allowance": "duration", "per": "day" }"#

  private func decide(_ catalog: Catalog, _ facts: [Fact], count: Int = 1, at now: Date = t0) -> Decision {
    Snapshot(of: CustomerState(facts), catalog: catalog, at: now).decision(for: AccessRequest("f", count: count))
  }

  @Test func secondsAreCounted() throws {
    let catalog = try Catalog.small(feature, free: "\"PT30M\"", paid: "\"unlimited\"")
    let almost = decide(catalog, [used("f", 1799, at: t0)])
    #expect(almost.isAllowed && almost.remaining == 1 && almost.limit == 1800 && almost.used == 1799)
    #expect(!decide(catalog, [used("f", 1799, at: t0)], count: 2).isAllowed)
    let over = decide(catalog, [used("f", 1800, at: t0)])
    #expect(over.reason == .limitReached && over.unlockedBy == ["p"])
    #expect(over.resetsAt == (try at("2026-03-02T00:00:00Z")))
    #expect(decide(catalog, [used("f", 1800, at: t0)], at: t0 + 43200).remaining == 1800)
  }

  @Test func ownPeriodsAndLifetime() throws {
    let week = try Catalog.small(feature, free: #"{ "limit": "PT2H", "per": "week" }"#)
    #expect(decide(week, [used("f", 7200, at: t0)]).resetsAt == (try at("2026-03-02T00:00:00Z")), "2026-03-01 is a Sunday")
    let ever = try Catalog.small(#"{ "allowance": "duration" }"#, free: "\"PT1H\"")
    #expect(decide(ever, [used("f", 3600, at: t0)], at: t0 + 1e9).reason == .limitReached)
    let own = try Catalog.small(feature, free: #"{ "limit": "P1D" }"#)
    #expect(decide(own, []).limit == 86400)
  }

  @Test func wrongLengths() {
    for amount in ["30", "\"30m\"", "\"P1M\"", "true", "[]", #"{ "limit": "P1Y" }"#] {
      let mistakes = Catalog.mistakes(feature, free: amount)
      #expect(mistakes.count == 1 && mistakes[0].hasPrefix("bad-value freeTier.grants.f"), "\(amount): \(mistakes)")
    }
    #expect(Catalog.mistakes(feature, free: #"{ "limit": 30, "per": "dya", "of": 1 }"#).count == 3, "all mistakes in one pass")
    #expect(Catalog.mistakes(feature, free: "{}").first?.hasPrefix("missing-key freeTier.grants.f") == true)
  }

  @Test("PUZZ-09 AMB-34: daily time of a child") func dailyTimeOfAChild() throws {
    let catalog = try Shipped.catalog("maxs-puzzles", releases: ["v1", "v2"])
    let zone = try #require(TimeZone(identifier: "Europe/London"))
    let now = try at("2026-07-01T15:00:00Z")
    func decide(_ seconds: Int, _ member: Member, capped: Bool = true) -> Decision {
      var facts: [Fact] = [used("playTime", seconds, at: now, by: "max", zone: zone.identifier)]
      if capped { facts.append(.cap(Cap(feature: "playTime", subject: "max", amount: "\"PT30M\"", revision: Revision(now)))) }
      let situation = Situation(member: member, zone: zone)
      return Snapshot(of: CustomerState(facts), catalog: catalog, situation: situation, at: now).decision(for: "playTime")
    }
    #expect(decide(1799, .child("max")).isAllowed && decide(1799, .child("max")).remaining == 1)
    let over = decide(1800, .child("max"))
    #expect(over.reason == .parentalLimit && over.unlockedBy.isEmpty && over.placement == nil)
    #expect(over.resetsAt == (try at("2026-07-01T23:00:00Z")), "the next local midnight")
    #expect(decide(1800, .parent("anna")).isAllowed && decide(1800, .guest).isAllowed)
    #expect(decide(80_000, .child("max"), capped: false).isAllowed, "no figure in the seed, so no limit by default")
  }
}

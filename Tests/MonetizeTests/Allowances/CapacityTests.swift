// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct CapacityTests {
  private let feature = #"{ "allowance": "capacity" }"#

  private func decide(_ catalog: Catalog, _ held: Int?, count: Int = 1, _ facts: [Fact] = []) -> Decision {
    Snapshot(of: CustomerState(facts), catalog: catalog, at: t0).decision(for: AccessRequest("f", held: held, count: count))
  }

  @Test func roomBesideThoseThatExist() throws {
    let catalog = try Catalog.small(feature, free: "3", paid: "5")
    for held in 0...4 {
      let decision = decide(catalog, held)
      #expect(decision.isAllowed == (held < 3))
      #expect(decision.used == held && decision.limit == 3 && decision.remaining == max(0, 3 - held))
      #expect(decision.reason == (held < 3 ? .free : .capacity))
    }
    #expect(decide(catalog, 3).unlockedBy == ["p"])
    #expect(decide(catalog, 3).placement == .usageLimitReached)
    #expect(decide(catalog, 5).unlockedBy.isEmpty, "more than the product has room for")
  }

  @Test func severalAtOnce() throws {
    let catalog = try Catalog.small(feature, free: "3")
    #expect(decide(catalog, 1, count: 2).isAllowed)
    #expect(!decide(catalog, 2, count: 2).isAllowed)
    #expect(!decide(catalog, .max, count: .max).isAllowed)
    #expect(decide(catalog, .min).isAllowed, "fewer than none are none")
  }

  @Test("B7: a question without a number is an error, and never allowed") func withoutANumber() throws {
    let decision = decide(try Catalog.small(feature, free: "2"), nil)
    #expect(!decision.isAllowed && decision.reason == .heldMissing && decision.isError && decision.placement == nil)
    #expect(decision.limit == 2 && decision.used == nil && decision.remaining == nil)
    #expect(decide(try Catalog.small(feature, free: "0"), nil).reason == .capacity)
  }

  @Test func theLargerCapacityExplains() throws {
    let catalog = try Catalog.small(feature, free: "1", paid: "5")
    let decision = decide(catalog, 0, [bought("p")])
    #expect(decision.limit == 5 && decision.grantedBy == .product("p"))
    #expect(decide(catalog, 4, [bought("p")]).remaining == 1)
  }

  @Test(arguments: ["true", "\"3\"", "-1", "1.5", "{}", "[]"]) func wrongAmounts(amount: String) {
    let mistakes = Catalog.mistakes(feature, free: amount)
    #expect(mistakes.count == 1 && mistakes[0].hasPrefix("bad-value freeTier.grants.f"), "\(mistakes)")
  }

  @Test("MAGIC-05 AMB-19: one child profile") func oneChildProfile() throws {
    let catalog = try Shipped.catalog("magical-stories")
    func decide(_ held: Int, _ facts: [Fact] = []) -> Decision {
      Snapshot(of: CustomerState(facts), catalog: catalog, at: t0).decision(for: AccessRequest("childProfiles", held: held))
    }
    #expect(decide(0).isAllowed)
    #expect(decide(1).reason == .capacity && decide(1).used == 1 && decide(1).limit == 1)
    #expect(decide(1).unlockedBy.count == 2)
    let premium = [bought("com.magicalstories.premium.yearly", until: t0 + 86400)]
    #expect(decide(1, premium).isAllowed && decide(100, premium).isAllowed)
    #expect(decide(0).isAllowed, "deleted, so that there is room again")
    #expect(decide(3).reason == .capacity && decide(3).used == 3 && decide(3).remaining == 0, "lapsed with three: adding is denied")
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct LevelTests {
  private let feature = #"{ "allowance": "level", "levels": ["low", "middle", "high"] }"#

  private func decide(_ catalog: Catalog, _ level: String?, _ facts: [Fact] = []) -> Decision {
    Snapshot(of: CustomerState(facts), catalog: catalog, at: t0).decision(for: AccessRequest("f", level: level))
  }

  @Test func aLevelIncludesThoseBeforeIt() throws {
    let catalog = try Catalog.small(feature, free: "\"middle\"", paid: "\"high\"")
    #expect(["low", "middle", "high"].map { decide(catalog, $0).isAllowed } == [true, true, false])
    #expect(decide(catalog, nil).isAllowed && decide(catalog, nil).level == "middle")
    let verdict = catalog.freeTier["f"]?.allowance?.judge(AccessRequest("f"), in: AllowanceContext(now: t0))
    #expect(verdict?.levelOrdinal == 2, "counted from 1")
    let denied = decide(catalog, "high")
    #expect(denied.reason == .requiresPurchase && denied.level == "middle" && denied.unlockedBy == ["p"])
    #expect(decide(catalog, "highest").reason == .unknownLevel && decide(catalog, "highest").unlockedBy.isEmpty)
    let paid = decide(catalog, nil, [bought("p")])
    #expect(paid.level == "high" && paid.reason == .owned && paid.grantedBy == .product("p"), "explained by the level that it grants")
  }

  @Test func unlimitedIsTheHighest() throws {
    let catalog = try Catalog.small(feature, free: "\"unlimited\"")
    #expect(decide(catalog, nil).level == "high" && decide(catalog, "high").isAllowed)
    #expect(decide(catalog, "highest").reason == .unknownLevel)
  }

  @Test func aParentsLowerLevelCounts() throws {
    let catalog = try Catalog.small(feature, free: "\"high\"")
    let cap = Fact.cap(Cap(feature: "f", subject: "", amount: "\"low\"", revision: Revision(t0)))
    #expect(decide(catalog, nil, [cap]).level == "low" && decide(catalog, "low", [cap]).isAllowed)
    #expect(decide(catalog, "middle", [cap]).reason == .parentalLimit)
    #expect(decide(catalog, "middling", [cap]).reason == .unknownLevel)
  }

  @Test func wrongLevels() {
    let typo = Catalog.mistakes(feature, free: "\"hihg\"")
    #expect(typo == [#"bad-value freeTier.grants.f: There is no level "hihg". Did you mean "high"?"#])
    #expect(
      Catalog.mistakes(feature, free: "3").first?.hasPrefix(
        "bad-value freeTier.grants.f: Expected the name of a level, but found the number 3.") == true)
    for levels in ["[]", #"["a", "a"]"#, #"[""]"#, #"["unlimited"]"#] {
      let mistakes = Catalog.mistakes(#"{ "allowance": "level", "levels": \#(levels) }"#, free: "\"unlimited\"")
      #expect(mistakes.count == 1 && mistakes[0].hasPrefix("bad-value features.f.levels"), "\(levels): \(mistakes)")
    }
    #expect(Catalog.mistakes(#"{ "allowance": "level" }"#, free: "\"unlimited\"").first?.hasPrefix("missing-key features.f") == true)
  }

  @Test("MAGIC-09 MAGIC-57 MAGIC-58: free and premium") func freeAndPremium() throws {
    let catalog = try Shipped.catalog("magical-stories")
    let free = Snapshot(of: CustomerState(), catalog: catalog, at: t0)
    let premium = Snapshot(of: CustomerState([bought("com.magicalstories.premium.monthly", until: t0 + 86400)]), catalog: catalog, at: t0)
    let levels: [(FeatureID, String, String)] = [
      ("parentalControls", "basic", "full"), ("illustrations", "standard", "premium"), ("generationPriority", "standard", "high"),
    ]
    for (feature, low, high) in levels {
      #expect(free.decision(for: feature).isAllowed && free.decision(for: feature).level == low)
      #expect(free.decision(for: AccessRequest(feature, level: high)).unlockedBy.count == 2)
      #expect(premium.decision(for: feature).level == high && premium.decision(for: feature).reason == .subscribed)
    }
  }

  @Test("DOZZI-01 DOZZI-06: voices") func voices() throws {
    let catalog = try Shipped.catalog("dozzi")
    let unlimited: ProductID = "com.dozzi.unlimited_stories"
    for store in [StoreKnowledge.waiting, .answered, .unreachable] {
      let free = Snapshot(of: CustomerState(), catalog: catalog, situation: Situation(store: store), at: t0)
      let owned = Snapshot(of: CustomerState([bought(unlimited)]), catalog: catalog, situation: Situation(store: store), at: t0)
      #expect(free.decision(for: "voices").level == "basic" && owned.decision(for: "voices").level == "premium")
      #expect(free.allows("personalization") && owned.allows("personalization"))
      #expect(free.decision(for: "story").remaining == 2 && owned.decision(for: "story").remaining == nil && owned.allows("story"))
    }
    #expect(catalog.product(unlimited)?.price?.description == "2.99 USD" && catalog.product(unlimited)?.kindName == "nonConsumable")
  }
}

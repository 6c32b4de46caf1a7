// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// The counted limits of the shipped catalogs; the shapes themselves share `MeteredGrant`.
@Suite(.timeLimit(.minutes(30)))
struct MeteredTests {
  private func uses(_ feature: FeatureID, _ count: Int) -> [Fact] { (0..<count).map { used(feature, 1, at: t0, key: "u\($0)") } }

  @Test("MAGIC-04 AMB-17: three stories a month") func threeStoriesAMonth() throws {
    let catalog = try Shipped.catalog("magical-stories")
    let decisions = (0...3).map { Snapshot(of: CustomerState(uses("story", $0)), catalog: catalog, at: t0).decision(for: "story") }
    #expect(decisions.map(\.remaining) == [3, 2, 1, 0] && decisions.map(\.isAllowed) == [true, true, true, false])
    #expect(decisions[3].reason == .limitReached && decisions[3].used == 3 && decisions[3].limit == 3)
    #expect(decisions[3].resetsAt == (try at("2026-04-01T00:00:00Z")) && decisions[3].placement == .usageLimitReached)
    let april = Snapshot(of: CustomerState(uses("story", 3)), catalog: catalog, at: try at("2026-04-01T00:00:00Z"))
    #expect(april.decision(for: "story").remaining == 3)
  }

  @Test("Of two limits that leave the same, the one that resets first gives the date") func firstReset() throws {
    let text = """
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": { "allowance": "count", "per": "day" } },
        "freeTier": { "grants": { "f": 3 } },
        "products": [{ "kind": "nonConsumable", "id": "p", "name": "P", "grants": { "f": { "limit": 3, "per": "month" } } }] }
      """
    let bought = Fact.transaction(StoreTransaction(id: "1", productID: "p", purchaseDate: t0 - 60))
    let snapshot = Snapshot(of: CustomerState([bought]), catalog: try Catalog(json: Data(text.utf8)), at: t0)
    #expect(snapshot.decision(for: "f").remaining == 3)
    #expect(snapshot.decision(for: "f").resetsAt == LocalDay.start(of: LocalDay.of(t0, in: .gmt) + 1, in: .gmt))
  }

  @Test("MAGIC-06 MAGIC-07 MAGIC-08 MAGIC-56: tiers") func tiers() throws {
    let catalog = try Shipped.catalog("magical-stories")
    let free = Snapshot(of: CustomerState(), catalog: catalog, at: t0)
    let premium = Snapshot(of: CustomerState([bought("com.magicalstories.premium.yearly", until: t0 + 86400)]), catalog: catalog, at: t0)
    for feature: FeatureID in ["growthCollections", "unlimitedGeneration", "multipleProfiles", "priorityGeneration", "advancedAnalytics"] {
      #expect(!free.allows(feature) && free.decision(for: feature).unlockedBy.count == 2 && premium.allows(feature))
    }
    let basic: [FeatureID] = ["basicStoryGeneration", "storyLibrary", "basicReading", "singleChildProfile", "basicSettings"]
    #expect(basic.allSatisfy { free.allows($0) && premium.allows($0) })
    #expect(
      basic.map { catalog.feature($0)?.description } == [
        "Generate {limit} stories per month", "Access your story library", "Read stories with standard features", "One child profile",
        "Basic parental controls",
      ])
    let paid: [FeatureID] = [
      "unlimitedStoryGeneration", "growthPathCollections", "multipleChildProfiles", "advancedIllustrations", "priorityGeneration",
      "offlineReading", "parentalAnalytics", "customThemes",
    ]
    #expect(paid.allSatisfy { !free.allows($0) && premium.allows($0) && catalog.feature($0)?.unlockMessage != nil })
  }

  @Test("MAGIC-01 MAGIC-03: plans and benefits") func plansAndBenefits() throws {
    let catalog = try Shipped.catalog("magical-stories")
    #expect(
      catalog.products.map { "\($0.id) \($0.price?.amountText ?? "") \($0.subscription?.period.description ?? "")" } == [
        "com.magicalstories.premium.monthly 8.99 P1M", "com.magicalstories.premium.yearly 89.99 P1Y",
      ])
    #expect(Set(catalog.products.map { "\($0.subscription?.group ?? "") \($0.subscription?.level ?? 0)" }).count == 1)
    let benefits = catalog.paywall(.default)?.benefits ?? []
    #expect(
      benefits.map(\.title) == [
        "Unlimited story generation", "Growth Path Collections", "Advanced illustration features", "Multiple child profiles",
        "Parental controls & analytics", "Priority generation speed",
      ])
    #expect(benefits.allSatisfy { $0.features?.isEmpty == false })
  }

  @Test("A use that does not count delays no reset of a rolling limit, and changes nothing when it leaves the span") func uncounted() throws
  {
    let catalog = try Catalog.small(#"{ "allowance": "count", "per": "P7D" }"#, free: "2")
    let free = Fact.use(
      Use(key: "free", feature: "f", amount: 1, date: t0, day: Int(t0.timeIntervalSince1970) / 86400, zone: "GMT", counted: false))
    let snapshot = Snapshot(of: CustomerState([free]), catalog: catalog, at: t0 + 3600)
    let decision = snapshot.decision(for: AccessRequest("f", count: 3))
    #expect(decision.reason == .limitReached && decision.remaining == 2 && decision.resetsAt == nil)
    #expect(snapshot.nextChange == nil)
    let later = Snapshot(of: CustomerState([free, used("f", 2, at: t0 + 86400)]), catalog: catalog, at: t0 + 2 * 86400)
    #expect(later.decision(for: "f").resetsAt == t0 + 8 * 86400)
  }

  @Test("Law 12: a product whose rolling limit is used up as well is offered when it helps again") func offeredRolling() throws {
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": { "allowance": "count" } }, "freeTier": { "grants": { "f": 1 } },
          "products": [{ "kind": "nonConsumable", "id": "pro", "name": "P", "grants": { "f": { "limit": 2, "per": "P7D" } } }] }
        """#.utf8))
    let state = CustomerState([used("f", 2, at: t0)])
    func offered(_ seconds: Double) -> [ProductID] {
      Snapshot(of: state, catalog: catalog, at: t0 + seconds).decision(for: "f").unlockedBy
    }
    #expect(offered(3600) == [] && offered(7 * 86400 - 1) == [] && offered(7 * 86400) == ["pro"])
  }

  @Test("When the first use of a day is returned, the next one's time zone is the day's") func zones() throws {
    let catalog = try Catalog.small(#"{ "allowance": "count", "per": "day" }"#, free: "5")
    func use(_ key: String, _ seconds: Double, _ zone: String, _ status: Use.Status = .committed) -> Fact {
      .use(
        Use(
          key: key, feature: "f", date: t0 + seconds, day: Int(t0.timeIntervalSince1970) / 86400, zone: zone, status: status,
          attempt: status == .released ? 1 : 0))
    }
    let rest = [use("b", 1, "Europe/Berlin"), use("c", 2, "Asia/Tokyo")]
    func ends(_ facts: [Fact]) -> Date? { Snapshot(of: CustomerState(facts), catalog: catalog, at: t0 + 3).decision(for: "f").resetsAt }
    #expect(ends(rest) == (try at("2026-03-01T23:00:00Z")))
    #expect(ends([use("a", 0, "GMT", .reserved)] + rest) == (try at("2026-03-02T00:00:00Z")))
    #expect(ends([use("a", 0, "GMT", .reserved)] + rest + [use("a", 0, "GMT", .released)]) == ends(rest))
  }

  @Test("Of a grant and a parent's limit, the tighter one gives the numbers; a limit on a whole holds for its parts' amounts") func caps()
    throws
  {
    let part = #"{ "allowance": "count" }, "g": { "of": "f", "atLeast": 5 }"#
    func decide(_ feature: FeatureID, free: Int, cap: Int) throws -> Decision {
      let cap = Fact.cap(Cap(feature: "f", subject: .customer, amount: "\(cap)", revision: Revision(t0)))
      return Snapshot(of: CustomerState([cap]), catalog: try .small(part, free: "\(free)"), at: t0).decision(for: feature)
    }
    #expect(try decide("f", free: 3, cap: 10).limit == 3)
    #expect(try decide("f", free: 10, cap: 3).limit == 3)
    #expect(try decide("g", free: 10, cap: 5).isAllowed)
    #expect(try decide("g", free: 10, cap: 4).reason == .parentalLimit)
  }

  @Test("A parent's limit on a count from the purchase holds for every span of its length, whatever is bought in it") func anchoredCap()
    throws
  {
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
          "features": { "f": { "allowance": "count", "per": { "anchored": "P7D" } } },
          "products": [{ "kind": "nonRenewing", "id": "pass", "name": "Pass", "period": "P30D", "grants": { "f": 5 } }] }
        """.utf8))
    func bought(_ id: TransactionID, day: Double) -> Fact {
      .transaction(StoreTransaction(id: id, productID: "pass", purchaseDate: t0 + day * 86400))
    }
    let cap = Fact.cap(Cap(feature: "f", subject: .customer, amount: "2", revision: Revision(t0)))
    let facts = [cap, bought("1", day: 0), used("f", 2, at: t0 + 86400)]
    func decide(_ day: Double, _ more: [Fact] = []) -> Decision {
      Snapshot(of: CustomerState(facts + more), catalog: catalog, at: t0 + day * 86400).decision(for: "f")
    }
    #expect(decide(2).reason == .parentalLimit)
    #expect(decide(2).resetsAt == t0 + 8 * 86400)
    #expect(decide(2, [bought("2", day: 2)]).reason == .parentalLimit)
    #expect(decide(7.5).reason == .parentalLimit)
    #expect(decide(8).isAllowed && decide(8).remaining == 2)
    // Before the first purchase, and after the last has ended, nothing is granted.
    #expect(decide(40).reason == .requiresPurchase && decide(40).unlockedBy == ["pass"])
  }

  @Test("Uses count as far back as the longest of all limits reaches, whichever is the last") func lookBack() throws {
    let catalog = try Catalog.small(#"{ "allowance": "count", "per": "P30D" }"#, free: "3")
    let cap = Fact.cap(Cap(feature: "f", subject: .customer, amount: #"{ "limit": 9, "per": "P1D" }"#, revision: Revision(t0)))
    let decision = Snapshot(of: CustomerState([cap, used("f", 3, at: t0 - 10 * 86400)]), catalog: catalog, at: t0).decision(for: "f")
    #expect(!decision.isAllowed && decision.remaining == 0 && decision.used == 3)
  }

  @Test("A new period is announced only for what it allows again: not for what a parent has closed meanwhile") func resets() throws {
    let catalog = try Catalog.small(#"{ "allowance": "count", "per": "day" }"#, free: "1")
    let facts = [used("f", 1, at: t0)]
    let cap = Fact.cap(Cap(feature: "f", subject: .customer, amount: "0", revision: Revision(t0)))
    let before = Snapshot(of: CustomerState(facts), catalog: catalog, at: t0)
    func resets(_ more: [Fact]) -> [FeatureID] {
      Snapshot(of: CustomerState(facts + more), catalog: catalog, at: t0 + 86400).resets(since: before)
    }
    #expect(resets([]) == ["f"])
    #expect(resets([cap]) == [])
  }

  @Test("Uses count as far back as the limit of a product reaches that the customer may have") func lookBackOfDoubts() throws {
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": { "allowance": "count" } },
          "products": [{ "kind": "nonConsumable", "id": "old", "name": "Old", "onSale": false, "grants": { "f": { "limit": 3, "per": "P30D" } } }] }
        """.utf8))
    func reason(_ used: Int) -> Reason {
      let facts = [MonetizeTests.used("f", used, at: t0 - 10 * 86400)]
      return Snapshot(of: CustomerState(facts), catalog: catalog, situation: Situation(store: .waiting), at: t0).decision(for: "f").reason
    }
    #expect(reason(2) == .unknown)
    #expect(reason(3) == .notOffered)
  }

  @Test("What leaves more: allowed, without a limit, the larger rest, the longer window, the higher level") func leavesMore() {
    func verdict(_ isAllowed: Bool = true, left: Int? = nil, limit: Int? = nil, window: Double? = nil, level: Int? = nil) -> Verdict {
      var verdict = Verdict(isAllowed: isAllowed, reason: .free)
      (verdict.remaining, verdict.limit, verdict.window, verdict.levelOrdinal) = (left, limit, window, level)
      return verdict
    }
    let sorted = [
      verdict(false, left: 1), verdict(false), verdict(left: 0, limit: 9), verdict(limit: 1), verdict(left: 2, limit: 2), verdict(limit: 3),
      verdict(window: 1), verdict(window: 2, level: 1), verdict(window: 2, level: 2), verdict(window: 2), verdict(level: 1), verdict(),
    ]
    for (a, one) in sorted.enumerated() {
      for (b, other) in sorted.enumerated() { #expect(one.leavesMore(than: other) == (a > b), "\(a) \(b)") }
    }
  }

  @Test("DOZZI-03 DOZZI-04: two stories ever") func twoStoriesEver() throws {
    let catalog = try Shipped.catalog("dozzi")
    let decisions = (0...2).map { Snapshot(of: CustomerState(uses("story", $0)), catalog: catalog, at: t0).decision(for: "story") }
    #expect(decisions.map(\.isAllowed) == [true, true, false] && decisions.map(\.remaining) == [2, 1, 0])
    let later = Snapshot(of: CustomerState(uses("story", 2)), catalog: catalog, at: t0 + 366 * 86400).decision(for: "story")
    #expect(later.remaining == 0 && later.resetsAt == nil)
  }

  @Test("DOZZI-05: words for the remaining amount") func wordsForWhatIsLeft() throws {
    let unit = try #require(try Shipped.catalog("dozzi").feature("story")?.unit)
    #expect([2, 1, 0].map { "\($0) \(unit.word(for: $0))" } == ["2 stories", "1 story", "0 stories"])
    func words(_ language: Language) -> [String] { [0, 1, 2].map { unit.word(for: $0, in: language) } }
    #expect(words("fr") == ["story", "story", "stories"] && words("pt-BR") == words("fr"), "0 takes the singular")
    #expect(words("de") == ["stories", "story", "stories"] && words("ja") == ["stories", "stories", "stories"])
  }

  @Test(arguments: [
    "true", "-1", "2.5", #""unlimted""#, "[]", #"{ "limit": "3" }"#, #"{ "limit": 3, "per": "P1M" }"#, #"{ "per": "day" }"#,
  ])
  func wrongCounts(amount: String) {
    let mistakes = Catalog.mistakes(#"{ "allowance": "count", "per": "month" }"#, free: amount)
    #expect(mistakes.count == 1 && mistakes[0].contains("freeTier.grants.f"), "\(mistakes)")
  }

  @Test("An answer does not change at the end of a period that only a purchase would begin") func notYetBought() throws {
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
          "features": { "story": { "allowance": "count", "per": { "anchored": "P1M" } } },
          "freeTier": { "grants": { "story": { "limit": 1, "per": "lifetime" } } },
          "products": [{ "kind": "nonConsumable", "id": "pack", "name": "Pack", "grants": { "story": 3 } }] }
        """#.utf8))
    for count in 0...1 {
      let snapshot = Snapshot(of: CustomerState(uses("story", count)), catalog: catalog, at: t0 + 60)
      let decision = snapshot.decision(for: "story")
      #expect(decision.unlockedBy == (count == 0 ? [] : ["pack"]))
      #expect(decision.validUntil == nil && snapshot.nextChange == nil)
      #expect(snapshot == Snapshot(of: CustomerState(uses("story", count)), catalog: catalog, at: t0 + 90 * 86400))
    }
    // A use dated ahead would count against a purchase made before it.
    let ahead = Snapshot(of: CustomerState([used("story", 3, at: t0 + 3600, key: "ahead")]), catalog: catalog, at: t0)
    let end = Date(timeIntervalSinceReferenceDate: (t0 + 3600).timeIntervalSinceReferenceDate.nextUp)
    #expect(ahead.decision(for: "story").unlockedBy == [] && ahead.nextChange == end)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct WindowTests {
  private let feature = #"{ "allowance": "window" }"#
  private let day: TimeInterval = 86400
  private let pro: ProductID = "com.heatlab.pro.annual"

  @Test func theWindowSlides() throws {
    let catalog = try Catalog.small(feature, free: "\"P7D\"", paid: "\"P30D\"")
    let snapshot = Snapshot(of: CustomerState(), catalog: catalog, at: t0)
    #expect(snapshot.decision(for: "f").cutoff == t0 - 7 * day)
    #expect(snapshot.decision(for: "f").isAllowed && snapshot.nextChange == nil)
    let old = snapshot.decision(for: AccessRequest("f", date: t0 - 8 * day))
    #expect(old.reason == .outsideWindow && old.unlockedBy == ["p"] && old.placement == .featureRestricted && old.cutoff == t0 - 7 * day)
    #expect(snapshot.decision(for: AccessRequest("f", date: t0 - 31 * day)).unlockedBy.isEmpty)
    #expect(snapshot.decision(for: AccessRequest("f", date: t0 + day)).isAllowed, "what is dated ahead is not old")
  }

  @Test func aDatedAnswerSaysUntilWhenItHolds() throws {
    let catalog = try Catalog.small(feature, free: "\"PT1H\"")
    let date = t0 - 1800
    let request = AccessRequest("f", date: date)
    let decision = Snapshot(of: CustomerState(), catalog: catalog, at: t0).decision(for: request)
    let until = try #require(decision.validUntil)
    #expect(abs(until.timeIntervalSince(date + 3600)) < 0.001)
    #expect(Snapshot(of: CustomerState(), catalog: catalog, at: date + 3600).decision(for: request).isAllowed, "including its first moment")
    let after = Snapshot(of: CustomerState(), catalog: catalog, at: until).decision(for: request)
    #expect(!after.isAllowed && after.validUntil == nil, "what is too old stays so")
  }

  @Test func theLongerWindowWinsAndExplains() throws {
    let catalog = try Catalog.small(feature, free: "\"P7D\"", paid: "\"P30D\"")
    let decision = Snapshot(of: CustomerState([bought("p")]), catalog: catalog, at: t0).decision(for: "f")
    #expect(decision.cutoff == t0 - 30 * day && decision.grantedBy == .product("p"))
  }

  @Test func aParentsShorterWindowCounts() throws {
    let catalog = try Catalog.small(feature, free: "\"unlimited\"")
    let cap = Fact.cap(Cap(feature: "f", subject: "", amount: "\"P1D\"", revision: Revision(t0)))
    let snapshot = Snapshot(of: CustomerState([cap]), catalog: catalog, at: t0)
    #expect(snapshot.decision(for: "f").cutoff == t0 - day)
    #expect(snapshot.decision(for: AccessRequest("f", date: t0 - 2 * day)).reason == .parentalLimit)
  }

  @Test func lengthsThatDiffer() {
    for text in ["P1M", "P1Y", "P1M1D"] {
      let mistakes = Catalog.mistakes(feature, free: "\"\(text)\"")
      #expect(mistakes.count == 1 && mistakes[0].contains("not a fixed length") && mistakes[0].contains("P30D"), "\(mistakes)")
    }
    for amount in ["7", "\"7 days\"", "\"P0D\"", "true", "\"P\"", "{}"] {
      #expect(Catalog.mistakes(feature, free: amount).count == 1, "\(amount)")
    }
  }

  @Test("HEAT-04 AMB-11: seven days of history") func sevenDaysOfHistory() throws {
    let catalog = try Shipped.catalog("heatlab")
    let now = try at("2026-03-10T12:00:00Z")
    let ages: [TimeInterval] = [7 * day - 60, 7 * day, 7 * day + 1, 400 * day]
    func visible(_ facts: [Fact]) -> [Bool] {
      let snapshot = Snapshot(of: CustomerState(facts), catalog: catalog, at: now)
      return ages.map { snapshot.decision(for: AccessRequest("history", date: now - $0)).isAllowed }
    }
    #expect(visible([]) == [true, true, false, false])
    #expect(visible([bought(pro, until: now + day)]) == [true, true, true, true])
  }

  @Test("A window's start moves with the clock, between two changes as well") func moves() async throws {
    let time = TestTime(t0)
    let monetizer = try TestShop.monetizer(time: time, catalog: .small(#"{ "allowance": "window" }"#, free: "\"P7D\""))
    await monetizer.start()
    for hours in [0.0, 1, 30] {
      time.advance(hours * 3600)
      #expect(monetizer.decision(for: "f").cutoff == time.now - 7 * day)
    }
  }

  @Test("AMB-11: a window of whole days begins at midnight, across a change of the clocks as well") func wholeDays() throws {
    let catalog = try Catalog.small(#"{ "allowance": "window", "wholeDays": true }"#, free: "\"P7D\"", paid: "\"P8D\"")
    let newYork = try #require(TimeZone(identifier: "America/New_York"))
    func snapshot(_ date: String) throws -> Snapshot {
      Snapshot(of: CustomerState(), catalog: catalog, situation: Situation(zone: newYork), at: try at(date))
    }
    // Clocks go forward on 8 March: seven days of 24 hours before the morning of the 10th begin at 23:00.
    let morning = try snapshot("2026-03-10T00:00:00-04:00")
    let first = try at("2026-03-04T00:00:00-05:00")
    #expect(morning.decision(for: "f").cutoff == first)
    #expect(morning.nextChange == (try at("2026-03-11T00:00:00-04:00")), "the window moves by itself")
    #expect(try snapshot("2026-03-10T23:59:59-04:00").decision(for: "f").cutoff == first)
    let last = morning.decision(for: AccessRequest("f", date: first))
    #expect(last.isAllowed && last.validUntil == morning.nextChange)
    let old = morning.decision(for: AccessRequest("f", date: first - 1))
    #expect(old.reason == .outsideWindow && old.unlockedBy == ["p"])
    #expect(try !snapshot("2026-03-11T00:00:00-04:00").allows(AccessRequest("f", date: first)))
    #expect(try snapshot("2026-03-11T00:00:00-04:00").allows(AccessRequest("f", date: first + 86400)))
  }

  @Test("AMB-11: the cutoff of whole days stays until midnight, and is announced then") func wholeDaysMove() async throws {
    let time = TestTime(t0)
    let monetizer = try TestShop.monetizer(
      time: time, catalog: .small(#"{ "allowance": "window", "wholeDays": true }"#, free: "\"P1D\""))
    await monetizer.start()
    let cutoff = try #require(monetizer.decision(for: "f").cutoff)
    let midnight = cutoff + day
    #expect(cutoff <= t0 && t0 < midnight)
    time.advance(midnight.timeIntervalSince(t0) - 1)
    #expect(monetizer.decision(for: "f").cutoff == cutoff)
    time.advance(1)
    #expect(monetizer.decision(for: "f").cutoff == midnight)
  }

  @Test("Law 9: a date that is no number is outside every window, and ends no process", arguments: [#", "wholeDays": true"#, ""])
  func noNumber(key: String) throws {
    let catalog = try Catalog.small("{ \"allowance\": \"window\"\(key) }", free: "\"P7D\"")
    let snapshot = Snapshot(of: CustomerState(), catalog: catalog, at: t0)
    #expect(!snapshot.allows(AccessRequest("f", date: Date(timeIntervalSince1970: .nan))))
    #expect(!snapshot.allows(AccessRequest("f", date: Date(timeIntervalSince1970: -.infinity))))
    #expect(snapshot.allows(AccessRequest("f", date: Date(timeIntervalSince1970: .infinity))))
  }

  @Test("Whole days have no hours") func wholeDaysHaveNoHours() {
    let mistakes = Catalog.mistakes(#"{ "allowance": "window", "wholeDays": true }"#, free: "\"P1DT12H\"")
    #expect(mistakes.count == 1 && mistakes[0].contains("Expected whole days, such as P7D"), "\(mistakes)")
  }

  @Test("HEAT-05: history and trends have one cutoff") func historyAndTrendsHaveOneCutoff() throws {
    let catalog = try Shipped.catalog("heatlab")
    var seconds: UInt64 = 42
    for _ in 0..<1000 {
      seconds = seconds &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let snapshot = Snapshot(of: CustomerState(), catalog: catalog, at: Date(timeIntervalSince1970: TimeInterval(seconds >> 33)))
      let cutoff = snapshot.decision(for: "history").cutoff
      #expect(cutoff != nil && cutoff == snapshot.decision(for: "trends").cutoff)
    }
  }

  @Test("HEAT-08: thirty sessions are kept") func thirtySessionsAreKept() throws {
    let catalog = try Shipped.catalog("heatlab")
    let sessions = (0..<30).map { t0 - TimeInterval($0) * day }
    let end = t0 + 3600
    let facts = [bought(pro, at: t0, until: end)]
    func visible(_ facts: [Fact], _ now: Date) -> Int {
      let snapshot = Snapshot(of: CustomerState(facts), catalog: catalog, at: now)
      return sessions.filter { snapshot.decision(for: AccessRequest("history", date: $0)).isAllowed }.count
    }
    #expect(visible([], t0) == 8)
    #expect(visible(facts, t0) == 30)
    #expect(visible(facts, end) == 7, "an hour later the eighth is older than seven days")
    #expect(visible([bought(pro, at: t0 - day, until: t0)], t0) == 8, "lapsed at that very moment")
  }

  @Test("HEAT-03 HEAT-09: free features have no window") func whatIsFreeHasNoWindow() throws {
    let catalog = try Shipped.catalog("heatlab")
    for store in [StoreKnowledge.waiting, .answered, .unreachable] {
      for facts in [[], [bought(pro, until: t0 + day)], [bought(pro, at: t0 - 9 * day, until: t0 - day)]] {
        let snapshot = Snapshot(of: CustomerState(facts), catalog: catalog, situation: Situation(store: store), at: t0)
        for feature: FeatureID in ["workoutTracking", "realTimeHeartRate", "baselineComparison", "cloudSync"] {
          #expect(snapshot.allows(feature) && snapshot.decision(for: feature).cutoff == nil)
        }
      }
    }
  }

  @Test("HEAT-02 HEAT-06 HEAT-07: tier matrix") func tierMatrix() throws {
    let catalog = try Shipped.catalog("heatlab")
    #expect(
      catalog.features.map(\.id.rawValue) == [
        "workoutTracking", "realTimeHeartRate", "history", "baselineComparison", "trends", "periodComparisons", "aiInsights", "cloudSync",
      ])
    let free = Snapshot(of: CustomerState(), catalog: catalog, at: t0)
    let paid = Snapshot(of: CustomerState([bought(pro, until: t0 + day)]), catalog: catalog, at: t0)
    #expect(catalog.features.map { free.allows($0.id) } == [true, true, true, true, true, false, false, true])
    #expect(catalog.features.allSatisfy { paid.allows($0.id) && paid.decision(for: $0.id).cutoff == nil })
    for feature: FeatureID in ["comparison.wow", "comparison.mom", "comparison.yoy", "aiInsights"] {
      #expect(free.decision(for: feature).unlockedBy == ["com.heatlab.pro.monthly", "com.heatlab.pro.annual"])
      #expect(paid.allows(feature))
    }
  }

  @Test("Law 8: a purchase helps with dated data only until the data leaves the purchase's window") func datedOffer() throws {
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "history": { "allowance": "window" } },
          "products": [{ "kind": "nonConsumable", "id": "week", "name": "Week", "grants": { "history": "P7D" } }] }
        """#.utf8))
    let now = Date(timeIntervalSince1970: 1_772_366_400)
    let request = AccessRequest("history", date: now - 6 * 86400)
    let decision = Snapshot(of: CustomerState(), catalog: catalog, at: now).decision(for: request)
    #expect(decision.unlockedBy == ["week"])
    let end = try #require(decision.validUntil)
    #expect(abs(end.timeIntervalSince(now + 86400)) <= 1)
    #expect(Snapshot(of: CustomerState(), catalog: catalog, at: end + 1).decision(for: request).unlockedBy == [])
  }

  @Test("Snapshots that differ only in the cutoff of a sliding window are equal, and those of two lengths are not") func equalSnapshots()
    throws
  {
    func snapshot(_ length: String, at date: Date) throws -> Snapshot {
      Snapshot(of: CustomerState(), catalog: try Catalog.small(#"{ "allowance": "window" }"#, free: "\"\(length)\""), at: date)
    }
    #expect(try snapshot("P7D", at: t0) == snapshot("P7D", at: t0 + 3600))
    #expect(try snapshot("P7D", at: t0) != snapshot("P8D", at: t0))
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// XC-05 and DOZZI-55: the counts of another source.
@Suite(.timeLimit(.minutes(30)))
struct ReportedTotalTests {
  private static let day = 20_513  // 2026-03-01, as RandomFacts.start

  private func total(
    _ amount: Int, _ source: SourceID = "server", of feature: FeatureID = "trial", in unit: CalendarUnit? = nil, day: Int = day
  )
    -> ReportedTotal
  { ReportedTotal(feature: feature, source: source, amount: amount, unit: unit, day: day) }

  private func use(_ key: String, _ source: SourceID = .device, of feature: FeatureID = "trial", day: Int = day) -> Use {
    Use(key: key, feature: feature, source: source, date: RandomFacts.start, day: day, zone: "UTC")
  }

  private func used(_ facts: [Fact], of feature: FeatureID = "trial", at now: Date = RandomFacts.start) throws -> Int? {
    let catalog = try TestShop.catalog()
    let some = Snapshot(of: CustomerState(facts), catalog: catalog, at: now).decision(for: feature).used
    for _ in 0..<5 {
      let other = Snapshot(of: CustomerState((facts + facts).shuffled()), catalog: catalog, at: now).decision(for: feature).used
      #expect(other == some)
    }
    return some
  }

  @Test("States that differ in a total only, or in a use only, are not equal") func equality() {
    let facts: [Fact] = [.use(use("a")), .total(total(2))]
    let states = [CustomerState(facts), CustomerState([facts[0]]), CustomerState([facts[1]]), CustomerState([facts[0], .total(total(3))])]
    for (index, state) in states.enumerated() {
      #expect(states.enumerated().allSatisfy { ($0.element == state) == ($0.offset == index) })
    }
  }

  @Test("DOZZI-55: local used 1 and server used 2 of the same account are 2, in any order") func higherWins() throws {
    #expect(try used([.use(use("a", "server")), .total(total(2))]) == 2)
    #expect(try used([.use(use("a", "server")), .use(use("b", "server")), .use(use("c", "server")), .total(total(2))]) == 3)
  }

  @Test("XC-05: uses with the same key are the same use, from any source") func sharedKeys() throws {
    #expect(try used([.use(use("a")), .use(use("a", "server")), .use(use("b", "server"))]) == 2)
  }

  @Test("A source's total includes its uses that credits covered") func coveredUses() throws {
    let covered = Use(
      key: "a", feature: "trial", source: "server", date: RandomFacts.start, day: Self.day, zone: "UTC", credits: 1)
    #expect(try used([.use(covered)]) == 0)
    #expect(try used([.use(covered), .total(total(1))]) == 0)
    #expect(try used([.use(covered), .use(use("b", "server")), .total(total(3))]) == 2)
  }

  @Test("XC-05: a total from one source replaces its lower one; sources add up") func sourcesAddUp() throws {
    #expect(try used([.total(total(1)), .total(total(2)), .total(total(1))]) == 2)
    #expect(try used([.total(total(1)), .total(total(1, "tablet")), .use(use("a"))]) == 3)
  }

  @Test("XC-05: within one period the higher wins: {March 2}, {March 3} is 3; {March 3}, {April 1} is 1 in April") func periods() throws {
    let april = try #require(ISODate.parse("2026-04-02T12:00:00Z", in: Calendar.storeCalendar.timeZone))
    let (second, third) = (total(2, of: "story", in: .month), total(3, of: "story", in: .month, day: Self.day + 9))
    #expect(try used([.total(second), .total(third)], of: "story") == 3)
    #expect(try used([.total(third), .total(total(1, of: "story", in: .month, day: Self.day + 31))], of: "story", at: april) == 1)
    #expect(try used([.total(third)], of: "story", at: april) == 0)
    #expect(try used([.total(third), .use(use("a", "server", of: "story", day: Self.day + 2))], of: "story") == 3)
    // Its count of a month is part of its total count.
    #expect(try used([.total(total(2, in: .month)), .total(total(3))]) == 3)
    #expect(try used([.total(total(2, in: .month)), .total(total(3, in: .year))]) == 3)
    #expect(try used([.total(total(2, in: .month)), .total(total(3, in: .year)), .total(total(4))]) == 4)
  }

  @Test("DOZZI-55: a total is stored durably, and never restores uses") func facade() async throws {
    let storage = MemoryStorage()
    let monetizer = try TestShop.monetizer(storage: storage)
    #expect(await monetizer.record(total(2)))
    #expect(await monetizer.record(total(0)) == false)
    #expect(await monetizer.record(total(1, of: "no such feature")) == false)
    #expect(monetizer.decision(for: "trial").remaining == 1)
    try await monetizer.spend("trial")
    await #expect(throws: AccessDenied.self) { try await monetizer.spend("trial") }
    #expect(try TestShop.monetizer(storage: storage).decision(for: "trial").used == 3)
    await monetizer.record([use("from elsewhere", "tablet")])
    #expect(monetizer.decision(for: "trial").remaining == 0)
  }

  @Test("A total or a use of a part, or under an earlier name, counts for the whole, as a use here does") func parts() async throws {
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
          "features": { "story": { "allowance": "count", "aliases": ["tale"] }, "long": { "of": "story", "atLeast": 2 } },
          "freeTier": { "grants": { "story": 9 } } }
        """.utf8))
    let monetizer = try TestShop.monetizer(catalog: catalog)
    #expect(await monetizer.record(total(2, of: "long")))
    #expect(monetizer.decision(for: "story").used == 2)
    await monetizer.record([use("a", of: "long"), use("b", of: "tale")])
    #expect(monetizer.decision(for: "story").used == 4)
    // The same use, by another of its names.
    await monetizer.record([use("a", of: "story"), use("b", of: "story")])
    #expect(monetizer.decision(for: "story").used == 4)
  }

  /// The rest of a free customer's 3 uses, counted in any 7 days, or in months from a purchase on 2026-03-01.
  private func left(_ per: String, _ facts: [Fact], at text: String) throws -> Decision {
    let json = """
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
        "features": { "story": { "allowance": "count", "per": \(per) } },
        "products": [{ "kind": "nonConsumable", "id": "three", "name": "Three", "grants": { "story": 3 } }] }
      """
    let bought = StoreTransaction(id: "1", productID: "three", purchaseDate: RandomFacts.start)
    let now = try #require(ISODate.parse(text, in: Calendar.storeCalendar.timeZone))
    let catalog = try Catalog(json: Data(json.utf8))
    return Snapshot(of: CustomerState(facts + [.transaction(bought)]), catalog: catalog, at: now).decision(for: "story")
  }

  @Test("A total has days and no times: a rolling limit counts it until its last day is older than the limit's length") func rolling()
    throws
  {
    // 2026-03-01 ends in the last zone on March 2 at noon UTC.
    let day = [Fact.total(total(2, of: "story", in: .day))]
    for (text, used) in [
      ("2026-03-01T12:00:00Z", 2), ("2026-03-09T11:59:59Z", 2), ("2026-03-09T12:00:00Z", 0), ("2026-04-01T00:00:00Z", 0),
    ] {
      #expect(try left("\"P7D\"", day, at: text).used == used, "\(text)")
    }
    let month = [Fact.total(total(3, of: "story", in: .month))]
    let denied = try left("\"P7D\"", month, at: "2026-03-20T00:00:00Z")
    #expect(!denied.isAllowed && denied.used == 3)
    #expect(denied.resetsAt == ISODate.parse("2026-04-08T12:00:00Z", in: Calendar.storeCalendar.timeZone))
    #expect(try left("\"P7D\"", month, at: "2026-04-08T12:00:00Z").isAllowed)
    // Uses with a date from the same source are part of it, at their own dates; only the rest waits for the end of the day.
    let named = [Fact.use(use("a", "server", of: "story")), .total(total(2, of: "story", in: .day))]
    #expect(try left("\"P7D\"", named, at: "2026-03-01T12:00:00Z").used == 2)
    #expect(try left("\"P7D\"", named, at: "2026-03-08T12:00:00Z").used == 1)
  }

  @Test("A total counts in the stretch from a purchase in which its last day ends") func anchored() throws {
    let anchored = "{ \"anchored\": \"P1M\" }"
    let march = [Fact.total(total(2, of: "story", in: .day, day: Self.day + 9))]
    #expect(try left(anchored, march, at: "2026-03-20T00:00:00Z").remaining == 1)
    #expect(try left(anchored, march, at: "2026-04-01T12:00:00Z").remaining == 3)
  }

  @Test(
    "A total for all time counts in a limit for all time, and not in a stretch",
    arguments: ["\"month\"", "\"P7D\"", "{ \"anchored\": \"P1M\" }"])
  func allTime(_ per: String) throws {
    let facts = [Fact.total(total(3, of: "story"))]
    #expect(try left(per, facts, at: "2026-03-01T12:00:00Z").used == 0)
    #expect(try left("\"lifetime\"", facts, at: "2026-03-01T12:00:00Z").used == 3)
  }

  @Test("The totals of a day, a month, a year and of all time are separate, although all begin on one day") func separate() throws {
    let january = try #require(LocalDay.range(of: .year, holding: Self.day).first)
    let units = [CalendarUnit.day, .month, .year].map(Optional.some) + [nil]
    let facts = units.map { Fact.total(total(3, in: $0, day: january)) }
    #expect(CustomerState(facts).usage.allTotals.count == 4)
  }

  @Test("Ten years of daily totals make a use no slower than their number of days") func manyDays() throws {
    func seconds(_ days: Int) -> TimeInterval {
      let ledger = CustomerState(
        (0..<days).flatMap { day -> [Fact] in
          [.total(total(2, in: .day, day: Self.day - day)), .use(use("k\(day)", "server", day: Self.day - day))]
        }
      ).usage
      return (0..<3).map { _ in
        let start = Date()
        let totals = ledger.totals(of: "trial", by: .customer, since: nil, at: RandomFacts.start, in: nil)
        #expect(totals.counted == 2 * days)
        return Date().timeIntervalSince(start)
      }.min() ?? 0
    }
    // A quadratic count would take sixteen times as long: three seconds instead of twenty milliseconds.
    let (some, many) = (seconds(1000), seconds(4000))
    #expect(many < max(0.3, some * 10), "\(some) and \(many) seconds")
  }
}

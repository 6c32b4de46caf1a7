// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Records dated by a clock that was days ahead, after the store's signed time has corrected it (law 7).
@Suite(.timeLimit(.minutes(30)))
struct WrongFutureTests {
  private static func month(usedOn days: [(text: String, count: Int)], at now: String, found: String?) throws -> (
    used: Int, ends: Date, changes: Date?
  ) {
    let snapshot = try snapshot(#", "per": "month""#, "3", usedOn: days, at: now, found: found)
    let decision = snapshot.decision(for: "story")
    return (try #require(decision.used), try #require(decision.resetsAt), snapshot.nextChange)
  }

  /// - Parameter per: The period as a member of the feature, or nothing.
  private static func snapshot(_ per: String, _ grant: String, usedOn days: [(text: String, count: Int)], at now: String, found: String?)
    throws -> Snapshot
  {
    let catalog = try Catalog(
      json: Data(
        (#"{ "schemaVersion": 1, "app": { "id": "app", "name": "App" }, "features": { "story": { "allowance": "count"\#(per) } },"#
          + #" "freeTier": { "grants": { "story": \#(grant) } } }"#).utf8))
    func date(_ text: String) throws -> Date { try #require(ISODate.parse(text, in: Calendar.storeCalendar.timeZone)) }
    var facts: [Fact] = []
    for (index, day) in days.enumerated() {
      let date = try date(day.text)
      facts.append(
        .use(
          Use(
            key: "\(index)", feature: "story", amount: day.count, date: date, day: LocalDay.of(date, in: Calendar.storeCalendar.timeZone),
            zone: "GMT")
        ))
    }
    if let found { facts.append(.time(TimeSeen(correction: 1, latest: try date(found), corrected: try date(found)))) }
    return Snapshot(of: CustomerState(facts), catalog: catalog, at: try date(now))
  }

  @Test("Law 7: it counts in the month of the correction, and again in its own month, and in no other")
  func countsTwice() throws {
    let uses = [("2026-03-10T12:00:00Z", 1), ("2030-05-20T12:00:00Z", 2)]
    let found = "2026-03-15T12:00:00Z"
    let march = try Self.month(usedOn: uses, at: "2026-03-16T12:00:00Z", found: found)
    #expect(march.used == 3 && ISODate.text(march.ends) == "2026-04-01T00:00:00Z")
    for (now, used) in [("2026-04-01T00:00:00Z", 0), ("2027-03-10T00:00:00Z", 0), ("2030-04-30T00:00:00Z", 0), ("2030-05-01T00:00:00Z", 2)]
    {
      #expect(try Self.month(usedOn: uses, at: now, found: found).used == used, "\(now)")
    }
  }

  @Test("Law 7: two days ahead is a traveller, whose month stays; three days are a wrong clock") func travel() throws {
    let now = "2026-03-30T12:00:00Z"
    #expect(ISODate.text(try Self.month(usedOn: [("2026-04-01T12:00:00Z", 1)], at: now, found: nil).ends) == "2026-05-01T00:00:00Z")
    let both = [("2026-02-10T12:00:00Z", 1), ("2026-04-01T12:00:00Z", 1)]
    #expect(ISODate.text(try Self.month(usedOn: both, at: now, found: nil).ends) == "2026-05-01T00:00:00Z")
    let ahead = try Self.month(usedOn: [("2026-04-02T12:00:00Z", 1)], at: now, found: nil)
    #expect(ISODate.text(ahead.ends) == "2026-04-01T00:00:00Z" && ahead.used == 0)
  }

  @Test("Law 8: the answer has the moment from which a day is trusted again") func nextChange() throws {
    let march = try Self.month(usedOn: [("2026-04-01T12:00:00Z", 1)], at: "2026-03-20T12:00:00Z", found: "2026-03-20T12:00:00Z")
    #expect(march.used == 1 && march.changes.map(ISODate.text) == "2026-03-30T00:00:00Z")
  }

  @Test("Law 7: a rolling limit counts it from the correction, and again around its own date, and never between")
  func rolling() throws {
    let (uses, found) = ([("2027-03-01T12:00:00Z", 3)], "2026-03-02T12:00:00Z")
    func count(_ now: String) throws -> Int? {
      try Self.snapshot(#", "per": "P7D""#, "3", usedOn: uses, at: now, found: found).decision(for: "story").used
    }
    #expect(try count("2026-03-02T12:00:00Z") == 3 && count("2026-03-09T11:59:59Z") == 3)
    #expect(try count("2026-03-09T12:00:00Z") == 0 && count("2027-02-26T23:59:59Z") == 0)
    #expect(try count("2027-02-27T00:00:00Z") == 3 && count("2027-03-08T11:59:59Z") == 3 && count("2027-03-08T12:00:00Z") == 0)
    let between = try Self.snapshot(#", "per": "P7D""#, "3", usedOn: uses, at: "2026-03-10T00:00:00Z", found: found)
    #expect(between.nextChange.map(ISODate.text) == "2027-02-27T00:00:00Z", "law 8")
    let unknown = try Self.snapshot(#", "per": "P7D""#, "3", usedOn: uses, at: "2026-03-10T00:00:00Z", found: nil)
    #expect(unknown.decision(for: "story").used == 0, "a use that another device dated is of its own time")
  }

  @Test("Law 6: it does not move the day of later uses, also where only the grant has a period", arguments: ["", #", "per": "day""#])
  func dayOfLaterUses(per: String) throws {
    let snapshot = try Self.snapshot(
      per, #"{ "limit": 3, "per": "day" }"#, usedOn: [("2027-03-01T12:00:00Z", 1)], at: "2026-03-05T12:00:00Z",
      found: "2026-03-02T12:00:00Z")
    let metering = try #require(snapshot.metering(AccessRequest("story"), at: snapshot.date))
    #expect(metering.day == LocalDay.of(snapshot.date, in: Calendar.storeCalendar.timeZone))
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools
import Testing

@testable import MonetizeReports

/// What another catalog would have refused of a log.
@Suite("Replay", .timeLimit(.minutes(30)))
struct ReplayTests {
  private static let utc = Calendar.storeCalendar.timeZone

  private func date(_ text: String) -> Date { ISODate.parse(text + "Z", in: Self.utc) ?? .distantPast }

  private func event(
    _ name: MonetizeEvent.Name, _ at: String, _ customer: String = "c", _ change: (inout EventRecord) -> Void = { _ in }
  ) -> EventRecord {
    var record = EventRecord(name, at: date(at), customer: customer)
    if name == .used || name == .usageLimitReached { record.feature = "story" }
    change(&record)
    return record
  }

  /// A month's stories: as many as are free, and as a plan and a pack give.
  private func catalog(free: Int = 3, plan: String = #""unlimited""#) throws -> Catalog {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": \#(free), "play": "PT30M" } },
        "features": { "story": { "title": "Stories", "allowance": "count", "per": "month" }, "export": {},
          "play": { "title": "Play", "allowance": "duration", "per": "day" } },
        "products": [
          { "kind": "subscription", "id": "m", "name": "M", "group": "g", "level": 1, "period": "P1M", "grants": { "story": \#(plan) } },
          { "kind": "consumable", "id": "ten", "name": "Ten", "credits": { "story": 10 } }] }
      """#
    return try Catalog(json: Data(json.utf8))
  }

  private func row(_ events: [EventRecord], _ catalog: Catalog, zone: TimeZone = Self.utc, feature: FeatureID = "story") throws
    -> Replay.Row
  {
    try #require(Replay(EventLog(events), catalog, zone: zone).rows.first { $0.feature == feature })
  }

  // MARK: Laws

  @Test(
    "Under the catalog that was played, a population is refused what it was refused",
    arguments: ["magical-stories", "dozzi"], [1, 2, 3, 4] as [UInt64])
  func same(app: String, seed: UInt64) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let json = try Data(contentsOf: root.appendingPathComponent("Products/\(app).json"))
    let behaviour = #"{ "conversion": "0.3", "refunds": "0.1", "uses": { "story": { "free": "3.5", "paid": "6" } } }"#
    var options = Population.Options()
    (options.customers, options.months, options.seed) = (300, 6, seed)
    let catalog = try Population.catalog(json, behaviour: Data(behaviour.utf8))
    let played = try Population(catalog, options)
    let row = try row(played.events, catalog)
    #expect(row.refusedInLog == played.months.reduce(0) { $0 + $1.denials } && row.refusedInLog > 100)
    #expect(row.refusedNow == row.refusedInLog && row.customersNow == row.customersInLog)
  }

  @Test("Of free customers, each month refuses what is above the limit, counted a second time; a higher limit never refuses more")
  func counted() throws {
    var random = SplitMix64(seed: 9)
    let start = date("2026-01-01T00:00:00")
    let events = (0..<4000).map { _ in
      var record = EventRecord(
        Int.random(in: 0..<5, using: &random) == 0 ? .usageLimitReached : .used,
        at: start + Double(Int.random(in: 0..<120 * 86400, using: &random)), customer: "c\(Int.random(in: 0..<300, using: &random))")
      record.feature = "story"
      return record
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = Self.utc
    let months = Dictionary(grouping: events) { "\($0.customer ?? "") \(calendar.component(.month, from: $0.at))" }.mapValues(\.count)
    var before = Int.max
    for limit in 1...8 {
      let row = try row(events, catalog(free: limit))
      #expect(row.requests == 4000 && row.refusedNow == months.values.reduce(0) { $0 + max(0, $1 - limit) })
      let over = Set(months.filter { $0.value > limit }.map { String($0.key.split(separator: " ")[0]) })
      #expect(row.customersNow == over && row.refusedNow <= before)
      before = row.refusedNow
    }
  }

  // MARK: Purchases

  @Test("A plan opens from its purchase to its end, through renewals, and not after a refund; a reversal opens it again") func plans()
    throws
  {
    let buy = event(.purchaseCompleted, "2026-01-05T00:00:00") {
      ($0.product, $0.transaction, $0.until) = ("m", "1", date("2026-02-05T00:00:00"))
    }
    let renewal = event(.subscriptionRenewed, "2026-02-05T00:00:00") {
      ($0.product, $0.transaction, $0.until) = ("m", "2", date("2026-03-05T00:00:00"))
    }
    let refund = event(.purchaseRevoked, "2026-02-10T00:00:00") {
      ($0.product, $0.transaction, $0.until) = ("m", "2", date("2026-02-10T00:00:00"))
    }
    let reversal = event(.purchaseReinstated, "2026-02-20T00:00:00") { ($0.product, $0.transaction) = ("m", "2") }
    let uses = { (day: String) in event(.used, "2026-\(day)T12:00:00") }
    func refused(_ events: [EventRecord]) throws -> Int { try row(events, catalog(free: 0)).refusedNow }
    #expect(try refused([buy, uses("01-04"), uses("01-06"), uses("02-04"), uses("02-06")]) == 2)
    #expect(try refused([buy, renewal, uses("02-06"), uses("03-04"), uses("03-06")]) == 1)
    #expect(try refused([buy, renewal, refund, uses("02-06"), uses("02-11"), uses("02-21")]) == 2)
    #expect(try refused([buy, renewal, refund, reversal, uses("02-06"), uses("02-11"), uses("02-21")]) == 1)
    // Other customers have no part in it.
    #expect(try refused([buy, event(.used, "2026-01-06T00:00:00", "d")]) == 1)
  }

  @Test("A purchase without an id and an end counts by the catalog's period; a revocation without an id is of the last one") func bare()
    throws
  {
    let buy = event(.purchaseCompleted, "2026-01-05T00:00:00") { $0.product = "m" }
    let refund = event(.purchaseRevoked, "2026-01-20T00:00:00") { $0.product = "m" }
    let uses = ["01-06", "01-21", "02-06"].map { event(.used, "2026-\($0)T12:00:00") }
    #expect(try row([buy] + uses, catalog(free: 0)).refusedNow == 1)
    #expect(try row([buy, refund] + uses, catalog(free: 0)).refusedNow == 2)
  }

  @Test("Credits are used up, and a paid limit refuses owners as well") func credits() throws {
    let buy = event(.purchaseCompleted, "2026-01-05T00:00:00") { ($0.product, $0.transaction) = ("ten", "1") }
    let uses = (10..<25).map { event(.used, "2026-01-\($0)T12:00:00") }
    #expect(try row([buy] + uses, catalog(free: 3)).refusedNow == 2)
    let plan = event(.purchaseCompleted, "2026-01-05T00:00:00") { ($0.product, $0.transaction) = ("m", "1") }
    #expect(try row([plan] + uses, catalog()).refusedNow == 0)
    #expect(try row([plan] + uses, catalog(plan: "9")).refusedNow == 6)
  }

  @Test("Paid uses without a purchase in the log are left out; with one of a product that the catalog no longer has, they are refused")
  func leftOut() throws {
    let uses = (1...5).map { event(.used, "2026-01-0\($0)T12:00:00") { $0.paid = true } }
    let alone = Replay(EventLog(uses), try catalog(), zone: Self.utc)
    #expect(alone.rows.isEmpty && alone.leftOut == 5)
    #expect(alone.text.hasSuffix("\n5 uses of purchases that are not in the log are left out.\n"))
    let gone = event(.purchaseCompleted, "2026-01-01T00:00:00") { ($0.product, $0.transaction) = ("gone", "1") }
    let replay = Replay(EventLog([gone] + uses), try catalog(), zone: Self.utc)
    #expect(replay.leftOut == 0 && replay.rows.map(\.refusedNow) == [2])
  }

  @Test("Customers have the arms of their exposures, the first ones; an ended experiment gives all its arm") func arms() throws {
    func catalog(_ more: String = "") throws -> Catalog {
      let json = #"""
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 3 } },
          "features": { "story": { "allowance": "count" } }, "products": [],
          "experiments": { "limit": { \#(more)"arms": [{ "id": "three", "weight": 0.5 },
            { "id": "one", "weight": 0.5, "set": { "freeTier": { "grants": { "story": 1 } } } }] } } }
        """#
      return try Catalog(json: Data(json.utf8))
    }
    func exposed(_ customer: String, _ arm: String, _ day: String) -> EventRecord {
      event(.experimentExposed, "2026-01-\(day)T00:00:00", customer) { ($0.experiment, $0.arm) = ("limit", arm) }
    }
    let uses = ["ann", "ben", "eve"].flatMap { name in (2...4).map { event(.used, "2026-01-0\($0)T12:00:00", name) } }
    let log = EventLog([exposed("ann", "one", "01"), exposed("ben", "three", "01"), exposed("ben", "one", "03")] + uses)
    func refused(_ catalog: Catalog, appliesArms: Bool = true) -> [Set<String>] {
      Replay(log, catalog, zone: Self.utc, appliesArms: appliesArms).rows.map(\.customersNow)
    }
    #expect(try refused(catalog()) == [["ann"]])
    #expect(try refused(catalog(), appliesArms: false) == [[]])
    #expect(try refused(catalog(#""stopped": "one", "#)) == [["ann", "ben", "eve"]])
  }

  @Test("A population with experiments is refused what it was refused", arguments: [1, 2] as [UInt64]) func experiments(seed: UInt64) throws
  {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 3 } },
        "features": { "story": { "allowance": "count", "per": "month" } },
        "products": [{ "kind": "nonConsumable", "id": "p", "name": "P", "price": { "amount": "2.00", "currency": "USD" }, "grants": { "story": 9 } }],
        "experiments": { "limit": { "coverage": 0.8, "arms": [{ "id": "three", "weight": 0.5 },
          { "id": "five", "weight": 0.5, "set": { "freeTier": { "grants": { "story": 5 } } } }] } },
        "forecast": { "x": { "conversion": "0.2", "uses": { "story": { "free": "5.5", "paid": "8.5" } } } } }
      """#
    var options = Population.Options()
    (options.customers, options.months, options.seed) = (400, 3, seed)
    let catalog = try Catalog(json: Data(json.utf8))
    let played = try Population(catalog, options)
    let row = try row(played.events, catalog)
    #expect(row.refusedInLog > 300 && row.refusedNow == row.refusedInLog && row.customersNow == row.customersInLog)
  }

  // MARK: Requests

  @Test("A child has the uses of a child") func children() throws {
    let events = ["max", "mia"].flatMap { child in
      (1...4).map { event(.used, "2026-01-0\($0)T12:00:00") { $0.child = SubjectID(child) } }
    }
    #expect(try row(events, catalog()).refusedNow == 2)
    #expect(
      try row(
        events.map {
          var own = $0; own.child = nil; return own
        }, catalog()
      ).refusedNow == 5)
  }

  @Test("Days and months begin in the given zone") func zones() throws {
    let events = [event(.used, "2026-01-31T12:00:00"), event(.used, "2026-01-31T23:30:00")]
    #expect(try row(events, catalog(free: 1)).refusedNow == 1)
    #expect(try row(events, catalog(free: 1), zone: TimeZone(identifier: "Europe/Berlin") ?? .gmt).refusedNow == 0)
  }

  @Test("Several uses at once are allowed together or not at all; time is allowed until it is used up") func amounts() throws {
    let two = (1...2).map { event(.used, "2026-01-0\($0)T12:00:00") { $0.count = 2 } }
    #expect(try row(two, catalog()).refusedNow == 1 && row(two, catalog(free: 4)).refusedNow == 0)
    let play = (0..<3).map { hour in
      event(.used, "2026-01-01T1\(hour):00:00") { ($0.feature, $0.count) = ("play", 1200) }
    }
    #expect(try row(play, catalog(), feature: "play").refusedNow == 1, "20 minutes, 20 minutes of which 10 are left, none")
  }

  @Test("Under its own catalog, an app that asks for several uses and for lengths of time is refused exactly what it was refused")
  func ownLog() async throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 7, "play": "PT30M" } }, "events": {},
        "features": { "story": { "allowance": "count", "per": "week" }, "play": { "allowance": "duration", "per": "day" } } }
      """#
    let catalog = try Catalog(json: Data(json.utf8))
    let (sink, clock) = (MemoryEventSink(), ManualClock(date("2026-01-01T00:00:00")))
    let monetizer = Monetizer(catalog: catalog) {
      ($0.sinks, $0.time, $0.startsByItself, $0.zone) = ([.local(sink.receive)], clock, false, { Self.utc })
    }
    await monetizer.start()
    var random = SplitMix64(seed: 4)
    var refused: [FeatureID: Int] = [:]
    for _ in 0..<400 {
      clock.advance(to: clock.now + Double(Int.random(in: 0..<20_000, using: &random)))
      let feature: FeatureID = Bool.random(using: &random) ? "story" : "play"
      let count = Int.random(in: 1...(feature == "story" ? 4 : 900), using: &random)
      do throws(AccessDenied) { try await monetizer.spend(feature, count: count) } catch { refused[feature, default: 0] += 1 }
    }
    for feature: FeatureID in ["story", "play"] {
      let row = try row(sink.events, catalog, feature: feature)
      #expect(row.refusedInLog == refused[feature] && row.refusedInLog > 20 && row.requests > row.refusedInLog)
      #expect(row.refusedNow == row.refusedInLog, "\(feature)")
    }
  }

  @Test("A request for a part is one of its whole, by the terms of the part") func parts() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 3 } },
        "features": { "story": { "allowance": "count", "aliases": ["tale"] }, "long": { "of": "story", "atLeast": 5 } }, "products": [] }
      """#
    let events = ["story", "long", "tale"].enumerated().map { day, name in
      event(name == "long" ? .usageLimitReached : .used, "2026-01-0\(day + 1)T12:00:00") { $0.feature = FeatureID(name) }
    }
    let row = try row(events, Catalog(json: Data(json.utf8)))
    #expect(row.requests == 3 && row.refusedInLog == 1 && row.refusedNow == 1)
    #expect(
      try self.row(events, Catalog(json: Data(json.replacingOccurrences(of: "\"story\": 3", with: "\"story\": 1").utf8))).refusedNow == 2)
  }

  @Test("What no limit counts and what the catalog does not have are no requests") func others() throws {
    let events = [
      event(.used, "2026-01-01T12:00:00") { $0.feature = "export" }, event(.used, "2026-01-01T12:00:00") { $0.feature = "gone" },
    ]
    let replay = Replay(EventLog(events), try catalog(), zone: Self.utc)
    #expect(replay.rows.isEmpty && replay.text.contains("The log has no request for a feature of this catalog that is counted."))
    #expect(replay.text.contains("1 feature of the log is not in the catalog: gone."))
    #expect(Replay(EventLog([]), try catalog(), zone: Self.utc).text.contains("The log is empty."))
  }

  // MARK: The report

  @Test("The report has the numbers of requests and of customers, who is refused now, and who no longer is") func report() throws {
    let ann = (1...4).map { event($0 == 4 ? .usageLimitReached : .used, "2026-01-0\($0)T12:00:00", "ann") }
    let ben = (1...3).map { event(.used, "2026-01-0\($0)T12:00:00", "ben") }
    let log = EventLog(ann + ben)
    #expect(
      Replay(log, try catalog(free: 2), zone: Self.utc).text == """
        A
        7 events of 2 customers, 2026-01-01 to 2026-01-04.

        Requests
          feature  requests  refused in the log  refused now  customers refused in the log  customers refused now
          Stories         7                   1            3                             1                      2

        Stories: 1 more customer is refused.

        """)
    let more = Replay(log, try catalog(free: 4), zone: Self.utc)
    #expect(more.text.contains("\nStories: 1 customer is no longer refused.\nAfter a refusal, customers stop asking: "))
    #expect(more.html.contains("<title>A: replay</title>") && more.html.contains("Stories: 1 customer is no longer refused."))
    let json = try #require(JSONSerialization.jsonObject(with: Data(more.json.utf8)) as? [String: Any])
    let feature = try #require((json["features"] as? [[String: Any]])?.first)
    #expect(feature["requests"] as? Int == 7 && feature["refusedInLog"] as? Int == 1 && feature["refusedNow"] as? Int == 0)
    #expect(feature["customersNoLongerRefused"] as? Int == 1 && feature["customersNewlyRefused"] as? Int == 0)
    #expect(json["leftOut"] as? Int == 0 && (json["notes"] as? [String])?.count == 2)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// What the periods of plans and passes mean for limits and for the state of a product.
@Suite(.timeLimit(.minutes(30)))
struct PeriodTests {
  private func date(_ text: String) throws -> Date { try #require(ISODate.parse(text, in: Calendar.storeCalendar.timeZone)) }

  @Test("An hour is one of a day, and a minute one of an hour, in every written time", arguments: ["24:00", "30:00", "12:60", "12:00:60"])
  func impossibleTimes(time: String) {
    #expect(ISODate.parse("2026-03-01T\(time)Z", in: Calendar.storeCalendar.timeZone) == nil)
    #expect(ISODate.parse("2026-03-01T23:59:59Z", in: Calendar.storeCalendar.timeZone) != nil)
  }

  private func catalog(_ product: String) throws -> Catalog {
    try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": { "allowance": "count", "per": { "anchored": "P1M" } } },
          "products": [{ \(product), "id": "p", "name": "P", "grants": { "f": 5 } }] }
        """.utf8))
  }

  private func period(_ id: TransactionID, _ from: String, _ to: String, chain: TransactionID = "1", isTrial: Bool = false) throws -> Fact {
    .transaction(
      StoreTransaction(
        id: id, originalID: chain, productID: "p", purchaseDate: try date(from), expirationDate: try date(to),
        offer: isTrial ? .init(type: .introductory, mode: .freeTrial) : nil, signed: try date(from)))
  }

  @Test("Law 6: a plan that began on the 31st gives its monthly amount once between two renewals, also after a shorter month")
  func shortMonths() throws {
    let plan = try catalog(#""kind": "subscription", "group": "g", "level": 1, "period": "P1M""#)
    let facts = [
      try period("1", "2026-01-31T12:00:00Z", "2026-02-28T12:00:00Z"), try period("2", "2026-02-28T12:00:00Z", "2026-03-31T11:00:00Z"),
      try period("3", "2026-03-31T11:00:00Z", "2026-04-30T11:00:00Z"),
    ]
    func left(_ periods: Int, at text: String, usedAt uses: String...) throws -> Int? {
      let used = try uses.enumerated().map { number, text in
        Fact.use(
          Use(
            key: "\(number)", feature: "f", amount: 5, date: try date(text), day: Int(try date(text).timeIntervalSince1970 / 86400),
            zone: "UTC"))
      }
      let now = try date(text)
      return Snapshot(of: CustomerState(facts.prefix(periods) + used), catalog: plan, at: now).decision(for: "f").remaining
    }
    #expect(try left(1, at: "2026-02-27T12:00:00Z", usedAt: "2026-02-01T12:00:00Z") == 0)
    #expect(try left(2, at: "2026-02-28T12:00:00Z", usedAt: "2026-02-01T12:00:00Z") == 5)
    #expect(try left(2, at: "2026-03-28T12:00:00Z", usedAt: "2026-02-28T12:00:00Z") == 0)
    #expect(try left(2, at: "2026-03-31T10:59:59Z", usedAt: "2026-02-28T12:00:00Z") == 0)
    #expect(try left(3, at: "2026-03-31T12:00:00Z", usedAt: "2026-02-28T12:00:00Z") == 5)
    #expect(try left(3, at: "2026-04-30T10:59:59Z", usedAt: "2026-04-01T12:00:00Z") == 0)
  }

  @Test("A plan that lapsed and began again counts from its new beginning, and a trial does not move the day of the plan after it")
  func newRuns() throws {
    let plan = try catalog(#""kind": "subscription", "group": "g", "level": 1, "period": "P1M""#)
    func anchors(_ facts: [Fact], at now: String) throws -> [Date] {
      let transactions = CustomerState(facts).transactions.values
      let history = ProductHistory(product: "p", transactions: Array(transactions))
      return try #require(plan.product("p")).kind.ownership(from: history, at: try date(now)).since
    }
    let lapsed = [
      try period("1", "2026-01-31T12:00:00Z", "2026-02-28T12:00:00Z"), try period("2", "2026-02-28T18:00:00Z", "2026-03-28T18:00:00Z"),
    ]
    #expect(try anchors(lapsed, at: "2026-03-01") == [try date("2026-02-28T18:00:00Z")])
    let again = [
      try period("1", "2026-01-31T12:00:00Z", "2026-02-28T12:00:00Z"),
      try period("2", "2026-02-28T12:00:00Z", "2026-03-28T12:00:00Z", chain: "2"),
    ]
    #expect(try anchors(again, at: "2026-03-01") == [try date("2026-02-28T12:00:00Z")])
    let trial = [
      try period("1", "2026-01-31T12:00:00Z", "2026-02-28T12:00:00Z", isTrial: true),
      try period("2", "2026-02-28T12:00:00Z", "2026-03-31T12:00:00Z"),
    ]
    #expect(try anchors(trial, at: "2026-03-01") == [try date("2026-01-31T12:00:00Z")])
    // The evening of the last day of February in Pacific time: the trial's month ends there on 28 March.
    let pacific = [
      try period("1", "2026-03-01T05:00:00Z", "2026-03-29T04:00:00Z", isTrial: true),
      try period("2", "2026-03-29T04:00:00Z", "2026-04-29T04:00:00Z"),
    ]
    #expect(try anchors(pacific, at: "2026-04-01") == [try date("2026-03-01T05:00:00Z")])
    let week = [
      try period("1", "2026-01-31T12:00:00Z", "2026-02-07T12:00:00Z", isTrial: true),
      try period("2", "2026-02-07T12:00:00Z", "2026-03-07T12:00:00Z"), try period("3", "2026-03-07T12:00:00Z", "2026-04-07T12:00:00Z"),
    ]
    #expect(try anchors(week, at: "2026-03-01") == [try date("2026-02-07T12:00:00Z")])
    #expect(try anchors(week, at: "2026-04-01") == [try date("2026-02-07T12:00:00Z")])
  }

  @Test(
    "A limit counted from the purchase does not start again at a renewal, whatever the lengths of both",
    arguments: [("P1M", "P1Y", 12), ("P1W", "P1M", 4), ("P1M", "P1M", 1)])
  func renewals(plan: String, per: String, periods: Int) throws {
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": { "allowance": "count", "per": { "anchored": "\(per)" } } },
          "products": [{ "kind": "subscription", "group": "g", "level": 1, "period": "\(plan)", "id": "p", "name": "P", "grants": { "f": 3 } }] }
        """.utf8))
    let (start, calendar) = (try date("2026-01-31T05:00:00Z"), Calendar.storeCalendar)
    let (length, span) = (try #require(Period(plan)), try #require(Period(per)))
    var facts: [Fact] = []
    for number in 0..<periods + 1 {
      let begin = length.added(to: start, times: number, in: calendar)
      facts.append(
        .transaction(
          StoreTransaction(
            id: TransactionID("\(number)"), originalID: "0", productID: "p", purchaseDate: begin,
            expirationDate: length.added(to: start, times: number + 1, in: calendar), signed: begin)))
      let now = begin + 3600
      let decision = Snapshot(of: CustomerState(facts), catalog: catalog, at: now).decision(for: "f")
      let isNext = now >= span.added(to: start, in: calendar)
      #expect(
        decision.isAllowed == (number == 0 || isNext) && decision.resetsAt == span.added(to: start, times: isNext ? 2 : 1, in: calendar))
      if decision.isAllowed { facts.append(used("f", 3, at: now, key: "\(number)")) }
      if isNext { break }
    }
  }

  @Test("A pass that ran out is expired, although a later one was refunded before; a refund that took access away is a revocation")
  func refundedPass() throws {
    let pass = try catalog(#""kind": "nonRenewing", "period": "P30D""#)
    func state(refund: String?, at now: String, _ purchases: String...) throws -> ProductState? {
      let facts = try purchases.enumerated().map { number, text in
        var transaction = StoreTransaction(id: TransactionID("\(number)"), productID: "p", purchaseDate: try date(text))
        if number == purchases.count - 1, let refund { transaction.revocation = .init(date: try date(refund), reason: .other) }
        return Fact.transaction(transaction)
      }
      return Snapshot(of: CustomerState(facts), catalog: pass, at: try date(now)).status(of: "p")?.state
    }
    #expect(try state(refund: "2026-03-12", at: "2026-03-20", "2026-03-01", "2026-03-11") == .active)
    #expect(try state(refund: "2026-03-12", at: "2026-04-02", "2026-03-01", "2026-03-11") == .expired)
    #expect(try state(refund: "2026-04-05", at: "2026-04-06", "2026-03-01", "2026-03-11") == .revoked)
    #expect(try state(refund: "2026-03-31", at: "2026-04-06", "2026-03-01", "2026-03-11") == .revoked)
    #expect(try state(refund: "2026-03-30T23:59:59Z", at: "2026-04-06", "2026-03-01", "2026-03-11") == .expired)
    #expect(try state(refund: "2026-03-02", at: "2026-03-02", "2026-03-01") == .revoked)
    #expect(try state(refund: nil, at: "2026-04-02", "2026-03-01") == .expired)
  }

  @Test("A length is added several times from one date, with its seconds as well") func repeated() throws {
    let start = try date("2026-01-31T12:00:00Z")
    let length = Period(months: 1, days: 1, seconds: 90)
    #expect(length.added(to: start, times: 3, in: .storeCalendar) == (try date("2026-05-03T12:04:30Z")))
  }

  @Test("Of several ends, the last counts, before it and after it") func lastEnd() throws {
    let (first, second) = (try date("2026-03-01"), try date("2026-04-01"))
    for all in [[first, second], [second, first]] {
      let owned = all.map { Ownership.until($0) }
      #expect(Ownership.latest(of: owned, at: first - 1).until == second && Ownership.latest(of: owned, at: first).isActive)
      #expect(Ownership.latest(of: owned, at: second).until == second && !Ownership.latest(of: owned, at: second).isActive)
    }
  }

  @Test("What ends prevents no other purchase, unless its kind says so; what is owned for ever does") func preventsPurchase() {
    let end = Date(timeIntervalSince1970: 0)
    #expect(!Ownership.until(end).preventsPurchase && !Ownership.none.preventsPurchase)
    #expect(Ownership.forever.preventsPurchase && Ownership.until(end).preventingPurchase(true).preventsPurchase)
  }

  @Test("A length is written to JSON as it is read: as ISO 8601", arguments: ["P1Y2M3D", "PT30M", "P7D"]) func json(text: String) throws {
    let data = try JSONEncoder().encode([try #require(Period(text))])
    #expect(String(bytes: data, encoding: .utf8) == "[\"\(text)\"]")
    #expect(try JSONDecoder().decode([Period].self, from: data) == [Period(text)])
  }
}

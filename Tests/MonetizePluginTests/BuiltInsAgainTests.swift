// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTesting
import Testing

/// Checks that the protocols suffice: each built-in is written again under another name, with public API only, and gives the same answers.
@Suite(.timeLimit(.minutes(30)))
struct BuiltInsAgainTests {
  static let start = Date(timeIntervalSince1970: 1_772_366_400)  // 2026-03-01T12:00:00Z
  static let day: TimeInterval = 86400

  private static func catalog(again: Bool) throws -> Catalog {
    let (count, seats, tokens, plan) =
      again ? ("test.perMonth", "test.seats", "test.tokens", "test.plan") : ("count", "capacity", "consumable", "subscription")
    return try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" },
          "features": { "story": { "allowance": "\(count)"\(again ? "" : ", \"per\": \"month\"") }, "profiles": { "allowance": "\(seats)" }, "extra": {} },
          "freeTier": { "grants": { "story": 3, "profiles": 1 } },
          "products": [
            { "kind": "\(tokens)", "id": "ten", "name": "Ten", "credits": { "story": 10 } },
            { "kind": "\(plan)", "id": "month", "name": "Month", "group": "g", "level": 1, "period": "P1M",
              "grants": { "story": "unlimited", "profiles": 5, "extra": true } }] }
        """.utf8),
      kinds: .standard.adding(Tokens.self).adding(Plan.self), shapes: .standard.adding(CountPerMonth.self).adding(Seats.self))
  }

  private static func use(_ key: String, day: Double, amount: Int = 1, credits: Int = 0) -> Fact {
    let date = start + day * Self.day
    return .use(
      Use(
        key: key, feature: "story", amount: amount, date: date, day: Int(date.timeIntervalSince1970 / Self.day), zone: "GMT",
        credits: credits))
  }

  private static func renewal(_ state: RenewalInfo.State, willRenew: Bool = true, grace: Double? = nil, signed: Double) -> Fact {
    .renewal(
      RenewalInfo(
        originalID: "m", productID: "month", state: state, willRenew: willRenew, graceUntil: grace.map { start + $0 * day },
        retryUntil: start + 90 * day, signed: start + signed * day))
  }

  private static let month = Fact.transaction(
    StoreTransaction(id: "m", productID: "month", purchaseDate: start, expirationDate: start + 31 * day))
  private static let trial = Fact.transaction(
    StoreTransaction(
      id: "m", productID: "month", purchaseDate: start, expirationDate: start + 7 * day,
      offer: .init(type: .introductory, mode: .freeTrial)))
  private static let tens = Fact.transaction(StoreTransaction(id: "t", productID: "ten", purchaseDate: start, quantity: 2))

  static let histories: [[Fact]] = [
    [], [use("a", day: 0), use("b", day: 1)], [use("a", day: 0, amount: 3)], [use("a", day: 0, amount: 3), use("c", day: 40, amount: 2)],
    [tens, use("a", day: 0, amount: 3), use("b", day: 1, amount: 4, credits: 4)], [month], [month, renewal(.subscribed, signed: 0)],
    [month, renewal(.subscribed, willRenew: false, signed: 2)], [month, renewal(.inGracePeriod, grace: 47, signed: 31)],
    [month, renewal(.inBillingRetry, signed: 31)], [trial, renewal(.subscribed, signed: 0)], [month, tens, use("a", day: 2, amount: 9)],
  ]

  @Test("An app's own count, capacity, credits and subscription answer like the built-in ones", arguments: histories)
  func same(facts: [Fact]) throws {
    let (own, builtIn) = (try Self.catalog(again: true), try Self.catalog(again: false))
    let requests = [
      AccessRequest("story"), AccessRequest("story", count: 4), AccessRequest("profiles"), AccessRequest("profiles", held: 1),
      AccessRequest("profiles", held: 5), AccessRequest("extra"),
    ]
    for day in [0, 3, 7, 10, 30.9, 31.1, 45, 60, 400] as [Double] {
      for store in [StoreKnowledge.answered, .answered(at: Self.start + 5 * Self.day), .waiting] {
        let (now, situation) = (Self.start + day * Self.day, Situation(store: store))
        let one = Snapshot(of: CustomerState(facts), catalog: own, situation: situation, at: now)
        let other = Snapshot(of: CustomerState(facts), catalog: builtIn, situation: situation, at: now)
        for request in requests {
          let (mine, its) = (one.decision(for: request), other.decision(for: request))
          #expect(mine == its, "day \(day): \(request)")
          #expect(
            mine.text(for: own.feature(request.feature), zone: Calendar.storeCalendar.timeZone)
              == its.text(for: builtIn.feature(request.feature), zone: Calendar.storeCalendar.timeZone))
        }
        #expect(one.products == other.products)
        #expect(one.nextChange == other.nextChange)
      }
    }
  }

  @Test("A renewing plan prevents another purchase, and one in a grace period does not") func preventing() throws {
    let catalog = try Self.catalog(again: true)
    func status(_ facts: [Fact], _ day: Double) -> ProductStatus? {
      Snapshot(of: CustomerState(facts), catalog: catalog, at: Self.start + day * Self.day).status(of: "month")
    }
    #expect(status([Self.month, Self.renewal(.subscribed, signed: 0)], 3)?.preventsPurchase == true)
    #expect(status([Self.month, Self.renewal(.inGracePeriod, grace: 47, signed: 31)], 40)?.preventsPurchase == false)
    #expect(status([Self.month, Self.renewal(.inGracePeriod, grace: 47, signed: 31)], 40)?.state == .grace)
  }

  @Test("An author creates a context and reads it: uses by month, the period's end, purchases and completions") func context() {
    let uses = [1, 2, 3].map { number in
      Use(
        key: "\(number)", feature: "story", date: Self.start + Double(number) * Self.day,
        day: Int(Self.start.timeIntervalSince1970 / Self.day) + number, zone: "GMT")
    }
    let context = AllowanceContext(
      now: Self.start + 5 * Self.day, usage: UsageTotals(of: uses), item: CatalogItem(path: "shop/hat", ordinal: 1, coins: 5),
      completed: ["levels/1"], bought: ["shop/hat"], balance: 7)
    let month = context.period(.month)
    #expect(context.used(in: month.days) == 3 && month.end == Date(timeIntervalSince1970: 1_775_001_600))
    #expect(context.uses(since: Self.start + 2 * Self.day).map(\.amount) == [1, 1])
    #expect(context.isCompleted("levels/1") && !context.isCompleted("levels/2"))
    #expect(context.isBought("shop/hat") && context.balance == 7 && context.item?.coins == 5)
    #expect(AllowanceContext(now: Self.start).balance == 0 && AllowanceContext(now: Self.start, balance: -3).balance == 0)
    let verdict = CountPerMonth.Grant(limit: 4).judge(AccessRequest("story", count: 2), in: context)
    #expect(!verdict.isAllowed && verdict.remaining == 1)
  }

  @Test("A use counts on the day of the latest use while the clock is up to two days behind it")
  func dayOfUse() {
    let first = Int(Self.start.timeIntervalSince1970 / Self.day)
    let use = Use(key: "1", feature: "story", date: Self.start + 9 * Self.day, day: first + 9, zone: "GMT")
    func day(_ now: Double, _ unit: CalendarUnit?) -> Int {
      AllowanceContext(now: Self.start + now * Self.day, usage: UsageTotals(of: [use])).today(within: unit).day - first
    }
    for unit: CalendarUnit? in [nil, .month, .year] {
      #expect([6, 7, 8, 9, 10].map { day($0, unit) } == [6, 9, 9, 9, 10])
    }
    #expect([8, 10].map { day($0, .day) } == [9, 10])
  }
}

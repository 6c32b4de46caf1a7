// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Facts that no app makes: from a broken server, a wrong clock, an edited file. They may be useless, but must never stop the app.
@Suite(.timeLimit(.minutes(30)))
struct HostileFactsTests {
  private static let numbers = [Int.min, Int.min + 1, -1, 0, 1, 1 << 41, Int.max - 1, Int.max]
  private static let dates = [-1e300, -1e12, 0, 1e12, 1e300].map { Date(timeIntervalSinceReferenceDate: $0) }

  private func catalog() throws -> Catalog {
    try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" },
          "features": {
            "ever": { "allowance": "count" }, "month": { "allowance": "count", "per": "month" }, "week": { "allowance": "count", "per": "week" },
            "rolling": { "allowance": "count", "per": "P7D" }, "time": { "allowance": "duration", "per": "day" },
            "pass": { "allowance": "count", "per": { "anchored": "P1M" } } },
          "freeTier": { "grants": { "ever": 3, "month": 3, "week": 3, "rolling": 3, "time": "PT1H" } },
          "products": [
            { "kind": "nonConsumable", "id": "p", "name": "P", "grants": { "pass": 3, "month": 9 } },
            { "kind": "consumable", "id": "ten", "name": "Ten", "credits": { "ever": 10 } } ] }
        """.utf8))
  }

  /// Any values that a file can contain, uncorrected by an initializer.
  private func decoded(_ fact: Fact, _ changes: [String: Any]) throws -> Fact {
    let object = try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(fact)) as? [String: [String: Any]])
    let (key, value) = try #require(object.first)
    return try JSONDecoder().decode(
      Fact.self, from: JSONSerialization.data(withJSONObject: [key: value.merging(changes) { $1 }]))
  }

  private func ask(_ facts: [Fact]) throws {
    let catalog = try catalog()
    let state = CustomerState(facts)
    #expect(CustomerState(facts.reversed()) == state)
    for now in [RandomFacts.start] + Self.dates {
      let snapshot = Snapshot(of: state, catalog: catalog, at: now)
      for feature in catalog.features {
        let decision = snapshot.decision(for: AccessRequest(feature.id, count: 2))
        #expect(decision.remaining ?? 0 >= 0 && decision.used ?? 0 >= 0)
      }
    }
  }

  @Test("Amounts, days and dates out of every range stop nothing", arguments: ["ever", "month", "week", "rolling", "time", "pass"])
  func uses(_ feature: String) throws {
    let bought = Fact.transaction(StoreTransaction(id: "1", productID: "p", purchaseDate: RandomFacts.start))
    let base = Fact.use(Use(key: "k", feature: FeatureID(feature), date: RandomFacts.start, day: 20_513, zone: "UTC"))
    for number in Self.numbers {
      for change in [["amount": number], ["day": number], ["amount": 5, "fromCredits": number], ["attempt": number], ["refusals": number]] {
        try ask([bought, base, decoded(base, ["key": "l"].merging(change) { $1 }), decoded(base, ["key": "m"].merging(change) { $1 })])
      }
      let total = Fact.total(ReportedTotal(feature: FeatureID(feature), source: "server", amount: 1, unit: .month, day: 20_513))
      for unit in CalendarUnit.allCases {
        try ask([bought, base, decoded(total, ["day": number, "unit": unit.rawValue])])
        try ask([bought, base, decoded(total, ["amount": number, "unit": unit.rawValue])])
      }
    }
    for date in Self.dates {
      try ask([bought, base, decoded(base, ["key": "l", "date": date.timeIntervalSinceReferenceDate])])
      try ask([bought, base, .time(TimeSeen(correction: .max, latest: date, corrected: date))])
    }
  }

  @Test("Prices, quantities and dates of purchases out of every range stop nothing") func purchases() throws {
    let base = Fact.transaction(StoreTransaction(id: "1", productID: "ten", purchaseDate: RandomFacts.start))
    for number in Self.numbers { try ask([base, decoded(base, ["id": "2", "quantity": number])]) }
    for product: ProductID in ["p", "ten"] {
      for date in Self.dates {
        try ask([.transaction(StoreTransaction(id: "1", productID: product, purchaseDate: date, expirationDate: date))])
      }
    }
    for number in Self.numbers {
      let entry = Fact.wallet(WalletEntry(id: "a", earned: 1))
      try ask([decoded(entry, ["earned": number]), decoded(entry, ["id": "b", "earned": number, "spent": number])])
    }
  }

  @Test("Law 1: one key in two environments is two uses, in the same order for any order of arrival") func order() {
    let uses = [nil, .sandbox, .xcode].map { (world: StoreEnvironment?) in
      Fact.use(Use(key: "k", feature: "ever", date: RandomFacts.start, day: 20_513, zone: "UTC", environment: world))
    }
    for _ in 0..<20 { #expect(CustomerState(uses.shuffled()).facts == CustomerState(uses).facts) }
  }

  @Test("A thousand uses of the largest amount add up without an overflow") func largest() {
    let uses = (0..<1000).map { Use(key: "\($0)", feature: "ever", amount: .max, date: RandomFacts.start, day: 20_513, zone: "UTC") }
    #expect(UsageTotals(of: uses).all == 1000 * Use.unknownAmount)
    // Days are listed as far back as the longest calendar period reaches.
    let old = Use(key: "old", feature: "story", date: RandomFacts.start - 500 * 86400, day: 20_013, zone: "GMT")
    let totals = UsageTotals(of: [old, Use(key: "new", feature: "story", date: RandomFacts.start, day: 20_513, zone: "GMT")])
    #expect(totals.all == 2 && totals.days.map(\.day) == [20_513])
  }
}

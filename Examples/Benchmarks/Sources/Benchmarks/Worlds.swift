// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// Simulates one customer for a long time. The only goal is that twice the time takes about twice as long.
func measureYears(isQuick: Bool) throws -> [Figure] {
  let catalog = try Bench.magicalStories()
  guard let start = ISODate.parse("2026-01-31T10:00:00Z", in: Calendar.storeCalendar.timeZone) else { throw Failure("No start.") }

  func renewals(_ catalog: Catalog, _ plan: ProductID, _ years: Int) -> Int {
    var world = StoreWorld(products: catalog.simulatedProducts, now: start)
    var state = CustomerState()
    var allowed = 0
    func tell(_ event: StoreEvent, _ state: inout CustomerState) {
      for update in event.updates {
        switch update {
        case .transaction(let signed): state.insert(.transaction(signed.transaction))
        case .renewal(let info): state.insert(.renewal(info))
        case .intent, .country: break
        }
      }
    }
    for event in (try? world.purchase(PurchaseRequest(plan), by: "ann"))?.events ?? [] { tell(event, &state) }
    world.advance(to: Period(years: years).added(to: start, in: .storeCalendar)) { event in
      tell(event, &state)
      if Snapshot(of: state, catalog: catalog, at: event.date).status(of: plan)?.isOwned == true { allowed += 1 }
    }
    return allowed
  }
  let monthly = renewals(catalog, Bench.monthly, 10)
  guard monthly >= 119 else { throw Failure("There were \(monthly) renewals.") }

  let long = "10 years monthly, a snapshot at each renewal"
  let weekly = try Catalog(json: Data(weeklyPlan.utf8))
  let (ten, twenty) = ("10 years weekly, a snapshot at each renewal", "20 years weekly, a snapshot at each renewal")
  return Harness.race(rounds: isQuick ? 5 : 15, [Runner(name: long, operations: 1) { renewals(catalog, Bench.monthly, 10) }], goals: [:])
    + Harness.race(
      rounds: isQuick ? 5 : 15,
      [
        Runner(name: ten, operations: 1) { renewals(weekly, "com.example.weekly", 10) },
        Runner(name: twenty, operations: 1) { renewals(weekly, "com.example.weekly", 20) },
      ], goals: [twenty: 2.5])
}

/// A plan with as many renewals as a plan can have, and a limit that counts from the purchase.
private let weeklyPlan = """
  { "schemaVersion": 1, "app": { "id": "com.example.app", "name": "App" }, "features": { "story": { "allowance": "count" } },
    "products": [{ "kind": "subscription", "id": "com.example.weekly", "name": "Weekly", "group": "plans", "level": 1, "period": "P7D",
      "price": { "amount": "1.99", "currency": "USD" }, "grants": { "story": { "limit": 3, "per": { "anchored": "P7D" } } } }] }
  """

/// Simulates very many customers for a year.
func measureWorlds(isQuick: Bool) throws -> [Figure] {
  let catalog = try Bench.magicalStories()
  guard let start = ISODate.parse("2026-01-31T10:00:00Z", in: Calendar.storeCalendar.timeZone) else { throw Failure("No start.") }
  let year = Period(years: 1).added(to: start, in: .storeCalendar)

  func everybody(_ count: Int) -> Int {
    var world = StoreWorld(products: catalog.simulatedProducts, now: start)
    for number in 0..<count { _ = try? world.purchase(PurchaseRequest(Bench.monthly), by: CustomerID("c\(number)")) }
    var events = 0
    world.advance(to: year) { _ in events += 1 }
    return events
  }
  let (few, many) = isQuick ? (1000, 10_000) : (10_000, 100_000)
  // Linear: a customer in a world ten times as large takes at most one and a half times as long (caches, and the queue's logarithm).
  return Harness.race(
    rounds: isQuick ? 2 : 3,
    [few, many].map { count in
      Runner(name: "a year of one among \(count.formatted()) customers", operations: count) { everybody(count) }
    }, goals: ["a year of one among \(many.formatted()) customers": 1.5])
}

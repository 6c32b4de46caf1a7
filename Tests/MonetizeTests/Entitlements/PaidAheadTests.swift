// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// A period that is paid before it begins: the store charged a renewal early.
@Suite("Periods paid ahead", .timeLimit(.minutes(30)))
struct PaidAheadTests {
  private static let day = 86400.0
  private static let start = RandomFacts.start
  private static let end = start + 7 * day

  private static let catalog = """
    { "schemaVersion": 1, "app": { "id": "test.app", "name": "App" },
      "features": { "story": { "title": "Stories", "allowance": "count" }, "export": { "title": "Export" } },
      "products": [{ "kind": "subscription", "id": "month", "name": "Month", "group": "g", "level": 1, "period": "P1M",
        "price": { "amount": "1.99", "currency": "USD" },
        "grants": { "export": true, "story": { "limit": 5, "per": { "anchored": "P1M" } } } }] }
    """

  private static let trial = StoreTransaction(
    id: "t1", productID: "month", purchaseDate: start, expirationDate: end, offer: .init(type: .introductory, mode: .freeTrial))
  private static let paid = StoreTransaction(
    id: "t2", originalID: "t1", productID: "month", purchaseDate: end, expirationDate: end + 31 * day, signed: end - day)

  private func snapshot(_ transactions: [StoreTransaction], used: Int = 0, at date: Date) throws -> Snapshot {
    let uses = (0..<used).map { number in
      Fact.use(Use(key: "\(number)", feature: "story", source: .device, date: Self.start + Self.day, day: 20514, zone: "UTC"))
    }
    return Snapshot(
      of: CustomerState(transactions.map(Fact.transaction) + uses), catalog: try Catalog(json: Data(Self.catalog.utf8)), at: date)
  }

  @Test("Until it begins, the running period defines the status and the remaining amounts; then the new one does") func status() throws {
    let before = try snapshot([Self.trial, Self.paid], used: 4, at: Self.end - 3600)
    let status = try #require(before.status(of: "month"))
    #expect(status.state == .trial && status.expires == Self.end && status.accessUntil == Self.end + 31 * Self.day)
    #expect(before.nextChange == Self.end)
    #expect(before.decision(for: "story").remaining == 1)
    #expect(before.decision(for: "story") == (try snapshot([Self.trial], used: 4, at: Self.end - 3600).decision(for: "story")))
    let after = try snapshot([Self.trial, Self.paid], used: 4, at: Self.end)
    #expect(after.status(of: "month")?.state == .active && after.status(of: "month")?.expires == Self.end + 31 * Self.day)
    #expect(after.decision(for: "story").remaining == 5)
  }

  @Test("A device that receives only this period is not locked out before it begins, and gets no amount of it before") func alone() throws {
    let before = try snapshot([Self.paid], used: 4, at: Self.end - 3600)
    #expect(before.allows("export") && before.decision(for: "story").remaining == 1 && before.nextChange == Self.end)
    #expect(try snapshot([Self.paid], used: 4, at: Self.end).decision(for: "story").remaining == 5)
  }

  @Test("A purchase that a slow clock puts in the future has begun: the store's signature has the true time") func slowClock() throws {
    let bought = StoreTransaction(id: "t1", productID: "month", purchaseDate: Self.start, expirationDate: Self.end)
    let decision = try snapshot([bought], at: Self.start - 300).decision(for: "story")
    #expect(decision.remaining == 5 && decision.resetsAt != nil)
  }

  @Test("Revoked before it begins, it changes nothing of the running period") func takenBack() throws {
    var refunded = Self.paid
    refunded.revocation = .init(date: Self.end - 3600)
    let status = try snapshot([Self.trial, refunded], at: Self.end - 1800).status(of: "month")
    #expect(status?.state == .trial && status?.accessUntil == Self.end)
  }
}

extension Laws {
  /// A renewal that is paid a day before it begins changes no answer until then.
  static func aheadChangesNothing(_ seed: UInt64, _ engine: Engine) throws -> Violation? {
    var world = try RandomWorld(seed: seed, anchored: true)
    guard let product = world.random.pick(world.catalog.products.filter({ $0.subscription != nil })) else { return nil }
    let day = 86400.0
    let end = world.now + Double(Int.random(in: 1...86_399, using: &world.random.random))
    // Limits count through all paid periods of a run, so that only the period after a trial has a beginning of its own.
    let running = StoreTransaction(
      id: "running", productID: product.id, purchaseDate: end - 6 * day, expirationDate: end,
      offer: world.random.chance(70) ? .init(type: .introductory, mode: .freeTrial) : nil)
    let ahead = StoreTransaction(
      id: "ahead", originalID: "running", productID: product.id, purchaseDate: end, expirationDate: end + 7 * day, signed: end - day)
    let facts = world.facts + [.transaction(running)]
    let (before, after) = (engine.snapshot(world, facts), engine.snapshot(world, facts + [.transaction(ahead)]))
    for request in world.requests {
      let (old, new) = (engine.decide(before, request), engine.decide(after, request))
      if old != new { return Violation("\(request) is answered \(new), and was \(old): \(facts)") }
    }
    return before.nextChange == after.nextChange ? nil : Violation("the next change is another")
  }
}

@Suite("The law of periods paid ahead", .timeLimit(.minutes(30)))
struct PaidAheadLawTests {
  @Test("A renewal that is paid a day before it begins changes no answer until then") func law() throws {
    for seed in 0..<UInt64(2_000) {
      if let violation = try Laws.aheadChangesNothing(seed, .real) { Issue.record("seed \(seed): \(violation)") }
    }
  }

  @Test("The law notices an engine that counts from the period ahead") func broken() throws {
    var engine = Engine.real
    engine.fold = { parts in
      Engine.real.fold(
        parts.map { facts in
          facts.map { fact in
            guard case .transaction(var transaction) = fact.sort, transaction.id == "ahead" else { return fact }
            transaction.revision = Revision(transaction.purchaseDate)
            return .transaction(transaction)
          }
        })
    }
    let noticed = try (0..<UInt64(500)).contains { try Laws.aheadChangesNothing($0, engine) != nil }
    #expect(noticed)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeTesting
import Testing

@testable import Monetize

/// Passes and credits: the two kinds that can be bought again.
@Suite(.timeLimit(.minutes(30)))
struct CreditsTests {
  private let now = RandomFacts.start
  private let day: TimeInterval = 86400

  private func catalog(_ products: String, story: String = "\"per\": \"month\"", free: String = "\"story\": 3") throws -> Catalog {
    try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
          "features": { "story": { "allowance": "count", \(story) }, "open": {}, "time": { "allowance": "duration", "per": "day" } },
          "freeTier": { "grants": { \(free) } },
          "products": [\(products)] }
        """.utf8))
  }
  private let ten = """
    { "kind": "consumable", "id": "ten", "name": "10 more", "credits": { "story": 10 } },
    { "kind": "subscription", "id": "plus", "name": "Plus", "group": "g", "level": 2, "period": "P1M", "grants": { "story": 5, "open": true } },
    { "kind": "subscription", "id": "pro", "name": "Pro", "group": "g", "level": 1, "period": "P1M", "grants": { "story": "unlimited", "open": true } }
    """

  private func bought(_ id: TransactionID, _ product: ProductID = "ten", after days: Double = 0, quantity: Int = 1) -> StoreTransaction {
    StoreTransaction(id: id, productID: product, purchaseDate: now + days * day, quantity: quantity)
  }

  private func shop(_ time: TestTime, storage: any StateStorage = .memory, secure: (any StateStorage)? = nil, _ store: ScriptedStore)
    throws -> Monetizer
  {
    Monetizer(catalog: try catalog(ten)) { configuration in
      configuration.store = store
      configuration.storage = storage
      configuration.secureStorage = secure
      configuration.time = time
      configuration.zone = { Calendar.storeCalendar.timeZone }
      configuration.startsByItself = false
    }
  }

  @Test("Law 4: what credits and a plan that may have renewed would allow together is unknown, and has no paywall") func doubt() throws {
    let plus = StoreTransaction(id: "p", productID: "plus", purchaseDate: now - 30 * day, expirationDate: now - 1)
    let facts = CustomerState([.transaction(plus), .transaction(bought("1", after: -1))])
    let situation = Situation(store: .answered(at: now - day))
    let snapshot = Snapshot(of: facts, catalog: try catalog(ten), situation: situation, at: now)
    #expect(snapshot.decision(for: "story").remaining == 13)
    // The plan allows two more.
    for (count, reason) in [(15, Reason.unknown), (16, .limitReached)] {
      let decision = snapshot.decision(for: AccessRequest("story", count: count))
      #expect(decision.reason == reason && (decision.placement == nil) == (reason == .unknown))
    }
  }

  @Test("A pass starts at each purchase, or after the previous pass, and another purchase never shortens it") func passes() throws {
    let purchases = [bought("1", "pass"), bought("2", "pass", after: 3), bought("3", "pass", after: 40)]
    let times = [-1, 0, 3, 9.99, 10, 12.99, 13, 19.99, 20, 40, 49.99, 50, 99].map { now + $0 * day }
    for pass in [NonRenewing(period: Period(days: 10)), NonRenewing(period: Period(days: 10), stacks: true)] {
      for order in [purchases, purchases.reversed(), [purchases[1], purchases[2], purchases[0]]] {
        let report = ProductKindKit(pass, transactions: order, times: times).run()
        #expect(report.passed, "\(report)")
      }
    }
    func end(_ pass: NonRenewing, _ count: Int) -> Date? {
      pass.ownership(from: ProductHistory(product: "pass", transactions: Array(purchases.prefix(count))), at: now + 5 * day).until
    }
    #expect(end(NonRenewing(period: Period(days: 10)), 2) == now + 13 * day)
    #expect(end(NonRenewing(period: Period(days: 10), stacks: true), 2) == now + 20 * day)
  }

  @Test("A pass ends by the clock, announces its end, and can be bought again") func passEnds() throws {
    let catalog = try catalog(
      "{ \"kind\": \"nonRenewing\", \"id\": \"pass\", \"name\": \"Pass\", \"period\": \"P10D\", \"grants\": { \"open\": true } }")
    let state = CustomerState([.transaction(bought("1", "pass"))])
    let held = Snapshot(of: state, catalog: catalog, at: now)
    #expect(held.allows("open") && held.nextChange == now + 10 * day)
    let status = try #require(Snapshot(of: state, catalog: catalog, at: now + 10 * day).status(of: "pass"))
    #expect(status.state == .expired && status.expires == now + 10 * day)
    #expect(Snapshot(of: state, catalog: catalog, at: now + 10 * day).decision(for: "open").unlockedBy == ["pass"])
  }

  @Test("The grant is used first, then credits, which outlast the month") func grantFirst() async throws {
    let time = TestTime()
    let store = ScriptedStore {
      $0.purchase = { request throws(StoreError) in
        .success(
          SignedTransaction(StoreTransaction(id: "1", productID: "ten", purchaseDate: RandomFacts.start, quantity: request.quantity)))
      }
    }
    let monetizer = try shop(time, store)
    await monetizer.start()
    #expect(monetizer.decision(for: "story").credits == nil)
    guard case .completed = try await monetizer.purchase("ten") else { throw Unexpected() }
    #expect(monetizer.decision(for: "story").remaining == 13)
    #expect(monetizer.decision(for: "story").reason == .free)
    try await monetizer.spend("story", count: 5)
    let decision = monetizer.decision(for: "story")
    #expect(decision.isAllowed && decision.reason == .credits && decision.grantedBy == .credits)
    #expect((decision.remaining, decision.credits, decision.used, decision.limit) == (8, 8, 5, 13))
    #expect(monetizer.state.usage.uses.map(\.credits) == [2])
    time.set(time.now + 40 * day)
    #expect(monetizer.decision(for: "story").remaining == 11)
    await #expect(throws: AccessDenied.self) { try await monetizer.spend("story", count: 12) }
    try await monetizer.as(.child("max")).spend("story", count: 11)
    #expect(monetizer.decision(for: "story").remaining == 3, "Max used the family's credits and his own count.")
    #expect(monetizer.snapshot.status(of: "ten")?.isOwned == false)
    #expect(try await monetizer.purchase("ten") != .alreadyOwned)
  }

  @Test("No credit is used while the feature is unlimited, and a plan's end does not turn old uses into used credits") func unlimited()
    async throws
  {
    let time = TestTime()
    let store = ScriptedStore()
    let monetizer = try shop(time, store)
    await monetizer.start()
    await monetizer.receive(.transaction(SignedTransaction(bought("1"))))
    var pro = bought("2", "pro")
    pro.expirationDate = now + 30 * day
    await monetizer.receive(.transaction(SignedTransaction(pro)))
    for _ in 0..<20 { try await monetizer.spend("story") }
    #expect(monetizer.decision(for: "story").credits == 10)
    pro.revocation = .init(date: now + 1)
    pro.revision = Revision(now + 1)
    await monetizer.receive(.transaction(SignedTransaction(pro)))
    #expect(monetizer.decision(for: "story").remaining == 13)
  }

  @Test("A refund revokes credits, the balance is never below 0, and a purchase that would only pay the debt is not offered") func refund()
    throws
  {
    let catalog = try catalog(ten, free: "\"story\": 0")
    var taken = bought("1")
    taken.revocation = .init(date: now)
    let use = Use(key: "k", feature: "story", amount: 10, date: now, day: 20_000, zone: "UTC", credits: 10)
    func decision(_ facts: [Fact]) -> Decision { Snapshot(of: CustomerState(facts), catalog: catalog, at: now).decision(for: "story") }
    #expect(decision([.transaction(bought("1")), .use(use)]).unlockedBy == ["ten", "plus", "pro"])
    let owing = decision([.transaction(taken), .use(use)])
    #expect(owing.remaining == 0 && owing.unlockedBy == ["plus", "pro"])
    #expect(decision([.transaction(taken), .use(use), .transaction(bought("2"))]).remaining == 0)
    #expect(decision([.transaction(taken), .use(use), .transaction(bought("2", quantity: 2))]).remaining == 10)
    #expect(decision([.transaction(bought("1")), .transaction(bought("1")), .transaction(bought("2"))]).remaining == 20)
  }

  @Test("Restoring brings a consumable back only if credits are left") func restore() async throws {
    let time = TestTime()
    let monetizer = try shop(time, ScriptedStore())
    await monetizer.start()
    await monetizer.receive(.transaction(SignedTransaction(bought("1"))))
    #expect(try await monetizer.restorePurchases() == .restored(["ten"]))
    try await monetizer.spend("story", count: 13)
    #expect(try await monetizer.restorePurchases() == .nothingActive)
  }

  @Test("Each is finished once, in this process and the next") func finished() async throws {
    let time = TestTime()
    let storage = MemoryStorage()
    let signed = SignedTransaction(bought("1"))
    let store = ScriptedStore { $0.unfinished = [signed, signed] }
    let first = try shop(time, storage: storage, store)
    await first.start()
    await first.receive(.transaction(signed))
    #expect(store.finished == ["1"])
    let later = ScriptedStore()
    let second = try shop(time, storage: storage, later)
    await second.start()
    #expect(second.decision(for: "story").credits == 10 && later.finished.isEmpty && later.calls("standing") == 0)
  }

  @Test("Credits and their uses survive a reinstallation, because no store lists them") func reinstalled() async throws {
    let time = TestTime()
    let secure = MemoryStorage()
    let first = try shop(time, secure: secure, ScriptedStore())
    await first.start()
    await first.receive(.transaction(SignedTransaction(bought("1"))))
    try await first.spend("story", count: 5)
    let second = try shop(time, secure: secure, ScriptedStore())
    #expect(second.decision(for: "story").credits == 8)
  }

  @Test("Time can also be bought, and a cap still limits it") func time() throws {
    let catalog = try catalog(
      "{ \"kind\": \"consumable\", \"id\": \"hour\", \"name\": \"Hour\", \"credits\": { \"time\": \"PT1H\" } }", free: "\"time\": \"PT10M\""
    )
    let state = CustomerState([.transaction(bought("1", "hour"))])
    #expect(Snapshot(of: state, catalog: catalog, at: now).decision(for: "time").remaining == 4200)
    let capped = CustomerState(state.facts + [.cap(Cap(feature: "time", subject: .customer, amount: "\"PT5M\"", revision: Revision(now)))])
    #expect(Snapshot(of: capped, catalog: catalog, at: now).decision(for: "time").remaining == 300)
  }

  @Test(
    "Invalid credits are refused",
    arguments: [
      ("\"credits\": { \"story\": 10 }, \"expires\": \"P30D\"", "credits-expire"),
      ("\"credits\": { \"story\": 10 }, \"expires\": { \"after\": \"P30D\" }", "credits-expire"),
      ("\"credits\": { \"open\": 10 }", "credits-not-counted"),
      ("\"credits\": { \"open\": { \"limit\": 10 } }", "credits-not-counted"),
      ("\"credits\": { \"stroy\": 10 }", "unknown-feature"), ("\"credits\": { \"story\": 0 }", "bad-value"),
      ("\"credits\": { \"$comment\": \"none\" }", "bad-value"), ("\"credits\": { \"story\": 1000000001 }", "bad-value"),
      ("\"credits\": { \"story\": 10 }, \"grants\": { \"open\": true }", "consumable-grants"),
      ("\"credits\": { \"story\": 10 }, \"familyShareable\": true", "not-shareable"),
    ]) func refused(keys: String, code: String)
  {
    do throws(CatalogError) {
      let text = "{ \"kind\": \"consumable\", \"id\": \"ten\", \"name\": \"10 more\", \(keys) }"
      _ = try Catalog(
        json: Data(
          "{ \"schemaVersion\": 1, \"app\": { \"id\": \"t\", \"name\": \"T\" }, \"features\": { \"story\": { \"allowance\": \"count\" }, \"open\": {} }, \"freeTier\": { \"grants\": { \"story\": 1, \"open\": true } }, \"products\": [\(text)] }"
            .utf8))
      Issue.record("accepted")
    } catch { #expect(error.diagnostics.map(\.code.rawValue) == [code], "\(error)") }
  }

  private struct Unexpected: Error {}

  @Test("A credit that a child used is gone for the customer as well, at once") func childsCredit() async throws {
    let store = ScriptedStore {
      $0.purchase = { _ throws(StoreError) in
        .success(SignedTransaction(StoreTransaction(id: "1", productID: "ten", purchaseDate: RandomFacts.start)))
      }
    }
    let monetizer = try shop(TestTime(), store)
    await monetizer.start()
    _ = try await monetizer.purchase("ten")
    try await monetizer.as(.child("max")).spend("story", count: 3)
    #expect(monetizer.decision(for: "story").remaining == 13)
    try await monetizer.as(.child("max")).spend("story")
    #expect(monetizer.decision(for: "story").remaining == 12 && monetizer.decision(for: "story").credits == 9)
  }

  @Test("Credits open no part of their feature") func part() throws {
    let text = """
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
        "features": { "story": { "allowance": "count" }, "long": { "of": "story", "atLeast": 5 } }, "freeTier": { "grants": { "story": 3 } },
        "products": [{ "kind": "consumable", "id": "ten", "name": "Ten", "credits": { "story": 10 } }] }
      """
    let facts = CustomerState([.transaction(bought("1", after: -1))])
    let snapshot = Snapshot(of: facts, catalog: try Catalog(json: Data(text.utf8)), situation: Situation(store: .answered), at: now)
    #expect(snapshot.decision(for: "story").remaining == 13 && !snapshot.allows("long"))
    #expect(snapshot.decision(for: "long").remaining == 3)
  }

  @Test("A product of a single credit is used up by one use") func single() throws {
    let one = #"{ "kind": "consumable", "id": "one", "name": "One more", "credits": { "story": 1 } }"#
    let use = Use(
      key: "k", feature: "story", date: now, day: LocalDay.of(now, in: Calendar.storeCalendar.timeZone), zone: "UTC", credits: 1)
    for uses in [[], [use]] {
      let facts = CustomerState([.transaction(bought("1", "one", after: -1))] + uses.map(Fact.use))
      let snapshot = Snapshot(of: facts, catalog: try catalog(one, free: ""), situation: Situation(store: .answered), at: now)
      #expect(snapshot.allows("story") == uses.isEmpty && snapshot.decision(for: "story").used == uses.count)
    }
  }

  @Test("Without a grant, the numbers are those of the credits alone") func creditsAlone() throws {
    func decision(used: Int, count: Int = 1) throws -> Decision {
      let day = LocalDay.of(now, in: Calendar.storeCalendar.timeZone)
      let use = Use(key: "k", feature: "story", amount: used, date: now, day: day, zone: "UTC", credits: used)
      let facts = CustomerState([.transaction(bought("1", after: -1))] + (used > 0 ? [.use(use)] : []))
      let snapshot = Snapshot(of: facts, catalog: try catalog(ten, free: ""), situation: Situation(store: .answered), at: now)
      return snapshot.decision(for: AccessRequest("story", count: count))
    }
    for used in [0, 2, 10] {
      let decision = try decision(used: used)
      #expect(decision.isAllowed == (used < 10) && decision.limit == 10 && decision.used == used, "\(decision)")
      #expect(decision.remaining == 10 - used && decision.credits == 10 - used, "\(decision)")
    }
    let story = try catalog(ten).feature("story")
    #expect(try decision(used: 2, count: 9).text(for: story).contains("8 left, but 9 requested"))
  }
}

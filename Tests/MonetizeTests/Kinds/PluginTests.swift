// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// CARD-04, CARD-05: kinds and shapes are open; only the tests have these two.
@Suite(.timeLimit(.minutes(30)))
struct PluginTests {
  struct Rental: ProductKind {
    static let name = "testRental"
    let lasts: Period
    func ownership(from history: ProductHistory, at now: Date) -> Ownership {
      .latest(of: history.transactions.map { .until(lasts.added(to: $0.purchaseDate, in: .storeCalendar)) }, at: now)
    }
  }

  struct Weekdays: AllowanceShape {
    static let name = "testWeekdays"
    struct Grant: Allowance, Decodable {
      let days: Int
      init(from decoder: any Decoder) throws { days = try decoder.singleValueContainer().decode(Int.self) }
      private init(days: Int) { self.days = days }
      func joined(with other: Self) -> Self { Grant(days: max(days, other.days)) }
      func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
        (request.held ?? 0) < days ? .allowed : .denied("notToday")
      }
    }
  }

  /// Uses that are counted and never limited.
  struct Counted: AllowanceShape {
    static let name = "testCounted"
    static let isMetered = true
    struct Grant: Allowance, Decodable {
      func joined(with other: Self) -> Self { self }
      func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict { .allowed }
    }
  }

  @Test("A use that an app's own allowance allows without a number takes no credits") func ownCounts() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": { "allowance": "testCounted" } },
        "freeTier": { "grants": { "f": {} } },
        "products": [{ "kind": "consumable", "id": "c", "name": "C", "credits": { "f": 10 } }] }
      """#
    let catalog = try Catalog(json: Data(json.utf8), shapes: .standard.adding(Counted.self))
    let bought = Fact.transaction(StoreTransaction(id: "1", productID: "c", purchaseDate: t0))
    let snapshot = Snapshot(of: CustomerState([bought]), catalog: catalog, at: t0)
    let use = try #require(snapshot.use(of: "f", amount: 3, key: "a"))
    #expect(use.credits == 0 && use.amount == 3)
  }

  /// A free tier that is never open.
  struct Closed: ProductKind {
    static let name = FreeTier.name
    func ownership(from history: ProductHistory, at now: Date) -> Ownership { .none }
  }

  /// A free tier that ends a minute after the tests' first moment.
  struct Minute: ProductKind {
    static let name = FreeTier.name
    func ownership(from history: ProductHistory, at now: Date) -> Ownership { .latest(of: [.until(t0 + 60)], at: now) }
  }

  /// A plan that makes its offers itself, one too many.
  struct Plan: ProductKind {
    static let name = "testPlan"
    var subscription: SubscriptionTerms? {
      let trial = SubscriptionOffer(type: .introductory, mode: .freeTrial, period: Period(days: 7))
      return SubscriptionTerms(group: "g", level: 1, period: Period(months: 1), offers: [trial, trial])
    }
    func ownership(from history: ProductHistory, at now: Date) -> Ownership { .none }
  }

  @Test("A mistake in an offer that an app's own kind makes itself is reported at the product") func ownOffers() {
    let json = Data(
      #"""
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": {} },
        "products": [{ "kind": "testPlan", "id": "p", "name": "P", "grants": { "f": true } }] }
      """#.utf8)
    let found = Catalog.reading(json, kinds: .standard.adding(Plan.self)).diagnostics
    #expect(found.map { "\($0.code) \($0.path)" } == ["second-introductory-offer products[0]"])
  }

  private let free = Data(
    #"{ "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": {} }, "freeTier": { "grants": { "f": true } } }"#.utf8)

  @Test("The end of an app's own free tier changes the answers about what it grants") func freeTierEnds() throws {
    let catalog = try Catalog(json: free, kinds: .standard.adding(Minute.self))
    let snapshot = Snapshot(of: CustomerState(), catalog: catalog, at: t0)
    #expect(snapshot.allows("f") && snapshot.nextChange == t0 + 60 && snapshot.decision(for: "f").validUntil == t0 + 60)
    #expect(!Snapshot(of: CustomerState(), catalog: catalog, at: t0 + 60).allows("f"))
  }

  @Test("An app's own free tier decides what is free") func freeTier() throws {
    func allows(_ kinds: ProductKinds) throws -> Bool {
      Snapshot(of: CustomerState(), catalog: try Catalog(json: free, kinds: kinds), at: t0).allows("f")
    }
    #expect(try allows(.standard) && !allows(.standard.adding(Closed.self)))
  }

  private func text(kind: String = "testRental", shape: String = "testWeekdays") -> Data {
    Data(
      """
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
        "features": { "film": {}, "days": { "allowance": "\(shape)" } },
        "freeTier": { "grants": { "days": 2 } },
        "products": [{ "kind": "\(kind)", "id": "rent", "name": "Rent", "lasts": "P2D", "grants": { "film": true, "days": 5 } }] }
      """.utf8)
  }

  private let kinds = ProductKinds.standard.adding(Rental.self)
  private let shapes = AllowanceShapes.standard.adding(Weekdays.self)

  @Test("CARD-04: a kind of the app's own loads from JSON and decides access") func rental() throws {
    let catalog = try Catalog(json: text(), kinds: kinds, shapes: shapes)
    let now = RandomFacts.start
    let state = CustomerState([.transaction(StoreTransaction(id: "1", productID: "rent", purchaseDate: now))])
    func allows(_ date: Date) -> Bool { Snapshot(of: state, catalog: catalog, at: date).allows("film") }
    #expect(allows(now) && allows(now + 2 * 86400 - 1))
    #expect(!allows(now + 2 * 86400))
    #expect(Snapshot(of: state, catalog: catalog, at: now).nextChange == now + 2 * 86400)
    #expect(Snapshot(of: CustomerState(), catalog: catalog, at: now).decision(for: "film").unlockedBy == ["rent"])
  }

  @Test("CARD-05: without the plug-in the same file is refused, with the kind's JSON path and the known kinds") func unknownKind() throws {
    let diagnostics = Catalog.reading(text(), shapes: shapes).diagnostics
    let unknown = try #require(diagnostics.first { $0.code == "unknown-kind" })
    #expect(unknown.path == "products[0].kind")
    #expect(unknown.message.hasPrefix("There is no product kind \"testRental\". Known names: "))
    #expect(unknown.message.contains("nonConsumable") && unknown.message.hasSuffix("Register your own with `kinds: .standard.adding(…)`."))
    #expect(diagnostics.filter { $0.severity == .error }.count == 1)
    let near = Catalog.reading(text(kind: "testRentl"), kinds: kinds, shapes: shapes).diagnostics
    #expect(near.map(\.message) == ["There is no product kind \"testRentl\". Did you mean \"testRental\"?"])
    let free = Catalog.reading(text(kind: "freeTier"), kinds: kinds, shapes: shapes).diagnostics.first
    #expect(
      free?.message == "There is no product kind \"freeTier\". The free tier is not a product. Write it under \"freeTier\"."
    )
  }

  @Test("CARD-05: a shape of the app's own is refused without registration, and decides with it") func shape() throws {
    let unknown = try #require(Catalog.reading(text(), kinds: kinds).diagnostics.first { $0.code == "unknown-allowance" })
    #expect(unknown.path == "features.days.allowance")
    let near = Catalog.reading(text(shape: "testWekdays"), kinds: kinds, shapes: shapes).diagnostics
    #expect(near.contains { $0.message == "There is no allowance \"testWekdays\". Did you mean \"testWeekdays\"?" })
    let catalog = try Catalog(json: text(), kinds: kinds, shapes: shapes)
    let snapshot = Snapshot(of: CustomerState(), catalog: catalog, at: RandomFacts.start)
    #expect(snapshot.decision(for: AccessRequest("days", held: 1)).isAllowed)
    let denied = snapshot.decision(for: AccessRequest("days", held: 2))
    #expect(denied.reason == "notToday" && denied.unlockedBy == ["rent"])
    #expect(snapshot.decision(for: AccessRequest("days", held: 5)).unlockedBy.isEmpty)
  }

  @Test("The guess among equally close words is the same in every run") func stableGuess() throws {
    let names = (0..<20).map { "\"f\($0)xq\": {}, \"f\($0)xa\": {}" }.joined(separator: ", ")
    let grants = (0..<20).map { "\"f\($0)xz\": true" }.joined(separator: ", ")
    let text =
      "{ \"schemaVersion\": 1, \"app\": { \"id\": \"t\", \"name\": \"T\" }, \"features\": { \(names) }, \"freeTier\": { \"grants\": { \(grants) } } }"
    let errors = Catalog.reading(Data(text.utf8)).diagnostics.filter { $0.severity == .error }
    #expect(errors.count == 20)
    for (index, error) in errors.enumerated() { #expect(error.message.hasSuffix("Did you mean \"f\(index)xa\"?")) }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTesting
import Testing

/// An app's own plug-ins: a rental, a region, a season, a kind of fact, a parameter of a request; one file each.
@Suite(.timeLimit(.minutes(30)))
struct OwnPluginTests {
  private static let start = BuiltInsAgainTests.start
  private static let hour: TimeInterval = 3600

  private static func catalog() throws -> Catalog {
    try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" },
          "features": { "film": { "allowance": "count" }, "subtitles": { "of": "film", "atLeast": "unlimited" },
                        "live": { "region": ["DE", "AT"] }, "badge": { "visited": "museum" }, "upload": { "allowance": "test.uploads" } },
          "freeTier": { "grants": { "live": true, "badge": true, "upload": 5 } },
          "products": [{ "kind": "test.rental", "id": "rent", "name": "Rent", "lasts": "PT48H", "grants": { "film": "unlimited", "upload": 50 } }] }
        """.utf8),
      kinds: .standard.adding(Rental.self), shapes: .standard.adding(Uploads.self),
      conditions: .standard.adding(Region.self).adding(Visited.self))
  }

  private func snapshot(_ facts: [Fact], hours: Double = 0, attributes: [String: String] = [:]) throws -> Snapshot {
    Snapshot(
      of: CustomerState(facts), catalog: try Self.catalog(), situation: Situation(attributes: attributes),
      at: Self.start + hours * Self.hour)
  }

  @Test("A rental lasts for 48 hours from its first use, and a month without a use") func rental() throws {
    let bought = Fact.transaction(StoreTransaction(id: "1", productID: "rent", purchaseDate: Self.start))
    #expect(try snapshot([bought], hours: 29 * 24).allows("film"))
    #expect(try !snapshot([bought], hours: 30 * 24).allows("film"))
    let date = Self.start + 100 * Self.hour
    let used = Fact.use(
      Use(key: "a", feature: "film", date: date, day: Int(date.timeIntervalSince1970 / 86400), zone: "GMT", counted: false))
    #expect(try snapshot([bought, used], hours: 147.9).allows("subtitles"))
    let over = try snapshot([bought, used], hours: 148)
    #expect(!over.allows("film") && !over.allows("subtitles"))
    #expect(over.decision(for: "film").unlockedBy == ["rent"])
    #expect(try snapshot([bought, used], hours: 110).nextChange == Self.start + 148 * Self.hour)
    #expect(over.status(of: "rent")?.expires == Self.start + 148 * Self.hour)
  }

  @Test("A condition that ends by itself gives its date to the answer before it, and to the snapshot; of two, the earlier one")
  func season() throws {
    let end = Self.start + Self.hour
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" },
          "features": { "calendar": { "endsAt": \(end.timeIntervalSince1970) },
                        "gift": { "allowance": "count", "per": "day", "endsAt": \((end + Self.hour).timeIntervalSince1970) } },
          "freeTier": { "grants": { "calendar": true, "gift": 1 } } }
        """.utf8), conditions: .standard.adding(Season.self))
    func snapshot(at date: Date) -> Snapshot { Snapshot(of: CustomerState(), catalog: catalog, at: date) }
    let open = snapshot(at: end - 1)
    #expect(open.allows("calendar") && open.decision(for: "calendar").validUntil == end)
    #expect(open.nextChange == end && open.decision(for: "gift").validUntil == end + Self.hour)
    let closed = snapshot(at: end)
    #expect(closed.decision(for: "calendar").reason == "seasonOver" && closed.decision(for: "calendar").validUntil == nil)
    #expect(closed.allows("gift") && closed.nextChange == end + Self.hour)
  }

  @Test("A spend through the facade starts the rental's clock at once") func rentalSpent() async throws {
    let catalog = try Self.catalog()
    let state = MemoryStorage()
    let monetizer = Monetizer(catalog: catalog) {
      $0.storage = state
      $0.startsByItself = false
      $0.store = RentalStore()
    }
    await monetizer.start()
    #expect(monetizer.allows("film"))
    #expect(monetizer.snapshot.status(of: "rent")?.accessUntil.map { $0 > Date() + 20 * 86400 } == true)
    try await monetizer.spend("film")
    #expect(monetizer.snapshot.status(of: "rent")?.accessUntil.map { $0 < Date() + 49 * 3600 } == true)
  }

  @Test("A region closes a feature with its own reason and text, and no paywall") func region() throws {
    #expect(try snapshot([], attributes: ["region": "AT"]).allows("live"))
    let denied = try snapshot([], attributes: ["region": "US"]).decision(for: "live")
    #expect(denied.reason == "notInRegion" && denied.unlockedBy.isEmpty && denied.placement == nil)
    #expect(denied.text(for: try Self.catalog().feature("live"), zone: Calendar.storeCalendar.timeZone) == "live: not in this region.")
  }

  @Test("An app's own fact merges by its own rule, and a condition sees it") func fact() async throws {
    let late = Fact.custom(Visit(key: "museum", date: Self.start + 10))
    let early = Fact.custom(Visit(key: "museum", date: Self.start))
    #expect(try !snapshot([]).allows("badge"))
    #expect(try snapshot([late]).allows("badge"))
    var state = CustomerState([late, early, late])
    #expect(state.facts(of: Visit.self) == [Visit(key: "museum", date: Self.start)])
    #expect(!state.insert(late) && CustomerState([early, late]) == state && CustomerState(state.facts) == state)
    let places = ["zoo", "museum", "castle", "park"].map { Visit(key: $0, date: Self.start) }
    #expect(CustomerState(places.map(Fact.custom)).facts(of: Visit.self).map(\.key) == ["castle", "museum", "park", "zoo"])
  }

  @Test("An app's own fact is written, read at the next start, and sent to other devices") func stored() async throws {
    let storage = MemoryStorage()
    func app() async throws -> Monetizer {
      let monetizer = Monetizer(catalog: try Self.catalog()) {
        $0.storage = storage
        $0.facts = .standard.adding(Visit.self)
        $0.startsByItself = false
      }
      await monetizer.start()
      return monetizer
    }
    let first = try await app()
    #expect(await first.record(Visit(key: "museum", date: Self.start)))
    #expect(first.allows("badge"))
    #expect(first.sharedFacts == [.custom(Visit(key: "museum", date: Self.start))])
    let sent = try #require(SyncRecord(first.sharedFacts[0], at: Self.start))
    #expect(sent.fact(.standard.adding(Visit.self)) == first.sharedFacts[0] && sent.fact() == nil)
    let second = try await app()
    #expect(second.allows("badge") && second.state.facts(of: Visit.self).count == 1)
  }

  @Test("Different articles count once a month, each stays open until its end, and a later opening counts in its own month")
  func articles() async throws {
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "read": { "allowance": "articles" } },
          "freeTier": { "grants": { "read": 2 } },
          "products": [{ "kind": "nonConsumable", "id": "all", "name": "All", "grants": { "read": "unlimited" } }] }
        """.utf8), shapes: .standard.adding(Articles.self))
    // 2026-03-01T12:00:00Z
    let clock = TestClock(Date(timeIntervalSince1970: 1_772_366_400))
    let monetizer = Monetizer(catalog: catalog) {
      $0.facts = .standard.adding(Opened.self)
      $0.time = clock
      $0.zone = { Calendar.storeCalendar.timeZone }
      $0.startsByItself = false
    }
    await monetizer.start()
    func decision(_ article: String) -> Decision { monetizer.decision(for: AccessRequest("read", parameters: ["article": article])) }
    for article in ["a", "b", "a"] {
      #expect(decision(article).isAllowed)
      await monetizer.record(Opened(key: article, date: clock.now))
    }
    #expect(decision("a").isAllowed && decision("b").isAllowed && monetizer.decision(for: "read").remaining == 0)
    let denied = decision("c")
    #expect(denied.reason == .limitReached && denied.unlockedBy == ["all"])
    let april = try #require(denied.resetsAt)
    #expect(april == Date(timeIntervalSince1970: 1_775_001_600))
    clock.advance(to: april)
    #expect(decision("c").isAllowed && monetizer.decision(for: "read").remaining == 2)
    await monetizer.record(Opened(key: "a", date: clock.now))
    #expect(monetizer.decision(for: "read").remaining == 1)

    let report = AllowanceKit(
      grants: [Articles.Grant(limit: 0), Articles.Grant(limit: 2)],
      requests: [AccessRequest("read"), AccessRequest("read", parameters: ["article": "a"])], at: Self.start
    ).run()
    #expect(report.passed, "\(report)")
  }

  @Test("A request carries an allowance's own parameter") func parameter() throws {
    let snapshot = try snapshot([])
    #expect(snapshot.decision(for: AccessRequest("upload", parameters: ["megabytes": "5"])).isAllowed)
    let denied = snapshot.decision(for: AccessRequest("upload", parameters: ["megabytes": "6"]))
    #expect(denied.reason == "tooLarge" && denied.unlockedBy == ["rent"])
    #expect(
      denied.text(for: try Self.catalog().feature("upload"), zone: Calendar.storeCalendar.timeZone) == "upload: the file is too large.")
  }

  @Test("An app's attributes reach its conditions through the facade") func attributes() async throws {
    let monetizer = Monetizer(catalog: try Self.catalog()) {
      $0.attributes = { ["region": "DE"] }
      $0.startsByItself = false
    }
    await monetizer.start()
    #expect(monetizer.allows("live"))
  }
}

/// A store with a rental of the film just now.
private struct RentalStore: StoreBackend {
  private let transaction = SignedTransaction(StoreTransaction(id: "1", productID: "rent", purchaseDate: Date()))
  func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] { [] }
  func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult { throw StoreError(.productUnavailable) }
  func read() async throws(StoreError) -> StoreAnswer { StoreAnswer(transactions: [transaction]) }
  func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding { .gone }
  func unfinished() async throws(StoreError) -> [SignedTransaction] { [] }
  func finish(_ transaction: TransactionID) async throws(StoreError) {}
  func synchronize() async throws(StoreError) {}
  func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening { StoreListening {} }
}

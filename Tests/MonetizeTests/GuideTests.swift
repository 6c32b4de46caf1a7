// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTesting
import Testing

/// The Swift code of `Docs/Guides`, block by block, so that it compiles and matches the text.
@Suite("Guides", .timeLimit(.minutes(30)))
struct GuideTests {
  static let noon = Date(timeIntervalSince1970: 1_772_366_400)  // 2026-03-01T12:00:00Z

  // MARK: Getting-started.md

  static let gettingStarted = """
    {
      "schemaVersion": 1,
      "app": { "id": "com.example.notes", "name": "Notes" },
      "features": {
        "note.create": { "title": "Notes", "allowance": "count", "per": "month", "unit": { "one": "note", "other": "notes" } },
        "export": { "title": "Export" }
      },
      "freeTier": { "grants": { "note.create": 10 } },
      "products": [
        { "kind": "nonConsumable", "id": "com.example.notes.pro", "name": "Notes Pro",
          "price": { "amount": "4.99", "currency": "USD" }, "grants": { "note.create": "unlimited", "export": true } }
      ],
      "paywalls": { "default": { "headline": "Write without limits", "actions": ["purchase", "restore", "dismiss"] } },
      "legal": { "terms": "https://example.com/terms", "privacy": "https://example.com/privacy" }
    }
    """

  struct AdultsOnly: ParentalGate {
    func challenge() async -> Bool { true }
  }

  @Test("Allowances.md: every reason stands in the table, in the row of its sort") func reasons() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    func text(_ path: String) throws -> String { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }
    let source = try text("Sources/Monetize/Requests/Reason.swift")
    let declared = source.matches(of: /static let (\w+): Self/).map { Reason(rawValue: String($0.1)) }
    let section = try #require(text("Docs/Guides/Allowances.md").components(separatedBy: "## Reasons").dropFirst().first)
    var described: [Reason] = []
    for row in section.components(separatedBy: "\n").filter({ $0.hasPrefix("| ") }).dropFirst() {
      let reasons = row.matches(of: /`(\w+)`/).map { Reason(rawValue: String($0.1)) }
      #expect(reasons.allSatisfy { $0.isError == row.hasPrefix("| a mistake") && $0.isWaiting == row.hasPrefix("| wait") }, "\(row)")
      described += reasons
    }
    #expect(declared.count > 20 && Set(described) == Set(declared) && described.count == declared.count)
  }

  @Test("Getting-started.md: gates, limits and a paywall") func gettingStarted() async throws {
    let catalog = try Catalog(json: Data(Self.gettingStarted.utf8))
    let store = SimulatedStore(catalog: catalog, start: Self.noon)
    let monetizer = Monetizer(catalog: catalog) {
      $0.store = store.device()
      $0.storage = .memory
      $0.time = FixedTime(now: Self.noon)
      $0.zone = { Calendar.storeCalendar.timeZone }
      $0.startsByItself = false
    }
    await monetizer.start()

    // A gate.
    #expect(!monetizer.allows("export"))
    let decision = monetizer.decision(for: "export")
    #expect(decision.reason == .requiresPurchase && decision.unlockedBy == ["com.example.notes.pro"])

    // A limit.
    for number in 1...10 {
      let note = try await monetizer.withSpending("note.create", key: "note-\(number)") { "a note" }
      #expect(note == "a note")
    }
    do {
      _ = try await monetizer.withSpending("note.create") { Issue.record("an eleventh note") }
    } catch let denied as AccessDenied {
      #expect(
        denied.decision.text(for: catalog.feature("note.create"), zone: Calendar.storeCalendar.timeZone).hasPrefix(
          "Notes: all 10 notes are used up."))
    }

    // A tap, and a paywall.
    switch await monetizer.open(AccessRequest("export")) {
    case .content: Issue.record("it is not bought yet")
    case .paywall(let paywall, let pass):
      #expect(paywall.definition.headline == "Write without limits")
      switch try await monetizer.purchase(paywall.products[0], pass: pass) {
      case .completed, .alreadyOwned: break
      case .pending, .cancelled, .unverified, .failed: Issue.record("it should be bought")
      }
    case .denied, .gateFailed: Issue.record("there should be a paywall")
    }
    #expect(monetizer.allows("export"))
    #expect(monetizer.decision(for: "note.create").remaining == nil, "unlimited")
  }

  @Test("Remote-configuration.md: the kept overlays, then the fetched ones") func remoteConfiguration() async throws {
    let monetizer = Monetizer(catalog: try Catalog(json: Data(Self.gettingStarted.utf8))) { $0.startsByItself = false }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("overlays-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    func fetchOverlays() async throws -> Data {
      Data(#"[{ "id": "more", "patch": { "freeTier": { "grants": { "note.create": 20 } } } }]"#.utf8)
    }
    func report(_ mistakes: [Diagnostic]) { Issue.record("\(mistakes)") }

    monetizer.applyKeptOverlays(from: file)
    #expect(monetizer.appliedOverlays.isEmpty)
    switch await monetizer.refreshOverlays(keepingAt: file, { try await fetchOverlays() }) {
    case .applied, .unreachable: break
    case .refused(let mistakes): report(mistakes)
    }
    #expect(monetizer.appliedOverlays == ["more"] && monetizer.decision(for: "note.create").limit == 20)
    try monetizer.apply(Overlay.list(json: Data("[]".utf8)))
    #expect(monetizer.appliedOverlays.isEmpty && monetizer.decision(for: "note.create").limit == 10)
  }

  struct FixedTime: TimeSource {
    let now: Date
    func wake(at date: Date, _ action: @escaping @Sendable () -> Void) -> WakeUp { WakeUp {} }
  }

  // MARK: Product-kinds.md

  struct SeasonPass: ProductKind {
    static let name = "seasonPass"
    let season: Period
    var length: Period? { season }
    func ownership(from history: ProductHistory, at now: Date) -> Ownership {
      .latest(of: history.transactions.map { .until(season.added(to: $0.purchaseDate, in: .storeCalendar)) }, at: now)
    }
  }

  @Test("Product-kinds.md: a season pass") func seasonPass() throws {
    let json = """
      {
        "schemaVersion": 1,
        "app": { "id": "com.example.trails", "name": "Trails" },
        "features": { "map.offline": {} },
        "products": [
          { "kind": "seasonPass", "id": "com.example.trails.winter", "name": "Winter", "season": "P90D", "grants": { "map.offline": true } }
        ]
      }
      """
    let catalog = try Catalog(json: Data(json.utf8), kinds: .standard.adding(SeasonPass.self))
    let bought = StoreTransaction(id: "1", productID: "com.example.trails.winter", purchaseDate: Self.noon)
    let state = CustomerState([.transaction(bought)])
    #expect(Snapshot(of: state, catalog: catalog, at: Self.noon).allows("map.offline"))
    #expect(!Snapshot(of: state, catalog: catalog, at: Self.noon + 90 * 86400).allows("map.offline"))
    #expect(catalog.products[0].kind.changesWithTime)

    let report = ProductKindKit(
      SeasonPass(season: Period(days: 90)), transactions: [bought], times: [Self.noon - 1, Self.noon, Self.noon + 90 * 86400]
    ).run()
    #expect(report.passed, "\(report)")
  }

  // MARK: Allowances.md

  struct Storage: AllowanceShape {
    static let name = "storage"

    struct Grant: Allowance, Decodable {
      let megabytes: Int
      init(from decoder: any Decoder) throws { megabytes = try decoder.singleValueContainer().decode(Int.self) }
      init(megabytes: Int) { self.megabytes = megabytes }

      func joined(with other: Self) -> Self { Grant(megabytes: max(megabytes, other.megabytes)) }
      func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
        (request.held ?? 0) + request.count <= megabytes ? .allowed : .denied("storageFull")
      }
    }
  }

  @Test("Allowances.md: megabytes") func megabytes() throws {
    let json = """
      {
        "schemaVersion": 1,
        "app": { "id": "com.example.photos", "name": "Photos" },
        "features": { "upload": { "allowance": "storage" } },
        "freeTier": { "grants": { "upload": 500 } },
        "products": [{ "kind": "nonConsumable", "id": "com.example.photos.more", "name": "More", "grants": { "upload": 5000 } }]
      }
      """
    let catalog = try Catalog(json: Data(json.utf8), shapes: .standard.adding(Storage.self))
    let snapshot = Snapshot(of: CustomerState(), catalog: catalog, at: Self.noon)
    #expect(snapshot.decision(for: AccessRequest("upload", held: 499)).isAllowed)
    let full = snapshot.decision(for: AccessRequest("upload", held: 500))
    #expect(full.reason == "storageFull" && full.unlockedBy == ["com.example.photos.more"])

    let report = AllowanceKit(
      grants: [Storage.Grant(megabytes: 0), Storage.Grant(megabytes: 500)],
      requests: [AccessRequest("upload", held: 0), AccessRequest("upload", held: 499)], at: Self.noon
    ).run()
    #expect(report.passed, "\(report)")
  }

  // MARK: Stores-and-storage.md

  final class KeyValueStorage: StateStorage {
    private let values = ValueStore()

    func load() throws(StorageError) -> StoredRecords { StoredRecords(records: values.read()) }
    func append(_ record: Data) throws(StorageError) { values.write(values.read() + [record]) }
    func replace(with records: [Data]) throws(StorageError) { values.write(records) }
  }

  /// The app's own storage of one value, which is written completely or not at all.
  final class ValueStore: Sendable {
    private let storage = MemoryStorage()
    func read() -> [Data] { storage.load().records }
    func write(_ records: [Data]) { storage.replace(with: records) }
  }

  @Test("Stores-and-storage.md: the kits") func kits() async throws {
    let storage = KeyValueStorage()
    let report = StateStorageKit { storage }.run()
    #expect(report.passed, "\(report)")

    let catalog = try Catalog(json: Data(Self.gettingStarted.utf8))
    @Sendable func emptyStore() -> any StoreBackend { SimulatedStore(catalog: catalog, start: Self.noon).device() }
    let behaviours = await StoreBackendKit(nonConsumable: "com.example.notes.pro") { emptyStore() }.run()
    #expect(behaviours.passed, "\(behaviours)")
  }

  @Test("Stores-and-storage.md: customers from before") func appTransaction() async throws {
    let text = Self.gettingStarted.replacingOccurrences(
      of: "\"products\": [",
      with: "\"entitlements\": { \"pro\": { \"title\": \"Pro\", \"grants\": { \"export\": true } } }, \"products\": [")
    let catalog = try Catalog(json: Data(text.utf8))
    let store = SimulatedStore(catalog: catalog, start: Self.noon)
    let monetizer = Monetizer(catalog: catalog) { ($0.store, $0.startsByItself) = (store.device(), false) }
    let newModel = Self.noon.addingTimeInterval(86400)

    let app = try await monetizer.appTransaction()
    if app.environment == .production, app.originalPurchaseDate < newModel { await monetizer.give(["pro"], id: "early") }
    #expect(monetizer.allows("export"))
  }

  @Test("Stores-and-storage.md: accounts and other devices") func accounts() async throws {
    let catalog = try Catalog(json: Data(Self.gettingStarted.utf8))
    let annStorage = MemoryStorage()
    let monetizer = Monetizer(catalog: catalog) { ($0.source, $0.startsByItself) = ("phone", false) }
    try await monetizer.spend("note.create")

    let signedIn = try await monetizer.handOver(to: "ann", policy: .transfer, storage: annStorage)
    #expect(signedIn.decision(for: "note.create").used == 1 && monetizer.decision(for: "note.create").used == 0)

    let (phone, tablet) = (signedIn, Monetizer(catalog: catalog) { ($0.source, $0.account, $0.startsByItself) = ("tablet", "ann", false) })
    try await tablet.spend("note.create")
    await tablet.merge(phone.sharedFacts)
    await phone.merge(tablet.sharedFacts)
    #expect(tablet.decision(for: "note.create").used == 2 && phone.decision(for: "note.create").used == 2)
  }
}

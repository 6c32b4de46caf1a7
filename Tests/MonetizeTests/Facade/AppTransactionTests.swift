// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// Customers from before a change of the business model keep their features.
@Suite("App transactions", .timeLimit(.minutes(30)))
struct AppTransactionTests {
  private static let catalog = """
    { "schemaVersion": 1, "app": { "id": "test.app", "name": "App" }, "features": { "export": { "title": "Export" } },
      "entitlements": { "pro": { "title": "Pro", "grants": { "export": true } } },
      "parentalGate": { "covers": ["purchase", "restore", "links"] },
      "products": [{ "kind": "nonConsumable", "id": "pack", "name": "Pack", "price": { "amount": "1.99", "currency": "USD" },
        "entitlements": ["pro"] }],
      "paywalls": { "default": { "actions": ["purchase", "restore", "dismiss"] } } }
    """
  private static let start = Date(timeIntervalSince1970: 1_772_366_400)

  @Test("Asking needs no gate, writes nothing and opens nothing; the gift that the app makes of it does") func reading()
    async throws
  {
    let catalog = try Catalog(json: Data(Self.catalog.utf8))
    let store = SimulatedStore(catalog: catalog, start: Self.start)
    let newModel = Self.start.addingTimeInterval(-86400)
    await store.setAccount { ($0.originalPurchaseDate, $0.originalAppVersion) = (newModel.addingTimeInterval(-86400), "1.9") }
    let monetizer = Monetizer(catalog: catalog) {
      $0.store = store.device()
      $0.time = store.device().time
      $0.startsByItself = false
    }
    await monetizer.start()
    let before = monetizer.state
    let app = try await monetizer.appTransaction()
    #expect(app.appID == "test.app" && app.originalAppVersion == "1.9" && app.environment == .production)
    #expect(monetizer.state == before && !monetizer.allows("export"))
    for _ in 0..<2 where app.environment == .production && app.originalPurchaseDate < newModel {
      await monetizer.give(["pro"], id: "early")
    }
    #expect(monetizer.allows("export") && monetizer.state.grants.count == 1)
    let given = monetizer.state
    await monetizer.give(["pro"], id: "early")
    #expect(monetizer.state == given, "A gift that is given again at each launch is no new fact.")
  }

  @Test("A failed answer has a reason, and an unsigned one is not an answer", arguments: [true, false])
  func failures(isSigned: Bool) async throws {
    let catalog = try Catalog(json: Data(Self.catalog.utf8))
    let store = SimulatedStore(catalog: catalog, start: Self.start)
    try store.setError(isSigned ? .appTransaction : .verification, StoreError(.network), times: 1)
    let monetizer = Monetizer(catalog: catalog) {
      $0.store = store.device()
      $0.startsByItself = false
    }
    await #expect(throws: StoreError(isSigned ? .network : .unverified)) { try await monetizer.appTransaction() }
    #expect(try await monetizer.appTransaction().originalPurchaseDate == Self.start)
  }

  @Test("A store without app transactions reports it, and that a retry does not help") func unsupported() async throws {
    let monetizer = try TestShop.monetizer(ScriptedStore())
    await #expect(throws: StoreError(.unsupported)) { try await monetizer.appTransaction() }
    #expect(!StoreError(.unsupported).isTransient)
  }
}

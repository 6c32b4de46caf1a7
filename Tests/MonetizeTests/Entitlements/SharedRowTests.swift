// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Features that are granted alike are judged once, and nobody can tell.
@Suite("Rows that features share", .timeLimit(.minutes(10)))
struct SharedRowTests {
  static let json = """
    { "schemaVersion": 1, "app": { "id": "app", "name": "App" },
      "features": {
        "themes": { "title": "Themes" }, "fonts": { "title": "Fonts", "aliases": ["typefaces"] }, "sounds": { "title": "Sounds", "placement": "sounds" },
        "cloud": { "title": "Cloud" },
        "export": { "title": "Exports", "allowance": "count" },
        "oneExport": { "of": "export", "atLeast": 1 }, "anyExport": { "of": "export", "atLeast": 1 }, "endlessExport": { "of": "export", "atLeast": "unlimited" }
      },
      "freeTier": { "grants": { "export": 2 } },
      "entitlements": { "pro": { "title": "Pro", "grants": { "themes": true, "fonts": true, "sounds": true, "export": "unlimited" } } },
      "products": [
        { "kind": "nonConsumable", "id": "pro", "name": "Pro", "price": { "amount": "9.99", "currency": "USD" }, "entitlements": ["pro"] },
        { "kind": "nonConsumable", "id": "cloud", "name": "Cloud", "price": { "amount": "9.99", "currency": "USD" }, "grants": { "cloud": true } }
      ],
      "paywalls": { "default": { "headline": "Pro", "actions": ["purchase"] }, "sounds": { "headline": "Sounds" } } }
    """
  static let now = Date(timeIntervalSince1970: 1_800_000_000)

  static func snapshot(_ facts: [Fact] = []) throws -> (Snapshot, Catalog) {
    let catalog = try Catalog(json: Data(json.utf8))
    return (Snapshot(of: CustomerState(facts), catalog: catalog, at: now), catalog)
  }

  static func row(_ feature: FeatureID, _ snapshot: Snapshot) throws -> Shared<FeatureRow> {
    snapshot.rows[try #require(snapshot.catalog.index.features[feature])]
  }

  @Test("features that differ only in their names share one row; a placement or other grants make another")
  func shared() throws {
    let (snapshot, _) = try Self.snapshot()
    #expect(try Self.row("themes", snapshot) === Self.row("fonts", snapshot))
    #expect(try Self.row("oneExport", snapshot) === Self.row("anyExport", snapshot))
    #expect(try Self.row("themes", snapshot) !== Self.row("sounds", snapshot))
    #expect(try Self.row("themes", snapshot) !== Self.row("cloud", snapshot))
    #expect(try Self.row("oneExport", snapshot) !== Self.row("endlessExport", snapshot))
    #expect(snapshot.decision(for: "fonts").unlockedBy == ["pro"])
    #expect(snapshot.decision(for: "sounds").placement == "sounds")
    #expect(snapshot.decision(for: "cloud").unlockedBy == ["cloud"])
    #expect(snapshot.allows("oneExport") && !snapshot.allows("endlessExport"))
  }

  @Test("what a parent limits of one of them is limited of that one alone, whichever it is", arguments: ["themes", "fonts", "typefaces"])
  func caps(_ limited: String) throws {
    let bought = Fact.transaction(StoreTransaction(id: "t", productID: "pro", purchaseDate: Self.now - 60))
    let cap = Fact.cap(Cap(feature: FeatureID(limited), subject: .customer, amount: "false", revision: Revision(Self.now)))
    let (snapshot, _) = try Self.snapshot([bought, cap])
    #expect(snapshot.allows("themes") == (limited != "themes"))
    #expect(snapshot.allows("fonts") == (limited == "themes"))
    #expect(snapshot.allows("sounds"))
  }

  @Test("what was used of one of them is told of that one alone")
  func uses() throws {
    let use = Use(key: "u", feature: "fonts", date: Self.now - 60, day: 20_000, zone: "UTC")
    let (snapshot, _) = try Self.snapshot([.use(use)])
    #expect(try Self.row("fonts", snapshot).value.usage.all == 1)
    #expect(try Self.row("themes", snapshot).value.usage.all == 0)
  }
}

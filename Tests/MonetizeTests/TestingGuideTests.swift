// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTesting
import Testing

/// The Swift code of `Docs/Guides/Testing.md`, and its claims.
@Suite("Testing.md", .timeLimit(.minutes(30)))
struct TestingGuideTests {
  private static let json = """
    { "schemaVersion": 1, "app": { "id": "com.example.notes", "name": "Notes" },
      "features": { "note": { "allowance": "count", "per": "month" }, "export": {}, "print": { "allowance": "count" } },
      "freeTier": { "grants": { "note": 10 } },
      "entitlements": { "pro": { "title": "Pro", "grants": { "note": "unlimited", "export": true } } },
      "products": [
        { "kind": "subscription", "id": "pro.month", "name": "Pro", "group": "pro", "level": 1, "period": "P1M",
          "price": { "amount": "4.99", "currency": "USD" }, "entitlements": ["pro"] },
        { "kind": "nonConsumable", "id": "exports", "name": "Exports", "grants": { "export": true } },
        { "kind": "nonRenewing", "id": "pass", "name": "Week", "period": "P7D", "grants": { "export": true } },
        { "kind": "consumable", "id": "prints", "name": "Prints", "credits": { "print": 5 } }] }
    """
  private let catalog: Catalog
  init() throws { catalog = try Catalog(json: Data(Self.json.utf8)) }

  @Test("Three lines: purchases and uses are there at once") func threeLines() {
    let monetizer = Monetizer.testing(catalog, owns: ["pro.month"])
    #expect(monetizer.allows("export"))
    #expect(monetizer.decision(for: "note").limit == nil)

    let free = Monetizer.testing(catalog, used: ["note": 9])
    #expect(free.decision(for: "note").remaining == 1)
    #expect(free.access(to: "export").paywall?.products.first == "pro.month")
  }

  @Test("A clock that the test moves") func clock() {
    let clock = TestClock(Date(timeIntervalSince1970: 1_772_366_400))  // 2026-03-01T12:00:00Z
    let monetizer = Monetizer.testing(catalog, owns: ["pass"], used: ["note": 10], clock: clock)
    #expect(monetizer.allows("export") && !monetizer.allows("note"))
    clock.advance(by: 7 * 86400)
    #expect(!monetizer.allows("export"))
    clock.advance(by: 30 * 86400)
    #expect(monetizer.decision(for: "note").remaining == 10)
  }

  @Test("A purchase of every kind is owned, and ends at the right time") func kinds() {
    let noon = Date(timeIntervalSince1970: 1_772_366_400)
    let shop = Monetizer.testing(catalog, owns: ["exports", "pass", "pro.month", "prints", "prints"], used: ["print": 2])
    #expect(shop.snapshot.status(of: "exports")?.accessUntil == nil)
    #expect(shop.snapshot.status(of: "pass")?.accessUntil == noon + 7 * 86400)
    #expect(shop.snapshot.status(of: "pro.month")?.expires == noon + 31 * 86400)
    #expect(shop.snapshot.status(of: "pro.month")?.willRenew == true)
    #expect(shop.decision(for: "print").credits == 8)
  }

  @Test("The gate passes, the store is never asked, and configure overrides the defaults") func surroundings() async throws {
    let shop = Monetizer.testing(catalog, at: Date(timeIntervalSince1970: 0)) { $0.source = "tablet" }
    #expect(shop.snapshot.date == Date(timeIntervalSince1970: 0))
    #expect(try await shop.purchase("exports").name == "failed")
    try await shop.spend("note")
    #expect(shop.decision(for: "note").remaining == 9)
    await shop.refresh()
    #expect(Monetizer.testing(catalog, owns: ["exports"]).allows("export"))
  }
}

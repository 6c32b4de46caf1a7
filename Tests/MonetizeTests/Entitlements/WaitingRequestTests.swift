// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// A request that waits for approval, or that may have been approved since the store's last answer, never leads to a second purchase.
@Suite("Requests that wait", .timeLimit(.minutes(30)))
struct WaitingRequestTests {
  private static let catalog = """
    { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
      "features": { "packs": { "title": "Packs" }, "story": { "title": "Stories", "allowance": "count" },
        "profiles": { "title": "Profiles", "allowance": "capacity" } },
      "products": [
        { "kind": "nonConsumable", "id": "old", "name": "Old", "onSale": false, "grants": { "packs": true, "profiles": 3 } },
        { "kind": "nonConsumable", "id": "new", "name": "New", "grants": { "packs": true } },
        { "kind": "consumable", "id": "ten", "name": "Ten", "credits": { "story": 10 } } ] }
    """

  private func answer(
    _ request: AccessRequest, waiting product: ProductID, for seconds: Double, _ store: StoreKnowledge = .answered
  ) throws -> Decision {
    let pending = PendingPurchase(productID: product, since: t0, lapses: t0 + 86400, revision: Revision(t0))
    return Snapshot(
      of: CustomerState([.pending(pending)]), catalog: try Catalog(json: Data(Self.catalog.utf8)), situation: Situation(store: store),
      at: t0 + seconds
    ).decision(for: request)
  }

  @Test("A request for a product that is no longer sold waits like any other: no paywall offers a second one beside it")
  func noLongerSold() throws {
    let waits = try answer(AccessRequest("packs"), waiting: "old", for: 60)
    #expect(waits.reason == .pending)
    #expect(waits.placement == nil)
    #expect(waits.unlockedBy == ["new"])
    #expect(waits.validUntil == t0 + 86400)
    let lapsed = try answer(AccessRequest("packs"), waiting: "old", for: 86400)
    #expect(lapsed.reason == .requiresPurchase)
    #expect(lapsed.placement == .featureRestricted)
    #expect(try answer(AccessRequest("packs"), waiting: "old", for: 60, .waiting).reason == .unknown)
    #expect(try answer(AccessRequest("story"), waiting: "old", for: 60).reason == .requiresPurchase)
  }

  @Test("A request for credits that lapsed after the store's last answer is unknown, because it may have been approved")
  func credits() throws {
    #expect(try answer(AccessRequest("story"), waiting: "ten", for: 60).reason == .pending)
    let lapsed = try answer(AccessRequest("story"), waiting: "ten", for: 86400, .answered(at: t0 + 3600))
    #expect(lapsed.reason == .unknown)
    #expect(lapsed.placement == nil)
    #expect(try answer(AccessRequest("story", count: 11), waiting: "ten", for: 86400, .answered(at: t0 + 3600)).reason == .notOffered)
    let answered = try answer(AccessRequest("story"), waiting: "ten", for: 86400, .answered(at: t0 + 86400))
    #expect(answered.reason == .requiresPurchase)
    #expect(answered.placement == .featureRestricted)
  }

  @Test("A number that only a product needs is missing from the request: an error, not a feature that nothing opens")
  func heldMissing() throws {
    #expect(try answer(AccessRequest("profiles"), waiting: "old", for: 60).reason == .heldMissing)
    #expect(try answer(AccessRequest("profiles", held: 2), waiting: "old", for: 60).reason == .pending)
    #expect(try answer(AccessRequest("profiles", held: 3), waiting: "old", for: 60).reason == .notOffered)
    #expect(try answer(AccessRequest("profiles"), waiting: "new", for: 60).reason == .notOffered)
    // A product that may be owned needs the number as well, whether it is sold now or not.
    #expect(try answer(AccessRequest("profiles"), waiting: "new", for: 60, .waiting).reason == .heldMissing)
    #expect(try answer(AccessRequest("profiles", held: 2), waiting: "new", for: 60, .waiting).reason == .unknown)
    #expect(try answer(AccessRequest("profiles"), waiting: "old", for: 86400, .answered(at: t0)).reason == .heldMissing)
  }
}

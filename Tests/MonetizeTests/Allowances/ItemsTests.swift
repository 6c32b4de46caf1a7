// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

struct ItemsTests {
  private func allowed(free: String) throws -> [String] {
    let catalog = try Catalog.small(
      #"{ "allowance": "items" }"#, free: free,
      extra: #""collections": { "cave": { "title": "Cave", "items": 2 }, "forest": { "title": "Forest", "items": 2 } },"#)
    let snapshot = Snapshot(of: CustomerState(), catalog: catalog, at: t0)
    return catalog.collections.flatMap(\.paths).filter { snapshot.decision(for: "f", item: $0).isAllowed }.map(\.description)
  }

  @Test("A number opens as many items of each collection; 0 opens none, in all collections or in one")
  func numbers() throws {
    #expect(try allowed(free: "1") == ["cave/1", "forest/1"])
    #expect(try allowed(free: "0").isEmpty)
    #expect(try allowed(free: #"{ "forest": 1 }"#) == ["forest/1"])
    #expect(try allowed(free: #"{ "cave": 0, "forest": "unlimited" }"#) == ["forest/1", "forest/2"])
  }

  @Test("Snapshots that differ only in the date of the store's last answer are equal") func laterAnswer() throws {
    let catalog = try Catalog(json: Data(#"{ "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": {} } }"#.utf8))
    func snapshot(_ store: StoreKnowledge) -> Snapshot {
      Snapshot(of: CustomerState(), catalog: catalog, situation: Situation(store: store), at: RandomFacts.start)
    }
    #expect(snapshot(.answered(at: RandomFacts.start - 60)) == snapshot(.answered(at: RandomFacts.start)))
    #expect(snapshot(.waiting) != snapshot(.answered(at: RandomFacts.start)))
  }

  @Test("Snapshots that open different items are not equal, although both open the feature") func differentItems() throws {
    let catalog = try Catalog.small(
      #"{ "allowance": "items" }"#, free: "2", extra: #""collections": { "cave": { "title": "Cave", "items": 2 } },"#)
    let cap = Cap(feature: "f", subject: .customer, amount: "1", revision: Revision(t0))
    let (capped, free) = (
      Snapshot(of: CustomerState([.cap(cap)]), catalog: catalog, at: t0), Snapshot(of: CustomerState(), catalog: catalog, at: t0)
    )
    #expect(capped.decision(for: "f") == free.decision(for: "f"))
    #expect(!capped.decision(for: "f", item: "cave/2").isAllowed && free.decision(for: "f", item: "cave/2").isAllowed)
    #expect(capped != free)
  }

  @Test("As many items of one collection as of all are no more") func equal() throws {
    let catalog = try Catalog.small(
      #"{ "allowance": "items" }"#, free: "3", paid: #"{ "forest": 3 }"#,
      extra: #""collections": { "cave": { "title": "Cave", "items": 5 }, "forest": { "title": "Forest", "items": 5 } },"#)
    let (free, product) = (try #require(catalog.freeTier["f"]), try #require(catalog.products[0].grants["f"]))
    #expect(free.joined(with: product) == free && free.gives(atLeast: product) && !product.gives(atLeast: free))
  }
}

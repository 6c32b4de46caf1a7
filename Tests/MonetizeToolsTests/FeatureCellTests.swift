// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

@Suite("A cell of access")
struct FeatureCellTests {
  private static let catalog = #"""
    { "schemaVersion": 1, "app": { "id": "com.example.app", "name": "App" },
      "collections": { "levels": { "title": "Levels", "items": 3 },
        "hats": { "title": "Hats", "items": [{ "id": "hat", "coins": 40 }, { "id": "cape", "coins": 11 }] } },
      "features": { "levels": { "title": "Levels", "allowance": "prerequisite", "in": ["levels"], "requires": "previous" },
        "shop": { "title": "Shop", "allowance": "coins", "in": ["hats"] },
        "story": { "title": "Stories", "allowance": "count", "per": "month", "unit": { "one": "story", "other": "stories" } },
        "basic": { "title": "Basic", "of": "story", "atLeast": 1 } },
      "freeTier": { "grants": { "levels": true, "shop": true, "story": 3 } } }
    """#

  private func cells() throws -> [String: FeatureCell] {
    let snapshot = Snapshot(of: CustomerState(), catalog: try Catalog(json: Data(Self.catalog.utf8)), situation: Situation(), at: Date())
    return Dictionary(uniqueKeysWithValues: snapshot.catalog.features.map { ("\($0.id)", FeatureCell($0, snapshot)) })
  }

  @Test("What a customer gets by using the app is included, before the first coin and the first level") func earned() throws {
    let cells = try cells()
    #expect(cells["shop"]?.text == "2 items for coins")
    #expect(cells["levels"]?.text == "3 items, one after the other (1 open)")
    let json = String(decoding: try JSONEncoder().encode(cells["shop"]), as: UTF8.self)
    #expect(json.contains(#""allowed":true"#), "\(json)")
  }

  /// A limit whose numbers no decision has.
  private struct Storage: AllowanceShape {
    static let name = "storage"
    struct Grant: Allowance, Decodable {
      let megabytes: Int
      init(from decoder: any Decoder) throws { megabytes = try decoder.singleValueContainer().decode(Int.self) }
      func joined(with other: Self) -> Self { megabytes >= other.megabytes ? self : other }
      func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
        (request.held ?? 0) < megabytes ? .allowed : .denied("storageFull")
      }
    }
  }

  @Test("A limit of an app's own shape is not called unlimited") func ownShape() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "com.example.app", "name": "App" },
        "features": { "pictures": { "title": "Pictures", "allowance": "storage" } }, "freeTier": { "grants": { "pictures": 50 } },
        "products": [{ "kind": "nonConsumable", "id": "all", "name": "All", "grants": { "pictures": "unlimited" } }] }
      """#
    let catalog = try Catalog(json: Data(json.utf8), shapes: .standard.adding(Storage.self))
    let feature = try #require(catalog.feature("pictures"))
    func cell(_ facts: [Fact]) -> String {
      FeatureCell(feature, Snapshot(of: CustomerState(facts), catalog: catalog, situation: Situation(), at: Date())).text
    }
    #expect(cell([]) == "yes")
    let bought = StoreTransaction(id: "1", productID: "all", purchaseDate: Date(timeIntervalSince1970: 1_772_366_400))
    #expect(cell([.transaction(bought)]) == "unlimited")
  }

  @Test("An amount has the unit of the catalog; a part has that of its whole") func units() throws {
    #expect(try cells()["story"]?.text == "3 stories a month")
    let catalog = try Catalog(json: Data(Self.catalog.utf8))
    let snapshot = Snapshot(of: CustomerState(), catalog: catalog, situation: Situation(), at: Date())
    #expect(snapshot.decision(for: "basic").text(for: catalog.feature("basic")) == "Basic: 3 stories.")
  }
}

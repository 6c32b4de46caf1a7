// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON
import MonetizeSimulator

/// One of two compared catalogs, with its text and its look-up tables.
struct DiffSide: Sendable {
  let catalog: Catalog
  let root: JSONValue
  /// A feature and its parts, by the id of the whole.
  let families: [FeatureID: [Feature]]
  /// The text of a feature and its parts: equal if nothing about them changed.
  let familyTexts: [FeatureID: String]
  /// The text of a product without its texts for customers, its price and its grants.
  let terms: [ProductID: String]
  /// The text that concerns all features: collections, releases, parts, monetization.
  let shared: String
  let words: CatalogWords

  /// O(length of the text).
  init(_ catalog: Catalog, _ root: JSONValue) {
    (self.catalog, self.root, words) = (catalog, root, CatalogWords(catalog))
    families = Dictionary(grouping: catalog.features) { $0.part?.whole ?? $0.id }
    let texts = Dictionary((root["features"]?.members ?? []).map { ($0.key, $0.value.text()) }) { first, _ in first }
    familyTexts = families.mapValues { family in family.map { "\($0.id) \(texts[$0.id.rawValue] ?? "")" }.joined(separator: "\n") }
    let said: Set<String> = [
      "$comment", "name", "description", "referenceName", "price", "onSale", "offers", "grants", "entitlements", "credits",
    ]
    terms = Dictionary(
      (root["products"]?.elements ?? []).compactMap { product in
        product["id"]?.string.map { id in
          let members = product.members.filter { !said.contains($0.key) }.sorted { $0.key < $1.key }
          return (ProductID(id), members.map { "\($0.key) \($0.value.text())" }.joined(separator: "\n"))
        }
      }
    ) { first, _ in first }
    shared = ["app", "collections", "releases", "parts", "monetization"].map { root[$0]?.text() ?? "-" }.joined(separator: "\n")
  }
}

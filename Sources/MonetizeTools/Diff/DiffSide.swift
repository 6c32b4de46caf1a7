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
  /// The text of a feature and its parts without their texts for customers: for equal texts equal grants give equal answers.
  let familyTexts: [FeatureID: String]
  /// How long and for whom a product is owned, as text: equal for products that differ in nothing else.
  let terms: [ProductID: String]
  /// What concerns all features, as text: the items and parts of collections, releases, parts, monetization.
  let shared: String
  let words: CatalogWords
  /// What each entitlement gives to a person who was given it.
  let gifts: [CatalogProduct]
  private let giftsByID: [ProductID: CatalogProduct]

  /// The keys of a feature that customers read, and no answer depends on.
  private static let texts: Set<String> = ["$comment", "title", "description", "unlockMessage", "unit"]
  /// The keys of a product that decide neither when it is owned nor by whom.
  private static let details: Set<String> = [
    "$comment", "id", "name", "description", "referenceName", "price", "onSale", "offers", "grants", "entitlements", "credits",
  ]
  /// The keys of a subscription that order it among the plans of its group: the owner of one product has no other plan.
  private static let order: Set<String> = ["group", "level"]

  /// O(length of the text).
  init(_ catalog: Catalog, _ root: JSONValue) {
    (self.catalog, self.root, words) = (catalog, root, CatalogWords(catalog))
    gifts = catalog.entitlements.map(catalog.gift)
    giftsByID = Dictionary(gifts.map { ($0.id, $0) }) { first, _ in first }
    families = Dictionary(grouping: catalog.features) { $0.part?.whole ?? $0.id }
    let texts = Dictionary((root["features"]?.members ?? []).map { ($0.key, Self.text($0.value, without: Self.texts)) }) { first, _ in first
    }
    familyTexts = families.mapValues { family in family.map { "\($0.id) \(texts[$0.id.rawValue] ?? "")" }.joined(separator: "\n") }
    terms = Dictionary(
      (root["products"]?.elements ?? []).compactMap { product in
        product["id"]?.string.map { id in
          let isPlan = catalog.product(ProductID(id))?.subscription != nil
          return (ProductID(id), Self.text(product, without: isPlan ? Self.details.union(Self.order) : Self.details))
        }
      }
    ) { first, _ in first }
    let collections = catalog.collections.map {
      "\($0.id) \($0.parts) " + $0.items.map { "\($0.id) \($0.coins ?? -1)" }.joined(separator: ", ")
    }
    let others = ["app", "releases", "parts", "monetization"].map { root[$0]?.text() ?? "-" }
    shared = (others + collections).joined(separator: "\n")
  }

  /// The members of an object in the order of their keys, without some.
  private static func text(_ object: JSONValue, without left: Set<String>) -> String {
    let members = object.members.filter { !left.contains($0.key) }.sorted { $0.key < $1.key }
    return members.map { "\($0.key) \($0.value.text())" }.joined(separator: "\n")
  }

  /// A product, or a gift.
  func holding(_ id: ProductID) -> CatalogProduct? { giftsByID[id] ?? catalog.product(id) }

  /// The features whose own text has changed; all of them if a text has changed that concerns all. O(length of both texts).
  func rewrittenFeatures(in other: DiffSide) -> Set<FeatureID> {
    let all = Set(families.keys).union(other.families.keys)
    return shared != other.shared ? all : all.filter { familyTexts[$0] != other.familyTexts[$0] }
  }
}

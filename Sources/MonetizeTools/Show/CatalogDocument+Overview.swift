// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize
import MonetizeSimulator

extension CatalogDocument {
  /// The maximum number of columns for kinds of customers that fit a page.
  static let mostColumns = 6

  /// The products, and the access of each kind of customer to each feature: features × tiers, with prices, limits and offers.
  ///
  /// O(products + features × columns), and the items of each feature that opens items.
  public static func overview(of catalog: Catalog) -> CatalogDocument {
    let words = CatalogWords(catalog)
    let groups = Self.groups(catalog.products)
    let columns = groups.prefix(mostColumns)
    let free = snapshot(of: catalog, owning: nil)
    let owners = columns.map { snapshot(of: catalog, owning: $0[0]) }
    let heads = columns.map { "With " + enumeration($0.map { words.product($0.id) }, "or") }
    let rows = catalog.features.map { feature in
      [words.feature(feature.id)] + ([free] + owners).map { FeatureCell(feature, $0).text }
    }
    let products = catalog.products.map { [words.product($0.id), $0.id.rawValue, words.terms($0) + offers(of: $0)] }
    return CatalogDocument(
      "\(catalog.app.name): free features and products",
      [
        products.isEmpty ? .text("There are no products.") : .heading("Products"),
        products.isEmpty ? nil : .table(head: ["Product", "Id", "Price in the catalog"], rows: products),
        .heading("Features"), .table(head: ["Feature", catalog.freeTierTitle] + heads, rows: rows),
        groups.count > columns.count ? .text("And \(groups.count - columns.count) more kinds of customers.") : nil,
        .text("– means not included; “later” means in a later release. The store shows customers their actual prices."),
      ])
  }

  /// The offers for some customers, after the terms for all.
  private static func offers(of product: CatalogProduct) -> String {
    (product.subscription?.offers ?? []).filter { $0.type != .introductory && $0.isEnabled }.map { offer in
      "; \(offer.type.words) offer\(offer.id.map { " “\($0)”" } ?? ""): \(CatalogWords.terms(offer))"
    }.joined()
  }

  /// The answers to the owner of a product. Other products are left out, because each closed item would be judged again for every product
  /// that could open it.
  private static func snapshot(of catalog: Catalog, owning product: CatalogProduct?) -> Snapshot {
    let owned = product.map { [$0] } ?? []
    let bought = owned.map { Fact.transaction(StoreTransaction(id: "1", productID: $0.id, purchaseDate: CatalogDocument.date)) }
    // Without limits nothing is closed, and what is sold at all decides.
    let part =
      catalog.isMonetized
      ? catalog.part(
        owned, features: catalog.features, collections: catalog.collections, freeTier: catalog.freeTier, isMonetized: true) : catalog
    return Snapshot(of: CustomerState(bought), catalog: part, at: CatalogDocument.date)
  }

  /// Groups products with the same grants, in the order of the catalog. O(products).
  private static func groups(_ products: [CatalogProduct]) -> [[CatalogProduct]] {
    struct Gifts: Hashable {
      let kind: String
      let grants: [FeatureID: Granted]
      let credits: [FeatureID: Int]
    }
    var index: [Gifts: Int] = [:]
    var groups: [[CatalogProduct]] = []
    for product in products {
      let gifts = Gifts(kind: product.kindName, grants: product.grants, credits: product.credits)
      if let known = index[gifts] {
        groups[known].append(product)
      } else {
        index[gifts] = groups.count
        groups.append([product])
      }
    }
    return groups
  }
}

extension SubscriptionOffer.OfferType {
  /// The type before "offer".
  var words: String { self == .winBack ? "win-back" : rawValue }
}

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
    let table = AccessTable(of: catalog, most: mostColumns)
    let heads = table.columns.dropFirst().map { "With " + enumeration($0.products.map { words.product($0.id) }, "or") }
    let rows = catalog.features.indices.map { row in
      [words.feature(catalog.features[row].id)] + table.columns.map { $0.cells[row].text }
    }
    let products = catalog.products.map { [words.product($0.id), $0.id.rawValue, words.terms($0) + offers(of: $0)] }
    return CatalogDocument(
      "\(catalog.app.name): free features and products",
      [
        products.isEmpty ? .text("There are no products.") : .heading("Products"),
        products.isEmpty ? nil : .table(head: ["Product", "Id", "Price in the catalog"], rows: products),
        .heading("Features"), .table(head: ["Feature", catalog.freeTierTitle] + heads, rows: rows),
        table.hidden > 0 ? .text("And \(table.hidden) more kinds of customers.") : nil,
        .text("– means not included; “later” means in a later release. The store shows customers their actual prices."),
      ])
  }

  /// The offers for some customers, after the terms for all.
  private static func offers(of product: CatalogProduct) -> String {
    (product.subscription?.offers ?? []).filter { $0.type != .introductory && $0.isEnabled }.map { offer in
      "; \(offer.type.words) offer\(offer.id.map { " “\($0)”" } ?? ""): \(CatalogWords.terms(offer))"
    }.joined()
  }
}

extension SubscriptionOffer.OfferType {
  /// The type before "offer".
  var words: String { self == .winBack ? "win-back" : rawValue }
}

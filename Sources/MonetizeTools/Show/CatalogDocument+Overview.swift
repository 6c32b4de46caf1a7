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
    // Products that an arm replaces are not sold in it.
    let products = catalog.products.filter { !$0.isOnSale || $0.isOffered || $0.variantOf != nil }.map { product in
      [words.product(product.id), words.terms(product) + offers(of: product) + arms(of: product, in: catalog), product.id.rawValue]
    }
    return CatalogDocument(
      "\(catalog.app.name): free features and products",
      [
        products.isEmpty ? .text("There are no products.") : .heading("Products"),
        products.isEmpty ? nil : .table(head: ["Product", "Price in the catalog", "Id"], rows: products),
        .heading("Features"), .table(head: ["Feature", catalog.freeTierTitle] + heads, rows: rows),
        table.hidden > 0 ? .text("And \(table.hidden) more kinds of customers.") : nil,
        .text("– means not included; “later” means in a later release. The store shows customers their actual prices."),
      ])
  }

  /// Where a variant is sold that is not sold here.
  private static func arms(of product: CatalogProduct, in catalog: Catalog) -> String {
    guard product.variantOf != nil, product.isOnSale, !product.isOffered else { return "" }
    let arms = catalog.experiments.flatMap { experiment in
      experiment.arms.filter { $0.products.contains(product.id) }.map { "\($0.id) of \(experiment.id)" }
    }
    return arms.isEmpty ? "; not in these arms" : "; only in arm \(enumeration(arms, "or"))"
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

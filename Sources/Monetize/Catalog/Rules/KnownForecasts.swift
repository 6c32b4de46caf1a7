// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// Forecasts may name only declared features and products. A product that is not sold, or has no price, is in no forecast, so that what is
/// assumed of it has no effect.
enum KnownForecasts: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    guard let section = draft.root["forecast"], section.kind == .object else { return }
    let unsold = Dictionary(
      draft.products.compactMap { product in why(product, draft).map { (product.value.id.rawValue, $0) } },
      uniquingKeysWith: { first, _ in first })
    for scenario in section.members {
      func entries(_ key: String) -> [JSONMember] { (scenario.value[key]?.members ?? []).filter { $0.key != "$comment" } }
      for key in ["costPerUse", "uses", "limit"] {
        for entry in entries(key) { draft.isDeclared(entry.key, .feature, at: entry.value) }
      }
      for key in ["mix", "retention", "price"] {
        for entry in entries(key) where draft.isDeclared(entry.key, .product, at: entry.value) {
          guard let why = unsold[entry.key] else { continue }
          draft.reader.report(
            .warning, "forecast-not-sold", at: entry.value,
            "\"\(entry.key)\" \(why), so the forecast leaves it out and this has no effect. Remove it here, or change the product.")
        }
      }
    }
  }

  /// Why a product is in no forecast; `nil` for one that is, and for one with a mistake.
  private static func why(_ product: CatalogDraft.Placed<CatalogProduct>, _ draft: CatalogDraft) -> String? {
    guard draft.isKnown(product.source, "onSale", "price", "variantOf") else { return nil }
    if !product.value.isOnSale { return "is not on sale" }
    if product.value.variantOf != nil { return "is sold only in an arm of an experiment" }
    return (product.value.price?.amount ?? 0) > 0 ? nil : "has no price"
  }
}

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// What is sold for coins says how many: an item without a price in a shop costs nothing, which is probably a mistake.
enum PricedItems: CatalogRule {
  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    let shops = draft.features.filter { type(of: $0.value.shape).needsPrices }
    return draft.collections.flatMap { collection -> [CatalogFinding] in
      let shop = shops.first { $0.value.collections?.contains(collection.value.id) ?? true }
      guard let shop else { return [] }
      let elements = collection.source["items"]?.elements ?? []
      let free = collection.value.items.enumerated().filter { $1.coins == nil }.map { index, item in
        CatalogFinding(
          .warning, "item-without-price", at: elements.indices.contains(index) ? elements[index] : collection.source.at("items"),
          "\"\(item.id)\" is in the shop \"\(shop.value.id)\" and has no price, so it costs nothing. Give it \"coins\"; 0 if that is meant."
        )
      }
      // A collection by number has no place for a price: once is enough.
      return elements.isEmpty ? Array(free.prefix(1)) : free
    }
  }
}

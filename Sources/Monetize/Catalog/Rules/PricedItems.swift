// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Items sold for coins should have a price: an item without one costs nothing, which is probably a mistake.
enum PricedItems: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    let shops = draft.features.filter { type(of: $0.value.shape).needsPrices }
    for collection in draft.collections {
      guard let shop = shops.first(where: { $0.value.collections?.contains(collection.value.id) ?? true }) else { continue }
      let elements = collection.source["items"]?.elements ?? []
      let free = collection.value.items.enumerated().filter { $1.coins == nil }
      // A collection that gives its items as a number cannot hold prices, so one report is enough.
      for (index, item) in elements.isEmpty ? Array(free.prefix(1)) : free {
        draft.reader.report(
          .warning, "item-without-price", at: elements.isEmpty ? collection.source.at("items") : elements[index],
          "\"\(item.id)\" is in the shop \"\(shop.value.id)\" but has no price, so it is free. Add \"coins\", or 0 for a free item."
        )
      }
    }
  }
}

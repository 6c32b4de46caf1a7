// SPDX-License-Identifier: Apache-2.0

/// What is sold for coins says how many: an item without a price in a shop costs nothing, which is probably a mistake.
enum PricedItems: CatalogRule {
  static func check(_ draft: CatalogDraft, _ reader: JSONReader) {
    let shops = draft.features.filter { $0.value.shape is CoinsShape }
    for collection in draft.collections {
      let shop = shops.first { $0.value.collections?.contains(collection.value.id) ?? true }
      guard let shop else { continue }
      for (place, item) in collection.value.items.enumerated() where item.coins == nil {
        reader.report(
          .warning, "item-without-price",
          at: collection.source["items"]?.elements.dropFirst(place).first ?? collection.source["items"] ?? collection.source,
          "\"\(item.id)\" is in the shop \"\(shop.value.id)\" and has no price, so it costs nothing. Give it \"coins\"; 0 if that is meant."
        )
        // A collection by number has no place for a price: once is enough.
        if collection.source["items"]?.kind != .array { break }
      }
    }
  }
}

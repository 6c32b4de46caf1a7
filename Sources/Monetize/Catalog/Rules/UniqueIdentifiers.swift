// SPDX-License-Identifier: Apache-2.0

/// Names mean one thing: product ids are unique, an alias is no other feature's name, items and parts of a collection differ.
enum UniqueIdentifiers: CatalogRule {
  static func check(_ draft: CatalogDraft, _ reader: JSONReader) {
    var products: Set<ProductID> = []
    for product in draft.products where !products.insert(product.value.id).inserted {
      reader.report(
        .error, "repeated-id", at: product.source["id"] ?? product.source,
        "Another product has the id \"\(product.value.id)\" already. The store sells one thing a name; remove one, or rename it.")
    }
    var names = Set(draft.features.map(\.value.id))
    for feature in draft.features {
      for (place, alias) in feature.value.aliases.enumerated() where !names.insert(alias).inserted {
        reader.report(
          .error, "repeated-id", at: feature.source["aliases"]?.elements[place] ?? feature.source,
          "\"\(alias)\" is the name or an alias of another feature already. Remove one of them.")
      }
    }
    for collection in draft.collections {
      var items: Set<String> = []
      for (place, item) in collection.value.items.enumerated() where !items.insert(item.id).inserted {
        reader.report(
          .error, "repeated-id", at: collection.source["items"]?.elements.dropFirst(place).first ?? collection.source,
          "This collection has an item \"\(item.id)\" already. Rename one of them.")
      }
      var parts: Set<String> = []
      for (place, part) in collection.value.parts.enumerated() {
        let source = collection.source["parts"]?.elements[place] ?? collection.source
        if part.isEmpty || part.contains("/") {
          reader.report(
            .error, "bad-value", at: source, "A part's name is not empty and has no slash: paths are written collection/item/part.")
        }
        if !parts.insert(part).inserted {
          reader.report(.error, "repeated-id", at: source, "This collection has a part \"\(part)\" already. Remove one.")
        }
      }
    }
  }
}

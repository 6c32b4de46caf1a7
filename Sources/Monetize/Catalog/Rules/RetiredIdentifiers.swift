// SPDX-License-Identifier: Apache-2.0

/// What is retired is never used again: not as a product, a feature, an alias, a collection, an item or a part.
enum RetiredIdentifiers: CatalogRule {
  static func check(_ draft: CatalogDraft, _ reader: JSONReader) {
    let retired = Set(draft.retired)
    guard !retired.isEmpty else { return }
    func check(_ id: String, _ what: String, at value: @autoclosure () -> JSONValue?) {
      guard retired.contains(id), let value = value() else { return }
      reader.report(.error, "retired-id", at: value, "\"\(id)\" is retired and may not be used as \(what) again. Choose another name.")
    }
    for product in draft.products { check(product.value.id.rawValue, "a product", at: product.source["id"]) }
    for feature in draft.features {
      check(feature.value.id.rawValue, "a feature", at: feature.source)
      for alias in feature.value.aliases { check(alias.rawValue, "an alias", at: feature.source["aliases"]) }
    }
    for collection in draft.collections {
      check(collection.value.id.rawValue, "a collection", at: collection.source)
      for (place, part) in collection.value.parts.enumerated() { check(part, "a part", at: collection.source["parts"]?.elements[place]) }
      for item in collection.value.items { check(item.id, "an item", at: collection.source["items"]) }
    }
  }
}

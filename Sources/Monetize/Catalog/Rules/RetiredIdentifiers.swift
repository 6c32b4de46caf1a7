// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// What is retired is never used again: not as a product, a feature, an alias, a collection, an item or a part.
enum RetiredIdentifiers: CatalogRule {
  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    let retired = Set(draft.retired)
    guard !retired.isEmpty else { return [] }
    func check(_ id: String, _ what: String, at source: @autoclosure () -> JSONValue) -> CatalogFinding? {
      CatalogFinding(
        unless: !retired.contains(id), "retired-id", at: source(),
        "\"\(id)\" is retired and may not be used as \(what) again. Choose another name.")
    }
    let products = draft.products.map { check($0.value.id.rawValue, "a product", at: $0.source.at("id")) }
    let features = draft.features.flatMap { feature in
      [check(feature.value.id.rawValue, "a feature", at: feature.source)]
        + feature.value.aliases.map { check($0.rawValue, "an alias", at: feature.source.at("aliases")) }
    }
    let collections = draft.collections.flatMap { collection in
      [check(collection.value.id.rawValue, "a collection", at: collection.source)]
        + collection.value.parts.enumerated().map { check($1, "a part", at: collection.source.at("parts", $0)) }
        + collection.value.items.map { check($0.id, "an item", at: collection.source.at("items")) }
    }
    return (products + features + collections).compactMap { $0 }
  }
}

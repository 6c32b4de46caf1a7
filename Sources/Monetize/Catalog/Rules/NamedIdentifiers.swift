// SPDX-License-Identifier: Apache-2.0

/// Everything that code or the store refers to has a name. Items and parts are looked at where they are read.
enum NamedIdentifiers: CatalogRule {
  static func check(_ draft: CatalogDraft, _ reader: JSONReader) {
    func check(_ id: String, _ what: String, at value: @autoclosure () -> JSONValue?) {
      guard id.allSatisfy(\.isWhitespace), let value = value() else { return }
      reader.report(.error, "empty-id", at: value, "The id of \(what) is empty. Give it a name.")
    }
    check(draft.app.id, "the app", at: draft.root["app"]?["id"])
    for product in draft.products { check(product.value.id.rawValue, "a product", at: product.source["id"]) }
    for entitlement in draft.entitlements { check(entitlement.value.id.rawValue, "an entitlement", at: entitlement.source) }
    for collection in draft.collections { check(collection.value.id.rawValue, "a collection", at: collection.source) }
    for feature in draft.features {
      check(feature.value.id.rawValue, "a feature", at: feature.source)
      for (place, alias) in feature.value.aliases.enumerated() {
        check(alias.rawValue, "an alias", at: feature.source["aliases"]?.elements.dropFirst(place).first)
      }
    }
    for (place, module) in draft.modules.enumerated() {
      check(module.id, "a module", at: draft.root["modules"]?.elements.dropFirst(place).first?["id"])
    }
    for placement in draft.paywalls.keys.sorted() {
      check(placement.rawValue, "a placement", at: draft.root["paywalls"]?[placement.rawValue])
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Identifiers must be unique: products, modules, the items and parts of a collection, and what a paywall lists. An alias must not be another
/// feature's name.
enum UniqueIdentifiers: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    for (index, id) in draft.repeated(draft.products.map(\.value.id)) {
      draft.reader.report(
        "repeated-id", at: draft.products[index].source.at("id"),
        "Another product already has the id \"\(id)\". Remove one, or rename it.")
    }
    for (index, id) in draft.repeated(draft.modules.map(\.id)) {
      draft.reader.report(
        "repeated-id", at: draft.root.at("modules", index, "id"), "There is already a module \"\(id)\". Remove one, or rename it.")
    }
    var names = Set(draft.features.map(\.value.id))
    for feature in draft.features {
      for (index, alias) in feature.value.aliases.enumerated() where !names.insert(alias).inserted {
        draft.reader.report(
          "repeated-id", at: feature.source.at("aliases", index),
          "\"\(alias)\" is already the name or an alias of another feature. Remove one of them.")
      }
    }
    for collection in draft.collections {
      let items = collection.source["items"]?.elements ?? []
      for (index, id) in draft.repeated(collection.value.items.map(\.id)) {
        draft.reader.report(
          "repeated-id", at: items[index], "This collection already has an item \"\(id)\". Rename one of them.")
      }
      for (index, part) in draft.repeated(collection.value.parts) {
        draft.reader.report(
          "repeated-id", at: collection.source.at("parts", index), "This collection already has a part \"\(part)\". Remove one.")
      }
    }
    for (placement, paywall) in draft.paywalls { check(paywall, placement, draft) }
  }

  /// A list on a screen identifies its rows by these names.
  private static func check(_ paywall: PaywallDefinition, _ placement: PlacementID, _ draft: CatalogDraft) {
    let lists = [("products", paywall.products?.map(\.rawValue)), ("actions", paywall.actions?.map(\.rawValue))]
    for (key, names) in lists {
      for (index, name) in draft.repeated(names ?? []) {
        draft.reader.report(
          "repeated-id", at: draft.root.at("paywalls", placement.rawValue, key, index),
          "This paywall already lists \"\(name)\". Remove one.")
      }
    }
  }
}

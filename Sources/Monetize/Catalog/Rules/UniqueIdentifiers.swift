// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Identifiers must be unique: products, modules, the items and parts of a collection, and the entries of a paywall's lists. An alias must
/// not be another feature's name.
enum UniqueIdentifiers: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    draft.unique(
      draft.products.map(\.value.id), { "Another product already has the id \"\($0)\". Remove one, or rename it." },
      at: { draft.products[$0].source.at("id") })
    draft.unique(
      draft.catalog.modules.map(\.id), { "There is already a module \"\($0)\". Remove one, or rename it." },
      at: { draft.root.at("modules", $0, "id") })
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
      draft.unique(
        collection.value.items.map(\.id), { "This collection already has an item \"\($0)\". Rename one of them." }, at: { items[$0] })
      draft.unique(
        collection.value.parts, { "This collection already has a part \"\($0)\". Remove one." }, at: { collection.source.at("parts", $0) })
    }
    // A list on a screen identifies its rows by these names.
    for paywall in draft.paywalls.values {
      func check(_ key: String, _ names: [String]?) {
        draft.unique(names ?? [], { "This paywall already lists \"\($0)\". Remove one." }, at: { paywall.source.at(key, $0) })
      }
      check("products", paywall.value.products?.map(\.rawValue))
      check("actions", paywall.value.actions?.map(\.rawValue))
    }
  }
}

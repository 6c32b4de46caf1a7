// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A feature that neither the free tier nor any product nor any entitlement grants is closed to every customer. Probably a mistake.
enum ReachableFeatures: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    // An unreadable section may grant anything. Its mistake is already reported.
    guard draft.isKnown(draft.root, "features", "freeTier", "entitlements", "products") else { return }
    var closed = Set(draft.features.lazy.filter { $0.value.part == nil }.map(\.value.id))
    closed.subtract(draft.catalog.freeTier.keys)
    for entitlement in draft.entitlements { closed.subtract(entitlement.value.grants.keys) }
    for product in draft.products where !closed.isEmpty {
      closed.subtract(product.value.grants.keys)
      closed.subtract(product.value.credits.keys)
    }
    for feature in draft.features where closed.contains(feature.value.id) {
      draft.reader.report(
        .warning, "unreachable-feature", at: feature.source,
        "Nothing grants \"\(feature.value.id)\", so it is closed to all customers. Grant it in \"freeTier\" or in a product, or remove it.")
    }
  }
}

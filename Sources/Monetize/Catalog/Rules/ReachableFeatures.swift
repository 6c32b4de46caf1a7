// SPDX-License-Identifier: Apache-2.0

/// A feature that neither the free tier nor any product nor any entitlement grants is closed to everyone for ever: probably a mistake.
enum ReachableFeatures: CatalogRule {
  static func check(_ draft: CatalogDraft, _ reader: JSONReader) {
    // What is granted by something that could not be read is not known: one mistake is not reported twice.
    if reader.hasErrors { return }
    var granted = Set(draft.freeTier.keys)
    for product in draft.products {
      granted.formUnion(product.value.grants.keys)
      granted.formUnion(product.value.credits.keys)
    }
    for entitlement in draft.entitlements { granted.formUnion(entitlement.value.grants.keys) }
    for feature in draft.features where feature.value.part == nil && !granted.contains(feature.value.id) {
      reader.report(
        .warning, "unreachable-feature", at: feature.source,
        "Nothing grants \"\(feature.value.id)\", so nobody can ever use it. Grant it in \"freeTier\" or in a product, or remove it.")
    }
  }
}

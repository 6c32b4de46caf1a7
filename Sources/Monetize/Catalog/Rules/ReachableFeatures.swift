// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A feature that neither the free tier nor any product nor any entitlement grants is closed to everyone for ever: probably a mistake.
enum ReachableFeatures: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    // What is granted by something that could not be read is not known: one mistake is not reported twice.
    if draft.isBroken(draft.root) { return }
    let granted = Set(draft.grants.flatMap(\.grants.keys) + draft.products.flatMap(\.value.credits.keys))
    for feature in draft.features where feature.value.part == nil && !granted.contains(feature.value.id) {
      draft.reader.report(
        .warning, "unreachable-feature", at: feature.source,
        "Nothing grants \"\(feature.value.id)\", so nobody can ever use it. Grant it in \"freeTier\" or in a product, or remove it.")
    }
  }
}

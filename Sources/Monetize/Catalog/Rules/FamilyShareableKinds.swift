// SPDX-License-Identifier: Apache-2.0

/// The store shares only what is owned for ever or renews (app-store-rules E.4).
enum FamilyShareableKinds: CatalogRule {
  static func check(_ draft: CatalogDraft, _ reader: JSONReader) {
    for product in draft.products where product.value.isFamilyShareable {
      guard product.value.storeType == .consumable || product.value.storeType == .nonRenewing else { continue }
      reader.report(
        .error, "not-shareable", at: product.source["familyShareable"] ?? product.source,
        "The App Store shares non-consumables and auto-renewables with a family, and \"\(product.value.id)\" is neither. Remove "
          + "\"familyShareable\".")
    }
  }
}

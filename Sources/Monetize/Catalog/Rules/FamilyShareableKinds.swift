// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Only non-consumables and auto-renewable subscriptions can be family shareable (app-store-rules E.4).
enum FamilyShareableKinds: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    for product in draft.products where product.value.isFamilyShareable {
      draft.require(
        type(of: product.value.kind).isShareable, "not-shareable", at: product.source.at("familyShareable"),
        "Only non-consumables and auto-renewables can be shared with a family; \"\(product.value.id)\" is neither. Remove "
          + "\"familyShareable\".")
    }
  }
}

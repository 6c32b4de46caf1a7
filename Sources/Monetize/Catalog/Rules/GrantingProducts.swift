// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A product that can be owned must grant something. A consumable need not: a tip jar has no credits.
enum GrantingProducts: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    for product in draft.products {
      // Counts every written grant, even one that could not be read.
      let written = product.source["grants"]?.members.filter { $0.key != "$comment" } ?? []
      draft.require(
        type(of: product.value.kind).sellsCredits || !written.isEmpty || !product.value.entitlements.isEmpty
          || draft.isBroken(product.source),
        "grants-nothing", at: product.source,
        "\"\(product.value.id)\" grants nothing to its buyers. Add \"entitlements\" or \"grants\"; a tip is of the kind \"consumable\"."
      )
    }
  }
}

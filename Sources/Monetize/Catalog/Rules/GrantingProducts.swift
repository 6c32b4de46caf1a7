// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A product that can be owned must grant something. A consumable need not: a tip jar has no credits.
enum GrantingProducts: CatalogRule {
  /// Whether anything is granted. Counts every written grant, even one that could not be read.
  static func isGranting(_ product: CatalogDraft.Placed<CatalogProduct>) -> Bool {
    !product.value.entitlements.isEmpty || !(product.source["grants"]?.members ?? []).allSatisfy { $0.key == "$comment" }
  }

  static func check(_ draft: CatalogDraft) {
    for product in draft.products {
      draft.require(
        type(of: product.value.kind).sellsCredits || isGranting(product) || draft.isBroken(product.source),
        "grants-nothing", at: product.source,
        "\"\(product.value.id)\" grants nothing to its buyers. Add \"entitlements\" or \"grants\"; a tip is of the kind \"consumable\"."
      )
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A product that is owned gives something. One that is used up need not: a tip jar is a consumable without credits.
enum GrantingProducts: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    for product in draft.products {
      // What is written counts, also where it could not be read.
      let written = product.source["grants"]?.members.filter { $0.key != "$comment" } ?? []
      draft.require(
        type(of: product.value.kind).sellsCredits || !written.isEmpty || !product.value.entitlements.isEmpty
          || draft.isBroken(product.source),
        "grants-nothing", at: product.source,
        "\"\(product.value.id)\" grants nothing to those who buy it. Add \"entitlements\" or \"grants\"; a tip is of the kind \"consumable\"."
      )
    }
  }
}

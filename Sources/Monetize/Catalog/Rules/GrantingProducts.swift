// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A product that is owned gives something. One that is used up need not: a tip jar is a consumable without credits.
enum GrantingProducts: CatalogRule {
  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    draft.products.compactMap { product in
      // What is written counts, also where it could not be read.
      let written = product.source["grants"]?.members.filter { $0.key != "$comment" } ?? []
      return CatalogFinding(
        unless: type(of: product.value.kind).sellsCredits || !written.isEmpty || !product.value.entitlements.isEmpty
          || draft.isBroken(product.source),
        "grants-nothing", at: product.source,
        "\"\(product.value.id)\" grants nothing to those who buy it. Add \"entitlements\" or \"grants\"; a tip is of the kind \"consumable\"."
      )
    }
  }
}

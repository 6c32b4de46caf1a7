// SPDX-License-Identifier: Apache-2.0

extension Catalog {
  /// This catalog as customers in these arms have it. The rules of catalogs hold for the result.
  /// - Throws: ``CatalogError`` when the arms break a rule together; then none of them applies.
  /// - Complexity: That of reading the catalog again, once, where an arm sets anything; else O(products).
  func applying(_ arms: [Experiment.Arm]) throws(CatalogError) -> Catalog {
    var changed = self
    let patches = arms.compactMap(\.patch)
    // Whoever has an arm is in no experiment of it.
    if !patches.isEmpty { changed = try source.reading(patches: patches + [#"{ "experiments": null }"#]) }
    return changed.offering(arms.flatMap(\.products))
  }

  /// The same with variants sold in place of what they are variants of.
  private func offering(_ variants: [ProductID]) -> Catalog {
    let pairs = variants.compactMap { id in product(id).flatMap { product in product.variantOf.map { ($0, product) } } }
    if pairs.isEmpty { return self }
    let replacements = Dictionary(pairs) { first, _ in first }
    var changed = self
    for (index, product) in products.enumerated() {
      if let variant = product.variantOf {
        changed.products[index].isOffered = product.isOnSale && replacements[variant]?.id == product.id
      } else if replacements[product.id]?.isOnSale == true {
        changed.products[index].isOffered = false
      }
    }
    changed.paywalls = paywalls.mapValues { paywall in
      var paywall = paywall
      paywall.products = paywall.products?.map { replacements[$0]?.id ?? $0 }
      paywall.preselected = paywall.preselected.map { replacements[$0]?.id ?? $0 }
      return paywall
    }
    return changed
  }
}

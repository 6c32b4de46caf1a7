// SPDX-License-Identifier: Apache-2.0

extension Catalog {
  /// The catalog as a customer with these arms has it, for example for a preview of a variant. An app need not call this: a ``Monetizer``
  /// applies the customer's arms.
  /// - Parameter arms: At most one of each experiment, in the order of ``experiments``.
  /// - Returns: A valid catalog, without experiments if an arm sets anything.
  /// - Throws: ``CatalogError`` when the arms together break a rule. None of them applies then.
  /// - Complexity: That of reading the catalog again, if an arm sets anything; otherwise O(products).
  public func applying(arms: [Experiment.Arm]) throws(CatalogError) -> Catalog { try applying(arms: arms, then: []) }

  /// The catalog with these arms, and with overlays over them.
  package func applying(arms: [Experiment.Arm], then overlays: [Overlay]) throws(CatalogError) -> Catalog {
    var (changed, patches) = (self, arms.compactMap(\.patch))
    changed.source.variants += arms.flatMap(\.products)
    // The result has no experiments, so that arms are not applied again.
    if !patches.isEmpty { patches.append(.withoutExperiments) }
    patches += overlays.map(\.patch)
    return patches.isEmpty ? changed.offeringVariants() : try changed.source.reading(patches: patches)
  }

  /// The catalog with the variants of its source on sale instead of their original products.
  func offeringVariants() -> Catalog {
    let pairs = source.variants.compactMap { id in product(id).flatMap { product in product.variantOf.map { ($0, product) } } }
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
      for (id, variant) in replacements {
        let badges = paywall.badges
        paywall.badges?[variant.id.rawValue] = badges?[variant.id.rawValue] ?? badges?[id.rawValue]
      }
      return paywall
    }
    return changed
  }
}

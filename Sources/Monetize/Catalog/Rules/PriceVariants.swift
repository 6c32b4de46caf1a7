// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A variant may differ from its product only in the price, so that customers at another price get the same. Only arms may sell it.
enum PriceVariants: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    let products = Dictionary(draft.products.map { ($0.value.id, $0) }) { first, _ in first }
    for product in draft.products {
      guard let base = product.value.variantOf else { continue }
      let place = product.source.at("variantOf")
      guard draft.isDeclared(base.rawValue, "product", at: place), let original = products[base],
        !draft.isBroken(product.source), !draft.isBroken(original.source)
      else { continue }
      let differs = difference(product.value, original.value)
      draft.require(
        differs == nil, "variant-differs", at: place,
        "\"\(product.value.id)\" is a variant of \"\(base)\" but has another \(differs ?? ""). Make it equal, or remove \"variantOf\".")
    }
    for experiment in draft.experiments {
      for (index, arm) in experiment.value.arms.enumerated() {
        for (position, id) in arm.products.enumerated() {
          let source = experiment.source.at("arms", index, "products", position)
          guard draft.isDeclared(id.rawValue, "product", at: source), let product = products[id] else { continue }
          draft.require(
            product.value.variantOf != nil, "arm-product", at: source,
            "\"\(id)\" is sold in every arm. Name a product that is a \"variantOf\" another, or remove it here.")
        }
      }
    }
  }

  /// The difference between a variant and its product; `nil` when they are equal.
  private static func difference(_ variant: CatalogProduct, _ original: CatalogProduct) -> String? {
    if original.variantOf != nil { return "place: a variant of a variant replaces no product. Its base" }
    if variant.kindName != original.kindName { return "kind" }
    if variant.subscription?.period != original.subscription?.period { return "period" }
    if variant.subscription?.group != original.subscription?.group { return "group" }
    if variant.subscription?.level != original.subscription?.level { return "level" }
    return variant.grants != original.grants || variant.credits != original.credits ? "grant" : nil
  }
}

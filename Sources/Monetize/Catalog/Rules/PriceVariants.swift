// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A variant must be the same product at another price, so that all customers get the same. Only arms may sell it.
enum PriceVariants: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    lazy var products = Dictionary(draft.products.map { ($0.value.id, $0) }) { first, _ in first }
    for product in draft.products {
      guard let base = product.value.variantOf else { continue }
      let place = product.source.at("variantOf")
      guard draft.isDeclared(base.rawValue, .product, at: place), let original = products[base],
        !draft.isBroken(product.source), !draft.isBroken(original.source)
      else { continue }
      let differs = difference(product, original)
      draft.require(
        differs == nil, "variant-differs", at: place,
        "\"\(product.value.id)\" is a variant of \"\(base)\" but has another \(differs ?? ""). Make it equal, or remove \"variantOf\".")
    }
    for experiment in draft.experiments {
      for (index, arm) in experiment.value.arms.enumerated() {
        for (position, id) in arm.products.enumerated() {
          let source = experiment.source.at("arms", index, "products", position)
          guard draft.isDeclared(id.rawValue, .product, at: source), let product = products[id], !draft.isBroken(product.source)
          else { continue }
          draft.require(
            product.value.variantOf != nil, "arm-product", at: source,
            "\"\(id)\" is sold in every arm. Name a product that is a \"variantOf\" another, or remove it here.")
        }
      }
    }
  }

  /// The keys that may differ: what identifies and describes a product, and what it costs.
  private static let own: Set<String> = [
    "$comment", "id", "variantOf", "name", "description", "referenceName", "price", "onSale", "offers",
  ]

  /// The difference between a variant and its product; `nil` when they are equal. The keys of a kind are compared as they are written,
  /// because only the kind defines their meaning.
  private static func difference(
    _ variant: CatalogDraft.Placed<CatalogProduct>, _ original: CatalogDraft.Placed<CatalogProduct>
  ) -> String? {
    let (one, other) = (variant.value, original.value)
    if other.variantOf != nil { return "place: a variant of a variant replaces no product. Its base" }
    if one.kindName != other.kindName { return "kind" }
    if one.isFamilyShareable != other.isFamilyShareable { return "\"familyShareable\"" }
    if one.grants != other.grants || one.credits != other.credits { return "grant" }
    if Set(one.entitlements) != Set(other.entitlements) { return "entitlement" }
    if let length = one.kind.length, let theirs = other.kind.length, !length.isSame(as: theirs) { return "period" }
    let (terms, others) = (terms(variant), terms(original))
    return Set(terms.keys).union(others.keys).sorted().first { terms[$0] != others[$0] }.map { "\"\($0)\"" }
  }

  /// The JSON texts of a product's terms, by key. Excludes the product's own keys and keys that are compared by their meaning. `false` and
  /// `null` count as absent.
  private static func terms(_ product: CatalogDraft.Placed<CatalogProduct>) -> [String: String] {
    var compared = own.union(["kind", "familyShareable", "grants", "credits", "entitlements"])
    if product.value.kind.length != nil { compared.insert("period") }
    var terms: [String: String] = [:]
    for member in product.source.members where !compared.contains(member.key) && !member.value.isNull && member.value.bool != false {
      terms[member.key] = member.value.text()
    }
    return terms
  }
}

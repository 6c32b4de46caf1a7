// SPDX-License-Identifier: Apache-2.0
import Monetize

/// Whether a product is worth buying: compares the engine's answers to the same questions for a customer with it and for one without it.
struct ProductValue {
  /// What decides the answer: a product but for its name, and what the customer has of each of its features without it.
  private struct Stake: Hashable {
    let product: ProductClass
    let without: [Granted?]
  }

  private let catalog: Catalog
  private let families: [FeatureID: [Feature]]
  private var known: [Stake: Bool] = [:]

  /// O(features).
  init(_ catalog: Catalog) {
    self.catalog = catalog
    families = Dictionary(grouping: catalog.features) { $0.part?.whole ?? $0.id }
  }

  /// Whether a purchase opens something, or leaves more of something, than the free tier and what is owned. Items that exist, released
  /// features and every member who may use them count. A tip, which is meant to give nothing, is worth it.
  mutating func opensSomething(_ product: CatalogProduct, besides owned: [CatalogProduct] = []) -> Bool {
    let wholes = Set(product.grants.keys).union(product.credits.keys).sorted()
    if wholes.isEmpty { return type(of: product.kind).sellsCredits }
    let without = wholes.map { whole in
      owned.compactMap { $0.grants[whole] }.reduce(catalog.freeTier[whole]) { $0?.joined(with: $1) ?? $1 }
    }
    let stake = Stake(product: ProductClass(product), without: without)
    if let known = known[stake] { return known }
    // What gives at least as much allows at least as much, but for a moment: nine a week are more than seven a month, even on the day on which
    // only the month begins anew.
    let better = zip(wholes, without).filter { whole, without in
      product.credits[whole] ?? 0 > 0 || product.grants[whole].map { !(without?.gives(atLeast: $0) ?? false) } ?? false
    }
    let isWorthIt = better.contains { opens($0.0, product, owned) }
    known[stake] = isWorthIt
    return isWorthIt
  }

  private func opens(_ whole: FeatureID, _ product: CatalogProduct, _ owned: [CatalogProduct]) -> Bool {
    let family = families[whole] ?? []
    let part = catalog.part(
      owned + [product], features: family, collections: catalog.collections(of: family, product.grants[whole]),
      freeTier: catalog.freeTier[whole].map { [whole: $0] } ?? [:], isMonetized: true)
    let with = ProbedOwner(under: part, of: product.id, besides: owned.map(\.id))
    let without = ProbedOwner(under: part, of: nil, besides: owned.map(\.id))
    return family.contains { feature in
      ProbeMaker(owner: with, other: without, feature: feature).probes.contains { probe in
        zip(with.decisions(probe), without.decisions(probe)).contains { $0.isAllowed && !$1.isAllowed }
      }
    }
  }
}

/// The properties that make two products equivalent for a customer: all but the name, the texts and the price.
struct ProductClass: Hashable {
  private let kind: String
  private let terms: SubscriptionTerms?
  private let length: Period?
  private let grants: [FeatureID: Granted]
  private let credits: [FeatureID: Int]
  private let entitlements: [EntitlementID]
  private let isOnSale, isOffered, isFamilyShareable: Bool
  /// The kind decides the period of a product other than a subscription, so such products stay separate.
  private let id: ProductID?

  init(_ product: CatalogProduct) {
    (kind, terms, length) = (product.kindName, product.subscription, product.kind.length)
    (grants, credits) = (product.grants, product.credits)
    (entitlements, isOnSale, isOffered) = (product.entitlements, product.isOnSale, product.isOffered)
    isFamilyShareable = product.isFamilyShareable
    id = product.kind is NonConsumable || product.kind is Subscription || product.kind is Consumable ? nil : product.id
  }
}

extension Catalog {
  /// The collections of a grant to a feature with its parts.
  func collections(of family: [Feature], _ granted: Granted?) -> [CatalogCollection] {
    guard let whole = family.first(where: { $0.part == nil }), type(of: whole.shape).isAboutItems else { return [] }
    let named = granted?.allowance?.collections ?? []
    return (named.isEmpty ? whole.collections : named)?.compactMap(collection) ?? collections
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

struct CatalogIndex: Sendable {
  struct Grants: Sendable {
    var free: Granted?
    /// The products that grant it or add credits for it, as indices in catalog order.
    var products: [(index: Int, granted: Granted?, credits: Int)] = []
    /// The grants of each entitlement, for complimentary access.
    var entitlements: [EntitlementID: Granted] = [:]
    /// The grant while monetization is off; `nil` while it is on.
    var withoutMoney: Granted?

    var isSold: Bool { !products.isEmpty || !entitlements.isEmpty }
  }

  let features: FeatureTable
  /// The features by reference, because each judgement would copy all of their texts.
  let sharedFeatures: [Shared<Feature>]
  let products: [ProductID: Int]
  let collections: [CollectionID: Int]
  /// Items by the path of the whole item.
  let items: [ItemPath: Shared<CatalogItem>]
  /// The grants for each feature. A part has those of its whole, without credits.
  let grants: [Grants]
  /// The id of each feature, and the earlier ones.
  let names: [[FeatureID]]
  /// The index of the whole for each feature; its own index when it is not a part.
  let wholes: [Int]
  /// Whether a use can change the status of a product.
  let looksAtUses: Bool
  /// The subscriptions by group, as indices in catalog order.
  let plans: [String: [Int]]
  /// The beginnings and ends of offers, ascending.
  let offerDates: [Date]
  /// Each product that has several prices, with all of them: the product and its variants, as indices.
  let prices: [Int: [Int]]

  init(draft: CatalogDraft) {
    let aliases = draft.features.enumerated().flatMap { index, feature in feature.value.aliases.map { ($0, index) } }
    let features = FeatureTable(aliases + draft.features.enumerated().map { ($1.value.id, $0) })
    self.features = features
    sharedFeatures = draft.features.map { Shared($0.value) }
    names = draft.features.map(\.value.names)
    let wholes = draft.features.enumerated().map { index, feature in feature.value.part.flatMap { features[$0.whole] } ?? index }
    self.wholes = wholes
    let own = Self.grants(of: draft, features)
    grants = draft.features.indices.map { index in
      var grants = own[wholes[index]]
      if !draft.isMonetized, grants.isSold { grants.withoutMoney = draft.features[index].value.shape.withoutMoney }
      if wholes[index] != index { grants.products = grants.products.compactMap { $0.granted == nil ? nil : ($0.index, $0.granted, 0) } }
      return grants
    }
    looksAtUses = draft.products.contains { type(of: $0.value.kind).looksAtUses }
    plans = Dictionary(
      draft.products.enumerated().compactMap { index, product in product.value.subscription.map { ($0.group, [index]) } },
      uniquingKeysWith: +)
    offerDates = draft.products.flatMap { ($0.value.subscription?.offers ?? []).flatMap { [$0.from?.date, $0.until?.date] } }
      .compactMap { $0 }.sorted()
    let products = Dictionary(draft.products.enumerated().map { ($1.value.id, $0) }) { first, _ in first }
    self.products = products
    let variants = draft.products.enumerated().compactMap { index, product in product.value.variantOf.map { ($0, [index]) } }
    let groups = Dictionary(variants, uniquingKeysWith: +).map { base, variants in (products[base].map { [$0] } ?? []) + variants }
    prices = Dictionary(groups.flatMap { group in group.map { ($0, group) } }) { first, _ in first }
    collections = Dictionary(draft.collections.enumerated().map { ($1.value.id, $0) }) { first, _ in first }
    items = Dictionary(draft.collections.flatMap(\.value.found).map { ($0.path, Shared($0)) }) { first, _ in first }
  }

  /// O(features + grants).
  private static func grants(of draft: CatalogDraft, _ features: FeatureTable) -> [Grants] {
    var grants = Array(repeating: Grants(), count: draft.features.count)
    for (index, product) in draft.products.enumerated() {
      for (feature, granted) in product.value.grants {
        if let row = features[feature] { grants[row].products.append((index, granted, 0)) }
      }
      for (feature, amount) in product.value.credits {
        if let row = features[feature] { grants[row].products.append((index, nil, amount)) }
      }
    }
    for entitlement in draft.entitlements {
      for (feature, granted) in entitlement.value.grants {
        if let row = features[feature] { grants[row].entitlements[entitlement.value.id] = granted }
      }
    }
    for (feature, granted) in draft.freeTier {
      if let row = features[feature] { grants[row].free = granted }
    }
    return grants
  }
}

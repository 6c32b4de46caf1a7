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

  private(set) var features = FeatureTable([])
  /// The features, held by reference to avoid copying all of their texts for each judgement.
  private(set) var sharedFeatures: [Shared<Feature>] = []
  private(set) var products: [ProductID: Int] = [:]
  private(set) var collections: [CollectionID: Int] = [:]
  /// Items by the path of the whole item.
  private(set) var items: [ItemPath: Shared<CatalogItem>] = [:]
  /// The grants for each feature. A part has those of its whole, without credits.
  private(set) var grants: [Grants] = []
  /// The id of each feature, and the earlier ones.
  private(set) var names: [[FeatureID]] = []
  /// The index of the whole for each feature; its own index when it is not a part.
  private(set) var wholes: [Int] = []
  /// Whether a use can change the status of a product.
  private(set) var looksAtUses = false
  /// The subscriptions by group, as indices in catalog order.
  private(set) var plans: [String: [Int]] = [:]
  /// The beginnings and ends of offers, ascending.
  private(set) var offerDates: [Date] = []
  /// Each product that has several prices, with all of them: the product and its variants, as indices.
  private(set) var prices: [Int: [Int]] = [:]

  /// The index of an empty catalog.
  init() {}

  init(_ catalog: Catalog) {
    // Iterates by index, to avoid copying each product or feature with all its texts.
    let aliases = catalog.features.indices.flatMap { index in catalog.features[index].aliases.map { ($0, index) } }
    let features = FeatureTable(aliases + catalog.features.indices.map { (catalog.features[$0].id, $0) })
    self.features = features
    sharedFeatures = catalog.features.map(Shared.init)
    names = catalog.features.map(\.names)
    let wholes = catalog.features.indices.map { index in catalog.features[index].part.flatMap { features[$0.whole] } ?? index }
    self.wholes = wholes
    let own = Self.grants(of: catalog, features)
    grants = catalog.features.indices.map { index in
      var grants = own[wholes[index]]
      if !catalog.isMonetized, grants.isSold { grants.withoutMoney = catalog.features[index].shape.withoutMoney }
      if wholes[index] != index { grants.products = grants.products.compactMap { $0.granted == nil ? nil : ($0.index, $0.granted, 0) } }
      return grants
    }
    looksAtUses = catalog.products.contains { type(of: $0.kind).looksAtUses }
    plans = Dictionary(
      catalog.products.indices.compactMap { index in catalog.products[index].subscription.map { ($0.group, [index]) } },
      uniquingKeysWith: +)
    offerDates = catalog.products.flatMap { ($0.subscription?.offers ?? []).flatMap { [$0.from?.date, $0.until?.date] } }
      .compactMap { $0 }.sorted()
    let products = Dictionary(catalog.products.indices.map { (catalog.products[$0].id, $0) }) { first, _ in first }
    self.products = products
    let variants = catalog.products.indices.compactMap { index in catalog.products[index].variantOf.map { ($0, [index]) } }
    let groups = Dictionary(variants, uniquingKeysWith: +).map { base, variants in (products[base].map { [$0] } ?? []) + variants }
    prices = Dictionary(groups.flatMap { group in group.map { ($0, group) } }) { first, _ in first }
    collections = Dictionary(catalog.collections.enumerated().map { ($1.id, $0) }) { first, _ in first }
    items = Dictionary(catalog.collections.flatMap(\.found).map { ($0.path, Shared($0)) }) { first, _ in first }
  }

  /// O(features + grants).
  private static func grants(of catalog: Catalog, _ features: FeatureTable) -> [Grants] {
    var grants = Array(repeating: Grants(), count: catalog.features.count)
    for index in catalog.products.indices {
      for (feature, granted) in catalog.products[index].grants {
        if let row = features[feature] { grants[row].products.append((index, granted, 0)) }
      }
      for (feature, amount) in catalog.products[index].credits {
        if let row = features[feature] { grants[row].products.append((index, nil, amount)) }
      }
    }
    for entitlement in catalog.entitlements {
      for (feature, granted) in entitlement.grants {
        if let row = features[feature] { grants[row].entitlements[entitlement.id] = granted }
      }
    }
    for (feature, granted) in catalog.freeTier {
      if let row = features[feature] { grants[row].free = granted }
    }
    return grants
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Who grants a feature how much. Features that are granted alike share one, among them each part with its whole: what somebody has of it is
/// found out once for all of them.
struct GrantPattern: Sendable, Hashable {
  /// A product that grants it.
  struct Product: Sendable, Hashable {
    /// The product's place in the catalog.
    let place: Int
    /// How much.
    let granted: Granted
  }

  /// What everyone has.
  private(set) var free: Granted?
  /// In catalog order.
  private(set) var products: [Product] = []
  /// What gifts of an entitlement give.
  private(set) var entitlements: [EntitlementID: Granted] = [:]
  /// What everyone has while money limits nothing; `nil` where it limits.
  private(set) var withoutMoney: Granted?

  /// Of the products only their places: there may be thousands, and what they grant is seldom what tells two patterns apart.
  func hash(into hasher: inout Hasher) {
    hasher.combine(free)
    for product in products { hasher.combine(product.place) }
    hasher.combine(entitlements.count)
  }

  /// The patterns of a catalog, and the place among them of each feature's.
  /// O(features + grants).
  static func all(of draft: CatalogDraft, features: FeatureTable, isCredited: [Bool]) -> (patterns: [GrantPattern], pattern: [Int]) {
    var own = Array(repeating: GrantPattern(), count: draft.features.count)
    for (place, product) in draft.products.enumerated() {
      for (feature, granted) in product.value.grants {
        if let row = features[feature] { own[row].products.append(Product(place: place, granted: granted)) }
      }
    }
    for entitlement in draft.entitlements {
      for (feature, granted) in entitlement.value.grants {
        if let row = features[feature] { own[row].entitlements[entitlement.value.id] = granted }
      }
    }
    for (feature, granted) in draft.freeTier {
      if let row = features[feature] { own[row].free = granted }
    }
    var places: [GrantPattern: Int] = [:]
    var patterns: [GrantPattern] = []
    let pattern = draft.features.enumerated().map { place, feature in
      var itsPattern = own[feature.value.part.flatMap { features[$0.whole] } ?? place]
      let isSold = !itsPattern.products.isEmpty || !itsPattern.entitlements.isEmpty || isCredited[place]
      if !draft.isMonetized, isSold { itsPattern.withoutMoney = feature.value.shape.withoutMoney }
      if let known = places[itsPattern] { return known }
      places[itsPattern] = patterns.count
      patterns.append(itsPattern)
      return patterns.count - 1
    }
    return (patterns, pattern)
  }
}

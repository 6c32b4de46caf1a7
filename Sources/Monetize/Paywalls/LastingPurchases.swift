// SPDX-License-Identifier: Apache-2.0

/// What a customer has bought for ever, and the plans that renew.
struct LastingPurchases {
  private var entitlements: Set<EntitlementID> = []
  private var grants: [FeatureID: Granted] = [:]
  private var plans: [CatalogProduct] = []

  /// O(products and their grants).
  init(_ snapshot: Snapshot) {
    for status in snapshot.products where status.isOwned && status.ownership == .purchased {
      guard let product = snapshot.catalog.product(status.product) else { continue }
      if product.subscription != nil {
        if status.willRenew == true { plans.append(product) }
      } else if status.accessUntil == nil {
        entitlements.formUnion(product.entitlements)
        grants.merge(product.grants) { $0.joined(with: $1) }
      }
    }
  }

  /// Whether a product would add nothing: each of its entitlements and at least each of its amounts is owned for ever. A product that gives
  /// nothing, such as a tip, has nothing to cover.
  func covers(_ product: CatalogProduct) -> Bool { covers(product, with: []) }

  /// Whether a purchase now would add nothing: as ``covers(_:)``, and a pass may add nothing to plans that renew either.
  func coversForNow(_ product: CatalogProduct) -> Bool {
    let isPass = product.subscription == nil && product.kind.changesWithTime
    return covers(product, with: isPass ? plans : [])
  }

  private func covers(_ product: CatalogProduct, with plans: [CatalogProduct]) -> Bool {
    if product.entitlements.isEmpty && product.grants.isEmpty && product.credits.isEmpty { return false }
    func granted(_ feature: FeatureID) -> Granted? {
      plans.compactMap { $0.grants[feature] }.reduce(grants[feature]) { $0?.joined(with: $1) ?? $1 }
    }
    return plans.reduce(entitlements) { $0.union($1.entitlements) }.isSuperset(of: product.entitlements)
      && product.grants.allSatisfy { feature, amount in granted(feature)?.gives(atLeast: amount) ?? false }
      && product.credits.keys.allSatisfy { grants[$0] == .unlimited }
  }
}

extension Snapshot {
  /// The subscriptions that the customer still pays for and no longer needs, because products that were bought for ever give at least as
  /// much; in catalog order. O(products and their grants).
  ///
  /// The store cancels no subscription when such a product is bought. Only the customer can: say so, and show the action `manage`.
  public var redundantSubscriptions: [ProductID] {
    let owned = LastingPurchases(self)
    return products.filter { $0.willRenew == true && isManaged($0) }.map(\.product)
      .filter { catalog.product($0).map(owned.covers) ?? false }
  }

  /// Whether the store's list of subscriptions has it: bought by this customer, and active or in retry.
  func isManaged(_ status: ProductStatus) -> Bool {
    catalog.product(status.product)?.subscription != nil
      && (status.state == .billingRetry || status.isOwned && status.ownership == .purchased)
  }
}

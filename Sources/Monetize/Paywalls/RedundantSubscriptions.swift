// SPDX-License-Identifier: Apache-2.0

extension Snapshot {
  /// The subscriptions that the customer still pays for and no longer needs, because products that were bought for ever give at least as
  /// much; in catalog order. O(products and their grants).
  ///
  /// The store cancels no subscription when such a product is bought. Only the customer can: say so, and show the action `manage`.
  public var redundantSubscriptions: [ProductID] {
    let kept = products.filter(isKept).compactMap { catalog.product($0.product) }
    if kept.isEmpty { return [] }
    let entitlements = Set(kept.flatMap(\.entitlements))
    let grants = kept.reduce(into: [:]) { $0.merge($1.grants) { $0.joined(with: $1) } }
    return products.filter { $0.willRenew == true && isManaged($0) }.map(\.product).filter { id in
      guard let plan = catalog.product(id) else { return false }
      return entitlements.isSuperset(of: plan.entitlements)
        && plan.grants.allSatisfy { feature, amount in grants[feature]?.gives(atLeast: amount) ?? false }
    }
  }

  /// Whether the customer bought it, and keeps it for ever.
  private func isKept(_ status: ProductStatus) -> Bool {
    status.isOwned && status.accessUntil == nil && status.ownership == .purchased && catalog.product(status.product)?.subscription == nil
  }

  /// Whether the store's list of subscriptions has it: bought by this customer, and active or in retry.
  func isManaged(_ status: ProductStatus) -> Bool {
    catalog.product(status.product)?.subscription != nil
      && (status.state == .billingRetry || status.isOwned && status.ownership == .purchased)
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The status of a customer's entitlement, whichever product or gift gives it, and the possible actions: everything that a settings screen
/// shows. If several products give it, the summary uses the one that best explains the status.
public struct SubscriberSummary: Sendable, Hashable {
  /// The entitlement.
  public let entitlement: EntitlementID
  /// The plan's name: the title of the catalog's entitlement.
  public let title: String
  /// The customer's status. `active` for a gift.
  public let state: ProductState
  /// Whether it is a gift, without a purchase.
  public let isGift: Bool
  /// The product behind the status, with all its dates; `nil` for a gift, and for an entitlement that no product gives.
  public let product: ProductStatus?
  /// The product's name in the catalog, such as "Premium Monthly"; `nil` without a product, and if it was never bought.
  public let productName: String?
  /// The end without renewals, over all products and gifts that give it; `nil` if it does not end, or the customer does not have it.
  public let accessUntil: Date?
  /// Whether the product renews; also true for a subscription without renewal information from the store.
  public let willRenew: Bool
  /// The subscriptions to this entitlement that still renew, although the customer has it for ever; see
  /// ``Snapshot/redundantSubscriptions``.
  public let redundantSubscriptions: [ProductID]
  /// The actions that the customer can take now, in the placement's order; see ``Snapshot/actions(at:)``.
  public let actions: [PaywallAction]

  /// Whether the customer has it: in a trial, while active (renewing or not), in grace, or as a gift.
  public var isEntitled: Bool { state.givesAccess }
  /// The other product that it renews into; `nil` if it renews into itself, or does not renew.
  public var renewsInto: ProductID? { willRenew && product?.renewsInto != product?.product ? product?.renewsInto : nil }
  /// The date to show beside the status: of the renewal or end, of the last retry of a failed renewal, or of the past end or revocation.
  public var date: Date? {
    switch state {
    case .trial: product?.expires
    case .active, .grace: accessUntil
    case .billingRetry: product?.retryUntil
    case .expired: product?.expires
    case .revoked: product?.revokedAt
    case .unknown, .never, .pending: nil
    }
  }
}

extension Snapshot {
  /// Returns the status of an entitlement; `nil` for one that the catalog does not have. O(products).
  ///
  /// A product that gives access comes before one that does not, then the one whose access lasts longest. Without access, a pending
  /// purchase comes before the store's missing answer, then a failing renewal, then the latest end, then a product that was never bought.
  /// - Parameters:
  ///   - entitlement: The entitlement, such as `premium`.
  ///   - placement: The placement whose actions are listed. Default: `settings`.
  public func summary(of entitlement: EntitlementID, at placement: PlacementID = .settings) -> SubscriberSummary? {
    guard let title = catalog.entitlement(entitlement)?.title else { return nil }
    let giving = products.filter { catalog.product($0.product)?.entitlements.contains(entitlement) ?? false }
    // Of two equal products, the first in catalog order.
    let best = giving.reduce(nil) { best, next in best.map { next.explainsMore(than: $0) ? next : $0 } ?? next }
    let gift = gifts[entitlement]
    let end = (giving.filter(\.isOwned).map { $0.accessUntil ?? .distantFuture } + (gift.map { [$0] } ?? [])).max()
    let isGift = best?.isOwned != true && gift != nil
    let product = isGift ? nil : best
    let state = isGift ? .active : best?.state ?? (situation.store.hasAnswered ? .never : .unknown)
    let definition = product.flatMap { catalog.product($0.product) }
    return SubscriberSummary(
      entitlement: entitlement, title: title, state: state, isGift: isGift, product: product,
      productName: state == .never ? nil : definition?.name, accessUntil: end == .distantFuture ? nil : end,
      willRenew: product?.willRenew ?? (state.givesAccess && definition?.subscription != nil),
      redundantSubscriptions: redundantSubscriptions.filter { id in giving.contains { $0.product == id } }, actions: actions(at: placement))
  }

  /// The actions of a placement that this customer can take now, in the catalog's order. If the catalog lists none, checks those of a
  /// settings screen: `upgrade`, `restore` and `manage`. O(products).
  ///
  /// - `purchase`: a product is on sale that the customer does not have.
  /// - `upgrade`: a product is on sale that gives more than the customer has, or is bought once for ever, and no renewal or purchase of its
  ///   group is unsettled.
  /// - `restore` and `redeem`: the app sells something.
  /// - `manage`: the customer has a subscription from the store, including one whose renewal failed.
  /// - Any other action: always.
  public func actions(at placement: PlacementID) -> [PaywallAction] {
    actions(catalog.paywall(placement)?.actions ?? [.upgrade, .restore, .manage], selling: offers(at: placement))
  }

  func actions(_ listed: [PaywallAction], selling products: [ProductID]) -> [PaywallAction] {
    listed.filter { action in
      switch action {
      case .purchase: !products.isEmpty
      case .upgrade: !upgrades(among: products).isEmpty
      case .restore, .redeem: !catalog.products.isEmpty
      case .manage: self.products.contains(where: isManaged)
      default: true
      }
    }
  }

  /// The products on offer that give more than the customer has, or are bought once for ever, without those of a group in which a renewal or
  /// purchase is unsettled.
  func upgrades(among products: [ProductID]) -> [ProductID] {
    let unsettled = groups { $0.state == .billingRetry || $0.isPending }
    return products.filter { id in
      guard let product = catalog.product(id), product.subscription.map({ !unsettled.contains($0.group) }) ?? true else { return false }
      // What is owned for ever is not on offer, so a product that never ends adds to what the customer has.
      return givesMore(product) || product.storeType == .nonConsumable && product.kind.length == nil
    }
  }

  /// Whether a product gives something that the customer does not have.
  package func givesMore(_ product: CatalogProduct) -> Bool {
    !product.credits.isEmpty
      || product.grants.contains { feature, more in
        guard let index = catalog.index.features[feature] else { return false }
        return rows[index].sources.granted.map { !$0.gives(atLeast: more) } ?? true
      }
  }
}

extension ProductStatus {
  fileprivate func explainsMore(than other: Self) -> Bool {
    func end(_ status: Self) -> Date { status.isOwned ? status.accessUntil ?? .distantFuture : status.expires ?? .distantPast }
    return (state.rank, end(self)) > (other.state.rank, end(other))
  }
}

extension ProductState {
  fileprivate var rank: Int {
    switch self {
    case .trial, .active, .grace: 5
    case .pending: 4
    case .unknown: 3
    case .billingRetry: 2
    case .expired, .revoked: 1
    case .never: 0
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The state of a product for a customer. A closed set, so a `switch` can handle every case.
public enum ProductState: String, Sendable, Hashable, CaseIterable {
  /// The store has not answered, and nothing is recorded.
  case unknown
  /// Never bought, or a consumable, which is used up and not owned.
  case never
  /// A purchase waits for approval.
  case pending
  /// In a free trial.
  case trial
  /// Paid or owned. For subscriptions see ``ProductStatus/willRenew``.
  case active
  /// In the grace period: a renewal failed, the period is over, and access continues for a while.
  case grace
  /// In billing retry: a renewal failed and the store still tries. No access.
  case billingRetry
  /// Ended.
  case expired
  /// Revoked by the store.
  case revoked

  /// Whether this state gives access: `trial`, `active` (renewing or not) and `grace`.
  public var givesAccess: Bool { self == .trial || self == .active || self == .grace }
}

/// The status of a product for a customer.
public struct ProductStatus: Sendable, Hashable {
  /// The product.
  public let product: ProductID
  /// The state. `unknown` also for a subscription that ended after the store's last answer and may have renewed.
  public internal(set) var state: ProductState = .unknown
  /// When access ends by itself; `nil` when it does not end, or there is no access.
  public internal(set) var accessUntil: Date?
  /// When the current or last period ends.
  public internal(set) var expires: Date?
  /// Whether the subscription renews by itself; `nil` for other products, or while unknown.
  public internal(set) var willRenew: Bool?
  /// The product that it renews into.
  public internal(set) var renewsInto: ProductID?
  /// The commitment to several payments; `nil` when there is none.
  public internal(set) var commitment: RenewalInfo.Commitment?
  /// When access ends after a failed renewal.
  public internal(set) var graceUntil: Date?
  /// When the store stops trying to renew.
  public internal(set) var retryUntil: Date?
  /// When the store revoked the purchase; `nil` unless ``state`` is `revoked`.
  public internal(set) var revokedAt: Date?
  /// Whether a purchase waits for approval. Can be `true` in a state that gives access.
  public internal(set) var isPending = false
  /// The ownership: purchased or family shared.
  public internal(set) var ownership: StoreTransaction.OwnershipType?
  /// Whether buying now would gain nothing: it is owned and sold only once, or renews into itself.
  public internal(set) var preventsPurchase = false
  /// Whether the store sells it once and has sold it to this customer. It then returns that purchase again, also of a trial that has ended.
  var hasBeenSold = false
  /// Whether the customer has bought it with an introductory offer, which the store grants once in each subscription group.
  public internal(set) var hasUsedIntroductoryOffer = false
  /// Whether the store's last answer is too old to determine the state.
  var isInDoubt = false
  /// The quantity bought and not revoked, for products that sell credits; 0 for others.
  var quantity = 0
  /// The purchase dates from which anchored limits count.
  var since: [Date] = []
  var changesAt: Date?

  /// Whether it gives access.
  public var isOwned: Bool { state.givesAccess }
}

extension CatalogIndex {
  /// Whether something holds for a product at any of its prices. A variant is the same product, so what is owned at one price is not sold at
  /// another. O(prices).
  func isAnyPrice(of product: Int, in statuses: [ProductStatus], _ holds: (ProductStatus) -> Bool) -> Bool {
    prices[product]?.contains { holds(statuses[$0]) } ?? holds(statuses[product])
  }
}

extension ProductStatus {
  /// Whether a purchase of another product of the group, or of itself, begins only after the plan that the customer has.
  func delays(_ other: CatalogProduct, in catalog: Catalog) -> Bool {
    guard isOwned, ownership != .familyShared, let own = catalog.product(product)?.subscription, let terms = other.subscription,
      own.group == terms.group
    else { return false }
    return isCommitted || !own.changesAtOnce(to: terms)
  }

  /// The other plan into which the customer's plan renews; `nil` when it renews into itself, or not at all.
  package var nextPlan: ProductID? { isOwned && renewsInto != product ? renewsInto : nil }

  /// Whether payments of a commitment remain.
  private var isCommitted: Bool { commitment.map { $0.payment < $0.payments } ?? false }

  /// When another plan can follow it: at the end of its period or of its commitment.
  package var planEnd: Date? { isCommitted ? commitment?.ends : expires }
}

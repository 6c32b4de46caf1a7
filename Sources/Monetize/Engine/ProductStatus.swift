// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Where a customer stands with a product. Closed: a switch over it handles every state there is.
public enum ProductState: String, Sendable, Hashable, CaseIterable {
  /// The store has not answered, and nothing is recorded.
  case unknown
  /// Never bought; also a consumable that was, because it is used up and not owned.
  case never
  /// A purchase waits for somebody else.
  case pending
  /// In a free trial.
  case trial
  /// Paid, or owned; with `willRenew` for subscriptions.
  case active
  /// A renewal failed, the period is over, and access is kept for a while.
  case grace
  /// A renewal failed, and the store still tries; no access.
  case billingRetry
  /// Ended.
  case expired
  /// Taken back by the store.
  case revoked

  /// Whether this state gives access: in a trial, while active (renewing or not), and in grace.
  public var givesAccess: Bool { self == .trial || self == .active || self == .grace }
}

/// Where a customer stands with a product, with all that is known about it.
public struct ProductStatus: Sendable, Hashable {
  /// The product.
  public let product: ProductID
  /// Where the customer stands. `unknown` also for a subscription that ended after the store's last answer and may have renewed.
  public internal(set) var state: ProductState = .unknown
  /// Until when access lasts by itself; `nil` when it does not end, or there is none.
  public internal(set) var accessUntil: Date?
  /// When the current or last period ends or ended.
  public internal(set) var expires: Date?
  /// Whether it renews by itself; `nil` for what does not renew, or when the store has not said.
  public internal(set) var willRenew: Bool?
  /// What it renews into.
  public internal(set) var renewsInto: ProductID?
  /// The commitment to several payments that it is in; `nil` without one.
  public internal(set) var commitment: RenewalInfo.Commitment?
  /// Until when access is kept after a failed renewal.
  public internal(set) var graceUntil: Date?
  /// Until when the store tries to renew.
  public internal(set) var retryUntil: Date?
  /// When the store took it back; `nil` unless ``state`` is `revoked`.
  public internal(set) var revokedAt: Date?
  /// Whether a purchase waits for approval, also beside a state that gives access.
  public internal(set) var isPending = false
  /// How it is owned.
  public internal(set) var ownership: StoreTransaction.Ownership?
  /// Whether buying it now would sell nothing: what is owned for ever, or renews into itself.
  public internal(set) var preventsPurchase = false
  /// Whether the store's last answer was too early to say what has become of it.
  var isInDoubt = false
  /// How many were bought and not taken back, of what sells credits; 0 for anything else.
  var quantity = 0
  /// The purchases that limits anchored to a purchase count from.
  var since: [Date] = []
  /// When this status can change by itself.
  var changesAt: Date?
  /// Why the owner is allowed what it grants.
  var reason = Reason.owned

  /// Whether it gives access.
  public var isOwned: Bool { state.givesAccess }
}

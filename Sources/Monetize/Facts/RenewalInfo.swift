// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The renewal status of one subscription. Source: StoreKit 2 `Product.SubscriptionInfo.RenewalInfo` and `RenewalState`.
public struct RenewalInfo: MergingFact, RevisedFact {
  /// The state of a subscription at the store. An open set, as in StoreKit.
  public struct State: StringIdentifier {
    /// The text.
    public let rawValue: String
    /// Makes a state from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Paid, or in a trial.
    public static let subscribed: Self = "subscribed"
    /// Ended.
    public static let expired: Self = "expired"
    /// In billing retry: a renewal failed and the store still tries. Normally without access.
    public static let inBillingRetry: Self = "inBillingRetry"
    /// In the grace period: a renewal failed, the store still tries, and access continues although the period is over.
    public static let inGracePeriod: Self = "inGracePeriod"
    /// Revoked by the store.
    public static let revoked: Self = "revoked"
  }

  /// The reason why a subscription ended. An open set, as in StoreKit.
  public struct ExpirationReason: StringIdentifier {
    /// The text.
    public let rawValue: String
    /// Makes a reason from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The customer turned renewal off.
    public static let autoRenewDisabled: Self = "autoRenewDisabled"
    /// A payment failed.
    public static let billingError: Self = "billingError"
    /// The customer did not agree to a higher price.
    public static let didNotConsentToPriceIncrease: Self = "didNotConsentToPriceIncrease"
    /// It was no longer sold.
    public static let productUnavailable: Self = "productUnavailable"
    /// Anything else.
    public static let unknown: Self = "unknown"
  }

  /// A commitment to several payments. Source: StoreKit `RenewalInfo.CommitmentInfo` and `Transaction.CommitmentInfo`, iOS 26.4.
  public struct Commitment: Sendable, Hashable, Codable {
    /// The number of the current payment, from 1.
    public var payment: Int
    /// The total number of payments.
    public var payments: Int
    /// When the period of the last payment ends.
    public var ends: Date
    /// Whether another commitment follows. Turning renewal off during a commitment changes only this value.
    public var willRenew: Bool

    /// Makes a commitment.
    public init(payment: Int, payments: Int, ends: Date, willRenew: Bool) {
      (self.payment, self.payments, self.ends, self.willRenew) = (payment, payments, ends, willRenew)
    }
  }

  /// The id of the first transaction of the chain.
  public var originalID: TransactionID
  /// The product of the current period.
  public var productID: ProductID
  /// The state of the subscription.
  public var state: State
  /// Whether it renews when the current period ends. Stays `true` while payments of a ``commitment`` remain.
  public var willRenew: Bool
  /// The product after renewal, or after a ``commitment``. Differs from `productID` after a downgrade; `nil` when it does not renew.
  public var renewsInto: ProductID?
  /// When the current period ends.
  public var expires: Date?
  /// When the grace period after a failed renewal ends.
  public var graceUntil: Date?
  /// When the store stops trying to renew.
  public var retryUntil: Date?
  /// The reason why it ended.
  public var expirationReason: ExpirationReason?
  /// Whether the customer agreed to a price increase; `nil` when there is none.
  public var priceIncreaseAgreed: Bool?
  /// The commitment of the current period; `nil` when there is none.
  public var commitment: Commitment?
  /// The date of the store's signature.
  public var revision: Revision

  /// Makes a renewal status.
  public init(
    originalID: TransactionID, productID: ProductID, state: State, willRenew: Bool = true, renewsInto: ProductID? = nil,
    expires: Date? = nil,
    graceUntil: Date? = nil, retryUntil: Date? = nil, expirationReason: ExpirationReason? = nil, priceIncreaseAgreed: Bool? = nil,
    signed: Date
  ) {
    self.originalID = originalID
    self.productID = productID
    self.state = state
    self.willRenew = willRenew
    self.renewsInto = renewsInto
    self.expires = expires
    self.graceUntil = graceUntil
    self.retryUntil = retryUntil
    self.expirationReason = expirationReason
    self.priceIncreaseAgreed = priceIncreaseAgreed
    self.revision = Revision(signed)
  }

  /// One renewal status per chain.
  public var key: TransactionID { originalID }

  /// The later revision wins. Within one signature, the status that ends access wins.
  public func merged(with other: Self) -> Self { later(other, orIf: { $0.state == .revoked }) }
}

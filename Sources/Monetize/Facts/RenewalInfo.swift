// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What the store says about the future of one subscription. Source: StoreKit 2 `Product.SubscriptionInfo.RenewalInfo` and `RenewalState`.
public struct RenewalInfo: MergingFact {
  /// Where a subscription stands, in the store's words. An open set, as in StoreKit.
  public struct State: StringIdentifier {
    /// The text.
    public let rawValue: String
    /// Makes a state from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Paid, or in a trial.
    public static let subscribed: Self = "subscribed"
    /// Ended.
    public static let expired: Self = "expired"
    /// A renewal could not be paid; the store still tries, and the customer normally has no access.
    public static let inBillingRetry: Self = "inBillingRetry"
    /// A renewal could not be paid; the store still tries, and the customer keeps access although the period is over.
    public static let inGracePeriod: Self = "inGracePeriod"
    /// Taken back by the store.
    public static let revoked: Self = "revoked"
  }

  /// Why a subscription ended. An open set, as in StoreKit.
  public struct ExpirationReason: StringIdentifier {
    /// The text.
    public let rawValue: String
    /// Makes a reason from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The customer turned renewal off.
    public static let autoRenewDisabled: Self = "autoRenewDisabled"
    /// It could not be paid.
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
    /// Which payment the current period is, from 1.
    public var payment: Int
    /// How many payments it is.
    public var payments: Int
    /// When the period of the last payment ends.
    public var ends: Date
    /// Whether another commitment begins then. Turning renewal off during a commitment turns this off, and nothing else.
    public var willRenew: Bool

    /// Makes a commitment.
    public init(payment: Int, payments: Int, ends: Date, willRenew: Bool) {
      self.payment = payment
      self.payments = payments
      self.ends = ends
      self.willRenew = willRenew
    }
  }

  /// The first transaction of the chain.
  public var originalID: TransactionID
  /// What the current period is of.
  public var productID: ProductID
  /// Where the subscription stands.
  public var state: State
  /// Whether it renews by itself when the current period ends. Stays `true` while payments of a ``commitment`` are to come.
  public var willRenew: Bool
  /// What it renews into, after a ``commitment`` when there is one; differs from `productID` after a downgrade, `nil` when it does not
  /// renew.
  public var renewsInto: ProductID?
  /// When the current period ends or ended.
  public var expires: Date?
  /// Until when access is kept although a renewal failed.
  public var graceUntil: Date?
  /// Until when the store tries to renew.
  public var retryUntil: Date?
  /// Why it ended.
  public var expirationReason: ExpirationReason?
  /// Whether a price rise waits for the customer's consent; `nil` when there is none.
  public var priceIncreaseAgreed: Bool?
  /// The commitment that the current period is a payment of; `nil` without one.
  public var commitment: Commitment?
  /// When the store said so.
  public var revision: Revision

  /// Makes a statement about a subscription's future.
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

  /// Facts are the same when they are about one chain.
  public var key: TransactionID { originalID }

  /// The later word wins; within one signature the one that ends access does.
  public func merged(with other: Self) -> Self {
    if revision != other.revision { return revision < other.revision ? other : self }
    if (state == .revoked) != (other.state == .revoked) { return state == .revoked ? self : other }
    return self == other ? self : canonicalWinner(self, other)
  }
}

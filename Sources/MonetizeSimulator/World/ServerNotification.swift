// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// One line of the store's log, in the words of the App Store Server API, so that it can be laid beside a real server's log.
///
/// Source: apple/app-store-server-library-swift (app-store-rules.md E.5). All vocabularies are open sets.
public struct ServerNotification: Sendable, Hashable {
  /// `notificationType`.
  public struct Kind: StringIdentifier {
    /// Apple's word.
    public let rawValue: String
    /// Makes a kind from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A subscription began, or began again.
    public static let subscribed: Self = "SUBSCRIBED"
    /// What it renews into changed.
    public static let didChangeRenewalPref: Self = "DID_CHANGE_RENEWAL_PREF"
    /// Auto-renew was turned on or off.
    public static let didChangeRenewalStatus: Self = "DID_CHANGE_RENEWAL_STATUS"
    /// An offer was redeemed by a subscriber.
    public static let offerRedeemed: Self = "OFFER_REDEEMED"
    /// It renewed.
    public static let didRenew: Self = "DID_RENEW"
    /// It ended.
    public static let expired: Self = "EXPIRED"
    /// A renewal could not be paid.
    public static let didFailToRenew: Self = "DID_FAIL_TO_RENEW"
    /// The grace period is over without a payment.
    public static let gracePeriodExpired: Self = "GRACE_PERIOD_EXPIRED"
    /// A price rise waits, or was agreed to, or needs no consent.
    public static let priceIncrease: Self = "PRICE_INCREASE"
    /// Refunded.
    public static let refund: Self = "REFUND"
    /// A refund was asked for and not given.
    public static let refundDeclined: Self = "REFUND_DECLINED"
    /// A refund was asked for; the store wants to know what was consumed.
    public static let consumptionRequest: Self = "CONSUMPTION_REQUEST"
    /// The developer extended a period.
    public static let renewalExtended: Self = "RENEWAL_EXTENDED"
    /// A family no longer shares it.
    public static let revoke: Self = "REVOKE"
    /// A refund was taken back.
    public static let refundReversed: Self = "REFUND_REVERSED"
    /// A one-time product was bought.
    public static let oneTimeCharge: Self = "ONE_TIME_CHARGE"
  }

  /// `subtype`.
  public struct Subtype: StringIdentifier {
    /// Apple's word.
    public let rawValue: String
    /// Makes a subtype from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The first subscription in the group.
    public static let initialBuy: Self = "INITIAL_BUY"
    /// A subscription after an earlier one in the group.
    public static let resubscribe: Self = "RESUBSCRIBE"
    /// At the next renewal: a lower level, or another duration of the same level.
    public static let downgrade: Self = "DOWNGRADE"
    /// At once: a higher level, or the same level and duration.
    public static let upgrade: Self = "UPGRADE"
    /// Auto-renew was turned on.
    public static let autoRenewEnabled: Self = "AUTO_RENEW_ENABLED"
    /// Auto-renew was turned off.
    public static let autoRenewDisabled: Self = "AUTO_RENEW_DISABLED"
    /// It ended because the customer had turned auto-renew off.
    public static let voluntary: Self = "VOLUNTARY"
    /// It ended because it was never paid.
    public static let billingRetry: Self = "BILLING_RETRY"
    /// It ended because the customer did not agree to a higher price.
    public static let priceIncrease: Self = "PRICE_INCREASE"
    /// Access is kept while the store tries again.
    public static let gracePeriod: Self = "GRACE_PERIOD"
    /// The customer has not answered yet.
    public static let pending: Self = "PENDING"
    /// The customer agreed, or need not be asked.
    public static let accepted: Self = "ACCEPTED"
    /// It was paid after all.
    public static let billingRecovery: Self = "BILLING_RECOVERY"
    /// It ended because it is no longer sold.
    public static let productNotForSale: Self = "PRODUCT_NOT_FOR_SALE"
  }

  /// `status` of a subscription.
  public struct Status: RawRepresentable, Sendable, Hashable {
    /// Apple's number.
    public let rawValue: Int
    /// Makes a status from Apple's number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Paid, or in a trial.
    public static let active = Status(rawValue: 1)
    /// Ended.
    public static let expired = Status(rawValue: 2)
    /// Not paid, no access.
    public static let billingRetry = Status(rawValue: 3)
    /// Not paid, access kept.
    public static let billingGracePeriod = Status(rawValue: 4)
    /// Taken back.
    public static let revoked = Status(rawValue: 5)
  }

  /// `expirationIntent`: why a subscription ended.
  public struct ExpirationIntent: RawRepresentable, Sendable, Hashable {
    /// Apple's number.
    public let rawValue: Int
    /// Makes an intent from Apple's number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The customer cancelled.
    public static let cancelled = ExpirationIntent(rawValue: 1)
    /// It could not be paid.
    public static let billing = ExpirationIntent(rawValue: 2)
    /// No consent to a higher price.
    public static let noConsent = ExpirationIntent(rawValue: 3)
    /// Not sold any more.
    public static let unavailable = ExpirationIntent(rawValue: 4)
    /// Anything else.
    public static let other = ExpirationIntent(rawValue: 5)
  }

  /// `transactionReason`.
  public struct TransactionReason: StringIdentifier {
    /// Apple's word.
    public let rawValue: String
    /// Makes a reason from Apple's word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A person bought it.
    public static let purchase: Self = "PURCHASE"
    /// It renewed by itself.
    public static let renewal: Self = "RENEWAL"
  }

  /// When, by true time.
  public var date: Date
  /// Whose.
  public var customer: CustomerID
  /// What happened.
  public var type: Kind
  /// More about what happened.
  public var subtype: Subtype?
  /// The product it is about.
  public var productID: ProductID
  /// The transaction it is about, when there is one.
  public var transactionID: TransactionID?
  /// The chain it belongs to, or the transaction itself for one-time products.
  public var originalTransactionID: TransactionID
  /// Where the subscription stands afterwards; `nil` for one-time products.
  public var status: Status?
  /// Why it ended, if it has.
  public var expirationIntent: ExpirationIntent?
  /// Why there is a transaction, when there is one.
  public var transactionReason: TransactionReason?
  /// `offerType`: 1 introductory, 2 promotional, 3 code, 4 win-back.
  public var offerType: Int?
  /// `offerDiscountType`: `FREE_TRIAL`, `PAY_AS_YOU_GO`, `PAY_UP_FRONT`, `ONE_TIME`.
  public var offerDiscountType: String?
  /// `revocationReason`: 1 a problem with the app, 0 anything else.
  public var revocationReason: Int?
  /// Which world it is from.
  public var environment: StoreEnvironment

  /// `2026-03-01T12:00:00Z ann DID_RENEW BILLING_RECOVERY com.example.monthly t2 of t1 status 1`.
  public var text: String {
    var parts = [Instant.text(date), customer.rawValue, type.rawValue]
    if let subtype { parts.append(subtype.rawValue) }
    parts.append(productID.rawValue)
    if let transactionID { parts.append(transactionID.rawValue) }
    if transactionID != originalTransactionID { parts.append("of \(originalTransactionID)") }
    if let status { parts.append("status \(status.rawValue)") }
    if let expirationIntent { parts.append("intent \(expirationIntent.rawValue)") }
    if let offerDiscountType { parts.append(offerDiscountType) }
    if let revocationReason { parts.append("reason \(revocationReason)") }
    return parts.joined(separator: " ")
  }
}

/// Something that happened at the store: what is said about it to devices, and the line it leaves in the log.
public struct StoreEvent: Sendable, Hashable {
  /// Whose.
  public var customer: CustomerID
  /// When, by true time.
  public var date: Date
  /// What the customer's devices are told.
  public var updates: [StoreUpdate]
  /// The line in the log; `nil` where Apple's server says nothing.
  public var notification: ServerNotification?
  /// The device that was the cause, and hears of it as the answer to its own call.
  public var origin: DeviceID?
  /// Which world it is from; devices in another one hear nothing of it.
  public var environment: StoreEnvironment
}

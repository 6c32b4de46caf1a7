// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// One entry of the store's log, with the names of the App Store Server API, to compare it with a real server's log.
///
/// Source: apple/app-store-server-library-swift (app-store-rules.md E.5). All vocabularies are open sets.
public struct ServerNotification: Sendable, Hashable {
  /// `notificationType`.
  public struct Kind: StringIdentifier {
    /// Apple's name.
    public let rawValue: String
    /// Makes a kind from Apple's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A subscription began, or began again.
    public static let subscribed: Self = "SUBSCRIBED"
    /// The product of the next renewal changed.
    public static let didChangeRenewalPref: Self = "DID_CHANGE_RENEWAL_PREF"
    /// Auto-renew was turned on or off.
    public static let didChangeRenewalStatus: Self = "DID_CHANGE_RENEWAL_STATUS"
    /// An offer was redeemed by a subscriber.
    public static let offerRedeemed: Self = "OFFER_REDEEMED"
    /// A subscription renewed.
    public static let didRenew: Self = "DID_RENEW"
    /// A subscription ended.
    public static let expired: Self = "EXPIRED"
    /// A renewal could not be paid.
    public static let didFailToRenew: Self = "DID_FAIL_TO_RENEW"
    /// The grace period ended without a payment.
    public static let gracePeriodExpired: Self = "GRACE_PERIOD_EXPIRED"
    /// A price increase is pending, was accepted, or needs no consent.
    public static let priceIncrease: Self = "PRICE_INCREASE"
    /// A purchase was refunded.
    public static let refund: Self = "REFUND"
    /// A refund was requested and not granted.
    public static let refundDeclined: Self = "REFUND_DECLINED"
    /// A refund was requested; the store requests consumption data.
    public static let consumptionRequest: Self = "CONSUMPTION_REQUEST"
    /// The developer extended a period.
    public static let renewalExtended: Self = "RENEWAL_EXTENDED"
    /// A family member stopped sharing.
    public static let revoke: Self = "REVOKE"
    /// A refund was reversed.
    public static let refundReversed: Self = "REFUND_REVERSED"
    /// A one-time product was bought.
    public static let oneTimeCharge: Self = "ONE_TIME_CHARGE"
  }

  /// `subtype`.
  public struct Subtype: StringIdentifier {
    /// Apple's name.
    public let rawValue: String
    /// Makes a subtype from Apple's name.
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
    /// It ended because the payment never succeeded.
    public static let billingRetry: Self = "BILLING_RETRY"
    /// It ended because the customer did not agree to a higher price.
    public static let priceIncrease: Self = "PRICE_INCREASE"
    /// Access is kept while the store tries again.
    public static let gracePeriod: Self = "GRACE_PERIOD"
    /// The customer has not answered the price increase yet.
    public static let pending: Self = "PENDING"
    /// The customer agreed, or no consent is needed.
    public static let accepted: Self = "ACCEPTED"
    /// The payment succeeded later.
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
    /// Not paid; no access.
    public static let billingRetry = Status(rawValue: 3)
    /// Not paid; access continues.
    public static let billingGracePeriod = Status(rawValue: 4)
    /// Revoked.
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
    /// The payment failed.
    public static let billing = ExpirationIntent(rawValue: 2)
    /// The customer did not agree to a higher price.
    public static let noConsent = ExpirationIntent(rawValue: 3)
    /// The product is no longer sold.
    public static let unavailable = ExpirationIntent(rawValue: 4)
    /// Anything else.
    public static let other = ExpirationIntent(rawValue: 5)
  }

  /// `transactionReason`.
  public struct TransactionReason: StringIdentifier {
    /// Apple's name.
    public let rawValue: String
    /// Makes a reason from Apple's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A person bought it.
    public static let purchase: Self = "PURCHASE"
    /// It renewed by itself.
    public static let renewal: Self = "RENEWAL"
  }

  /// The true time of the event.
  public var date: Date
  /// The customer.
  public var customer: CustomerID
  /// The kind of event.
  public var type: Kind
  /// More detail about the event.
  public var subtype: Subtype?
  /// The product concerned.
  public var productID: ProductID
  /// The transaction concerned, if there is one.
  public var transactionID: TransactionID?
  /// The original transaction of the subscription, or the transaction itself for one-time products.
  public var originalTransactionID: TransactionID
  /// The subscription's status after the event; `nil` for one-time products.
  public var status: Status?
  /// The reason of the end, if the subscription has ended.
  public var expirationIntent: ExpirationIntent?
  /// The reason of the transaction, if there is one.
  public var transactionReason: TransactionReason?
  /// `offerType`: 1 introductory, 2 promotional, 3 code, 4 win-back.
  public var offerType: Int?
  /// `offerDiscountType`: `FREE_TRIAL`, `PAY_AS_YOU_GO`, `PAY_UP_FRONT`, `ONE_TIME`.
  public var offerDiscountType: String?
  /// `revocationReason`: 1 a problem with the app, 0 anything else.
  public var revocationReason: Int?
  /// The environment.
  public var environment: StoreEnvironment

  /// The entry as text, such as `2026-03-01T12:00:00Z ann DID_RENEW BILLING_RECOVERY com.example.monthly t2 of t1 status 1`.
  public var text: String {
    var parts = [ISODate.text(date), customer.rawValue, type.rawValue]
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

/// An event of the store: the updates for devices, and the entry in the log.
public struct StoreEvent: Sendable, Hashable {
  /// The customer.
  public var customer: CustomerID
  /// The true time of the event.
  public var date: Date
  /// The updates for the customer's devices.
  public var updates: [StoreUpdate]
  /// The entry in the log; `nil` when Apple's server sends no notification.
  public var notification: ServerNotification?
  /// The device that caused the event, which gets it as the answer to its own call.
  public var origin: DeviceID?
  /// The environment; devices in another one receive no update.
  public var environment: StoreEnvironment
}

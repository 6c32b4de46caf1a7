// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The day of a renewal when the month does not have it. Apple does not document it (app-store-rules E.1), so this is a setting.
public enum MonthEndPolicy: String, Sendable, Hashable, CaseIterable {
  /// The day of the first purchase stays the anchor: Jan 31, Feb 28, Mar 31. The default.
  case keepsAnchor
  /// Each renewal counts from the last one: Jan 31, Feb 28, Mar 28.
  case drifts
}

/// The time zone in which the store counts months. Apple does not document it.
public enum StoreMonths: String, Sendable, Hashable, CaseIterable {
  /// Periods end at the same time in UTC all year. The default, because it makes dates that people can check.
  case utc
  /// Periods end at the same time in California all year, which is an hour earlier or later in UTC after a change of the clocks, and another
  /// day for purchases on a Californian evening. Source: receipts of 2019.
  case pacific

  private static let california = Calendar.storeCalendar(in: TimeZone(identifier: "America/Los_Angeles") ?? .gmt)
  var calendar: Calendar { self == .utc ? .storeCalendar : Self.california }
}

/// The failed renewals that get a grace period. Source: Apple news of 2023-01-30.
public enum GraceScope: String, Sendable, Hashable, CaseIterable {
  /// All, including the first payment after a trial.
  case all
  /// Only renewals from a paid period into a paid one.
  case paidToPaid
}

/// The effect of a new price on subscribers. Source: app-store-rules E.1.
public enum PriceConsent: String, Sendable, Hashable, CaseIterable {
  /// The subscriber must agree, or the subscription ends.
  case required
  /// The subscriber is informed, and the next renewal has the new price.
  case notice
  /// Apple's rule: consent for more than 50 % and more than 5 a period (50 a year), and for a second rise within a year; else a notice.
  case byRule
  /// Subscribers keep their price, also when they come back within 60 days.
  case preserved
}

/// Whether a customer's payment method works.
public enum PaymentMethod: String, Sendable, Hashable, CaseIterable {
  /// Charges succeed.
  case works
  /// Charges fail.
  case fails
}

/// Whether a device reaches the store.
public enum NetworkState: String, Sendable, Hashable, CaseIterable {
  /// Calls succeed.
  case online
  /// Calls fail with `StoreError.Code.network`, and updates wait.
  case offline
}

/// The result of the store's sheet.
public enum Sheet: String, Sendable, Hashable, CaseIterable {
  /// The customer pays.
  case confirm
  /// The customer closes the sheet.
  case cancel
  /// The customer asks a parent: the purchase waits for ``SimulatedStore/approve(_:customer:)``.
  case askToBuy
  /// The customer has to leave the sheet for the bank, or for new terms; the purchase completes after this is resolved. The call returns
  /// cancelled, or ``StoreSettings/interruptedAnswer``. Apple does not document the answer of the call ("purchases fail"); RevenueCat's
  /// issue 4903 reports success after "cancelled".
  case interrupted
  /// A forged store accepts the payment: the transaction has a wrong signature, there is no charge, and the real store has no record of it.
  case unverified
}

/// The answer of the call to an interrupted purchase, which completes later in any case.
public enum InterruptedAnswer: String, Sendable, Hashable, CaseIterable {
  /// Cancelled by the customer. Source: RevenueCat's issue 4903. The default.
  case cancelled
  /// Pending. Source: Kosikowski, swift-storekit, measured with Apple's test session on macOS 26.6; that of the iOS 27 simulator throws
  /// instead.
  case pending
}

/// The length of access after a failed renewal. Source: Apple, "Reduce involuntary churn"; news of 2023-01-30.
public enum GraceDays: Int, Sendable, Hashable, CaseIterable {
  /// Three days; also for weekly subscriptions.
  case three = 3
  /// Sixteen days; six for weekly subscriptions.
  case sixteen = 16
  /// Twenty-eight days; six for weekly subscriptions.
  case twentyEight = 28

  /// The days for a subscription of this length: at most 6 for a weekly one.
  public func days(for period: Period) -> Int {
    let isWeekly = period.years == 0 && period.months == 0 && period.days <= 7
    return isWeekly ? min(rawValue, 6) : rawValue
  }
}

/// The settings of the whole store.
public struct StoreSettings: Sendable, Hashable {
  /// The grace period; `nil` for none. A direct change applies at once; ``SimulatedStore/setGracePeriod(_:)`` waits for
  /// ``gracePeriodAfter``.
  public var gracePeriod: GraceDays? { didSet { graceBefore = nil } }
  /// The delay of a change of the grace period. Apple: up to 24 hours. Default: none.
  public var gracePeriodAfter = Period()
  /// The old grace period and the end of the delay, while a change waits.
  var graceBefore: GraceBefore?

  struct GraceBefore: Sendable, Hashable {
    let period: GraceDays?
    let until: Date
  }
  /// The failed renewals that get a grace period.
  public var graceFor: GraceScope = .all
  /// The length of the retry period after a failed renewal. Default 60 days. Source: Apple.
  public var billingRetry = Period(days: 60)
  /// The same for plans with a commitment. Default 90 days. Source: app-store-rules E.1.
  public var commitmentRetry = Period(days: 90)
  /// The day of renewals in months that are too short.
  public var monthEnd: MonthEndPolicy = .keepsAnchor
  /// The time zone in which periods of subscriptions are counted.
  public var months: StoreMonths = .utc
  /// The lifetime of a request to a parent. Default 24 hours.
  public var askToBuyLasts = Period(days: 1)
  /// The answer of the call to an interrupted purchase.
  public var interruptedAnswer: InterruptedAnswer = .cancelled
  /// The quirks that are on.
  public var quirks: Set<StoreQuirk> = []
  /// The probability that a device's call fails with a network error, 0 to 1, drawn from the store's seed. Default 0.
  public var flakiness: Double = 0
  /// The delay in seconds of ``StoreQuirk/lateListing`` and ``StoreQuirk/approvalBeforeListing``. Default 1.
  public var listingDelay: TimeInterval = 1
  /// The duration in seconds of ``StoreQuirk/expiredAtRenewal``. Default 0.7.
  public var renewalDelay: TimeInterval = 0.7
  /// The lead in seconds of ``StoreQuirk/earlyRenewal``. Default 24 hours.
  public var renewalLead: TimeInterval = 86400

  /// Makes the settings of a store without faults and without a grace period.
  public init() {}

  /// The grace period of a renewal that fails at `date`.
  func gracePeriod(at date: Date) -> GraceDays? {
    if let before = graceBefore, date < before.until { before.period } else { gracePeriod }
  }
}

/// The settings of one customer's account.
public struct CustomerSettings: Sendable, Hashable {
  /// Whether charges go through.
  public var payment: PaymentMethod = .works
  /// Whether purchases need a parent's approval.
  public var askToBuy = false
  /// Whether purchases are interrupted.
  public var interruptedPurchases = false
  /// The storefront, an ISO 3166-1 alpha-3 code. Default `USA`.
  public var storefront = "USA"
  /// The environment of the account's purchases. Facts of different environments are never mixed.
  public var environment: StoreEnvironment = .production
  /// When the customer first got the app; `nil` for the first contact with the store.
  public var originalPurchaseDate: Date?
  /// The version that the customer first got. Default `1.0`.
  public var originalAppVersion = "1.0"

  /// Makes the settings of a customer who can pay.
  public init() {}
}

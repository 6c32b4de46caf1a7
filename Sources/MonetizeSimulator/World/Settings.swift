// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// How a renewal finds its day when the month has none: not verified anywhere at Apple (app-store-rules E.1), so a named choice.
public enum MonthEndPolicy: String, Sendable, Hashable, CaseIterable {
  /// The day of the first purchase stays the anchor: Jan 31, Feb 28, Mar 31. The default.
  case keepsAnchor
  /// Each renewal counts from the last one: Jan 31, Feb 28, Mar 28.
  case drifts
}

/// Which failed renewals get a grace period. Source: Apple news of 2023-01-30.
public enum GraceScope: String, Sendable, Hashable, CaseIterable {
  /// All, also the first payment after a trial.
  case all
  /// Only those from a paid period into a paid one.
  case paidToPaid
}

/// How a new price reaches those who are subscribed. Source: app-store-rules E.1.
public enum PriceConsent: String, Sendable, Hashable, CaseIterable {
  /// They must agree, or the subscription ends.
  case required
  /// They are told; the next renewal costs the new price.
  case notice
  /// Apple's rule: consent for more than 50 % and more than 5 a period (50 a year), and for a second rise within a year; else a notice.
  case byRule
  /// They keep their price, also when they come back within 60 days.
  case preserved
}

/// Whether a customer's payment method works.
public enum PaymentMethod: String, Sendable, Hashable, CaseIterable {
  /// Charges go through.
  case works
  /// Charges fail.
  case fails
}

/// Whether a device reaches the store.
public enum NetworkState: String, Sendable, Hashable, CaseIterable {
  /// It does.
  case online
  /// It does not: calls fail with ``StoreError/Code/network``, news waits.
  case offline
}

/// What the person at the device does with the store's sheet.
public enum Sheet: String, Sendable, Hashable, CaseIterable {
  /// Pays.
  case confirm
  /// Closes it.
  case cancel
  /// Asks a parent: the purchase waits for ``SimulatedStore/approve(_:customer:)``.
  case askToBuy
  /// Has to leave it for the bank, or for new terms: the purchase comes later, when it is resolved. The call says cancelled, or what
  /// ``StoreSettings/interruptedAnswer`` says.
  /// What the call answers is not documented by Apple ("purchases fail"); success after "cancelled" is what RevenueCat's issue 4903 reports.
  case interrupted
  /// Pays with a forged store: what comes back has a wrong signature, nobody was charged, and the store knows nothing of it.
  case unverified
}

/// What the call of an interrupted purchase answers. The purchase comes later in any case, when it is resolved.
public enum InterruptedAnswer: String, Sendable, Hashable, CaseIterable {
  /// That the customer cancelled. Source: RevenueCat's issue 4903. The default.
  case cancelled
  /// That it waits. Source: Kosikowski, swift-storekit, measured with Apple's test session on macOS 26.6; the one of the iOS 27 simulator
  /// throws instead.
  case pending
}

/// How long access is kept after a failed renewal. Source: Apple, "Reduce involuntary churn"; news of 2023-01-30.
public enum GraceDays: Int, Sendable, Hashable, CaseIterable {
  /// Three days; also for weekly subscriptions.
  case three = 3
  /// Sixteen days; six for weekly subscriptions.
  case sixteen = 16
  /// Twenty-eight days; six for weekly subscriptions.
  case twentyEight = 28

  /// The days for a subscription of this length: weekly ones keep 3, and have 6 otherwise.
  public func days(for period: Period) -> Int {
    let isWeekly = period.years == 0 && period.months == 0 && period.days <= 7
    return isWeekly ? min(rawValue, 6) : rawValue
  }
}

/// What the whole store is like.
public struct StoreSettings: Sendable, Hashable {
  /// The grace period; `nil` for none. Set directly it counts at once; ``SimulatedStore/setGracePeriod(_:)`` takes ``gracePeriodAfter``.
  public var gracePeriod: GraceDays? { didSet { graceBefore = nil } }
  /// How long a change of the grace period takes. Apple: up to 24 hours. Default: no time.
  public var gracePeriodAfter = Period()
  /// What counts until a change has come through, and when it has.
  var graceBefore: GraceBefore?

  struct GraceBefore: Sendable, Hashable {
    let period: GraceDays?
    let until: Date
  }
  /// Which failed renewals get one.
  public var graceFor: GraceScope = .all
  /// How long the store tries again after a failed renewal. Default 60 days. Source: Apple.
  public var billingRetry = Period(days: 60)
  /// The same for plans with a commitment. Default 90 days. Source: app-store-rules E.1.
  public var commitmentRetry = Period(days: 90)
  /// How renewals find their day.
  public var monthEnd: MonthEndPolicy = .keepsAnchor
  /// How long a request to buy waits for the parent. Default 24 hours.
  public var askToBuyLasts = Period(days: 1)
  /// What the call of an interrupted purchase answers.
  public var interruptedAnswer: InterruptedAnswer = .cancelled
  /// How the store misbehaves.
  public var quirks: Set<StoreQuirk> = []
  /// How likely a device's call is to fail with a network error, 0 to 1, drawn from the store's seed. Default 0.
  public var flakiness: Double = 0
  /// For ``StoreQuirk/lateListing`` and ``StoreQuirk/approvalBeforeListing``: how many seconds later. Default 1.
  public var listingDelay: TimeInterval = 1
  /// For ``StoreQuirk/expiredAtRenewal``: how many seconds. Default 0.7.
  public var renewalDelay: TimeInterval = 0.7
  /// For ``StoreQuirk/earlyRenewal``: how many seconds earlier. Default 24 hours.
  public var renewalLead: TimeInterval = 86400

  /// The settings of a store where everything is well and there is no grace period.
  public init() {}

  /// The grace period that a renewal has which fails at `date`.
  func gracePeriod(at date: Date) -> GraceDays? {
    if let before = graceBefore, date < before.until { before.period } else { gracePeriod }
  }
}

/// What one customer's account is like.
public struct CustomerSettings: Sendable, Hashable {
  /// Whether charges go through.
  public var payment: PaymentMethod = .works
  /// Whether purchases need a parent's approval.
  public var askToBuy = false
  /// Whether purchases are interrupted.
  public var interruptedPurchases = false
  /// The storefront, an ISO 3166-1 alpha-3 code. Default `USA`.
  public var storefront = "USA"
  /// Which world the account buys in. Facts of different worlds never meet.
  public var environment: StoreEnvironment = .production
  /// When the customer first got the app; `nil` for when the store first saw them.
  public var originalPurchaseDate: Date?
  /// The version that they got then. Default `1.0`.
  public var originalAppVersion = "1.0"

  /// A customer who can pay.
  public init() {}
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// An irregular behaviour of real stores. All are off by default, and each has a descriptive name. An open set.
///
/// Source: measurements of peers, lessons.md 4.4 and app-store-rules E.
public struct StoreQuirk: StringIdentifier {
  /// The name, as scenarios write it.
  public let rawValue: String
  /// Makes a quirk from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A purchase is listed ``StoreSettings/listingDelay`` seconds late, or after `StoreBackend.synchronize()`.
  public static let lateListing: Self = "lateListing"
  /// Reads return an empty answer without a date.
  public static let emptyReads: Self = "emptyReads"
  /// Reads fail with a system error.
  public static let failedReads: Self = "failedReads"
  /// Reads are cancelled.
  public static let cancelledReads: Self = "cancelledReads"
  /// Missed renewals are delivered newest first.
  public static let renewalsNewestFirst: Self = "renewalsNewestFirst"
  /// Updates are delivered twice, and unfinished transactions are listed twice.
  public static let duplicates: Self = "duplicates"
  /// At each renewal the subscription is expired for ``StoreSettings/renewalDelay`` seconds.
  public static let expiredAtRenewal: Self = "expiredAtRenewal"
  /// An approved purchase is delivered ``StoreSettings/listingDelay`` seconds before it is listed.
  public static let approvalBeforeListing: Self = "approvalBeforeListing"
  /// A change of plan for the next renewal returns the chain's first transaction, however old, instead of that of the current period.
  public static let downgradeReturnsOldTransaction: Self = "downgradeReturnsOldTransaction"
  /// A device keeps its first answer about introductory offers until ``SimulatedDevice/restartProcess()``.
  public static let frozenEligibility: Self = "frozenEligibility"
  /// Devices get no update when a subscription ends. (There is never a transaction for it; without this quirk the status is updated.)
  public static let noUpdateAtExpiry: Self = "noUpdateAtExpiry"
  /// Offers are ignored: the purchase succeeds at the full price.
  public static let offerNotApplied: Self = "offerNotApplied"
  /// A device also receives its own purchases as updates.
  public static let ownPurchasesInUpdates: Self = "ownPurchasesInUpdates"
  /// A new purchase after a lapse returns the old, expired transaction; the new one comes as an update.
  public static let repurchaseReturnsOldTransaction: Self = "repurchaseReturnsOldTransaction"
  /// After an upgrade the old transaction stays listed, marked as upgraded, until its original end.
  public static let upgradedStaysListed: Self = "upgradedStaysListed"
  /// A renewal is charged ``StoreSettings/renewalLead`` seconds before the period ends, and has a transaction at once.
  public static let earlyRenewal: Self = "earlyRenewal"

  /// All quirks, in the order of their rows.
  public static let all: [StoreQuirk] = rows.map(\.quirk)
}

extension StoreQuirk {
  /// A quirk with its effect on answers: one row. An effect on the store's rules is in the code of the rule, which checks whether the quirk
  /// is on.
  struct Row: Sendable {
    let quirk: StoreQuirk
    let about: String
    /// Changes the answer of a read.
    var read: @Sendable (StoreAnswer) throws(StoreError) -> StoreAnswer
    /// Changes the list of missed and unfinished transactions.
    var missed: @Sendable ([SignedTransaction]) -> [SignedTransaction]
    /// The number of times that each update is delivered.
    var deliveries: Int

    init(
      _ quirk: StoreQuirk, _ about: String, read: @escaping @Sendable (StoreAnswer) throws(StoreError) -> StoreAnswer = { $0 },
      missed: @escaping @Sendable ([SignedTransaction]) -> [SignedTransaction] = { $0 }, deliveries: Int = 1
    ) {
      (self.quirk, self.about, self.read, self.missed, self.deliveries) = (quirk, about, read, missed, deliveries)
    }
  }

  static let rows: [Row] = [
    .init(.lateListing, "A purchase is listed a second late, or after synchronizing."),
    .init(.emptyReads, "Reads return an empty answer without a date.", read: { _ in StoreAnswer(transactions: []) }),
    .init(.failedReads, "Reads fail with a system error.", read: { (_: StoreAnswer) throws(StoreError) in throw StoreError(.system) }),
    .init(.cancelledReads, "Reads are cancelled.", read: { (_: StoreAnswer) throws(StoreError) in throw StoreError(.cancelled) }),
    .init(.renewalsNewestFirst, "Missed renewals are delivered newest first.", missed: { $0.reversed() }),
    .init(.duplicates, "Updates are delivered twice, and unfinished transactions are listed twice.", deliveries: 2),
    .init(.expiredAtRenewal, "At each renewal the subscription is expired for 0.7 seconds."),
    .init(.approvalBeforeListing, "An approved purchase is delivered a second before it is listed."),
    .init(.downgradeReturnsOldTransaction, "A change of plan for the next renewal returns the chain's first transaction, however old."),
    .init(.frozenEligibility, "A device keeps its first answer about introductory offers until the process ends."),
    .init(.noUpdateAtExpiry, "Devices get no update when a subscription ends."),
    .init(.offerNotApplied, "Offers are ignored: the purchase succeeds at the full price."),
    .init(.ownPurchasesInUpdates, "A device also receives its own purchases as updates."),
    .init(
      .repurchaseReturnsOldTransaction,
      "A new purchase after a lapse returns the old, expired transaction; the new one comes as an update."),
    .init(.upgradedStaysListed, "After an upgrade the old transaction stays listed, marked as upgraded, until its original end."),
    .init(.earlyRenewal, "A renewal is charged a day before the period ends, and has a transaction at once."),
  ]
}

/// A part of the store that can be made to fail, with the name from Apple's test session (`setSimulatedError(_:forAPI:)`). An open set.
public struct StoreAPI: StringIdentifier {
  /// The name, as scenarios write it.
  public let rawValue: String
  /// Makes an API from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `StoreBackend.products(for:)`.
  public static let loadProducts: Self = "loadProducts"
  /// `StoreBackend.purchase(_:)`.
  public static let purchase: Self = "purchase"
  /// The signatures of purchases, reads, the unfinished list and the app transaction: any error makes them wrong.
  public static let verification: Self = "verification"
  /// `StoreBackend.synchronize()`.
  public static let appStoreSync: Self = "appStoreSync"
  /// `StoreBackend.read()`.
  public static let subscriptionStatus: Self = "subscriptionStatus"
  /// `StoreBackend.appTransaction()`.
  public static let appTransaction: Self = "appTransaction"
  /// ``SimulatedDevice/manageSubscriptions(_:autoRenew:)``.
  public static let manageSubscriptions: Self = "manageSubscriptions"
  /// ``SimulatedDevice/requestRefund(_:)``.
  public static let refundRequest: Self = "refundRequest"
  /// ``SimulatedDevice/redeemCode(_:for:)``.
  public static let offerCodeRedeem: Self = "offerCodeRedeem"

  /// All APIs.
  public static let all: [StoreAPI] = [
    .loadProducts, .purchase, .verification, .appStoreSync, .subscriptionStatus, .appTransaction, .manageSubscriptions, .refundRequest,
    .offerCodeRedeem,
  ]
}

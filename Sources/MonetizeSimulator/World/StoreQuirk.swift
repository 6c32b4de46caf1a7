// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// A way in which real stores misbehave. All are off by default, and each is named after the fact. An open set.
///
/// Source: measurements of peers, lessons.md 4.4 and app-store-rules E.
public struct StoreQuirk: StringIdentifier {
  /// The name, as scenarios write it.
  public let rawValue: String
  /// Makes a quirk from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A purchase is listed only ``StoreSettings/listingDelay`` seconds later, or after ``StoreBackend/synchronize()``.
  public static let lateListing: Self = "lateListing"
  /// Reads answer that the customer has nothing, without a date.
  public static let emptyReads: Self = "emptyReads"
  /// Reads fail with a system error.
  public static let failedReads: Self = "failedReads"
  /// Reads are cancelled.
  public static let cancelledReads: Self = "cancelledReads"
  /// Renewals that the app missed come newest first.
  public static let renewalsNewestFirst: Self = "renewalsNewestFirst"
  /// Everything is delivered twice, and listed twice as unfinished.
  public static let duplicates: Self = "duplicates"
  /// At each renewal the subscription is expired for ``StoreSettings/renewalDelay`` seconds.
  public static let expiredAtRenewal: Self = "expiredAtRenewal"
  /// A purchase that a parent approved is delivered ``StoreSettings/listingDelay`` seconds before it is listed.
  public static let approvalBeforeListing: Self = "approvalBeforeListing"
  /// What a change at the next renewal answers is the first transaction of the chain, however old; else it is that of the running period.
  public static let downgradeReturnsOldTransaction: Self = "downgradeReturnsOldTransaction"
  /// A device keeps its first answer about introductory offers until ``SimulatedDevice/restartProcess()``.
  public static let frozenEligibility: Self = "frozenEligibility"
  /// An end is announced to nobody. (There is never a transaction for it; without this quirk the status is announced.)
  public static let noUpdateAtExpiry: Self = "noUpdateAtExpiry"
  /// Offers are silently not applied: the purchase succeeds at the full price.
  public static let offerNotApplied: Self = "offerNotApplied"
  /// What a device bought itself is delivered to it as an update as well.
  public static let ownPurchasesInUpdates: Self = "ownPurchasesInUpdates"
  /// Buying again after a lapse answers with the old, expired transaction; the new one comes as an update.
  public static let repurchaseReturnsOldTransaction: Self = "repurchaseReturnsOldTransaction"
  /// After an upgrade the old transaction stays listed, marked as upgraded, until it would have ended.
  public static let upgradedStaysListed: Self = "upgradedStaysListed"
  /// A renewal is charged ``StoreSettings/renewalLead`` seconds before the period ends: the next period's transaction is there at once.
  public static let earlyRenewal: Self = "earlyRenewal"

  /// All quirks, in the order of their rows.
  public static let all: [StoreQuirk] = rows.map(\.quirk)
}

extension StoreQuirk {
  /// A quirk with what it does: one row. What a quirk makes of what a store tells stands in its row; what it makes of the store's own rules
  /// stands where the rule does, which asks whether it is on.
  struct Row: Sendable {
    let quirk: StoreQuirk
    let about: String
    /// What a read answers.
    var read: @Sendable (StoreAnswer) throws(StoreError) -> StoreAnswer
    /// What a device is told of that it missed, or has not finished.
    var missed: @Sendable ([SignedTransaction]) -> [SignedTransaction]
    /// How often the same thing is told.
    var deliveries: Int

    init(
      _ quirk: StoreQuirk, _ about: String, read: @escaping @Sendable (StoreAnswer) throws(StoreError) -> StoreAnswer = { $0 },
      missed: @escaping @Sendable ([SignedTransaction]) -> [SignedTransaction] = { $0 }, deliveries: Int = 1
    ) {
      (self.quirk, self.about, self.read, self.missed, self.deliveries) = (quirk, about, read, missed, deliveries)
    }
  }

  static let rows: [Row] = [
    .init(.lateListing, "A purchase is listed only a second later, or after the store was asked to synchronize."),
    .init(.emptyReads, "Reads answer that the customer has nothing, without a date.", read: { _ in StoreAnswer(transactions: []) }),
    .init(.failedReads, "Reads fail with a system error.", read: { (_: StoreAnswer) throws(StoreError) in throw StoreError(.system) }),
    .init(.cancelledReads, "Reads are cancelled.", read: { (_: StoreAnswer) throws(StoreError) in throw StoreError(.cancelled) }),
    .init(.renewalsNewestFirst, "Renewals that the app missed come newest first.", missed: { $0.reversed() }),
    .init(.duplicates, "Everything is delivered twice, and listed twice as unfinished.", deliveries: 2),
    .init(.expiredAtRenewal, "At each renewal the subscription is expired for 0.7 seconds."),
    .init(.approvalBeforeListing, "A purchase that a parent approved is delivered a second before it is listed."),
    .init(.downgradeReturnsOldTransaction, "A change at the next renewal answers the first transaction of the chain, however old."),
    .init(.frozenEligibility, "A device keeps its first answer about introductory offers until the process ends."),
    .init(.noUpdateAtExpiry, "An end is announced to nobody."),
    .init(.offerNotApplied, "Offers are silently not applied: the purchase succeeds at the full price."),
    .init(.ownPurchasesInUpdates, "What a device bought itself is delivered to it as an update as well."),
    .init(
      .repurchaseReturnsOldTransaction,
      "Buying again after a lapse answers with the old, expired transaction; the new one comes as an update."),
    .init(.upgradedStaysListed, "After an upgrade the old transaction stays listed, marked as upgraded, until it would have ended."),
    .init(.earlyRenewal, "A renewal is charged a day before the period ends: the next period's transaction is there at once."),
  ]
}

/// A part of the store that can be made to fail, in the words of Apple's test session (`setSimulatedError(_:forAPI:)`). An open set.
public struct StoreAPI: StringIdentifier {
  /// The name, as scenarios write it.
  public let rawValue: String
  /// Makes an API from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// ``StoreBackend/products(for:)``.
  public static let loadProducts: Self = "loadProducts"
  /// ``StoreBackend/purchase(_:)``.
  public static let purchase: Self = "purchase"
  /// The signatures of what a purchase, a read, the unfinished list or the app transaction answers: they are wrong. Any error does.
  public static let verification: Self = "verification"
  /// ``StoreBackend/synchronize()``.
  public static let appStoreSync: Self = "appStoreSync"
  /// ``StoreBackend/read()``.
  public static let subscriptionStatus: Self = "subscriptionStatus"
  /// ``StoreBackend/appTransaction()``.
  public static let appTransaction: Self = "appTransaction"
  /// ``SimulatedDevice/manageSubscriptions(_:autoRenew:)``.
  public static let manageSubscriptions: Self = "manageSubscriptions"
  /// ``SimulatedDevice/requestRefund(_:)``.
  public static let refundRequest: Self = "refundRequest"
  /// ``SimulatedDevice/redeemCode(_:for:)``.
  public static let offerCodeRedeem: Self = "offerCodeRedeem"

  /// All nine.
  public static let all: [StoreAPI] = [
    .loadProducts, .purchase, .verification, .appStoreSync, .subscriptionStatus, .appTransaction, .manageSubscriptions, .refundRequest,
    .offerCodeRedeem,
  ]
}

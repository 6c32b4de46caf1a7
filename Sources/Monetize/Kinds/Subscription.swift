// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The terms of a subscription, for the store, a paywall and a simulation.
public struct SubscriptionTerms: Sendable, Hashable {
  /// The subscription group. A customer has at most one active subscription in each.
  public let group: String
  /// The level in the group; 1 is the highest. Source: StoreKit `groupLevel`.
  public let level: Int
  /// The length of one period.
  public let period: Period
  /// The offers.
  public let offers: [SubscriptionOffer]

  /// Makes terms.
  public init(group: String, level: Int, period: Period, offers: [SubscriptionOffer] = []) {
    (self.group, self.level, self.period, self.offers) = (group, level, period, offers)
  }

  /// The active introductory offer; `nil` when there is none.
  public var introductoryOffer: SubscriptionOffer? { offers.first { $0.type == .introductory && $0.isEnabled } }

  /// Whether a change to another plan of the group begins at once: to a higher level, or to an equal one of the same length. Any other begins
  /// at the next renewal (app-store-rules E.2).
  func changesAtOnce(to other: SubscriptionTerms) -> Bool {
    other.level < level || (other.level == level && other.period.isSame(as: period))
  }
}

/// An auto-renewable subscription: owned in a trial, in a paid period, and in the grace period after a failed renewal.
public struct Subscription: ProductKind {
  /// `subscription`.
  public static let name = "subscription"
  /// `autoRenewable`.
  public static let storeType = StoreProductType.autoRenewable

  let group: String
  let level: Int
  let period: Period
  let offers: [SubscriptionOffer]?

  /// The terms, as written in the catalog.
  public var subscription: SubscriptionTerms? {
    SubscriptionTerms(group: group, level: level, period: period, offers: offers ?? [])
  }

  /// Owned in any valid period that has not ended, and in the grace period. A period charged before it begins keeps access as well, for a
  /// device that never received the period before it. Limits count from a period only once it begins.
  public func ownership(from history: ProductHistory, at now: Date) -> Ownership {
    // Even after many years, only one or two periods have not ended.
    let running = history.running(at: now)
    func since(_ period: StoreTransaction) -> Date? { period.isAhead(at: now) ? nil : anchor(of: period, in: history) }
    let periods = running.map { transaction -> Ownership in
      let end = transaction.expirationDate ?? .distantFuture
      let phase: Ownership.Phase = transaction.offer?.mode == .freeTrial ? .trial : .paid
      return .until(end, since: since(transaction), phase: phase)
    }
    let graces = history.renewals.values.compactMap { renewal -> Ownership? in
      guard renewal.productID == history.product, renewal.state == .inGracePeriod, let end = renewal.graceUntil,
        let last = history.last(of: renewal.originalID)
      else { return nil }
      return .until(end, since: since(last), phase: .grace)
    }
    let owned = Ownership.latest(of: periods + graces, at: now)
    return owned.preventingPurchase(owned.phase != .grace && renewsIntoItself(history, running))
  }

  /// The date from which anchored limits of a period count: the first purchase of its unbroken run. A trial counts only if it is as long as
  /// a period, because any other trial does not set the day of the plan after it.
  private func anchor(of transaction: StoreTransaction, in history: ProductHistory) -> Date {
    // The store counts in Pacific time: an hour off after a change of the clocks, and up to three days for months that end there on another
    // date. No other length that the store offers is that near.
    let tolerance: TimeInterval = period.fixedSeconds == nil ? 4 * 86400 : 3600
    return history.anchor(of: transaction) { trial, end in
      abs(end.timeIntervalSince(period.added(to: trial.purchaseDate, in: .storeCalendar))) <= tolerance
    }
  }

  /// Whether the latest subscription renews into the same product, so that buying it again would gain nothing.
  private func renewsIntoItself(_ history: ProductHistory, _ running: [StoreTransaction]) -> Bool {
    guard let last = running.last ?? history.last, let renewal = history.renewals[last.originalID] else { return false }
    return renewal.willRenew && (renewal.renewsInto ?? history.product) == history.product && renewal.commitment?.willRenew != false
  }
}

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
  /// device that never saw the period before it. Limits count from a period only once it begins.
  public func ownership(from history: ProductHistory, at now: Date) -> Ownership {
    // By index, because iterating copies each transaction. After ten years only one or two have not ended.
    let running = history.transactions.indices.filter { now < history.transactions[$0].expirationDate ?? .distantFuture }
    let periods = running.map { index -> Ownership in
      let transaction = history.transactions[index]
      let end = transaction.expirationDate ?? .distantFuture
      let phase: Ownership.Phase = transaction.offer?.mode == .freeTrial ? .trial : .paid
      return .until(end, since: transaction.isAhead(at: now) ? nil : anchor(of: index, in: history.transactions), phase: phase)
    }
    // Grace periods are rare, and only then is each transaction's chain looked up.
    guard history.renewals.values.contains(where: { $0.state == .inGracePeriod }) else {
      return .latest(of: periods, at: now).preventingPurchase(renewsIntoItself(history))
    }
    let graces = history.transactions.enumerated().compactMap { index, transaction -> Ownership? in
      guard let renewal = history.renewals[transaction.originalID], renewal.productID == history.product,
        renewal.state == .inGracePeriod, let end = renewal.graceUntil
      else { return nil }
      return .until(end, since: anchor(of: index, in: history.transactions), phase: .grace)
    }
    let owned = Ownership.latest(of: periods + graces, at: now)
    return owned.preventingPurchase(owned.phase != .grace && renewsIntoItself(history))
  }

  /// The date from which anchored limits of a period count: the first purchase of its unbroken run, in which each period begins where the last
  /// one ended. A trial counts only if it is as long as a period, because another does not set the day of the plan after it.
  private func anchor(of index: Int, in transactions: [StoreTransaction]) -> Date {
    var first = transactions[index].purchaseDate
    for number in (0..<index).reversed() where transactions[number].originalID == transactions[index].originalID {
      guard transactions[number].expirationDate == first else { break }
      let (start, offer) = (transactions[number].purchaseDate, transactions[number].offer)
      // The store counts in Pacific time: an hour off after a change of the clocks, and up to three days for months that end there on
      // another date. No other length that the store offers is that near.
      let tolerance: TimeInterval = period.fixedSeconds == nil ? 4 * 86400 : 3600
      if offer?.type == .introductory, offer?.mode == .freeTrial,
        abs(first.timeIntervalSince(period.added(to: start, in: .storeCalendar))) > tolerance
      {
        break
      }
      first = start
    }
    return first
  }

  /// Whether the latest subscription renews into the same product, so that buying it again would gain nothing.
  private func renewsIntoItself(_ history: ProductHistory) -> Bool {
    guard let last = history.transactions.last, let renewal = history.renewals[last.originalID] else { return false }
    return renewal.willRenew && (renewal.renewsInto ?? history.product) == history.product && renewal.commitment?.willRenew != false
  }
}

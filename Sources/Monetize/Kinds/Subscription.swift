// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The terms of a subscription: what the store, a paywall and a simulation need to know.
public struct SubscriptionTerms: Sendable, Hashable {
  /// The group; a customer has one active subscription of each.
  public let group: String
  /// The level in the group, 1 is the highest. Source: StoreKit `groupLevel`.
  public let level: Int
  /// How long one period is.
  public let period: Period
  /// Its offers.
  public let offers: [SubscriptionOffer]

  /// Makes terms.
  public init(group: String, level: Int, period: Period, offers: [SubscriptionOffer] = []) {
    self.group = group
    self.level = level
    self.period = period
    self.offers = offers
  }

  /// The introductory offer that runs, if there is one.
  public var introductoryOffer: SubscriptionOffer? { offers.first { $0.type == .introductory && $0.isEnabled } }
}

/// Owned while it is paid for: in a trial, in a period, and in the grace period after a failed renewal, when the period is already over.
public struct Subscription: ProductKind {
  /// `subscription`.
  public static let name = "subscription"
  /// Renews by itself.
  public static let storeType = StoreProductType.autoRenewable

  let group: String
  let level: Int
  let period: Period
  let offers: [SubscriptionOffer]?

  /// The terms as the catalog states them.
  public var subscription: SubscriptionTerms? {
    SubscriptionTerms(group: group, level: level, period: period, offers: offers ?? [])
  }

  /// Any valid period that is not over, or a grace period that is not. One that is paid and has not begun keeps access, so that nobody who
  /// hears of it alone is locked out of the period before it; limits count from it only when it begins.
  public func ownership(from history: ProductHistory, at now: Date) -> Ownership {
    // Of ten years of periods all but one or two are over. By place: a loop over transactions copies each with all its texts.
    let transactions = history.transactions
    let periods = transactions.indices.lazy.filter { now < (transactions[$0].expirationDate ?? .distantFuture) }.map { place in
      transactions[place].expirationDate.map {
        Ownership.until($0, since: transactions[place].isAhead(at: now) ? nil : transactions[place].purchaseDate)
      } ?? .forever.since(transactions[place].purchaseDate)
    }
    // Seldom is there a grace period, and only then each transaction's chain has to be looked up.
    guard history.renewals.values.contains(where: { $0.state == .inGracePeriod }) else { return .latest(of: periods, at: now) }
    let graces = history.transactions.compactMap { transaction -> Ownership? in
      guard let renewal = history.renewals[transaction.originalID], renewal.productID == history.product,
        renewal.state == .inGracePeriod, let end = renewal.graceUntil
      else { return nil }
      return .until(end, since: transaction.purchaseDate)
    }
    return .latest(of: Array(periods) + graces, at: now)
  }
}

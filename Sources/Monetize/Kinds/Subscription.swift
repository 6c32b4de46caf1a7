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

  /// Any valid period that is not over, or a grace period that is not. A period that is paid and has not begun keeps access, so that a device which
  /// learns of it alone does not lock the customer out of the period before it; limits count from it only when it begins.
  public func ownership(from history: ProductHistory, at now: Date) -> Ownership {
    let periods = history.transactions.compactMap { transaction -> Ownership? in
      let end = transaction.expirationDate ?? .distantFuture
      // After ten years all periods but one or two are over.
      guard now < end else { return nil }
      let phase: Ownership.Phase = transaction.offer?.mode == .freeTrial ? .trial : .paid
      return .until(end, since: transaction.isAhead(at: now) ? nil : transaction.purchaseDate, phase: phase)
    }
    // Seldom is there a grace period, and only then each transaction's chain has to be looked up.
    guard history.renewals.values.contains(where: { $0.state == .inGracePeriod }) else {
      return .latest(of: periods, at: now).preventingPurchase(renewsIntoItself(history))
    }
    let graces = history.transactions.compactMap { transaction -> Ownership? in
      guard let renewal = history.renewals[transaction.originalID], renewal.productID == history.product,
        renewal.state == .inGracePeriod, let end = renewal.graceUntil
      else { return nil }
      return .until(end, since: transaction.purchaseDate, phase: .grace)
    }
    let owned = Ownership.latest(of: periods + graces, at: now)
    return owned.preventingPurchase(owned.phase != .grace && renewsIntoItself(history))
  }

  /// Whether the latest subscription goes on with the same product, so that buying it again would sell nothing.
  private func renewsIntoItself(_ history: ProductHistory) -> Bool {
    guard let last = history.transactions.last, let renewal = history.renewals[last.originalID] else { return false }
    return renewal.willRenew && (renewal.renewsInto ?? history.product) == history.product && renewal.commitment?.willRenew != false
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A subscription with trials and grace periods, written again with public API only.
struct Plan: ProductKind {
  static let name = "test.plan"
  static let storeType = StoreProductType.autoRenewable
  let group: String
  let level: Int
  let period: Period

  var subscription: SubscriptionTerms? { SubscriptionTerms(group: group, level: level, period: period) }

  func ownership(from history: ProductHistory, at now: Date) -> Ownership {
    let periods = history.transactions.map { transaction in
      Ownership.until(
        transaction.expirationDate ?? .distantFuture, since: transaction.purchaseDate,
        phase: transaction.offer?.mode == .freeTrial ? .trial : .paid)
    }
    let graces = history.transactions.compactMap { transaction -> Ownership? in
      guard let renewal = history.renewals[transaction.originalID], renewal.state == .inGracePeriod, let end = renewal.graceUntil else {
        return nil
      }
      return .until(end, since: transaction.purchaseDate, phase: .grace)
    }
    let renewal = history.transactions.last.flatMap { history.renewals[$0.originalID] }
    let owned = Ownership.latest(of: periods + graces, at: now)
    return owned.preventingPurchase(owned.phase != .grace && renewal?.willRenew == true)
  }
}

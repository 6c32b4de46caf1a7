// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A film that must be begun within a month, and can be watched for a length of time from its first use.
struct Rental: ProductKind {
  /// A non-consumable would be sold once.
  static let storeType = StoreProductType.nonRenewing
  static let name = "test.rental"
  static let looksAtUses = true
  let lasts: Period
  var changesWithTime: Bool { true }

  func ownership(from history: ProductHistory, at now: Date) -> Ownership {
    .latest(
      of: history.transactions.map { transaction in
        let begin = Period(days: 30).added(to: transaction.purchaseDate, in: .storeCalendar)
        let end = history.firstUse(since: transaction.purchaseDate).map { lasts.added(to: $0, in: .storeCalendar) }
        return .until(end ?? begin, since: transaction.purchaseDate)
      }, at: now)
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A product that is bought once and owned for ever unless the store revokes it: a pack, an unlock. With a period, a free trial.
///
/// Source of the trial: App Review guideline 3.1.1. An app without subscriptions offers one as a free non-consumable named like "14-day
/// Trial". The store sells it once and lists it for ever, so the app counts from its purchase date.
public struct NonConsumable: ProductKind {
  /// `nonConsumable`.
  public static let name = "nonConsumable"

  /// The length of a free trial; `nil` for a product that is owned for ever.
  public let period: Period?
  /// The same as ``period``.
  public var length: Period? { period }
  /// `true` with a ``period``.
  public var isTrial: Bool { period != nil }

  /// Makes the kind.
  /// - Parameter period: The length of a free trial; `nil` for a product that is owned for ever.
  public init(period: Period? = nil) { self.period = period }

  private enum CodingKeys: String, CodingKey { case period }

  /// Decodes `period`, which must not be zero. Only a product with the price 0 can have one.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    period = try fields.decodeIfPresent(Period.self, forKey: .period)
    if period?.isZero == true {
      throw DecodingError.dataCorruptedError(
        forKey: .period, in: fields, debugDescription: "A free trial needs a length. Write one such as P14D.")
    }
  }

  /// Owned when there is any valid transaction, a trial until its end. A purchase dated ahead of the device clock counts: the store's date
  /// decides. Counts in UTC, so that the end does not depend on the device's location.
  public func ownership(from history: ProductHistory, at now: Date) -> Ownership {
    let owned = history.transactions.map { transaction -> Ownership in
      guard let period else { return .forever.since(transaction.purchaseDate) }
      let end = period.added(to: transaction.purchaseDate, in: .storeCalendar)
      return .until(end, since: transaction.purchaseDate, phase: .trial)
    }
    return .latest(of: owned, at: now)
  }
}

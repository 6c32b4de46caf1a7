// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A pass: access for a time, without renewal.
///
/// Source: StoreKit `Product.ProductType.nonRenewable`. Such a transaction has no expiration date and is listed for ever, so the app counts
/// from its purchase date (app-store-rules E.4). Each purchase runs from its own date or, with `"stacks": true`, from the end of the
/// previous one. Another purchase never ends access earlier.
public struct NonRenewing: ProductKind {
  /// `nonRenewing`.
  public static let name = "nonRenewing"
  /// `nonRenewing`.
  public static let storeType = StoreProductType.nonRenewing

  /// The length of one purchase.
  public let period: Period
  /// The same as ``period``.
  public var length: Period? { period }
  private let stacks: Bool?

  /// Makes a pass.
  public init(period: Period, stacks: Bool = false) { (self.period, self.stacks) = (period, stacks) }

  private enum CodingKeys: String, CodingKey { case period, stacks }

  /// Decodes `period`, which must not be zero, and `stacks`.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    period = try fields.decode(Period.self, forKey: .period)
    stacks = try fields.decodeIfPresent(Bool.self, forKey: .stacks)
    if period.isZero {
      throw DecodingError.dataCorruptedError(
        forKey: .period, in: fields, debugDescription: "A pass needs a length. Write one such as P7D or P1M.")
    }
  }

  /// Owned until the last purchase ends. Counted in UTC, so that the end does not depend on the device's location.
  public func ownership(from history: ProductHistory, at now: Date) -> Ownership {
    var end = Date.distantPast
    let bought = history.transactions
    // Without stacking a later pass ends later, so those before an ended one have ended.
    let first = stacks == true ? 0 : bought.lastIndex { period.added(to: $0.purchaseDate, in: .storeCalendar) <= now } ?? 0
    let passes = bought[first...].map { transaction -> Ownership in
      let start = stacks == true ? max(end, transaction.purchaseDate) : transaction.purchaseDate
      end = period.added(to: start, in: .storeCalendar)
      return .until(end, since: transaction.purchaseDate)
    }
    return .latest(of: passes, at: now)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The price of a plan for a year of 365 days and twelve months, as an exact fraction. Uses whole numbers, because dividing decimals takes
/// longer than making all texts of a paywall.
struct YearlyPrice: Comparable {
  /// No currency has more decimals.
  private static let decimals = 4

  private let units: Int
  private let parts: Int

  /// `nil` without a period of whole months or of days, and for a price that no currency can have.
  init?(_ listing: StoreProduct) {
    guard let period = listing.period, period.seconds == 0, let units = listing.price.amount.units(decimals: Self.decimals) else {
      return nil
    }
    let months = period.years * 12 + period.months
    guard (months > 0) != (period.days > 0) else { return nil }
    let (times, parts) = months > 0 ? (12, months) : (365, period.days)
    guard let yearly = product(units, times) else { return nil }
    (self.units, self.parts) = (yearly, parts)
  }

  static func < (a: Self, b: Self) -> Bool {
    let (one, other) = (a.units.multipliedFullWidth(by: b.parts), b.units.multipliedFullWidth(by: a.parts))
    return (one.high, one.low) < (other.high, other.low)
  }

  /// The saving against another price, in whole percent, rounded down; `nil` when that is less than one percent.
  func saving(against other: YearlyPrice) -> Int? {
    guard let own = product(units, other.parts), let full = product(other.units, parts), own < full, let more = product(full - own, 100)
    else { return nil }
    return more >= full ? more / full : nil
  }
}

/// The product of two numbers; `nil` when it is too large.
private func product(_ a: Int, _ b: Int) -> Int? {
  let (result, overflows) = a.multipliedReportingOverflow(by: b)
  return overflows ? nil : result
}

extension Decimal {
  /// The value in units of so many decimals, such as cents; `nil` when it is negative, has more decimals, or is larger than any price.
  func units(decimals: Int) -> Int? {
    // A double holds whole numbers up to 2^53 exactly. Other ways from a decimal to an integer take ten times as long.
    let most = 9_007_199_254_740_991
    guard isFinite, sign == .plus, case let number = NSDecimalNumber(decimal: significand).doubleValue, number <= Double(most) else {
      return nil
    }
    var units = Int(number)
    for _ in 0..<max(0, decimals + exponent) where units != 0 {
      guard units <= most / 10 else { return nil }
      units *= 10
    }
    for _ in 0..<max(0, -decimals - exponent) where units != 0 {
      guard units.isMultiple(of: 10) else { return nil }
      units /= 10
    }
    return units
  }
}

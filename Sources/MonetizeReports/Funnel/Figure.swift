// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

/// One figure of a report, with its parts and its target.
struct Figure: Sendable {
  enum Verdict: String, Sendable { case met, missed, inRange = "in range", outOfRange = "out of range", tracked }
  /// What a value measures; money in a currency, if all amounts have the same.
  enum Form: Sendable { case share, money(String?), number }

  let name: String
  let title: String
  let form: Form
  /// The value; `nil` without data in the log.
  let value: Decimal?
  /// The counts behind the value, such as `15 of 100`, or why there is no value.
  var parts: String
  /// The two counts of a share.
  var counts: (part: Int, whole: Int)?
  var target: Target?

  /// A share of two counts.
  init(_ name: String, _ title: String, _ part: Int, of whole: Int) {
    (self.name, self.title, form) = (name, title, .share)
    value = whole > 0 ? Decimal(part) / Decimal(whole) : nil
    parts = whole > 0 ? "\(Words.grouped(part)) of \(Words.grouped(whole))" : ""
    counts = whole > 0 ? (part, whole) : nil
  }

  init(_ name: String, _ title: String, _ form: Form, _ value: Decimal?, parts: String = "") {
    (self.name, self.title, self.form, self.value, self.parts) = (name, title, form, value, parts)
  }

  /// The comparison with the target; `nil` without a value.
  var verdict: Verdict? {
    guard let value else { return nil }
    guard let target else { return .tracked }
    let isRange = target.low != nil && target.high != nil
    return target.holds(for: value) ? (isRange ? .inRange : .met) : (isRange ? .outOfRange : .missed)
  }

  var isGood: Bool? { verdict.flatMap { $0 == .tracked ? nil : $0 == .met || $0 == .inRange } }

  /// The unit after an amount: ` USD`.
  var unit: String { if case .money(let currency?) = form { " \(currency)" } else { "" } }

  func text(_ value: Decimal) -> String {
    switch form {
    case .share: Words.percent(value)
    case .money(let currency): Self.amount(value, currency)
    case .number: NSDecimalNumber(decimal: value.rounded(4)).stringValue
    }
  }

  /// An amount with the decimals of its currency, and two more below 100 of the smallest unit.
  /// - Parameter other: An amount with the same decimals, such as the other end of an interval.
  static func amount(_ value: Decimal, _ currency: String?, beside other: Decimal = 0) -> String {
    let decimals = Money.decimals(of: currency ?? "")
    let largest = max(value.magnitude, other.magnitude)
    let isSmall = largest != 0 && largest < Decimal(sign: .plus, exponent: 2 - decimals, significand: 1)
    return Forecast.money(value, decimals + (isSmall ? 2 : 0))
  }

  var targetText: String {
    guard let target else { return "" }
    switch (target.low, target.high) {
    case (let low?, let high?): return "\(text(low)) to \(text(high))"
    case (let low?, nil): return (target.isStrict ? "> " : "≥ ") + text(low)
    case (nil, let high?): return (target.isStrict ? "< " : "≤ ") + text(high)
    default: return ""
    }
  }
}

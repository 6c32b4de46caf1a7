// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The store's way of writing prices in one currency, learnt from one price and its amount, so that derived prices look like those of the
/// store.
///
/// `$89.99`, `89,99 €`, `¥1,200`, `₹1,00,000.00` and `٨٩٫٩٩ ر.س` are all understood: digits of any script, any separators, any sign before
/// or after. A text that cannot be reproduced exactly from its amount has no style, and nothing is derived from it.
struct PriceStyle {
  private let prefix, suffix: String
  private let decimalSeparator, groupingSeparator: String
  /// The number of digits in the last group, and in each group before it. Without groups the separator is empty.
  private let groups: (last: Int, others: Int)
  let fractionDigits: Int
  private let zero: Unicode.Scalar

  /// Learns a style; `nil` when the text is not the amount in a known style.
  init?(of text: String, amount: Decimal) {
    let scalars = text.unicodeScalars
    func digit(_ scalar: Unicode.Scalar) -> Int? {
      if scalar.isASCII { return ("0"..."9").contains(scalar) ? Int(scalar.value) - 48 : nil }
      return scalar.properties.numericType == .decimal ? scalar.properties.numericValue.map { Int($0) } : nil
    }
    guard let first = scalars.firstIndex(where: { digit($0) != nil }), let last = scalars.lastIndex(where: { digit($0) != nil }),
      let value = digit(scalars[first]), let zero = Unicode.Scalar(scalars[first].value - UInt32(value))
    else { return nil }
    let (prefix, suffix) = (String(scalars[..<first]), String(scalars[scalars.index(after: last)...]))
    let number = scalars[first...last]
    let pieces = number.split { digit($0) == nil }.map(\.count)
    let separators = number.split(whereSeparator: { digit($0) != nil }).map { String($0) }
    // The last separator is the decimal one, or all of them separate groups. The amount decides.
    for hasFraction in [true, false] where !hasFraction || !separators.isEmpty {
      let whole = hasFraction ? Array(pieces.dropLast()) : pieces
      let between = hasFraction ? Array(separators.dropLast()) : separators
      let candidate = PriceStyle(
        like: prefix, suffix, zero, decimalSeparator: hasFraction ? separators.last ?? "" : "", groupingSeparator: between.first ?? "",
        groups: (whole.last ?? 1, whole.count > 2 ? whole[whole.count - 2] : whole.last ?? 1),
        fractionDigits: hasFraction ? pieces.last ?? 0 : 0)
      if candidate.text(for: amount) == text {
        self = candidate
        return
      }
    }
    return nil
  }

  private init(
    like prefix: String, _ suffix: String, _ zero: Unicode.Scalar, decimalSeparator: String, groupingSeparator: String,
    groups: (last: Int, others: Int), fractionDigits: Int
  ) {
    (self.prefix, self.suffix, self.zero) = (prefix, suffix, zero)
    (self.decimalSeparator, self.groupingSeparator, self.groups) = (decimalSeparator, groupingSeparator, groups)
    self.fractionDigits = fractionDigits
  }

  /// An amount in this style; `nil` when the style has too few decimals for it, or it is negative.
  func text(for amount: Decimal) -> String? {
    amount.units(decimals: fractionDigits).map(text)
  }

  /// An amount in this style.
  /// - Parameter units: The amount in units of the last decimal, such as cents. At least 0.
  func text(units: Int) -> String {
    let known = Array(String(units).utf8)
    let digits = Array(repeating: UInt8(ascii: "0"), count: max(0, fractionDigits + 1 - known.count)) + known
    let whole = digits.count - fractionDigits
    var text = prefix
    for (index, digit) in digits.enumerated() {
      if index == whole { text += decimalSeparator }
      // The number of digits left before the decimal separator.
      let left = whole - index
      if index > 0, left == groups.last || left > groups.last && (left - groups.last).isMultiple(of: groups.others) {
        text += groupingSeparator
      }
      text.unicodeScalars.append(Unicode.Scalar(zero.value + UInt32(digit) - 48) ?? zero)
    }
    return text + suffix
  }
}

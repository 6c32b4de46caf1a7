// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator

/// Numbers for people: percentages, and groups of digits, the same on every machine.
enum Words {
  /// `1,234,567`.
  static func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + text
  }

  /// `1 event`, `1,234 events`.
  static func counted(_ number: Int, _ one: String, _ other: String? = nil) -> String {
    CatalogWords.counted(number, one, other, digits: grouped(number))
  }

  /// `15 %`, with at most two decimals.
  static func percent(_ share: Decimal) -> String {
    let value = (share * 100).rounded(2)
    return NSDecimalNumber(decimal: value).description(withLocale: Locale(identifier: "en_US_POSIX")) + " %"
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import MonetizeTools

/// A table of a report, the same in its text and on its page.
struct ReportTable {
  let title: String
  /// The titles of the columns, then the rows.
  let rows: [[String]]
  /// The class of a row on the page, by its index after the titles.
  var marks: [Int: String] = [:]

  var text: String { TextTable.titled(title, rows, hasNumbers: true) }
}

extension HTMLPage {
  mutating func table(_ table: ReportTable) { self.table(table.title, table.rows[0], table.rows.dropFirst(), marks: table.marks) }
}

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

  /// `1,234` or `8.69`: at most two decimals.
  static func grouped(_ number: Decimal) -> String {
    let rounded = number.rounded(2)
    return Decimal(rounded.whole) == rounded ? grouped(rounded.whole) : NSDecimalNumber(decimal: rounded).stringValue
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

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Text for people: aligned columns, percentages, numbers with groups, the same on every machine.
enum Words {
  /// Rows in aligned columns, two spaces apart: the first column to the left, the others to the right.
  static func table(_ rows: [[String]], indent: String = "  ") -> String {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, text -> String in
        let space = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + space : space + text
      }
      var line = indent + cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  /// `1,234,567`.
  static func grouped(_ number: Int) -> String {
    let digits = String(abs(number))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + text
  }

  /// `15 %`, with as many decimals as are needed, at most two.
  static func percent(_ share: Decimal) -> String {
    let value = (share * 100).rounded(2)
    return NSDecimalNumber(decimal: value).description(withLocale: Locale(identifier: "en_US_POSIX")) + " %"
  }

  /// A value as JSON, keys sorted, the same on every machine.
  static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return "{}" }
    // Foundation writes an empty list over three lines.
    return String(decoding: data, as: UTF8.self).replacingOccurrences(of: "\\[\n\n *\\]", with: "[]", options: .regularExpression) + "\n"
  }
}

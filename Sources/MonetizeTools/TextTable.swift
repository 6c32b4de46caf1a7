// SPDX-License-Identifier: Apache-2.0

/// Rows as text with aligned columns.
enum TextTable {
  /// Each row as a line, indented by two spaces. Columns are as wide as their longest cell, and no line ends in a space.
  static func lines(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { $1 + String(repeating: " ", count: widths[$0] - $1.count) }
      var line = Substring("  " + cells.joined(separator: "  "))
      while line.last == " " { line.removeLast() }
      return String(line)
    }
  }

  /// The lines under a title, each ended by a newline; empty without rows.
  static func titled(_ title: String, _ rows: [[String]]) -> String {
    rows.isEmpty ? "" : ([title] + lines(rows)).joined(separator: "\n") + "\n"
  }
}

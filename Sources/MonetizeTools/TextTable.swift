// SPDX-License-Identifier: Apache-2.0

/// Rows as text with aligned columns.
package enum TextTable {
  /// Each row as one line, also with a line end in a cell, indented by two spaces. Columns are as wide as their longest cell, and no line ends in a space.
  /// - Parameter hasNumbers: Whether all columns but the first are numbers, which are aligned to the right.
  package static func lines(_ rows: [[String]], hasNumbers: Bool = false) -> [String] {
    let rows = rows.map { $0.map { cell in String(cell.map { $0.isNewline ? " " : $0 }) } }
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return hasNumbers && column > 0 ? space + cell : cell + space
      }
      var line = Substring("  " + cells.joined(separator: "  "))
      while line.last == " " { line.removeLast() }
      return String(line)
    }
  }

  /// The lines under a title, each ended by a newline; empty without rows.
  package static func titled(_ title: String, _ rows: [[String]], hasNumbers: Bool = false) -> String {
    rows.isEmpty ? "" : ([title] + lines(rows, hasNumbers: hasNumbers)).joined(separator: "\n") + "\n"
  }
}

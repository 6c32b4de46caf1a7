// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import MonetizeTools
import TerminalLine

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Text with colour, on a terminal only.
struct Style {
  let isColoured: Bool

  /// For standard output, unless `NO_COLOR` is set.
  static let output = Style(isColoured: isTerminal(1))
  /// For standard error, unless `NO_COLOR` is set.
  static let errors = Style(isColoured: isTerminal(2))

  private static func isTerminal(_ descriptor: Int32) -> Bool {
    ProcessInfo.processInfo.environment["NO_COLOR"] == nil && !LineReader.isDumb && isatty(descriptor) == 1
  }

  private func wrap(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(Terminal.clean(text))\u{1B}[0m" : text
  }
  func bold(_ text: String) -> String { wrap(text, "1") }
  func dim(_ text: String) -> String { wrap(text, "2") }
  func red(_ text: String) -> String { wrap(text, "31") }
  func green(_ text: String) -> String { wrap(text, "32") }
  func yellow(_ text: String) -> String { wrap(text, "33") }
  func blue(_ text: String) -> String { wrap(text, "36") }
}

enum Terminal {
  /// Prints a line to standard error.
  static func problem(_ text: String) {
    // The marks under an excerpt stay below their places.
    let width = text.contains("\n") ? nil : LineReader.width(of: 2)
    StandardStream.errors.write(clean(width.map { fitted(text, width: $0) } ?? text) + "\n")
  }

  /// Prints lines for people to standard output. On a terminal they break between words.
  static func line(_ text: String) { block((LineReader.width(of: 1).map { fitted(text, width: $0) } ?? text) + "\n") }

  /// Prints text to standard output as it is, for programs and for files.
  static func block(_ text: String) { StandardStream.output.write(clean(text)) }

  /// Ends the command with the status of a report that is not `fine`.
  static func end(_ status: ToolStatus) throws { if status != .fine { throw ExitCode(status.rawValue) } }

  /// Text in which a terminal interprets only our own colours, because names come from untrusted files. Replaces control characters, and
  /// those that change the direction of writing.
  static func clean(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}", isColoured, let colour = colours.first(where: { rest.starts(with: $0.unicodeScalars) }) {
        result.append(scalar)
        result.append(contentsOf: colour.unicodeScalars)
        rest = rest.dropFirst(colour.unicodeScalars.count)
      } else {
        result.append(isUnsafe(scalar) ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }

  private static let isColoured = Style.output.isColoured || Style.errors.isColoured
  private static let colours = ["0", "1", "2", "31", "32", "33", "36"].map { "[\($0)m" }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Text padded to a width; longer text is unchanged.
  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - shown(text).columns))
  }

  /// Rows in aligned columns, two spaces apart, without spaces at the end. Cells may have colours.
  static func table(_ rows: [[String]], indent: String = "  ") -> String {
    let widths = widths(rows)
    return rows.map { row in
      let cells = row.enumerated().map { $0 + 1 < row.count ? padded($1, widths[$0]) : $1 }
      return (indent + cells.joined(separator: "  ")).trimmingEnd
    }.joined(separator: "\n")
  }

  private static func widths(_ rows: [[String]]) -> [Int] {
    let columns = rows.map(\.count).max() ?? 0
    return (0..<columns).map { column in rows.map { column < $0.count ? shown($0[column]).columns : 0 }.max() ?? 0 }
  }

  /// Whether a table would be wider than a terminal.
  static func isWide(_ rows: [[String]], width: Int?) -> Bool {
    width.map { width in widths(rows).reduce(0) { $0 + $1 + 2 } > width } ?? false
  }

  /// A table of rows of one length. If it is wider than `width`, it becomes several tables, each of which begins with the first `kept`
  /// columns.
  static func table(_ rows: [[String]], keeping kept: Int, within width: Int?) -> String {
    guard let width, isWide(rows, width: width) else { return table(rows) }
    let (count, widths) = (rows[0].count, widths(rows).map { $0 + 2 })
    let first = widths.prefix(kept).reduce(0, +)
    var blocks: [Range<Int>] = []
    for column in kept..<max(kept, count) {
      if let last = blocks.last, first + widths[last.lowerBound...column].reduce(0, +) <= width {
        blocks[blocks.count - 1] = last.lowerBound..<column + 1
      } else {
        blocks.append(column..<column + 1)
      }
    }
    return blocks.map { block in
      table(rows.map { Array($0.prefix(kept) + $0[block]) }.filter { $0.contains { !$0.isEmpty } })
    }.joined(separator: "\n\n")
  }

  /// Lines no wider than a terminal, broken between words. What follows a break is indented below the beginning of its line.
  static func fitted(_ text: String, width: Int) -> String {
    text.components(separatedBy: "\n").map { line in
      let margin = String(line.prefix { $0 == " " })
      guard shown(line).columns > width, margin.count + 20 < width else { return line }
      let rest = wrapped(String(line.dropFirst(margin.count)), width: width - margin.count, indent: 2)
      return margin + rest.replacingOccurrences(of: "\n", with: "\n" + margin)
    }.joined(separator: "\n")
  }

  /// A text without the marks of its colours, which have no width.
  private static func shown(_ text: String) -> String {
    text.contains("\u{1B}") ? colours.reduce(text) { $0.replacingOccurrences(of: "\u{1B}\($1)", with: "") } : text
  }

  /// Text wrapped to a width, with an indent from the second line on. A wider word is not broken.
  static func wrapped(_ text: String, width: Int, indent: Int) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if line.isEmpty {
        line = String(word)
      } else if shown(line).columns + 1 + shown(String(word)).columns <= width - (lines.isEmpty ? 0 : indent) {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return (lines + [line]).joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}

extension String {
  /// The string without trailing spaces.
  fileprivate var trimmingEnd: String { String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]) }
}

/// The progress of long work, in one line on standard error that is overwritten; hidden without a terminal.
struct ProgressLine {
  private let count: Int
  private let isShown: Bool

  /// - Parameter isQuiet: Whether results are a line each or at the end; between whole timelines progress would only disturb.
  init(of count: Int, isQuiet: Bool) {
    self.count = count
    isShown = count >= 10 && isQuiet && isatty(2) == 1 && !LineReader.isDumb
  }

  func show(_ number: Int, _ name: String) {
    if isShown { StandardStream.errors.write("\r\u{1B}[K\(number + 1) of \(count)  \(name.suffix(60))") }
  }

  /// Clears the line before other output.
  func clear() { if isShown { StandardStream.errors.write("\r\u{1B}[K") } }
}

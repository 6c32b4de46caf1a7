// SPDX-License-Identifier: Apache-2.0

/// The visible part of a line: one row, never wider than the terminal, with the cursor in it.
package struct LineView: Hashable, Sendable {
  package let row: String
  /// The column of the cursor, from 0.
  package let column: Int

  /// - Parameters:
  ///   - prompt: The text before the line.
  ///   - cursor: The number of letters before the cursor.
  ///   - columns: The width of the terminal.
  package init(prompt: String, text: String, cursor: Int, columns: Int) {
    // Leave the last column empty: some terminals start a new row there.
    let room = max(1, columns - 1)
    let prompt = prompt.columns * 2 <= room ? prompt : ""
    let space = room - prompt.columns
    let letters = Array(text)
    if text.columns <= space {
      row = prompt + text
      column = prompt.columns + letters.prefix(cursor).columns
      return
    }
    // Show the end of the text before the cursor, then what fits after it; mark cuts.
    let mark = space > 3 ? "…" : ""
    let inner = space - 2 * mark.count
    var first = cursor
    var before = 0
    while first > 0, before + letters[first - 1].columns <= inner * 3 / 4 {
      first -= 1
      before += letters[first].columns
    }
    var end = cursor
    var width = before
    while end < letters.count, width + letters[end].columns <= inner {
      width += letters[end].columns
      end += 1
    }
    // Fill the remaining space from the beginning.
    while first > 0, width + letters[first - 1].columns <= inner {
      first -= 1
      before += letters[first].columns
      width += letters[first].columns
    }
    let head = first > 0 ? mark : ""
    row = prompt + head + String(letters[first..<end]) + (end < letters.count ? mark : "")
    column = prompt.columns + head.count + before
  }
}

extension Character {
  /// The width in columns of a terminal: 2 for emoji and wide East Asian letters (Unicode's annex 11), 0 for combining marks.
  package var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.isASCII { return 1 }
    let isEmoji = first.properties.isEmojiPresentation || first.properties.isEmoji && unicodeScalars.contains("\u{FE0F}")
    if isEmoji || Self.wide.contains(where: { $0.contains(first.value) }) { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
  ]
}

extension Sequence<Character> {
  /// The width in columns of a terminal.
  package var columns: Int { reduce(0) { $0 + $1.columns } }
}

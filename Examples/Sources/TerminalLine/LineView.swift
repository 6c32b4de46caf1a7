// SPDX-License-Identifier: Apache-2.0

/// What of a line is on the screen: one row, never wider than the terminal, with the cursor in it.
package struct LineView: Hashable, Sendable {
  package let row: String
  /// The column of the cursor, from 0.
  package let column: Int

  /// - Parameters:
  ///   - prompt: What stands before the line.
  ///   - cursor: How many letters are before the cursor.
  ///   - columns: How wide the terminal is.
  package init(prompt: String, text: String, cursor: Int, columns: Int) {
    // In the last column terminals differ: some begin a new row there.
    let room = max(1, columns - 1)
    let prompt = prompt.columns * 2 <= room ? prompt : ""
    let space = room - prompt.columns
    let letters = Array(text)
    if text.columns <= space {
      row = prompt + text
      column = prompt.columns + letters.prefix(cursor).columns
      return
    }
    // The end of what is before the cursor, then as much as still fits; marks where something is cut.
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
    // What is left over at the end belongs to the beginning.
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
  /// How many columns of a terminal it takes: 2 for emoji and for the wide letters of East Asia (Unicode's annex 11), 0 for marks alone.
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
  /// How many columns of a terminal it takes.
  package var columns: Int { reduce(0) { $0 + $1.columns } }
}

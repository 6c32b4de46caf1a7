// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import monetize

@Suite("Text on a terminal", .timeLimit(.minutes(30)))
struct TerminalTests {
  @Test("wrapped text stays within a width; a wider word is not broken")
  func layout() {
    #expect(Terminal.wrapped("aa bb cc", width: 5, indent: 0) == "aa bb\ncc")
    #expect(Terminal.wrapped("aa bb cc", width: 5, indent: 2) == "aa bb\n  cc")
    #expect(Terminal.wrapped("abcdefgh a", width: 3, indent: 0) == "abcdefgh\na")
  }

  @Test("lines break between words at the width of a terminal, below their own beginning; colours have no width")
  func fitted() {
    let words = "one two three four five six seven"
    #expect(Terminal.fitted("a\n  \(words)", width: 24) == "a\n  one two three four\n    five six seven")
    #expect(Terminal.fitted(words, width: 33) == words)
    let red = "\u{1B}[31mone two three four five\u{1B}[0m six seven"
    #expect(Terminal.fitted(red, width: 33) == red)
    #expect(Terminal.fitted(red, width: 30) == "\u{1B}[31mone two three four five\u{1B}[0m six\n  seven")
    #expect(Terminal.fitted("a  b   " + words, width: 24) == "a  b   one two three\n  four five six seven")
  }

  @Test("a table that is wider than the terminal becomes several, each with the first columns; rows without a cell there are left out")
  func wideTables() {
    let rows = [["", "Free", "A", "B"], ["", "", "or C", ""], ["Feature", "1 a day", "unlimited", "\u{1B}[2m1 a day\u{1B}[0m"]]
    let whole = Terminal.table(rows)
    #expect(Terminal.table(rows, keeping: 2, within: nil) == whole && Terminal.table(rows, keeping: 2, within: 38) == whole)
    let parts = """
                 Free     A
                          or C
        Feature  1 a day  unlimited

                 Free     B
        Feature  1 a day  \u{1B}[2m1 a day\u{1B}[0m
      """
    #expect(Terminal.table(rows, keeping: 2, within: 37) == parts && Terminal.table(rows, keeping: 2, within: 5) == parts)
    #expect(!Terminal.isWide(rows, width: 38) && Terminal.isWide(rows, width: 37) && !Terminal.isWide(rows, width: nil))
  }
}

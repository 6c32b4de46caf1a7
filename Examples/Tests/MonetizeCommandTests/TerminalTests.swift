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
}

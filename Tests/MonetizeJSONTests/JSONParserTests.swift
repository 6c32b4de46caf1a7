// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON
import Testing

@Suite(.timeLimit(.minutes(30)))
struct JSONParserTests {
  private func place(_ bytes: [UInt8]) -> String? {
    do throws(Diagnostic) {
      _ = try JSONDocument(parsing: bytes)
      return nil
    } catch {
      #expect(error.message.hasSuffix(".") && error.message.contains(". "), "\(error.message)")
      #expect(error.code == "json-syntax")
      return error.position?.description
    }
  }

  @Test(
    arguments: [
      "null", "true", " false\r\n", "0", "-0", "-0.0", "1e5", "1E+5", "1.5e-10", "123456789012345678901234567890", "1e999", "\"\"",
      "\"a\\u00e9\\ud83d\\ude00\\n\\/\"", "\"\u{7f}\"", "\"\u{2028}é😀\"", "[]", "[ ]", "{}", "{ \"\" : 0 }", "{\"a\":1,\"a\":2}",
      "[[[]],[{}],1]", "\"\\u0000\"", "[1,\n2\t,3]", "\"\u{10FFFF}\"",
    ])
  func acceptsWhatTheStandardAccepts(_ text: String) throws {
    #expect(place(Array(text.utf8)) == nil)
  }

  @Test(
    arguments: [
      ("", "1:1"), ("  ", "1:3"), ("[1,]", "1:3"), ("[1 2]", "1:4"), ("[,1]", "1:2"), ("[1,,2]", "1:4"), ("{\"a\":1,}", "1:7"),
      ("{\"a\" 1}", "1:6"), ("{a:1}", "1:2"), ("{'a':1}", "1:2"), ("{\"a\":}", "1:6"), ("{\"a\"}", "1:5"), ("[1", "1:3"),
      ("{\"a\":1", "1:7"),
      ("[", "1:2"), ("{", "1:2"), ("{\"a\":", "1:6"), ("{\"a\":1,", "1:8"), ("[}", "1:2"), ("[1}", "1:3"), ("{\"a\":1]", "1:7"),
      ("]", "1:1"), ("1 2", "1:3"), ("{} x", "1:4"), ("01", "1:1"), ("-", "1:2"), ("-a", "1:2"), ("1.", "1:3"), (".5", "1:1"),
      ("+1", "1:1"), ("1e", "1:3"), ("1e+", "1:4"), ("0x1", "1:2"), ("NaN", "1:1"), ("-Infinity", "1:2"), ("True", "1:1"),
      ("tru", "1:4"), ("truex", "1:1"), ("nul", "1:4"), ("\"abc", "1:5"), ("\"a\nb\"", "1:3"), ("\"a\tb\"", "1:3"),
      ("\"\\x\"", "1:2"), ("\"\\u12\"", "1:2"), ("\"\\ud800\"", "1:2"), ("\"é\\udc00\"", "1:3"), ("\"\\ud800\\u0041\"", "1:2"),
      ("\"\\", "1:3"), ("\"\\u1", "1:5"), ("// c\n1", "1:1"), ("[1] // c", "1:5"), ("[\n  \"é😀\", x]", "2:9"), ("{\n\n \"a\": 'b'}", "3:7"),
      ("\u{FEFF}1", "1:1"), ("[1,\r\n,]", "2:1"), ("\u{0}", "1:1"), ("[\u{0}]", "1:2"), ("\"\u{0}\"", "1:2"), ("é", "1:1"),
    ])
  func refusesWithTheExactPlace(_ text: String, _ expected: String) {
    #expect(place(Array(text.utf8)) == expected)
  }

  @Test(
    arguments: [
      ([0x22, 0xC3, 0x22], "1:2"), ([0x22, 0xC0, 0x80, 0x22], "1:2"), ([0x22, 0xED, 0xA0, 0x80, 0x22], "1:2"), ([0x22, 0x41, 0xFF], "1:3"),
      ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], "1:2"), ([0x22, 0xC3, 0xA9, 0x80], "1:3"), ([0xFF, 0xFE, 0x31, 0x00], "1:1"),
    ] as [([UInt8], String)])
  func refusesWhatIsNotUTF8(_ bytes: [UInt8], _ expected: String) {
    #expect(place(bytes) == expected)
  }

  @Test func everyTruncationIsRefusedAtItsEnd() {
    let text = Array("{\"a\": [true, null, \"x\\u00e9\\ud83d\\ude00é\", {\"b\": false}], \"c\": \"d\"}".utf8)
    for length in 1..<text.count where text[length] & 0xC0 != 0x80 {
      let scalars = text[..<length].filter { $0 & 0xC0 != 0x80 }.count
      let found = place(Array(text[..<length]))
      #expect(found == "1:\(scalars + 1)", "\(length)")
    }
  }

  @Test func nestingStopsAtTheLimitWithAnError() throws {
    let fits = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    let document = try JSONDocument(parsing: fits)
    #expect(document.root.text() == fits)
    var deepest = document.root
    while let inner = deepest.elements.first { deepest = inner }
    #expect(deepest.path == String(repeating: "[0]", count: 511))
    #expect(place(Array(("[" + fits + "]").utf8)) == "1:513")
    #expect(place(Array(repeating: UInt8(ascii: "["), count: 1_000_000)) == "1:513")
    #expect(place(Array(String(repeating: "{\"a\":", count: 100_000).utf8)) == "1:2561")
  }

  @Test func positionsAreRightInLongTexts() throws {
    let long = "[" + (0..<2_000).map { "\"é\($0)\"" }.joined(separator: ", ") + ",\n" + String(repeating: " \n", count: 3_000) + " 7]"
    let document = try JSONDocument(parsing: long)
    let scalars = Array(long.unicodeScalars)
    for (index, element) in document.root.elements.enumerated() where index % 97 == 0 || index == 2_000 {
      var (line, column, offset) = (1, 1, 0)
      for scalar in scalars {
        if offset == element.offset { break }
        (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
        offset += String(scalar).utf8.count
      }
      #expect(element.position == SourcePosition(line: line, column: column))
    }
    #expect(document.position(of: -5) == SourcePosition(line: 1, column: 1))
    #expect(document.position(of: .max).line == 3_002)
  }
}

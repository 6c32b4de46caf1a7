// SPDX-License-Identifier: Apache-2.0

/// The words and symbols of a Swift source, without comments and without the contents of strings. Keeps the code inside interpolations.
struct SwiftTokens {
  /// A word, or one symbol.
  struct Token {
    var text: String
    /// The line, from 1.
    var line: Int
    /// The number of open braces before it.
    var depth: Int
    var isWord: Bool
    /// Whether it begins with a capital letter, as types do.
    var isCapital: Bool { text.first.map { $0 >= "A" && $0 <= "Z" } ?? false }
  }

  private(set) var tokens: [Token] = []
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var depth = 0

  init(_ source: String) {
    bytes = Array(source.utf8)
    readCode(isInterpolation: false)
  }

  private func byte(_ offset: Int = 0) -> UInt8? { index + offset < bytes.count ? bytes[index + offset] : nil }

  private func isNext(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= bytes.count else { return false }
    return (0..<count).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
  }

  private mutating func skip(_ count: Int = 1) {
    for _ in 0..<count where index < bytes.count {
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57) || byte == 95
  }

  private mutating func readCode(isInterpolation: Bool) {
    var parentheses = 0
    while let first = byte() {
      if isNext("//") {
        while let next = byte(), next != UInt8(ascii: "\n") { skip() }
      } else if isNext("/*") {
        skipComment()
      } else if first == UInt8(ascii: "\"") || (first == UInt8(ascii: "#") && startsRawString) {
        readString()
      } else if Self.isWord(first) {
        var end = index
        while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
        tokens.append(Token(text: String(decoding: bytes[index..<end], as: UTF8.self), line: line, depth: depth, isWord: true))
        index = end
      } else {
        if isInterpolation, first == UInt8(ascii: "(") { parentheses += 1 }
        if isInterpolation, first == UInt8(ascii: ")") {
          parentheses -= 1
          if parentheses < 0 { return skip() }
        }
        readSign(first)
      }
    }
  }

  private mutating func readSign(_ sign: UInt8) {
    let isSpace = sign <= 32 || sign == UInt8(ascii: "`")
    if !isSpace { tokens.append(Token(text: String(UnicodeScalar(sign)), line: line, depth: depth, isWord: false)) }
    if sign == UInt8(ascii: "{") { depth += 1 }
    if sign == UInt8(ascii: "}") { depth -= 1 }
    skip()
  }

  private var startsRawString: Bool {
    var offset = 0
    while byte(offset) == UInt8(ascii: "#") { offset += 1 }
    return byte(offset) == UInt8(ascii: "\"")
  }

  private mutating func skipComment() {
    var level = 0
    repeat {
      if isNext("/*") {
        level += 1
        skip(2)
      } else if isNext("*/") {
        level -= 1
        skip(2)
      } else {
        skip()
      }
    } while level > 0 && index < bytes.count
  }

  private mutating func readString() {
    var hashes = 0
    while byte() == UInt8(ascii: "#") {
      hashes += 1
      skip()
    }
    let quotes = isNext("\"\"\"") ? 3 : 1
    skip(quotes)
    while let next = byte() {
      if isEnd(quotes: quotes, hashes: hashes) { return skip(quotes + hashes) }
      if next == UInt8(ascii: "\\"), (0..<hashes).allSatisfy({ byte(1 + $0) == UInt8(ascii: "#") }) {
        if byte(1 + hashes) == UInt8(ascii: "(") {
          skip(2 + hashes)
          readCode(isInterpolation: true)
        } else {
          skip(2 + hashes)
        }
      } else {
        if next == UInt8(ascii: "\n"), quotes == 1 { return }
        skip()
      }
    }
  }

  private func isEnd(quotes: Int, hashes: Int) -> Bool {
    (0..<quotes).allSatisfy { byte($0) == UInt8(ascii: "\"") } && (0..<hashes).allSatisfy { byte(quotes + $0) == UInt8(ascii: "#") }
  }
}

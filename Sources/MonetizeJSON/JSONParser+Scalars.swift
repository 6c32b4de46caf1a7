// SPDX-License-Identifier: Apache-2.0

/// Strings, numbers and words. Checked completely here, so that later reads cannot find malformed data.
extension JSONParser {
  mutating func word(_ text: StaticString, _ kind: JSONValue.Kind, isFlagged: Bool = false) throws(Diagnostic) {
    let start = index
    while Self.isWordByte(byte) { index += 1 }
    guard text.withUTF8Buffer({ $0.elementsEqual(bytes[start..<index]) }) else { throw unknownWord(at: start) }
    nodes.append(JSONNode(kind, start: start, end: index, isFlagged: isFlagged))
  }

  mutating func unknownWord(at start: Int) -> Diagnostic {
    let word = String(decoding: bytes[start...].prefix { Self.isWordByte($0) }.prefix(24), as: UTF8.self)
    let known = ["true", "false", "null"]
    let isCutOff = start + word.utf8.count == bytes.count && known.contains { $0.hasPrefix(word) }
    index = isCutOff ? bytes.count : start
    let mend =
      known.contains(word.lowercased())
      ? "Write it in lower case: \(word.lowercased())." : "Put text in double quotes, or write true, false or null."
    // A long word, or one with digits, may be a signing key without its quotes.
    let isShown = word.utf8.count < 24 && !word.utf8.contains(where: Self.isDigit)
    return fail("\(isShown ? "\"\(word)\"" : "This word") is not a JSON value. \(mend)", at: start)
  }

  static func isWordByte(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_") }

  mutating func number() throws(Diagnostic) {
    let start = index
    var isFlagged = false
    if byte == UInt8(ascii: "-") { index += 1 }
    if byte == UInt8(ascii: "0") {
      index += 1
      if Self.isDigit(byte) { throw fail("A number must not begin with 0. Remove the leading zero.", at: index - 1) }
    } else {
      try digits("after the minus sign")
    }
    if byte == UInt8(ascii: ".") {
      isFlagged = true
      index += 1
      try digits("after the decimal point")
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      isFlagged = true
      index += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { index += 1 }
      try digits("in the exponent")
    }
    nodes.append(JSONNode(.number, start: start, end: index, isFlagged: isFlagged))
  }

  @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  @inline(__always) private mutating func digits(_ place: StaticString) throws(Diagnostic) {
    guard Self.isDigit(byte) else {
      throw fail("Expected a digit \(place), but found \(found()). Write at least one digit there.", at: index)
    }
    while Self.isDigit(byte) { index += 1 }
  }

  mutating func string() throws(Diagnostic) {
    let start = index
    var isFlagged = false
    index += 1
    isInString = true
    while true {
      var plain = index  // a local variable, which stays in a register: this loop reads most of the text
      while plain < bytes.count, Self.isPlain(bytes[plain]) { plain += 1 }
      index = plain
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        isInString = false
        nodes.append(JSONNode(.string, start: start, end: index, isFlagged: isFlagged))
        return
      case UInt8(ascii: "\\"):
        isFlagged = true
        try escape()
      case 0x80...:
        let length = Self.scalarLength(bytes, at: index)
        guard length > 0 else { throw fail("This is not UTF-8 (\(found())). Save the file as UTF-8.", at: index) }
        index += length
      default:
        if byte == 0x0A || byte == 0x0D {
          throw fail("A string must not go over the end of a line. Close it with a quote, or write the line break as \\n.", at: index)
        }
        let code = String(byte, radix: 16, uppercase: true)
        let escape = byte == 0x09 ? "\\t" : "\\u" + String(repeating: "0", count: 4 - code.count) + code
        throw fail("A string contains a control character. Write it as \(escape), or remove it.", at: index)
      }
    }
  }

  @inline(__always) private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func escape() throws(Diagnostic) {
    let start = index
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      index += 1
    case UInt8(ascii: "u"):
      let unit = try hexUnit(from: start)
      if unit & 0xFC00 == 0xDC00 { throw loneSurrogate(at: start) }
      guard unit & 0xFC00 == 0xD800 else { return }
      guard byte == UInt8(ascii: "\\") else { throw loneSurrogate(at: start) }
      index += 1
      guard byte == UInt8(ascii: "u"), try hexUnit(from: index - 1) & 0xFC00 == 0xDC00 else { throw loneSurrogate(at: start) }
    default:
      throw fail("A backslash cannot precede \(found()). Write \\\\ for a backslash.", at: start)
    }
  }

  /// Reads `uXXXX` at the index. `start` is the offset of the backslash.
  private mutating func hexUnit(from start: Int) throws(Diagnostic) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      index += 1
      guard let digit = Self.hexValue(byte) else {
        throw fail("An escape \\u needs four hexadecimal digits. Write it as in \\u00E9.", at: start)
      }
      unit = unit << 4 | digit
    }
    index += 1
    return unit
  }

  static func hexValue(_ byte: UInt8) -> UInt32? { Character(UnicodeScalar(byte)).hexDigitValue.map(UInt32.init) }

  private func loneSurrogate(at start: Int) -> Diagnostic {
    fail("This escape is half of a surrogate pair. Write both halves, or the character itself.", at: start)
  }

  /// The byte count of the UTF-8 scalar at an offset; 0 when it is invalid (overlong, surrogate, too large, cut off).
  static func scalarLength(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
    var rest = bytes[offset...].makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    if case .valid(let scalar) = parser.parseScalar(from: &rest) { return scalar.count }
    return 0
  }
}

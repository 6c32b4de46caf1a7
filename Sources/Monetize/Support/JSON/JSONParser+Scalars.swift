// SPDX-License-Identifier: Apache-2.0

/// Strings, numbers and words: checked completely here, so that whoever reads them later cannot meet anything malformed.
extension JSONParser {
  mutating func word(_ text: StaticString, _ bits: UInt32) throws(JSONSyntaxError) {
    let start = index
    let matches = text.withUTF8Buffer { word in
      bytes.count - start >= word.count && (0..<word.count).allSatisfy { bytes[start + $0] == word[$0] }
    }
    index = start + text.utf8CodeUnitCount
    guard matches, !Self.isWordByte(byte) else { throw unknownWord(at: start) }
    nodes.append(JSONNode(start: UInt32(start), end: UInt32(index), bits: bits))
  }

  func unknownWord(at start: Int) -> JSONSyntaxError {
    var end = start
    while end < bytes.count, end - start < 24, Self.isWordByte(bytes[end]) { end += 1 }
    let word = String(decoding: bytes[start..<end], as: UTF8.self)
    if end == bytes.count, ["true", "false", "null"].contains(where: { $0.hasPrefix(word) }) {
      return fail("The text ends inside a word. Write true, false or null.", at: end)
    }
    switch word.lowercased() {
    case "true", "false", "null":
      return fail("\"\(word)\" is not a JSON value. Write it in lower case: \(word.lowercased()).", at: start)
    case "nan", "infinity", "inf":
      return fail("JSON has no \(word). Write a number, or null.", at: start)
    default: return fail("\"\(word)\" is not a JSON value. Put text in double quotes, or write true, false or null.", at: start)
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  mutating func number() throws(JSONSyntaxError) {
    let start = index
    var bits = JSONNode.number
    if byte == UInt8(ascii: "-") { index += 1 }
    if byte == UInt8(ascii: "0") {
      index += 1
      if isDigit { throw fail("A number must not begin with 0. Remove the leading zero.", at: index - 1) }
    } else {
      try digits("after the minus sign")
    }
    if byte == UInt8(ascii: ".") {
      bits |= JSONNode.flag
      index += 1
      try digits("after the decimal point")
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      bits |= JSONNode.flag
      index += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { index += 1 }
      try digits("in the exponent")
    }
    nodes.append(JSONNode(start: UInt32(start), end: UInt32(index), bits: bits))
  }

  @inline(__always) private var isDigit: Bool { byte &- UInt8(ascii: "0") < 10 }

  @inline(__always) private mutating func digits(_ place: StaticString) throws(JSONSyntaxError) {
    guard isDigit else { throw fail("Expected a digit \(place), but found \(found()). Write at least one digit there.", at: index) }
    while isDigit { index += 1 }
  }

  mutating func string() throws(JSONSyntaxError) {
    let start = index
    var bits = JSONNode.string
    index += 1
    while true {
      var plain = index  // a local, which stays in a register: this loop sees most of the text
      while plain < bytes.count, Self.isPlain(bytes[plain]) { plain += 1 }
      index = plain
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        nodes.append(JSONNode(start: UInt32(start), end: UInt32(index), bits: bits))
        return
      case UInt8(ascii: "\\"):
        bits |= JSONNode.flag
        try escape()
      case 0x80...:
        let length = Self.scalarLength(bytes, at: index)
        guard length > 0 else { throw fail("This is not UTF-8 (\(found())). Save the file as UTF-8.", at: index) }
        index += length
      default:
        if index >= bytes.count { throw fail("The text ends inside a string. Add the closing quote.", at: index) }
        if byte == 0x0A || byte == 0x0D {
          throw fail("A string must not go over the end of a line. Close it with a quote, or write the line break as \\n.", at: index)
        }
        let code = String(byte, radix: 16, uppercase: true)
        let escape = byte == 0x09 ? "\\t" : "\\u" + String(repeating: "0", count: 4 - code.count) + code
        throw fail("A control character stands in a string. Write it as \(escape), or remove it.", at: index)
      }
    }
  }

  @inline(__always) private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func escape() throws(JSONSyntaxError) {
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
      let rest = bytes[index..<min(index + 2, bytes.count)]
      if index + rest.count == bytes.count, rest.isEmpty || rest.elementsEqual([UInt8(ascii: "\\")]) {
        throw fail("The text ends inside a string. Add the closing quote.", at: bytes.count)
      }
      guard byte == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "u") else {
        throw loneSurrogate(at: start)
      }
      let second = index
      index += 1
      guard try hexUnit(from: second) & 0xFC00 == 0xDC00 else { throw loneSurrogate(at: start) }
    default:
      if index >= bytes.count { throw fail("The text ends inside a string. Add the closing quote.", at: index) }
      throw fail("A backslash cannot stand before \(found()). Write \\\\ for a backslash.", at: start)
    }
  }

  /// Reads `uXXXX` at the index; `start` is the backslash.
  private mutating func hexUnit(from start: Int) throws(JSONSyntaxError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      index += 1
      guard let digit = Self.hexValue(byte) else {
        if index >= bytes.count { throw fail("The text ends inside a string. Add the closing quote.", at: index) }
        throw fail("An escape \\u needs four hexadecimal digits. Write it as in \\u00E9.", at: start)
      }
      unit = unit << 4 | digit
    }
    index += 1
    return unit
  }

  static func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }

  private func loneSurrogate(at start: Int) -> JSONSyntaxError {
    fail("This escape is half of a surrogate pair. Write both halves, or the character itself.", at: start)
  }

  /// The number of bytes of the UTF-8 scalar at an offset, 0 when there is none (overlong, surrogate, too large, cut off).
  static func scalarLength(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
    func byte(_ distance: Int) -> UInt8 { offset + distance < bytes.count ? bytes[offset + distance] : 0 }
    func continues(_ distance: Int) -> Bool { byte(distance) & 0xC0 == 0x80 }
    switch byte(0) {
    case 0..<0x80: return 1
    case 0xC2...0xDF: return continues(1) ? 2 : 0
    case 0xE0: return byte(1) >= 0xA0 && continues(1) && continues(2) ? 3 : 0
    case 0xED: return byte(1) < 0xA0 && continues(1) && continues(2) ? 3 : 0
    case 0xE1...0xEF: return continues(1) && continues(2) ? 3 : 0
    case 0xF0: return byte(1) >= 0x90 && continues(1) && continues(2) && continues(3) ? 4 : 0
    case 0xF1...0xF3: return continues(1) && continues(2) && continues(3) ? 4 : 0
    case 0xF4: return byte(1) < 0x90 && continues(1) && continues(2) && continues(3) ? 4 : 0
    default: return 0
    }
  }
}

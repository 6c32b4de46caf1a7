// SPDX-License-Identifier: Apache-2.0

/// Checks a text against RFC 8259 and stores its values as a flat array of nodes. Strings and numbers stay in the text.
///
/// Uses a loop with its own stack instead of recursion, so that no text can overflow the thread's stack. The extension reads scalars.
struct JSONParser {
  let bytes: UnsafeBufferPointer<UInt8>
  var index = 0
  var nodes: [JSONNode] = []
  var isInString = false
  private var open: [Int] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    if bytes.count <= JSONDocument.maximumByteCount { nodes.reserveCapacity(bytes.count / 6 + 4) }
  }

  /// The byte at the index; 0 at the end, because 0 is invalid anywhere in a JSON text.
  @inline(__always) var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

  mutating func parse() throws(Diagnostic) {
    guard bytes.count <= JSONDocument.maximumByteCount else {
      throw fail("The text is longer than 256 MB. Split it into smaller files.", at: 0)
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw fail("The text begins with a byte order mark. Save the file as UTF-8 without one.", at: 0)
    }
    skipSpace()
    while true {
      if try value() { continue }
      if try finishValue() { break }
    }
    skipSpace()
    if index < bytes.count {
      throw fail("Expected the end of the text after its value, but found \(found()). Remove what follows the value.", at: index)
    }
  }

  /// Reads the value at the index. Returns `true` for a container that needs its first child.
  private mutating func value() throws(Diagnostic) -> Bool {
    switch byte {
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "{"):
      try push(.object)
      if byte == UInt8(ascii: "}") {
        close()
      } else {
        try key(after: nil)
        return true
      }
    case UInt8(ascii: "["):
      try push(.array)
      if byte != UInt8(ascii: "]") { return true }
      close()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    case UInt8(ascii: "t"): try word("true", .bool, isFlagged: true)
    case UInt8(ascii: "f"): try word("false", .bool)
    case UInt8(ascii: "n"): try word("null", .null)
    default: throw noValue()
    }
    return false
  }

  /// Continues after a value: to the next value, or out of the containers that end here. Returns `true` when the root value is complete.
  private mutating func finishValue() throws(Diagnostic) -> Bool {
    while let top = open.last {
      nodes[top].bits += JSONNode.oneChild
      let isArray = nodes[top].kind == .array
      skipSpace()
      let comma = index
      switch (byte, isArray) {
      case (UInt8(ascii: ","), true):
        index += 1
        skipSpace()
        if byte == UInt8(ascii: "]") { throw fail("There is a comma before the closing bracket. Remove the comma.", at: comma) }
        return false
      case (UInt8(ascii: ","), false):
        index += 1
        skipSpace()
        try key(after: comma)
        return false
      case (UInt8(ascii: "]"), true), (UInt8(ascii: "}"), false): close()
      default:
        let closing = isArray ? "]" : "}"
        throw fail("Expected a comma or \"\(closing)\" here, but found \(found()). \(remedy(closing))", at: index)
      }
    }
    return true
  }

  private mutating func push(_ kind: JSONValue.Kind) throws(Diagnostic) {
    guard open.count < JSONDocument.maximumDepth else {
      throw fail("Values are nested deeper than \(JSONDocument.maximumDepth) levels. Make the text flatter.", at: index)
    }
    open.append(nodes.count)
    nodes.append(JSONNode(kind, start: index, end: 0))
    index += 1
    skipSpace()
  }

  private mutating func close() {
    index += 1
    if let top = open.popLast() { nodes[top].end = UInt32(nodes.count) }
  }

  private mutating func key(after comma: Int?) throws(Diagnostic) {
    guard byte == UInt8(ascii: "\"") else {
      if let comma, byte == UInt8(ascii: "}") {
        throw fail("There is a comma before the closing brace. Remove the comma.", at: comma)
      }
      if isComment { throw noComments() }
      throw fail("Expected a key in double quotes here, but found \(found()). Write the key as \"key\".", at: index)
    }
    try string()
    skipSpace()
    guard byte == UInt8(ascii: ":") else {
      throw fail("Expected a colon after the key, but found \(found()). Put a colon between the key and its value.", at: index)
    }
    index += 1
    skipSpace()
  }

  @inline(__always) mutating func skipSpace() {
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      index += 1
    }
  }
}

// MARK: - Errors

extension JSONParser {
  /// Makes an error. At the end of the text, every error is an unexpected end.
  func fail(_ message: String, at offset: Int) -> Diagnostic {
    func error(_ message: String, at offset: Int) -> Diagnostic {
      Diagnostic(.error, "json-syntax", path: "", position: JSONLines(bytes).position(of: offset, in: bytes), message: message)
    }
    if index < bytes.count { return error(message, at: offset) }
    let isArray = open.last.map { nodes[$0].kind == .array }
    return error(
      isInString
        ? "The text ends inside a string. Add the closing quote."
        : isArray.map { "The text ends inside an \($0 ? "array" : "object"). Add the missing \"\($0 ? "]" : "}")\"." }
          ?? "The text ends where a value is expected. Add the value.", at: index)
  }

  /// Describes the character at the index for a message: the character if it is printable, otherwise its number.
  func found() -> String {
    let length = JSONParser.scalarLength(bytes, at: index)
    if length > 1 || (0x21..<0x7F).contains(byte) { return "\"\(String(decoding: bytes[index..<index + length], as: UTF8.self))\"" }
    return "the byte 0x" + String(byte, radix: 16, uppercase: true)
  }

  var isComment: Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#") }

  func noComments() -> Diagnostic {
    fail("JSON has no comments. Remove it, or write it as \"$comment\": \"…\" in an object.", at: index)
  }

  private func remedy(_ closing: String) -> String {
    switch byte {
    case UInt8(ascii: "]"), UInt8(ascii: "}"): "Close the last opened value with \"\(closing)\"."
    case UInt8(ascii: ":"): "Remove the colon, or put the key before it in quotes."
    default: isComment ? "Remove it; JSON has no comments." : "Put a comma between two values."
    }
  }

  private mutating func noValue() -> Diagnostic {
    switch byte {
    case UInt8(ascii: "'"): fail("A string needs double quotes. Replace ' by \".", at: index)
    case UInt8(ascii: ","): fail("There is no value before this comma. Add the value, or remove the comma.", at: index)
    case UInt8(ascii: "]"), UInt8(ascii: "}"): fail("Expected a value here, but found \(found()). Add the value.", at: index)
    case UInt8(ascii: "+"), UInt8(ascii: "."):
      fail("A number begins with a digit or a minus sign. Write 0.5 instead of .5, and 1 instead of +1.", at: index)
    case _ where isComment: noComments()
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): unknownWord(at: index)
    default: fail("Expected a value here, but found \(found()). Write a string, a number, true, false, null, [ or {.", at: index)
    }
  }
}

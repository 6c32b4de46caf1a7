// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// The value as a JSON text. Keeps the order and the digits of numbers. Escapes strings only where necessary.
  package func text() -> String {
    var writer = JSONWriter()
    writer.value(self)
    return writer.text
  }
}

/// Writes JSON into a buffer. The caller opens and closes containers in pairs.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  private var isFirst = true

  package init() {}

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// A quoted string, for JSON, messages and paths.
  package static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return writer.text
  }

  package mutating func open(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    isFirst = true
  }

  package mutating func close(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    isFirst = false
  }

  /// Writes a comma before each element except the first.
  package mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }

  package mutating func key(_ key: String) {
    separate()
    string(key)
    bytes.append(UInt8(ascii: ":"))
  }

  package mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { characters in
      // Most texts have nothing to escape and are appended as a whole.
      var start = 0
      for (index, byte) in characters.enumerated() {
        guard let escaped = Self.escaped(byte) else { continue }
        bytes.append(contentsOf: characters[start..<index])
        bytes.append(contentsOf: escaped.utf8)
        start = index + 1
      }
      bytes.append(contentsOf: characters[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// The escape sequence of a byte; `nil` when the byte needs none.
  private static func escaped(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "\\"): "\\\\"
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case 0x09: "\\t"
    case 0x08: "\\b"
    case 0x0C: "\\f"
    case 0..<0x20: "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    default: nil
    }
  }

  /// Writes a number, `true` or `false` as it is.
  package mutating func literal(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func value(_ value: JSONValue) {
    let (document, entry) = (value.document, value.document.nodes[value.node])
    switch entry.kind {
    case .object:
      open("{")
      for member in value.members {
        key(member.key)
        self.value(member.value)
      }
      close("}")
    case .array:
      open("[")
      for element in value.elements {
        separate()
        self.value(element)
      }
      close("]")
    case .string where entry.isFlagged: string(document.string(value.node))
    default: bytes.append(contentsOf: document.bytes[Int(entry.start)..<Int(entry.end)])
    }
  }
}

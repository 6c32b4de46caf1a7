// SPDX-License-Identifier: Apache-2.0

/// The source of a text that was made from another text.
package struct JSONOrigin: Sendable {
  let path: @Sendable () -> String
  let texts: Set<Int>
  let position: @Sendable (_ offset: Int) -> SourcePosition

  /// - Parameters:
  ///   - path: The path of the root.
  ///   - texts: The offsets of numbers and words that are also accepted as strings, exactly as written.
  ///   - position: Maps an offset in this text to a position in the other text.
  package init(
    path: @escaping @Sendable () -> String, texts: Set<Int>, position: @escaping @Sendable (_ offset: Int) -> SourcePosition
  ) {
    (self.path, self.texts, self.position) = (path, texts, position)
  }
}

/// One value or key: 12 bytes, in document order. An object's children alternate between keys and values.
///
/// Small, because `[1,1,1,…]` has a node for every second byte: the node size bounds memory (6 times the text, up to 18 while the array
/// grows).
struct JSONNode: Sendable {
  private static let flag: UInt32 = 8
  static let oneChild: UInt32 = 16

  var start: UInt32
  /// For scalars, the offset after the last byte. For containers, the index of the node after the whole value.
  var end: UInt32
  /// The kind in the low three bits, then the flag, then the number of members or elements.
  var bits: UInt32

  init(_ kind: JSONValue.Kind, start: Int, end: Int, isFlagged: Bool = false) {
    (self.start, self.end, bits) = (UInt32(start), UInt32(end), kind.rawValue | (isFlagged ? Self.flag : 0))
  }

  var kind: JSONValue.Kind { JSONValue.Kind(rawValue: bits & 7) ?? .null }
  /// Set for `true`, for a string with escapes, and for a number with a fraction or an exponent.
  var isFlagged: Bool { bits & Self.flag != 0 }
  var isContainer: Bool { bits & 4 != 0 }
  var childCount: Int { Int(bits >> 4) }
}

/// A parsed JSON text with the position of every value. Its identity is that of its values.
///
/// Strict RFC 8259, except that repeated keys are kept. `JSONReader` reports them with their positions.
package final class JSONDocument: Sendable {
  /// The longest accepted text, in bytes. Offsets and counts use 28 bits.
  package static let maximumByteCount = (1 << 28) - 1
  /// The deepest accepted nesting of arrays and objects, so that recursive code does not overflow the stack.
  package static let maximumDepth = 512

  let bytes: [UInt8]
  let nodes: [JSONNode]
  let lines: JSONLines
  let origin: JSONOrigin?

  /// Parses UTF-8 bytes. Throws the first syntax error, `json-syntax`: nothing after it can be interpreted.
  ///
  /// - Parameter origin: The source of the text, when positions and paths refer to another text.
  package init(parsing bytes: [UInt8], origin: JSONOrigin? = nil) throws(Diagnostic) {
    (nodes, lines) = try bytes.withUnsafeBufferPointer { buffer throws(Diagnostic) -> ([JSONNode], JSONLines) in
      var parser = JSONParser(buffer)
      try parser.parse()
      return (parser.nodes, JSONLines(buffer))
    }
    (self.bytes, self.origin) = (bytes, origin)
  }

  package convenience init(parsing text: String) throws(Diagnostic) { try self.init(parsing: Array(text.utf8)) }

  package var root: JSONValue { JSONValue(document: self, node: 0) }

  /// The line and column of a byte. Clamps an offset outside the text.
  package func position(of offset: Int) -> SourcePosition {
    origin?.position(offset) ?? bytes.withUnsafeBufferPointer { lines.position(of: offset, in: $0) }
  }

  /// The node after `node` and all of its children.
  @inline(__always) func next(_ node: Int) -> Int {
    let entry = nodes[node]
    return entry.isContainer ? Int(entry.end) : node + 1
  }
}

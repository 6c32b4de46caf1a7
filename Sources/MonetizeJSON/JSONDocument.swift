// SPDX-License-Identifier: Apache-2.0

/// A parsed JSON text with the place of every value in it. Immutable and cheap to copy.
///
/// Strict RFC 8259, except that repeated keys are kept: they are a mistake about content, which `JSONReader` reports with its place.
package struct JSONDocument: Sendable {
  /// The longest text that is accepted, in bytes: offsets and counts are kept in 28 bits.
  package static let maximumByteCount = 1 << 28 - 1
  /// How deep arrays and objects may be nested, so that code which walks values by recursion cannot run out of stack.
  package static let maximumDepth = 512

  let storage: JSONStorage

  init(storage: JSONStorage) { self.storage = storage }

  /// Parses UTF-8 bytes, or throws the position where they stop being JSON.
  ///
  /// - Parameter origin: What the text was made from, when positions and paths are those of another text.
  package init(parsing bytes: [UInt8], origin: JSONOrigin? = nil) throws(JSONSyntaxError) {
    storage = try JSONStorage(parsing: bytes, origin)
  }

  /// Parses a text, or throws the position where it stops being JSON.
  package init(parsing text: String) throws(JSONSyntaxError) { try self.init(parsing: Array(text.utf8)) }

  /// The value that the text is.
  package var root: JSONValue { JSONValue(storage: storage, node: 0) }

  /// Line and column of a byte; an offset outside the text gives its nearest end.
  package func position(ofOffset offset: Int) -> SourcePosition { storage.position(of: offset) }
}

/// Where the values of a text come from that was made from another text.
package struct JSONOrigin: Sendable {
  let path: @Sendable () -> String
  let texts: Set<Int>
  let position: @Sendable (_ offset: Int) -> SourcePosition

  /// - Parameters:
  ///   - path: The path of the root.
  ///   - texts: The offsets of numbers and words that are accepted as strings too, as they are written.
  ///   - position: The position in the other text of an offset in this one.
  package init(
    path: @escaping @Sendable () -> String, texts: Set<Int>, position: @escaping @Sendable (_ offset: Int) -> SourcePosition
  ) {
    (self.path, self.texts, self.position) = (path, texts, position)
  }
}

/// One value or key of a text: 12 bytes, in document order. An object's children are key, value, key, value, and so on.
///
/// Small on purpose: `[1,1,1,…]` has a node for every second byte, so a node's size is what bounds memory (6 times the text, 18 at worst
/// while the array grows).
struct JSONNode: Sendable {
  static let null: UInt32 = 0
  static let bool: UInt32 = 1
  static let number: UInt32 = 2
  static let string: UInt32 = 3
  static let array: UInt32 = 4
  static let object: UInt32 = 5
  /// Set on `true`, on a string with escapes, and on a number with a fraction or an exponent.
  static let flag: UInt32 = 8
  static let oneChild: UInt32 = 16

  /// Offset of the first byte.
  var start: UInt32
  /// Scalars: offset after the last byte. Containers: index of the node after the whole value.
  var end: UInt32
  /// Kind in the low three bits, the flag, then the number of members or elements.
  var bits: UInt32

  var kind: UInt32 { bits & 7 }
  var isFlagged: Bool { bits & Self.flag != 0 }
  var isContainer: Bool { bits & 4 != 0 }
  var childCount: Int { Int(bits >> 4) }
}

/// What all handles to one document share. Identity is the document's identity.
final class JSONStorage: Sendable {
  let bytes: [UInt8]
  let nodes: [JSONNode]
  let lines: JSONLines
  let origin: JSONOrigin?

  init(parsing bytes: [UInt8], _ origin: JSONOrigin?) throws(JSONSyntaxError) {
    (nodes, lines) = try bytes.withUnsafeBufferPointer { buffer throws(JSONSyntaxError) -> ([JSONNode], JSONLines) in
      var parser = JSONParser(buffer)
      try parser.parse()
      return (parser.nodes, JSONLines(buffer))
    }
    (self.bytes, self.origin) = (bytes, origin)
  }

  func position(of offset: Int) -> SourcePosition {
    origin?.position(offset) ?? bytes.withUnsafeBufferPointer { lines.position(of: offset, in: $0) }
  }

  /// The node after `node` and everything in it.
  @inline(__always) func next(_ node: Int) -> Int {
    let entry = nodes[node]
    return entry.isContainer ? Int(entry.end) : node + 1
  }
}

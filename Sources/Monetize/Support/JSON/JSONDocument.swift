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

  /// Parses UTF-8 bytes, or says where they stop being JSON.
  package init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    storage = try JSONStorage(parsing: bytes)
  }

  /// Parses a text, or says where it stops being JSON.
  package init(parsing text: String) throws(JSONSyntaxError) {
    storage = try JSONStorage(parsing: Array(text.utf8))
  }

  /// The value that the text is.
  package var root: JSONValue { JSONValue(storage: storage, node: 0) }

  /// Line and column of a byte; an offset outside the text gives its nearest end.
  package func position(ofOffset offset: Int) -> SourcePosition { storage.position(of: offset) }
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
  /// Set on a scalar, which has no children, that was filled in for a string.
  static let filled: UInt32 = 16

  /// Offset of the first byte.
  var start: UInt32
  /// Scalars: offset after the last byte. Containers: index of the node after the whole value.
  var end: UInt32
  /// Kind in the low three bits, the flag, then the number of members or elements; of a scalar, whether it was filled in.
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
  /// What it was copied from; nil for a text that was parsed.
  let origin: JSONOrigin?

  init(bytes: [UInt8], nodes: [JSONNode], origin: JSONOrigin) {
    (self.bytes, self.nodes, self.origin) = (bytes, nodes, origin)
    lines = origin.storage.lines
  }

  init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    var failure: JSONSyntaxError?
    var parsed: [JSONNode] = []
    let lines = bytes.withUnsafeBufferPointer { buffer -> JSONLines? in
      var parser = JSONParser(buffer)
      do throws(JSONSyntaxError) {
        try parser.parse()
        swap(&parsed, &parser.nodes)
        return JSONLines(buffer)
      } catch {
        failure = error
        return nil
      }
    }
    guard let lines else {
      throw failure ?? JSONSyntaxError(message: "This is not JSON. Correct the text.", position: SourcePosition(line: 1, column: 1))
    }
    self.bytes = bytes
    self.nodes = parsed
    self.lines = lines
    origin = nil
  }

  func position(of offset: Int) -> SourcePosition {
    origin?.position(of: offset, in: nodes) ?? bytes.withUnsafeBufferPointer { lines.position(of: offset, in: $0) }
  }

  /// The node after `node` and everything in it.
  @inline(__always) func next(_ node: Int) -> Int {
    let entry = nodes[node]
    return entry.isContainer ? Int(entry.end) : node + 1
  }
}

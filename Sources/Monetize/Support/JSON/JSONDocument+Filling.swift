// SPDX-License-Identifier: Apache-2.0

/// A value that is no container, without a place of its own.
package enum JSONScalar: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number as it is written.
  case number(String)
  case string(String)

  /// What a value is; nil for arrays and objects.
  package init?(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .bool: self = .bool(value.bool ?? false)
    case .number: self = .number(value.numberText ?? "0")
    case .string: self = .string(value.string ?? "")
    case .array, .object: return nil
    }
  }

  /// It as part of a text: a string without its quotes, anything else as it is written.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text), .string(let text): text
    }
  }

  fileprivate var literal: String { if case .string(let text) = self { JSONWriter.quoted(text) } else { text } }

  fileprivate var bits: UInt32 {
    switch self {
    case .null: JSONNode.null
    case .bool(let value): JSONNode.bool | (value ? JSONNode.flag : 0)
    case .number(let text): JSONNode.number | (text.utf8.contains { ".eE".utf8.contains($0) } ? JSONNode.flag : 0)
    case .string: JSONNode.string | (literal.utf8.contains(UInt8(ascii: "\\")) ? JSONNode.flag : 0)
    }
  }
}

extension JSONDocument {
  /// A copy of a value in which some strings, keys among them, are something else: what they are now, and still a text where one is wanted.
  /// Lines, columns and paths are those of the original.
  ///
  /// O(length of the value).
  /// - Parameters:
  ///   - verbatim: Containers in which nothing is replaced.
  ///   - replacing: What stands in place of a string; nil for the string itself. What takes the place of a key becomes a string.
  package init(copying value: JSONValue, verbatim: Set<JSONValue> = [], replacing: (String) -> JSONScalar?) {
    let source = value.storage
    let nodes = source.nodes[value.node..<source.next(value.node)]
    var copy = Copy(count: nodes.count, from: UInt32(value.node))
    var isKey = Array(repeating: false, count: nodes.count)
    var verbatimEnd = 0
    for (node, entry) in zip(nodes.indices, nodes) {
      if entry.isContainer {
        if entry.kind == JSONNode.object {
          var key = node + 1
          while key < Int(entry.end) {
            isKey[key - value.node] = true
            key = source.next(key + 1)
          }
        }
        if verbatim.contains(JSONValue(storage: source, node: node)) { verbatimEnd = max(verbatimEnd, Int(entry.end)) }
        copy.append(container: entry)
      } else if entry.kind == JSONNode.string, node >= verbatimEnd, let scalar = replacing(source.string(node)) {
        copy.append(isKey[node - value.node] ? .string(scalar.text) : scalar, from: entry)
      } else {
        copy.append(scalar: entry, source.bytes)
      }
    }
    storage = JSONStorage(
      bytes: copy.bytes, nodes: copy.nodes, origin: JSONOrigin(storage: source, offsets: copy.offsets, path: value.path))
  }

  /// The nodes of a copy and their bytes, each container a byte of its own: what begins later stands behind what begins earlier.
  private struct Copy {
    let first: UInt32
    var bytes: [UInt8] = []
    var nodes: [JSONNode] = []
    var offsets: [UInt32] = []

    init(count: Int, from first: UInt32) {
      self.first = first
      nodes.reserveCapacity(count)
      offsets.reserveCapacity(count)
    }

    mutating func append(container entry: JSONNode) {
      append(entry, UInt32(bytes.count), end: entry.end - first)
      bytes.append(entry.kind == JSONNode.object ? UInt8(ascii: "{") : UInt8(ascii: "["))
    }

    mutating func append(scalar entry: JSONNode, _ source: [UInt8]) {
      let start = UInt32(bytes.count)
      bytes += source[Int(entry.start)..<Int(entry.end)]
      append(entry, start, end: UInt32(bytes.count))
    }

    mutating func append(_ scalar: JSONScalar, from entry: JSONNode) {
      let start = UInt32(bytes.count)
      bytes += scalar.literal.utf8
      append(JSONNode(start: entry.start, end: 0, bits: scalar.bits | JSONNode.filled), start, end: UInt32(bytes.count))
    }

    private mutating func append(_ entry: JSONNode, _ start: UInt32, end: UInt32) {
      nodes.append(JSONNode(start: start, end: end, bits: entry.bits))
      offsets.append(entry.start)
    }
  }
}

/// What a copy was made of.
struct JSONOrigin: Sendable {
  let storage: JSONStorage
  /// Where each node of the copy begins there.
  let offsets: [UInt32]
  /// The path of the copy's root.
  let path: String

  /// The position of what stands at an offset of the copy: of the last node that begins there or before.
  func position(of offset: Int, in nodes: [JSONNode]) -> SourcePosition {
    var (low, high) = (0, nodes.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(nodes[middle].start) <= offset { low = middle + 1 } else { high = middle }
    }
    return storage.position(of: Int(offsets[max(0, low - 1)]))
  }
}

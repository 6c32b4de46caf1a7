// SPDX-License-Identifier: Apache-2.0

/// A handle to one value of a document. Cheap to copy. Equal only to a handle of the same value of the same document.
package struct JSONValue: Sendable, Hashable {
  package enum Kind: UInt32, Sendable { case null, bool, number, string, array, object }

  package let document: JSONDocument
  let node: Int

  package static func == (a: Self, b: Self) -> Bool { a.node == b.node && a.document === b.document }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(document))
    hasher.combine(node)
  }

  package var kind: Kind { document.nodes[node].kind }

  /// The members of an object in the order of the text, including repeated keys; empty for other kinds.
  package var members: [JSONMember] {
    kind == .object ? children.map { JSONMember(document: document, keyNode: $0.node - 1) } : []
  }

  /// The elements of an array; empty for other kinds.
  package var elements: [JSONValue] { kind == .array ? children : [] }

  /// The elements of an array, the values of an object.
  var children: [JSONValue] {
    let entry = document.nodes[node]
    guard entry.isContainer else { return [] }
    let keyCount = entry.kind == .object ? 1 : 0
    var children: [JSONValue] = []
    children.reserveCapacity(entry.childCount)
    var child = node + 1 + keyCount
    while child < Int(entry.end) {
      children.append(JSONValue(document: document, node: child))
      child = document.next(child) + keyCount
    }
    return children
  }

  package var count: Int { document.nodes[node].isContainer ? document.nodes[node].childCount : 0 }

  /// The first member with a name. A linear search: read large objects through `members` or a `JSONReader`.
  package subscript(key: String) -> JSONValue? {
    document.member(key, of: node).map { JSONValue(document: document, node: $0) }
  }

  /// The value at a path of keys and indices. When the path ends early, the last value on it.
  package func at(_ path: any JSONStep...) -> JSONValue {
    var value = self
    for step in path {
      guard let next = step.child(of: value) else { break }
      value = next
    }
    return value
  }

  package var string: String? { kind == .string ? document.string(node) : nil }

  /// The text of a string, or of a scalar accepted as one (see `JSONOrigin`).
  package var wording: String? { string ?? (document.origin?.texts.contains(offset) == true ? document.literal(node) : nil) }

  /// The value of `true` or `false`; `nil` for other values, including the number `1`.
  package var bool: Bool? { kind == .bool ? document.nodes[node].isFlagged : nil }

  /// A whole number that fits an `Int`; `nil` for `2.0` and `2e0`, which are written like fractions.
  package var int: Int? { kind == .number ? document.integer(node) : nil }

  /// A number exactly as written.
  package var numberText: String? { kind == .number ? document.literal(node) : nil }

  /// A scalar as it is written, with its quotes and escapes; empty for an array and an object.
  package var literal: String { document.nodes[node].isContainer ? "" : document.literal(node) }

  package var isNull: Bool { kind == .null }

  package var offset: Int { Int(document.nodes[node].start) }

  /// The byte range of its text in the document.
  package var byteRange: Range<Int> { offset..<Int(document.nodes[node].end) }

  /// The offset after its text, even for an array or an object. O(length of its text).
  package var end: Int {
    guard document.nodes[node].isContainer else { return byteRange.upperBound }
    var end = children.last?.end ?? offset + 1
    while document.bytes[end] != UInt8(ascii: "}"), document.bytes[end] != UInt8(ascii: "]") { end += 1 }
    return end + 1
  }

  package var position: SourcePosition { document.position(of: offset) }
}

/// One step of a path: a key, or an index.
package protocol JSONStep {
  /// The member with that name, or the element at that index.
  func child(of value: JSONValue) -> JSONValue?
}

extension String: JSONStep {
  package func child(of value: JSONValue) -> JSONValue? { value[self] }
}

extension Int: JSONStep {
  package func child(of value: JSONValue) -> JSONValue? { value.elements.dropFirst(self).first }
}

/// A place for a report: a value, or the key of a member.
package protocol JSONSite {
  var value: JSONValue { get }
  /// The offset of the first byte of the value, or of the key.
  var offset: Int { get }
}

extension JSONValue: JSONSite {
  package var value: JSONValue { self }
}

/// One member of an object: its key, the key's position, and its value.
package struct JSONMember: JSONSite, Sendable, Hashable {
  /// The key, with escapes resolved.
  package let key: String
  /// The offset of the key's opening quote.
  package let offset: Int
  package let value: JSONValue

  init(document: JSONDocument, keyNode: Int) {
    key = document.string(keyNode)
    offset = Int(document.nodes[keyNode].start)
    value = JSONValue(document: document, node: keyNode + 1)
  }

  package var keyPosition: SourcePosition { value.document.position(of: offset) }
}

extension JSONDocument {
  /// The value of the first member with a name. `nil` when there is none or the node is not an object.
  func member(_ name: String, of object: Int) -> Int? {
    guard nodes[object].kind == .object else { return nil }
    var name = name
    return name.withUTF8 { name in
      var key = object + 1
      while key < Int(nodes[object].end) {
        if matches(key, name) { return key + 1 }
        key = next(key + 1)
      }
      return nil
    }
  }
}

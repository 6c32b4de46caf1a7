// SPDX-License-Identifier: Apache-2.0

/// A handle to one value of a document: cheap to copy, and equal to another only when it is the same value of the same document.
package struct JSONValue: Sendable, Hashable {
  /// The sorts of JSON values.
  package enum Kind: UInt32, Sendable { case null, bool, number, string, array, object }

  let storage: JSONStorage
  let node: Int

  /// The same value of the same document.
  package static func == (a: Self, b: Self) -> Bool { a.node == b.node && a.storage === b.storage }

  /// Hashes the document's identity and the place in it.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(storage))
    hasher.combine(node)
  }

  /// What it is.
  package var kind: Kind { Kind(rawValue: storage.nodes[node].kind) ?? .null }

  /// The document that it is a value of.
  package var document: JSONDocument { JSONDocument(storage: storage) }

  /// The members of an object in the order of the text, repeated keys included; empty for anything else.
  package var members: [JSONMember] {
    kind == .object ? children.map { JSONMember(storage: storage, keyNode: $0.node - 1) } : []
  }

  /// The elements of an array; empty for anything else.
  package var elements: [JSONValue] { kind == .array ? children : [] }

  /// The elements of an array, the values of an object.
  var children: [JSONValue] {
    let entry = storage.nodes[node]
    guard entry.isContainer else { return [] }
    let keyCount = entry.kind == JSONNode.object ? 1 : 0
    var children: [JSONValue] = []
    var child = node + 1 + keyCount
    while child < Int(entry.end) {
      children.append(JSONValue(storage: storage, node: child))
      child = storage.next(child) + keyCount
    }
    return children
  }

  /// The number of members or elements.
  package var count: Int { storage.nodes[node].isContainer ? storage.nodes[node].childCount : 0 }

  /// The first member of that name. Looks at one member after the other: read large objects through `members` or a `JSONReader`.
  package subscript(key: String) -> JSONValue? {
    storage.member(key, of: node).map { JSONValue(storage: storage, node: $0) }
  }

  /// The value that a path of keys and indexes leads to; where the path ends early, the last value on it.
  package func at(_ path: any JSONStep...) -> JSONValue {
    var value = self
    for step in path {
      guard let next = step.child(of: value) else { break }
      value = next
    }
    return value
  }

  /// The text of a string.
  package var string: String? { kind == .string ? storage.string(node) : nil }

  /// The text of a string, or of a scalar that is accepted as one (see `JSONOrigin`).
  package var wording: String? { string ?? (storage.origin?.texts.contains(offset) == true ? storage.literal(node) : nil) }

  /// The truth of `true` and `false`; nil for numbers: `1` is not `true`.
  package var bool: Bool? { kind == .bool ? storage.nodes[node].isFlagged : nil }

  /// A whole number that fits an `Int`. `2.0` and `2e0` are not: they are written as if they could have a fraction.
  package var int: Int? { kind == .number ? storage.integer(node) : nil }

  /// A number as it is written, every digit kept.
  package var numberText: String? { kind == .number ? storage.literal(node) : nil }

  /// A scalar as it is written, with its quotes and escapes; empty for an array and an object.
  package var literal: String { storage.nodes[node].isContainer ? "" : storage.literal(node) }

  /// Whether it is `null`.
  package var isNull: Bool { kind == .null }

  /// The offset of its first byte.
  package var offset: Int { Int(storage.nodes[node].start) }

  /// Where it begins.
  package var position: SourcePosition { storage.position(of: offset) }
}

/// One step of a path: a key, or an index.
package protocol JSONStep {
  /// The member of that name, or the element at that index.
  func child(of value: JSONValue) -> JSONValue?
}

extension String: JSONStep {
  package func child(of value: JSONValue) -> JSONValue? { value[self] }
}

extension Int: JSONStep {
  package func child(of value: JSONValue) -> JSONValue? { value.elements.dropFirst(self).first }
}

/// Where something can be reported: a value, or the key of a member.
package protocol JSONSite {
  /// The value, or the key's.
  var value: JSONValue { get }
  /// The offset of the first byte of the value, or of the key.
  var offset: Int { get }
}

extension JSONValue: JSONSite {
  /// Itself.
  package var value: JSONValue { self }
}

/// One member of an object: its key, where the key stands, and its value.
package struct JSONMember: JSONSite, Sendable, Hashable {
  /// The key, escapes resolved.
  package let key: String
  /// The offset of the key's opening quote.
  package let offset: Int
  /// The value.
  package let value: JSONValue

  init(storage: JSONStorage, keyNode: Int) {
    key = storage.string(keyNode)
    offset = Int(storage.nodes[keyNode].start)
    value = JSONValue(storage: storage, node: keyNode + 1)
  }

  /// Where the key stands.
  package var keyPosition: SourcePosition { value.storage.position(of: offset) }
}

extension JSONStorage {
  /// The value of the first member of that name. Nil when there is none or the node is no object.
  func member(_ name: String, of object: Int) -> Int? {
    guard nodes[object].kind == JSONNode.object else { return nil }
    var key = object + 1
    while key < Int(nodes[object].end) {
      if matches(key, name.utf8) { return key + 1 }
      key = next(key + 1)
    }
    return nil
  }
}

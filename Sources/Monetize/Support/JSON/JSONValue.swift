// SPDX-License-Identifier: Apache-2.0

/// A handle to one value of a document: cheap to copy, and equal to another only when it is the same value of the same document.
package struct JSONValue: Sendable, Hashable {
  /// The sorts of JSON values.
  package enum Kind: String, Sendable { case null, bool, number, string, array, object }

  let storage: JSONStorage
  let node: Int

  init(storage: JSONStorage, node: Int) {
    self.storage = storage
    self.node = node
  }

  /// The same value of the same document.
  package static func == (a: Self, b: Self) -> Bool { a.node == b.node && a.storage === b.storage }

  /// Hashes the document's identity and the place in it.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(storage))
    hasher.combine(node)
  }

  /// What it is.
  package var kind: Kind {
    switch storage.nodes[node].kind {
    case JSONNode.null: .null
    case JSONNode.bool: .bool
    case JSONNode.number: .number
    case JSONNode.string: .string
    case JSONNode.array: .array
    default: .object
    }
  }

  /// The members of an object in the order of the text, repeated keys included; empty for anything else.
  package var members: [JSONMember] {
    let entry = storage.nodes[node]
    guard entry.kind == JSONNode.object else { return [] }
    var members: [JSONMember] = []
    members.reserveCapacity(entry.childCount)
    var key = node + 1
    while key < Int(entry.end) {
      members.append(JSONMember(storage: storage, keyNode: key))
      key = storage.next(key + 1)
    }
    return members
  }

  /// The elements of an array; empty for anything else.
  package var elements: [JSONValue] {
    let entry = storage.nodes[node]
    guard entry.kind == JSONNode.array else { return [] }
    var elements: [JSONValue] = []
    elements.reserveCapacity(entry.childCount)
    var element = node + 1
    while element < Int(entry.end) {
      elements.append(JSONValue(storage: storage, node: element))
      element = storage.next(element)
    }
    return elements
  }

  /// The number of members or elements.
  package var count: Int { storage.nodes[node].isContainer ? storage.nodes[node].childCount : 0 }

  /// The first member of that name. Looks at one member after the other: read large objects through `members` or a `JSONReader`.
  package subscript(key: String) -> JSONValue? {
    storage.member(key, of: node).map { JSONValue(storage: storage, node: $0) }
  }

  /// The text of a string.
  package var string: String? { kind == .string ? storage.string(node) : nil }

  /// The text of a string, and of whatever was filled in for one: as text where text is wanted.
  package var wording: String? { string ?? (storage.isFilled(node) ? storage.literal(node) : nil) }

  /// The truth of `true` and `false`; nil for numbers: `1` is not `true`.
  package var bool: Bool? { kind == .bool ? storage.nodes[node].isFlagged : nil }

  /// A whole number that fits an `Int`. `2.0` and `2e0` are not: they are written as if they could have a fraction.
  package var int: Int? { kind == .number ? storage.integer(node) : nil }

  /// A number as it is written, every digit kept.
  package var numberText: String? { kind == .number ? storage.literal(node) : nil }

  /// Whether it is `null`.
  package var isNull: Bool { kind == .null }

  /// The offset of its first byte.
  package var offset: Int { Int(storage.nodes[node].start) }

  /// Where it begins.
  package var position: SourcePosition { storage.position(of: offset) }
}

/// One member of an object: its key, where the key stands, and its value.
package struct JSONMember: Sendable, Hashable {
  /// The key, escapes resolved.
  package let key: String
  /// The offset of the key's opening quote.
  package let keyOffset: Int
  /// The value.
  package let value: JSONValue

  init(storage: JSONStorage, keyNode: Int) {
    key = storage.string(keyNode)
    keyOffset = Int(storage.nodes[keyNode].start)
    value = JSONValue(storage: storage, node: keyNode + 1)
  }

  /// Where the key stands.
  package var keyPosition: SourcePosition { value.storage.position(of: keyOffset) }
}

extension JSONStorage {
  /// Whether a scalar stands in place of a string of the original.
  func isFilled(_ node: Int) -> Bool { !nodes[node].isContainer && nodes[node].bits & JSONNode.filled != 0 }

  /// The value of the first member of that name. Nil when there is none or the node is no object.
  func member(_ name: String, of object: Int) -> Int? {
    let entry = nodes[object]
    guard entry.kind == JSONNode.object else { return nil }
    var name = name
    return name.withUTF8 { name in
      bytes.withUnsafeBufferPointer { buffer in
        nodes.withUnsafeBufferPointer { nodes in
          let end = Int(entry.end)
          var key = object + 1
          while key < end {
            if matches(key, name, in: buffer) { return key + 1 }
            let value = nodes[key + 1]
            key = value.isContainer ? Int(value.end) : key + 2
          }
          return nil
        }
      }
    }
  }
}

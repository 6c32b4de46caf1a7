// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// The path in the document, such as `products[0].price.amount`; a key that is not an identifier appears as `["story.play"]`. Empty for
  /// the root. O(length of the document): use a `JSONReader` for many paths.
  package var path: String { JSONParents(document).path(of: node, in: document) }

  /// The value at a path, or the nearest container around it that exists. O(length of the document), times the depth.
  package func nearest(to path: String) -> JSONValue {
    let children = kind == .object ? members.map(\.value) : kind == .array ? elements : []
    let next = children.first { child in
      let own = child.path
      return path == own || path.hasPrefix("\(own).") || path.hasPrefix("\(own)[")
    }
    return next?.nearest(to: path) ?? self
  }
}

/// The parent and the index of every node, computed when the first path is needed. A path then takes time proportional to its depth.
struct JSONParents {
  private var parents: [UInt32]
  private var ordinals: [UInt32]
  /// The path of a copied value in the document that it was copied from.
  private let origin: String

  init(_ document: JSONDocument) {
    origin = document.origin?.path() ?? ""
    parents = Array(repeating: 0, count: document.nodes.count)
    ordinals = parents
    for (index, entry) in document.nodes.enumerated() where entry.isContainer {
      let keyCount = entry.kind == .object ? 1 : 0
      var child = index + 1 + keyCount
      var ordinal: UInt32 = 0
      while child < Int(entry.end) {
        (parents[child], ordinals[child]) = (UInt32(index), ordinal)
        ordinal += 1
        child = document.next(child) + keyCount
      }
    }
  }

  /// The containers around a value, outermost first, then the value. Excludes the root.
  func chain(to node: Int) -> [Int] { sequence(first: node) { $0 > 0 ? parent(of: $0) : nil }.filter { $0 > 0 }.reversed() }

  func parent(of node: Int) -> Int { Int(parents[node]) }

  func ordinal(of node: Int) -> Int { Int(ordinals[node]) }

  func path(of node: Int, in document: JSONDocument) -> String {
    var path = origin
    for step in chain(to: node) {
      if let key = document.key(of: step, in: parent(of: step)) {
        path += Self.isPlain(key) ? (path.isEmpty ? key : ".\(key)") : "[\(JSONWriter.quoted(key))]"
      } else {
        path += "[\(ordinal(of: step))]"
      }
    }
    return path
  }

  private static func isPlain(_ key: String) -> Bool {
    key.utf8.first.map { !JSONParser.isDigit($0) } ?? false && key.utf8.allSatisfy { JSONParser.isWordByte($0) || $0 == UInt8(ascii: "$") }
  }
}

extension JSONDocument {
  /// The key of a value; `nil` for an element of an array.
  func key(of node: Int, in parent: Int) -> String? { nodes[parent].kind == .object ? string(node - 1) : nil }
}

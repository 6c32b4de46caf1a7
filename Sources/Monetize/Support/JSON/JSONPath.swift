// SPDX-License-Identifier: Apache-2.0

/// How the path of a value is written: `products[0].price.amount`, a key that is no plain identifier as `["story.play"]`.
enum JSONPath {
  static func append(index: Int, to path: inout String) { path += "[\(index)]" }

  static func append(key: String, to path: inout String) {
    if isPlain(key) {
      if !path.isEmpty { path += "." }
      path += key
    } else {
      path += "["
      path += JSONWriter.quoted(key)
      path += "]"
    }
  }

  private static func isPlain(_ key: String) -> Bool {
    var isFirst = true
    for byte in key.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "$"): break
      case UInt8(ascii: "0")...UInt8(ascii: "9") where !isFirst: break
      default: return false
      }
      isFirst = false
    }
    return !isFirst
  }
}

extension JSONValue {
  /// Where it is in the document; empty for the root. Searches from the root: for many paths let a `JSONReader` make them.
  package var path: String {
    var path = storage.origin?.path ?? ""
    var current = 0
    while current != node {
      let entry = storage.nodes[current]
      var child = current + 1
      var ordinal = 0
      while true {
        let value = entry.kind == JSONNode.object ? child + 1 : child
        let next = storage.next(value)
        if node < next || next >= Int(entry.end) {
          if value == child {
            JSONPath.append(index: ordinal, to: &path)
          } else {
            JSONPath.append(key: storage.string(child), to: &path)
          }
          current = value
          break
        }
        child = next
        ordinal += 1
      }
      guard current <= node, current == node || storage.nodes[current].isContainer else { return path }
    }
    return path
  }
}

/// Every node's parent and place in it, made once when the first path is needed: a path then costs its depth, not a search.
struct JSONParents {
  private var parents: [UInt32]
  private var ordinals: [UInt32]

  init(_ storage: JSONStorage) {
    let nodes = storage.nodes
    parents = Array(repeating: 0, count: nodes.count)
    ordinals = Array(repeating: 0, count: nodes.count)
    for (index, entry) in nodes.enumerated() where entry.isContainer {
      var child = index + 1
      var ordinal: UInt32 = 0
      while child < Int(entry.end) {
        if entry.kind == JSONNode.object {
          parents[child] = UInt32(index)
          child += 1
        }
        parents[child] = UInt32(index)
        ordinals[child] = ordinal
        ordinal += 1
        child = storage.next(child)
      }
    }
  }

  /// The containers around a value, outermost first, then the value itself; the root is left out.
  func chain(to node: Int) -> [Int] {
    var chain: [Int] = []
    var current = node
    while current > 0 {
      chain.append(current)
      current = Int(parents[current])
    }
    return chain.reversed()
  }

  func parent(of node: Int) -> Int? { node > 0 ? Int(parents[node]) : nil }

  func ordinal(of node: Int) -> Int { Int(ordinals[node]) }

  func path(of node: Int, in storage: JSONStorage) -> String {
    var path = storage.origin?.path ?? ""
    for step in chain(to: node) {
      if storage.nodes[Int(parents[step])].kind == JSONNode.object {
        JSONPath.append(key: storage.string(step - 1), to: &path)
      } else {
        JSONPath.append(index: ordinal(of: step), to: &path)
      }
    }
    return path
  }
}

// SPDX-License-Identifier: Apache-2.0

/// What is only known at the end: keys that nobody asked for, and keys that stand twice in one object.
extension JSONReader {
  private struct Unknown {
    var key: Int
    var object: Int
  }

  func sweep() {
    let nodes = storage.nodes
    var unknown: [Unknown] = []
    var skipEnd = 0
    for node in nodes.indices {
      if marks[node] & Mark.skipped != 0 { skipEnd = max(skipEnd, storage.next(node)) }
      guard nodes[node].kind == JSONNode.object, nodes[node].childCount > 0 else { continue }
      let repeated = repeatedKeys(of: node)
      for key in repeated {
        note("repeated-key", key, "The key \(quoted(key)) stands twice in this object. Remove one of them.")
      }
      let ignored = Mark.guessed | Mark.asked
      if node < skipEnd || marks[node] & ignored != Mark.asked { continue }
      let first = unknown.count
      var knowsAny = false
      var key = node + 1
      while key < Int(nodes[node].end) {
        if marks[key + 1] & Mark.asked != 0 {
          knowsAny = true
        } else if !repeated.contains(key), !isAllowedEverywhere(key, in: node) {
          unknown.append(Unknown(key: key, object: node))
        }
        key = storage.next(key + 1)
      }
      if !knowsAny, marks[node] & Mark.clashed != 0 { unknown.removeSubrange(first...) }
    }
    report(unknown)
  }

  private func isAllowedEverywhere(_ key: Int, in object: Int) -> Bool {
    guard storage.bytes[Int(storage.nodes[key].start) + 1] == UInt8(ascii: "$") else { return false }
    let name = storage.string(key)
    return name == "$comment" || (name == "$schema" && object == 0)
  }

  /// The second and later occurrences.
  private func repeatedKeys(of object: Int) -> [Int] {
    let entry = storage.nodes[object]
    guard entry.childCount > 1 else { return [] }
    var repeated: [Int] = []
    if entry.childCount > 16 {
      var seen: Set<String> = []
      for member in JSONValue(storage: storage, node: object).members where !seen.insert(member.key).inserted {
        repeated.append(member.value.node - 1)
      }
      return repeated
    }
    storage.bytes.withUnsafeBufferPointer { bytes in
      var keys: [Int] = []
      keys.reserveCapacity(entry.childCount)
      var key = object + 1
      while key < Int(entry.end) {
        if keys.contains(where: { isSame(key, $0, in: bytes) }) { repeated.append(key) }
        keys.append(key)
        key = storage.next(key + 1)
      }
    }
    return repeated
  }

  @inline(__always) private func isSame(_ a: Int, _ b: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let (first, second) = (storage.nodes[a], storage.nodes[b])
    if first.isFlagged || second.isFlagged { return storage.string(a) == storage.string(b) }
    guard first.end - first.start == second.end - second.start else { return false }
    for offset in 0..<Int(first.end - first.start) where bytes[Int(first.start) + offset] != bytes[Int(second.start) + offset] {
      return false
    }
    return true
  }

  private func report(_ unknown: [Unknown]) {
    guard !unknown.isEmpty else { return }
    // Keys that were looked for in vain are the likelier targets of a slip than those that are there.
    var known: [Int: [String]] = [:]
    for one in unknown { known[one.object] = [] }
    for one in absent where known[one.object].map({ $0.count < 200 && !$0.contains(one.key) }) == true {
      known[one.object, default: []].append(one.key)
    }
    var present: [Int: [String]] = [:]
    for one in unknown {
      let missing = known[one.object] ?? []
      let there = present[one.object] ?? askedKeys(of: one.object)
      present[one.object] = there
      let key = storage.string(one.key)
      let mend: String
      if let meant = closestMatch(to: key, in: missing) ?? closestMatch(to: key, in: there) {
        mend = "Did you mean \(JSONWriter.quoted(meant))?"
      } else if missing.isEmpty && there.isEmpty {
        mend = "Remove it: nothing is read from this object."
      } else {
        let all = (there + missing).sorted()
        let list = all.prefix(12).joined(separator: ", ") + (all.count > 12 ? ", …" : "")
        mend = "Remove it, or use one of the known keys: \(list)."
      }
      note("unknown-key", one.key, "Unknown key \(quoted(one.key)). \(mend)")
    }
  }

  private func askedKeys(of object: Int) -> [String] {
    JSONValue(storage: storage, node: object).members.lazy.filter { self.marks[$0.value.node] & Mark.asked != 0 }.prefix(200).map(\.key)
  }

  private func quoted(_ key: Int) -> String {
    let text = storage.string(key)
    return JSONWriter.quoted(text.utf8.count > 60 ? text.prefix(60) + "…" : text)
  }

  private func note(_ code: Diagnostic.Code, _ key: Int, _ message: String) {
    notes.append(
      Note(severity: .error, code: code, node: key + 1, offset: Int(storage.nodes[key].start), message: message))
  }
}

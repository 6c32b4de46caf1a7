// SPDX-License-Identifier: Apache-2.0

/// Values that a program has written, a million at a time.
extension JSONReader {
  /// Passes the members of an object to `decode`, until it returns `true` for a member that it has decoded.
  /// - Returns: Whether every member of the object and of all objects in it was read; `nil` when none was decoded, or one has a mistake.
  package func read(_ object: JSONValue, _ decode: (_ name: String, _ value: any Decoder) throws -> Bool) -> Bool? {
    guard object.kind == .object else { return nil }
    var key = object.node + 1
    while key < Int(document.nodes[object.node].end) {
      let value = JSONPlace(reader: self, node: key + 1)
      guard let isDecoded = try? decode(document.string(key), value) else { return nil }
      if isDecoded {
        marks[key + 1] |= Mark.asked
        return isRead(object.node)
      }
      key = document.next(key + 1)
    }
    return nil
  }

  /// Whether every member of all objects in a value was read.
  private func isRead(_ node: Int) -> Bool {
    (node..<document.next(node)).allSatisfy { object in
      guard document.nodes[object].kind == .object else { return true }
      var key = object + 1
      while key < Int(document.nodes[object].end) {
        if marks[key + 1] & Mark.asked == 0 { return false }
        key = document.next(key + 1)
      }
      return true
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// The text of this value with an RFC 7396 merge patch applied. Keeps the order of this value; new keys follow in the patch's order. If a
  /// key is repeated in either of them, only its first member counts.
  package func applying(mergePatch patch: JSONValue) -> String {
    var writer = JSONWriter()
    writer.merge(self, patch)
    return writer.text
  }
}

extension JSONWriter {
  fileprivate mutating func merge(_ target: JSONValue?, _ patch: JSONValue) {
    guard patch.kind == .object else { return value(patch) }
    let changes = Dictionary(patch.members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    var written: Set<String> = []
    open("{")
    for member in target?.members ?? [] where written.insert(member.key).inserted {
      let change = changes[member.key]
      if change?.isNull == true { continue }
      key(member.key)
      if let change { merge(member.value, change) } else { value(member.value) }
    }
    for member in patch.members where written.insert(member.key).inserted && !member.value.isNull {
      key(member.key)
      merge(nil, member.value)
    }
    close("}")
  }
}

// SPDX-License-Identifier: Apache-2.0
package import MonetizeJSON

extension JSONValue {
  /// The value of a merge patch at a path of the patched document, or the innermost value above it, with the position of its key.
  package func innermost(at path: String) -> (value: JSONValue, key: SourcePosition?) {
    var found: (value: JSONValue, key: SourcePosition?) = (self, nil)
    var rest = path[...]
    while !rest.isEmpty {
      let value = found.value
      let named = value.members.flatMap { member in
        [member.key, "[\(JSONWriter.quoted(member.key))]"].map { (head: $0, value: member.value, key: Optional(member.keyPosition)) }
      }
      let counted = value.elements.enumerated().map { (head: "[\($0)]", value: $1, key: SourcePosition?.none) }
      let next = (named + counted).first { rest.hasPrefix($0.head) && [nil, ".", "["].contains(rest.dropFirst($0.head.count).first) }
      guard let next else { break }
      found = (next.value, next.key)
      rest = rest.dropFirst(next.head.count)
      if rest.first == "." { rest.removeFirst() }
    }
    return found
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The members of one object, read by hand through a reader. Each key that is asked for is known; the others are reported at the end.
package struct JSONFields {
  let reader: JSONReader
  /// The object.
  package let value: JSONValue

  /// Decodes a key's value; nil when it is absent, `null`, or wrong (then it has been reported).
  package func optional<T: Decodable>(_ key: String, as type: T.Type = T.self) -> T? {
    guard let field = self.value(key), !field.isNull else { return nil }
    return reader.decode(T.self, from: field)
  }

  /// Decodes a key's value; nil when it is absent or wrong, both reported.
  package func required<T: Decodable>(_ key: String, as type: T.Type = T.self) -> T? {
    guard let field = self.value(key) else {
      reader.report("missing-key", at: value, JSONReader.missingMessage(key))
      return nil
    }
    return reader.decode(T.self, from: field)
  }

  /// A key's value as it is, `null` included. Only the key counts as known then, not what is in the value.
  package func value(_ key: String) -> JSONValue? {
    reader.find(key, in: value.node).map { JSONValue(storage: value.storage, node: $0) }
  }
}

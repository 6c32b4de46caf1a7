// SPDX-License-Identifier: Apache-2.0

/// The members of one object, read through a reader. A key counts as known when it is requested; the others are reported at the end.
package struct JSONFields {
  let reader: JSONReader
  package let value: JSONValue

  /// Decodes the value of a key. Returns `nil` when it is absent, `null` or wrong; a wrong value is reported.
  package func optional<T: Decodable>(_ key: String, as type: T.Type = T.self) -> T? {
    guard let field = self.value(key), !field.isNull else { return nil }
    return reader.decode(T.self, from: field)
  }

  /// Decodes the value of a key. Returns `nil` when it is absent or wrong; both are reported.
  /// - Parameter values: The valid values, for the message about an absent one. Default: the cases of an enumeration.
  package func required<T: Decodable>(_ key: String, as type: T.Type = T.self, oneOf values: @autoclosure () -> [String]? = nil) -> T? {
    guard let field = self.value(key) else {
      reader.report("missing-key", at: value, JSONReader.missingMessage(key, T.self, oneOf: values()))
      return nil
    }
    return reader.decode(T.self, from: field)
  }

  /// Decodes the value of a key. When it is absent or wrong, which is reported, returns the placeholder and marks the object as repaired.
  package func required<T: Decodable>(_ key: String, or placeholder: T) -> T {
    if let value: T = required(key) { return value }
    reader.markRepaired(value)
    return placeholder
  }

  /// Reports that a key is absent.
  /// - Parameter about: A sentence about its value.
  package func reportMissing(_ key: String, _ about: String) {
    let about = about.prefix(1).lowercased() + about.dropFirst()
    reader.report("missing-key", at: value, "\(JSONReader.missing(key)) Add it to this object: \(about)")
  }

  /// The value of a key. Reports an absent one with a message of its own, or a key that probably means it.
  package func value(_ key: String, or message: @autoclosure () -> String) -> JSONValue? {
    if let found = self.value(key) { return found }
    if !reader.reportMisspelt(key, in: value) { reader.report("missing-key", at: value, message()) }
    return nil
  }

  /// The value of a key, including `null`. Marks only the key as known, not the contents of the value.
  package func value(_ key: String) -> JSONValue? {
    reader.find(key, in: value.node).map { JSONValue(document: value.document, node: $0) }
  }
}

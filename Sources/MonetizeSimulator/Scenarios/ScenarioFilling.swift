// SPDX-License-Identifier: Apache-2.0
package import MonetizeJSON

/// A value that is no container, without a position of its own.
package struct JSONScalar: Sendable, Hashable {
  package let kind: JSONValue.Kind
  /// The scalar as part of a text: a string without its quotes, anything else as it is written.
  package let text: String

  package static let null = Self(kind: .null, text: "null")
  package static func bool(_ value: Bool) -> Self { Self(kind: .bool, text: "\(value)") }
  package static func number(_ text: String) -> Self { Self(kind: .number, text: text) }
  package static func string(_ text: String) -> Self { Self(kind: .string, text: text) }

  fileprivate var literal: String { kind == .string ? JSONWriter.quoted(text) : text }
}

extension JSONScalar {
  /// The scalar of a value; nil for arrays and objects.
  package init?(_ value: JSONValue) {
    guard value.kind != .array, value.kind != .object else { return nil }
    self.init(kind: value.kind, text: value.string ?? value.literal)
  }
}

extension JSONDocument {
  /// A copy of a value with some strings replaced, keys included. A string that became a number is still accepted as a string. Lines,
  /// columns and paths are those of the original.
  ///
  /// O(length of the value).
  /// - Parameters:
  ///   - verbatim: Containers that are copied without replacements.
  ///   - replacing: Returns the replacement of a string, or nil to keep it. The replacement of a key becomes a string.
  package convenience init(copying value: JSONValue, verbatim: Set<JSONValue> = [], replacing: (String) -> JSONScalar?) {
    var copy = FilledCopy()
    copy.append(value, verbatim, replacing)
    let (original, offsets) = (value.document, copy.offsets)
    let origin = JSONOrigin(path: { value.path }, texts: copy.texts) { offset in
      // The last value or key that begins at or before this offset.
      var (low, high) = (0, offsets.count)
      while low < high {
        let middle = (low + high) / 2
        if offsets[middle].copy <= offset { low = middle + 1 } else { high = middle }
      }
      return original.position(of: offsets[max(0, low - 1)].original)
    }
    do throws(Diagnostic) { try self.init(parsing: copy.bytes, origin: origin) } catch {
      preconditionFailure("A copy of JSON is JSON, but: \(error)")
    }
  }
}

/// The text of a copy, and the origin of each value and key.
private struct FilledCopy {
  var bytes: [UInt8] = []
  var offsets: [(copy: Int, original: Int)] = []
  var texts: Set<Int> = []

  mutating func append(_ value: JSONValue, _ verbatim: Set<JSONValue>, _ replacing: (String) -> JSONScalar?) {
    if verbatim.contains(value) { return append(value, []) { _ in nil } }
    offsets.append((bytes.count, value.offset))
    switch value.kind {
    case .object:
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in value.members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        offsets.append((bytes.count, member.offset))
        bytes += JSONWriter.quoted(replacing(member.key)?.text ?? member.key).utf8
        bytes.append(UInt8(ascii: ":"))
        append(member.value, verbatim, replacing)
      }
      bytes.append(UInt8(ascii: "}"))
    case .array:
      bytes.append(UInt8(ascii: "["))
      for (index, element) in value.elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(element, verbatim, replacing)
      }
      bytes.append(UInt8(ascii: "]"))
    case .string:
      let filled = replacing(value.string ?? "")
      if filled != nil { texts.insert(bytes.count) }
      bytes += (filled?.literal ?? value.text()).utf8
    case .null, .bool, .number:
      // A copy of a copy keeps earlier replacements.
      if value.wording != nil { texts.insert(bytes.count) }
      bytes += value.text().utf8
    }
  }
}

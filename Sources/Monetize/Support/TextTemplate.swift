// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with values in place of the names in braces, such as `{price}`; `nil` when a name has no value. Braces around anything but
  /// letters are plain text, and a value is not searched for names. O(length).
  package func filled(_ value: (_ name: Substring) -> String?) -> String? {
    // By bytes, because most texts have no braces, and looking for characters would take longer than all else.
    var (result, copied) = ("", startIndex)
    var next = utf8.firstIndex(of: UInt8(ascii: "{"))
    while let open = next {
      let start = utf8.index(after: open)
      guard let end = utf8[start...].firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else { break }
      let name = self[start..<end]
      guard utf8[end] == UInt8(ascii: "}"), name.isName else {
        next = utf8[end...].firstIndex(of: UInt8(ascii: "{"))
        continue
      }
      guard let word = value(name) else { return nil }
      result += self[copied..<open]
      result += word
      copied = utf8.index(after: end)
      next = utf8[copied...].firstIndex(of: UInt8(ascii: "{"))
    }
    return copied == startIndex ? self : result + self[copied...]
  }
}

extension Substring {
  /// Whether it has letters only, of any script; bytes first, because most names are in English.
  fileprivate var isName: Bool {
    !isEmpty && (utf8.allSatisfy { (97...122).contains($0 | 32) } || allSatisfy(\.isLetter))
  }
}

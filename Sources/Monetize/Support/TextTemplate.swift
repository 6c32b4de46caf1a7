// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with values in place of the names in braces, such as `{price}`; `nil` when a name has no value. Braces around anything but
  /// letters are plain text, and a value is not searched for names. O(length).
  package func filled(_ value: (_ name: String) -> String?) -> String? {
    // By bytes, because most texts have no braces, and looking for characters would take longer than all else.
    let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    guard utf8.contains(open) else { return self }
    var result: [UInt8] = []
    var rest = Array(utf8)[...]
    while let start = rest.firstIndex(of: open) {
      result += rest[..<start]
      let after = rest[(start + 1)...]
      guard let end = after.firstIndex(where: { $0 == open || $0 == close }) else {
        rest = rest[start...]
        break
      }
      let name = String(decoding: after[..<end], as: UTF8.self)
      if after[end] == close, name.isName {
        guard let word = value(name) else { return nil }
        result += word.utf8
        rest = after[(end + 1)...]
      } else {
        result += rest[start..<end]
        rest = after[end...]
      }
    }
    return String(decoding: result + rest, as: UTF8.self)
  }
}

extension String {
  /// Whether it has letters only, of any script; bytes first, because most names are in English.
  fileprivate var isName: Bool {
    !isEmpty && (utf8.allSatisfy { (97...122).contains($0 | 32) } || allSatisfy(\.isLetter))
  }
}

// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with values in place of the names in braces, such as `{price}`; `nil` when a name has no value. Braces around anything but
  /// letters are plain text, and a value is not searched for names. O(length).
  ///
  /// In a text from right to left, and for a value from right to left, the value is isolated (U+2068, U+2069): `$8.99` keeps its order.
  package func filled(_ value: (_ name: String) -> String?) -> String? {
    // Searches bytes, because most texts have no braces, and a search for characters would take longer than everything else here.
    let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    guard utf8.contains(open) else { return self }
    let isRightToLeft = hasRightToLeft
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
        result += (isRightToLeft || word.hasRightToLeft ? "\u{2068}\(word)\u{2069}" : word).utf8
        rest = after[(end + 1)...]
      } else {
        result += rest[start..<end]
        rest = after[end...]
      }
    }
    return String(decoding: result + rest, as: UTF8.self)
  }

  /// Whether it has letters of a script that is written from right to left; checks bytes first, because most texts are in Latin letters.
  private var hasRightToLeft: Bool {
    utf8.contains { $0 >= 0xD6 }
      && unicodeScalars.contains { scalar in
        switch scalar.value {
        case 0x590...0x8FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
      }
  }

  /// Whether it has letters only, of any script; checks bytes first, because most names are in English.
  private var isName: Bool {
    !isEmpty && (utf8.allSatisfy { (97...122).contains($0 | 32) } || allSatisfy(\.isLetter))
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Detects text that may be a signing key, which no message and no excerpt may show. Found in the raw text, because the JSON around it may
/// be broken.
package enum KeyMaterial {
  /// The shortest run of Base64 digits that may be a key. A key on the curve P-256 has at least 44.
  package static let shortest = 40

  /// Whether a text contains a run of Base64 digits as long as a key. O(length).
  package static func isIn(_ text: String) -> Bool {
    var run = 0
    for byte in text.utf8 {
      run = isDigit(byte) ? run + 1 : 0
      if run == shortest { return true }
    }
    return false
  }

  /// Whether a byte is a Base64 digit, or the backslash of an escaped slash.
  package static func isDigit(_ byte: UInt8) -> Bool {
    JSONParser.isWordByte(byte) && byte != UInt8(ascii: "_") || "+/=\\".utf8.contains(byte)
  }
}

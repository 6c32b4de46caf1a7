// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension KeyMaterial {
  /// Names after which a key follows, in lower case.
  private static let names = ["privatekey", "private_key", "keypair", "key_pair"].map { Array($0.utf8) }

  /// The text with a zero byte in place of each character of a key, so that positions stay the same. Hides long runs of Base64 digits, and
  /// from the name of a key to the next closing brace everything except the punctuation. O(length).
  static func hidden(in bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    hideRuns(&result)
    hideAfterNames(&result, in: bytes)
    return result
  }

  private static func hideRuns(_ result: inout [UInt8]) {
    var start = 0
    for index in 0...result.count where index == result.count || !isDigit(result[index]) {
      if index - start >= shortest { for hidden in start..<index { result[hidden] = 0 } }
      start = index + 1
    }
  }

  private static func hideAfterNames(_ result: inout [UInt8], in bytes: [UInt8]) {
    var isHiding = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if let name = name(at: index, in: bytes) {
        for shown in index..<(index + name.count) { result[shown] = bytes[shown] }
        isHiding = true
        index += name.count
        continue
      }
      if byte == UInt8(ascii: "}") { isHiding = false }
      if isHiding, byte > 0x20, byte < 0x80, !"\":,[]{".utf8.contains(byte) { result[index] = 0 }
      index += 1
    }
  }

  private static func name(at index: Int, in bytes: [UInt8]) -> [UInt8]? {
    guard [UInt8(ascii: "p"), UInt8(ascii: "k")].contains(bytes[index] | 0x20) else { return nil }
    return names.first { name in
      bytes[index...].prefix(name.count).elementsEqual(name) { $0 == $1 || $0 | 0x20 == $1 }
    }
  }
}

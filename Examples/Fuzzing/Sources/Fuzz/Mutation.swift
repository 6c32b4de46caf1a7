// SPDX-License-Identifier: Apache-2.0
import CFuzzer
import MonetizeSimulator

/// Half of the mutations move whole JSON values, so that inputs stay readable enough to reach the rules behind the parser; the others are
/// libFuzzer's own, of bytes.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ most: Int, _ seed: UInt32) -> Int {
  var random = SplitMix64(seed: UInt64(seed))
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  guard random.next() % 2 == 0, let changed = JSONMutation.changed(bytes, &random), changed.count <= most else {
    return LLVMFuzzerMutate(data, size, most)
  }
  for (index, byte) in changed.enumerated() { data[index] = byte }
  return changed.count
}

enum JSONMutation {
  /// Values that are at the edge of what is allowed.
  private static let edges = [
    "null", "true", "false", "0", "-1", "1", "9223372036854775807", "-9223372036854775808", "1e308", "0.1", "\"\"", "[]", "{}", "\"P0D\"",
    "\"P99999Y\"", "\"9999-12-31T23:59:59Z\"", "\"0001-01-01\"", "\"99999999999999999999999999.99\"", "\"unlimited\"", "\"\\u0000\"",
  ]

  /// The bytes with one value removed, replaced by another or by an edge, or repeated behind itself; `nil` without values.
  static func changed(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    let values = values(of: bytes)
    guard let target = values.randomElement(using: &random) else { return nil }
    var result = bytes
    switch random.next() % 4 {
    case 0: result.replaceSubrange(target, with: Array(edges.randomElement(using: &random)!.utf8))
    case 1: result.replaceSubrange(target, with: bytes[values.randomElement(using: &random)!])
    case 2:
      // With the comma behind it, or the one before it.
      let after = result[target.upperBound...].firstIndex { !isSpace($0) }
      let hasComma = after.map { result[$0] == UInt8(ascii: ",") } ?? false
      result.removeSubrange(target.lowerBound..<(hasComma ? after! + 1 : target.upperBound))
    default: result.insert(contentsOf: [UInt8(ascii: ",")] + bytes[target], at: target.upperBound)
    }
    return result
  }

  /// Where strings, numbers, words, lists, objects, and members (a key with its value) are.
  private static func values(of bytes: [UInt8]) -> [Range<Int>] {
    var (found, open): ([Range<Int>], [Int]) = ([], [])
    var index = 0
    var key: Int?
    func close(_ range: Range<Int>) {
      found.append(range)
      if let start = key { found.append(start..<range.upperBound) }
      key = nil
    }
    while index < bytes.count {
      let start = index
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        index = min(index + 1, bytes.count)
        let next = bytes[index...].firstIndex { !isSpace($0) }
        if let next, bytes[next] == UInt8(ascii: ":") { key = start } else { close(start..<index) }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(start)
        (index, key) = (index + 1, nil)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        index += 1
        if let first = open.popLast() { close(first..<index) }
      case let byte where isWord(byte):
        while index < bytes.count, isWord(bytes[index]) { index += 1 }
        close(start..<index)
      default: index += 1
      }
    }
    return found
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 10 || byte == 13 || byte == 9 }

  private static func isWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(byte) || (65...90).contains(byte) || byte == 45 || byte == 43 || byte == 46
  }
}

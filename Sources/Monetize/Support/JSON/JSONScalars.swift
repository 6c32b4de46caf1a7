// SPDX-License-Identifier: Apache-2.0

import Foundation

/// From a node's bytes to Swift values. The parser has checked the grammar, so these only convert.
extension JSONStorage {
  /// The text of a string or key, escapes resolved.
  func string(_ node: Int) -> String {
    let entry = nodes[node]
    let range = Int(entry.start) + 1..<Int(entry.end) - 1
    return bytes.withUnsafeBufferPointer { buffer in
      if !entry.isFlagged { return String(decoding: UnsafeBufferPointer(rebasing: buffer[range]), as: UTF8.self) }
      return String(decoding: Self.unescaped(buffer, range), as: UTF8.self)
    }
  }

  /// Whether a key's node is this name, scalar by scalar (Swift's `==` would also match other spellings of an accented letter).
  @inline(__always) func matches(_ node: Int, _ name: UnsafeBufferPointer<UInt8>, in buffer: UnsafeBufferPointer<UInt8>) -> Bool {
    let entry = nodes[node]
    if entry.isFlagged {
      return Self.unescaped(buffer, Int(entry.start) + 1..<Int(entry.end) - 1).elementsEqual(name)
    }
    guard Int(entry.end - entry.start) - 2 == name.count else { return false }
    let start = Int(entry.start) + 1
    for index in 0..<name.count where buffer[start + index] != name[index] { return false }
    return true
  }

  private static func unescaped(_ buffer: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    func unit() -> UInt32 {
      var unit: UInt32 = 0
      for offset in 2..<6 { unit = unit << 4 | (JSONParser.hexValue(buffer[index + offset]) ?? 0) }
      return unit
    }
    while index < range.upperBound {
      guard buffer[index] == UInt8(ascii: "\\") else {
        result.append(buffer[index])
        index += 1
        continue
      }
      switch buffer[index + 1] {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        var code = unit()
        index += 4
        if code & 0xFC00 == 0xD800 {
          index += 2
          code = 0x10000 + (code & 0x3FF) << 10 + unit() & 0x3FF
          index += 4
        }
        if let scalar = UnicodeScalar(code) { result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter) }
      case let other: result.append(other)
      }
      index += 2
    }
    return result
  }

  /// A number as it is written.
  func literal(_ node: Int) -> String {
    String(decoding: bytes[Int(nodes[node].start)..<Int(nodes[node].end)], as: UTF8.self)
  }

  /// A whole number; nil when it does not fit, or has a fraction or an exponent: `2.0` and `2e0` are not whole numbers here, because what
  /// is counted is written plainly.
  func integer<T: FixedWidthInteger>(_ node: Int, as type: T.Type = T.self) -> T? {
    guard !nodes[node].isFlagged, let (isNegative, magnitude) = magnitude(node) else { return nil }
    guard isNegative else { return T(exactly: magnitude) }
    if magnitude == 1 << 63 { return T(exactly: Int64.min) }
    return Int64(exactly: magnitude).flatMap { T(exactly: -$0) }
  }

  private func magnitude(_ node: Int) -> (isNegative: Bool, UInt64)? {
    bytes.withUnsafeBufferPointer { buffer in
      var index = Int(nodes[node].start)
      let end = Int(nodes[node].end)
      let isNegative = buffer[index] == UInt8(ascii: "-")
      if isNegative { index += 1 }
      var value: UInt64 = 0
      while index < end {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt64(buffer[index] - UInt8(ascii: "0")))
        if overflow || carry { return nil }
        value = sum
        index += 1
      }
      return (isNegative, value)
    }
  }

  /// The nearest `Double`; nil when the number is too large for one, or so small that nothing would be left of it.
  func double(_ node: Int) -> Double? {
    if !nodes[node].isFlagged, let (isNegative, value) = magnitude(node), value < 1 << 53 {
      return isNegative ? -Double(value) : Double(value)
    }
    return Double(literal(node)).flatMap { isFaithful($0, node) ? $0 : nil }
  }

  /// The nearest `Float`; nil as for `double(_:)`.
  func float(_ node: Int) -> Float? {
    Float(literal(node)).flatMap { isFaithful($0, node) ? $0 : nil }
  }

  private func isFaithful(_ value: some BinaryFloatingPoint, _ node: Int) -> Bool {
    guard value.isZero else { return value.isFinite }
    let digits = bytes[Int(nodes[node].start)..<Int(nodes[node].end)].prefix { $0 | 0x20 != UInt8(ascii: "e") }
    return !digits.contains { $0 > UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
  }

  /// Exactly the decimal that is written; nil when it has more than 38 digits or an exponent that `Decimal` cannot hold.
  func decimal(_ node: Int) -> Decimal? {
    var digits: [UInt8] = []
    var exponent = 0
    var isNegative = false
    var inFraction = false
    let text = bytes[Int(nodes[node].start)..<Int(nodes[node].end)]
    var rest = text[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): inFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        let written = String(decoding: rest, as: UTF8.self)
        exponent += max(-1_000_000_000, min(1_000_000_000, Int(written) ?? (written.hasPrefix("-") ? -1_000_000_000 : 1_000_000_000)))
        rest = []
      default:
        if inFraction { exponent -= 1 }
        if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
      }
    }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty { return 0 }
    while exponent > 127, digits.count < 38 {
      digits.append(UInt8(ascii: "0"))
      exponent -= 1
    }
    guard digits.count <= 38, (-128...127).contains(exponent) else { return nil }
    guard let significand = Decimal(string: String(decoding: digits, as: UTF8.self)) else { return nil }
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
  }
}

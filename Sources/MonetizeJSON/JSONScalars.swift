// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Converts the bytes of a node to Swift values. The parser has checked the grammar already.
extension JSONDocument {
  /// The text of a string or key, with escapes resolved.
  func string(_ node: Int) -> String {
    let entry = nodes[node]
    let text = bytes[Int(entry.start) + 1..<Int(entry.end) - 1]
    return entry.isFlagged ? String(decoding: Self.unescaped(text), as: UTF8.self) : String(decoding: text, as: UTF8.self)
  }

  /// Whether a key equals a name, scalar by scalar. (Swift's `==` would also match other spellings of an accented letter.)
  @inline(__always) func matches(_ node: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let entry = nodes[node]
    if entry.isFlagged { return string(node).utf8.elementsEqual(name) }
    let start = Int(entry.start) + 1
    return Int(entry.end) - 1 - start == name.count && name.indices.allSatisfy { bytes[start + $0] == name[$0] }
  }

  /// The types that Foundation decodes specially, and numbers whose own decoding calls `decode` with the same type. A list, because
  /// checking a conformance takes longer than reading a value.
  static let foreign: [Any.Type] = {
    var types: [Any.Type] = [
      Data.self, URL.self, Decimal.self, Float.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self,
      UInt32.self, UInt64.self,
    ]
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { types += [Int128.self, UInt128.self] }
    return types
  }()

  private static func unescaped(_ buffer: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var index = buffer.startIndex
    func unit() -> UInt32 { (2..<6).reduce(0) { $0 << 4 | (JSONParser.hexValue(buffer[index + $1]) ?? 0) } }
    while index < buffer.endIndex {
      guard buffer[index] == UInt8(ascii: "\\") else {
        result.append(buffer[index])
        index += 1
        continue
      }
      let letter = buffer[index + 1]
      if letter == UInt8(ascii: "u") {
        var code = unit()
        index += 4
        if code & 0xFC00 == 0xD800 {
          index += 2
          code = 0x10000 + (code & 0x3FF) << 10 + unit() & 0x3FF
          index += 4
        }
        result += UnicodeScalar(code).map { Array(String($0).utf8) } ?? []
      } else {
        result.append(Self.controls[letter] ?? letter)
      }
      index += 2
    }
    return result
  }

  private static let controls: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  func literal(_ node: Int) -> String {
    String(decoding: bytes[Int(nodes[node].start)..<Int(nodes[node].end)], as: UTF8.self)
  }

  /// A whole number; `nil` when it does not fit, or has a fraction or an exponent: `2.0` and `2e0` are not accepted, because counts are
  /// written plainly.
  func integer<T: FixedWidthInteger>(_ node: Int, as type: T.Type = T.self) -> T? { nodes[node].isFlagged ? nil : T(literal(node)) }

  /// The nearest `Double` or `Float`; `nil` when the number overflows or underflows.
  func real<T: BinaryFloatingPoint & LosslessStringConvertible>(_ node: Int, as type: T.Type = T.self) -> T? {
    let text = literal(node)
    guard let value = T(text), value.isFinite else { return nil }
    let significand = text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    let isZero = !significand.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
    return value.isZero == isZero ? value : nil
  }

  /// The nearest `Double`, as `real`. A number with at most 19 digits and no exponent is a whole number divided by a power of ten. Their
  /// quotient has at least 63 bits. Its last bit is set if there is a remainder, so that the quotient is rounded once: to the nearest value.
  func double(_ node: Int) -> Double? {
    var (digits, value, places, isFraction) = (0, 0 as UInt64, 0, false)
    let text = bytes[Int(nodes[node].start)..<Int(nodes[node].end)]
    let sign = text.first == UInt8(ascii: "-") ? FloatingPointSign.minus : .plus
    for byte in sign == .minus ? text.dropFirst() : text {
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      digits += 1
      guard digits <= 19, JSONParser.isDigit(byte) else { return real(node, as: Double.self) }
      value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
      if isFraction { places += 1 }
    }
    let (power, up, down) = (Self.powers[places], value.leadingZeroBitCount, Self.powers[places].leadingZeroBitCount)
    if value == 0 { return sign == .minus ? -0.0 : 0 }
    let (quotient, rest) = (power << down).dividingFullWidth(((value << up) >> 1, (value << up) << 63))
    return Double(sign: sign, exponent: down - up - 63, significand: Double(rest == 0 ? quotient : quotient | 1))
  }

  private static let powers: [UInt64] = (0...19).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

  /// The exact decimal; `nil` when it has more than 38 digits or an exponent that `Decimal` cannot hold.
  func decimal(_ node: Int) -> Decimal? {
    let parts = literal(node).lowercased().split(separator: "e")
    let fraction = parts[0].drop { $0 != "." }.dropFirst()
    let written = parts[0].filter(\.isNumber).drop { $0 == "0" }
    let digits = String(written.reversed().drop { $0 == "0" }.reversed())
    if digits.isEmpty { return 0 }
    guard let exponent = parts.count < 2 ? 0 : Int(parts[1]), abs(exponent) < 1000, digits.count <= 38 else { return nil }
    let scale = exponent - fraction.count + written.count - digits.count
    guard (-128...127).contains(scale), let significand = Decimal(string: digits) else { return nil }
    return Decimal(sign: parts[0].hasPrefix("-") ? .minus : .plus, exponent: scale, significand: significand)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// SHA-256 (FIPS 180-4) and HMAC with it (RFC 2104), because Linux has no cryptography without a dependency. Checked with the published
/// vectors.
enum SHA256 {
  private static let rounds: [UInt32] = fractions(of: 64, root: 3)
  private static let start: [UInt32] = fractions(of: 8, root: 2)

  /// The first 32 bits of the fractional parts of the square or cube roots of the first primes, in whole numbers.
  private static func fractions(of count: Int, root: Int) -> [UInt32] {
    let primes = (2...311).filter { number in (2..<number).allSatisfy { number % $0 != 0 } }
    return primes.prefix(count).map { prime in
      // The largest x with x ^ root < prime · 2 ^ (32 · root), bit by bit: x has at most 36 bits.
      var found: UInt64 = 0
      for bit in (0..<36).reversed() where isAtMost(found | 1 << UInt64(bit), root, prime) { found |= 1 << UInt64(bit) }
      return UInt32(truncatingIfNeeded: found)
    }
  }

  /// Whether x ^ root < prime · 2 ^ (32 · root). Compares only the bits from 2 ^ 64 on, because no root of a prime is a fraction.
  private static func isAtMost(_ x: UInt64, _ root: Int, _ prime: Int) -> Bool {
    let square = x.multipliedFullWidth(by: x)
    if root == 2 { return square.high < UInt64(prime) }
    return square.low.multipliedFullWidth(by: x).high + square.high * x < UInt64(prime) << 32
  }

  static func hash(_ message: some Sequence<UInt8>) -> [UInt8] {
    var bytes = Array(message)
    let length = UInt64(bytes.count) * 8
    bytes.append(0x80)
    bytes += Array(repeating: 0, count: (120 - bytes.count % 64) % 64)
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * UInt64($0))) }
    var state = start
    var words = Array(repeating: 0 as UInt32, count: 64)
    bytes.withUnsafeBufferPointer { bytes in
      for block in stride(from: 0, to: bytes.count, by: 64) {
        for index in 0..<16 {
          words[index] = (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[block + 4 * index + $1]) }
        }
        compress(&state, &words)
      }
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
  }

  private static func compress(_ state: inout [UInt32], _ words: inout [UInt32]) {
    func turn(_ word: UInt32, _ by: UInt32) -> UInt32 { word >> by | word << (32 - by) }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      words[index] =
        words[index - 16] &+ (turn(early, 7) ^ turn(early, 18) ^ early >> 3) &+ words[index - 7]
        &+ (turn(late, 17) ^ turn(late, 19) ^ late >> 10)
    }
    var (a, b, c, d, e, f, g, h) = (state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let first = h &+ (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) &+ (e & f ^ ~e & g) &+ rounds[index] &+ words[index]
      let second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }

  static func code(_ message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
    let short = key.count > 64 ? hash(key) : key
    let padded = short + Array(repeating: 0, count: 64 - short.count)
    return hash(padded.map { $0 ^ 0x5c } + hash(padded.map { $0 ^ 0x36 } + message))
  }
}

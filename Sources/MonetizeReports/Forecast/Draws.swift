// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator

/// Random draws of a forecast, the same for one seed on every machine.
struct Draws: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// 64 random bits.
  mutating func next() -> UInt64 { generator.next() }

  /// Draws how many of a number of customers do something that each does with the same chance.
  ///
  /// Draws 64 customers at once. Each has a random number. A round compares one bit of it with the chance, the highest first, and the first
  /// different bit decides. After about eight rounds all are decided.
  mutating func count(of customers: Int, chance: Double) -> Int {
    if chance >= 1 { return max(0, customers) }
    guard customers > 0, chance > 0 else { return 0 }
    let threshold = UInt64(chance * 0x1p63) << 1
    var (sum, left) = (0, customers)
    while left > 0 {
      var (open, below) = (left >= 64 ? UInt64.max : (1 << UInt64(left)) - 1, 0 as UInt64)
      var bit: UInt64 = 1 << 63
      while open != 0, bit != 0 {
        let round = next()
        if threshold & bit != 0 {
          below |= open & ~round
          open &= round
        } else {
          open &= ~round
        }
        bit >>= 1
      }
      sum += below.nonzeroBitCount
      left -= 64
    }
    return sum
  }

  /// A draw from a standard normal distribution.
  mutating func normal() -> Double {
    let (a, b) = (Double.random(in: Double.leastNonzeroMagnitude..<1, using: &self), Double.random(in: 0..<1, using: &self))
    return (-2 * log(a)).squareRoot() * cos(2 * .pi * b)
  }
}

extension RetentionCurve {
  /// Draws how many of a number of subscribers are left after each renewal from 0 to `renewals`: one draw for each of them at each renewal.
  public func drawn(_ subscribers: Int, through renewals: Int, seed: UInt64) -> [Int] {
    var draws = Draws(seed: seed)
    return drawn(subscribers, through: renewals, &draws)
  }

  func drawn(_ subscribers: Int, through renewals: Int, _ draws: inout Draws) -> [Int] {
    var left = [subscribers]
    for renewal in stride(from: 1, through: renewals, by: 1) {
      left.append(draws.count(of: left[renewal - 1], chance: retention(at: renewal)))
    }
    return left
  }

  /// A varied curve, for bands: moves the logarithm of `alpha` by a normal draw with a spread of one half. For monthly plans that results
  /// in the published quartiles of apps, 5 and 19 % after a year.
  func varied(_ draws: inout Draws) -> RetentionCurve {
    var curve = RetentionCurve(alpha: alpha * exp(draws.normal() / 2), beta: beta) ?? self
    curve.most = most
    return curve
  }
}

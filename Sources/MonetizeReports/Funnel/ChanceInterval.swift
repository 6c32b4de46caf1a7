// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The values that a measurement leaves open: in 95 of 100 samples, such an interval contains the value of all customers.
struct ChanceInterval: Sendable, Hashable {
  let low: Decimal
  let high: Decimal

  /// How many standard deviations around the mean contain 95 % of a normal distribution.
  private static let deviations = 1.959964

  /// Of a share, from 0 to 1. Wilson's score interval, which also holds for few customers and for shares near 0.
  /// - Parameter whole: At least 1.
  init(part: Int, of whole: Int) {
    let (share, count, z) = (Double(part) / Double(whole), Double(whole), Self.deviations)
    let middle = share + z * z / (2 * count)
    let half = z * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
    let scale = 1 + z * z / count
    (low, high) = (Self.decimal(max(0, (middle - half) / scale)), Self.decimal(min(1, (middle + half) / scale)))
  }

  /// Of the mean of amounts, by the normal distribution.
  ///
  /// `nil` for fewer than ten amounts other than 0: the distribution of their mean is not near a normal one.
  /// - Parameters:
  ///   - amounts: The amounts, at least 0.
  ///   - zeros: The number of other amounts, which are 0.
  init?(meanOf amounts: [Decimal], zeros: Int) {
    guard amounts.count >= 10 else { return nil }
    let values = amounts.map(\.double)
    let count = Double(values.count + zeros)
    let mean = values.reduce(0, +) / count
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } + Double(zeros) * mean * mean
    let half = Self.deviations * (squares / (count - 1) / count).squareRoot()
    (low, high) = (Self.decimal(max(0, mean - half)), Self.decimal(mean + half))
  }

  /// The smallest higher share in one part that shows, if the share in another part is this one: in 80 of 100 samples, a test of the two shares
  /// finds the difference at a level of 5 %. `nil` when no share up to 1 shows.
  /// - Parameters:
  ///   - share: The share, above 0 and below 1.
  ///   - counts: The numbers of customers of both parts, at least 1.
  static func smallestVisible(above share: Double, in counts: (Int, Int)) -> Decimal? {
    // The variance of the higher share is larger, so the difference is found step by step.
    var higher = share
    for _ in 0..<20 {
      let variances = share * (1 - share) / Double(counts.0) + higher * (1 - higher) / Double(counts.1)
      higher = share + (deviations + 0.841621) * variances.squareRoot()
      if higher >= 1 { return nil }
    }
    return decimal(higher)
  }

  private static func decimal(_ value: Double) -> Decimal { Decimal((value * 1_000_000).rounded()) / 1_000_000 }

  /// Whether counts can come from these weights: false if chance alone gives a larger difference in fewer than one of 1,000 samples. By the
  /// chi-squared test, with the quantile of Wilson and Hilferty. True for fewer than five expected in a part, where the test does not hold.
  static func isLikely(_ counts: [Int], weights: [Double]) -> Bool {
    let (all, whole) = (Double(counts.reduce(0, +)), weights.reduce(0, +))
    let parts = zip(counts, weights).map { (count: Double($0), expected: whole > 0 ? all * $1 / whole : 0) }.filter { $0.expected > 0 }
    guard parts.count > 1, parts.allSatisfy({ $0.expected >= 5 }) else { return true }
    let distance = parts.reduce(0) { $0 + ($1.count - $1.expected) * ($1.count - $1.expected) / $1.expected }
    let freedom = Double(parts.count - 1)
    let root = 1 - 2 / (9 * freedom) + 3.090232 * (2 / (9 * freedom)).squareRoot()
    return distance <= freedom * root * root * root
  }
}

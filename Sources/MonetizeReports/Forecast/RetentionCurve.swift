// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How many subscribers are left after each renewal: a shifted beta-geometric curve (Fader and Hardie 2007).
///
/// Each subscriber has a chance of cancelling at every renewal, and the chances have a beta distribution. Subscribers with a high chance
/// cancel first, so retention rises with time. A constant churn, as in spreadsheets, is wrong by a factor of 4 to 200 after a year.
public struct RetentionCurve: Sendable, Hashable {
  /// The parameter that raises cancellations. Above 0.
  public let alpha: Double
  /// The parameter that raises retention. Above 0.
  public let beta: Double
  /// The largest share that renews: where more payments than others leave are refunded, fewer renew.
  var most = 1.0

  /// Makes a curve from its parameters; `nil` unless both are above 0 and finite.
  public init?(alpha: Double, beta: Double) {
    guard alpha > 0, beta > 0, alpha.isFinite, beta.isFinite else { return nil }
    (self.alpha, self.beta) = (alpha, beta)
  }

  private init(_ alpha: Double, _ beta: Double) { (self.alpha, self.beta) = (alpha, beta) }

  /// The curve for weekly plans, fitted to published medians of the first to third renewals (44.3, 71.0 and 79.2 %). These are medians over
  /// apps and not one cohort, so use them as first guesses.
  public static let weekly = RetentionCurve(0.6308, 0.5026)
  /// The curve for monthly plans (53.2, 70.8 and 77.4 %). It leaves 10.8 % after a year; the published value is 11 %.
  public static let monthly = RetentionCurve(0.8258, 0.9418)
  /// The curve for yearly plans (25.2, 50.0 and 62.5 %).
  public static let yearly = RetentionCurve(1.5064, 0.5075)

  /// The first guess for a plan with a period of this many days.
  public static func usual(periodInDays days: Int) -> RetentionCurve { days < 20 ? weekly : days < 200 ? monthly : yearly }

  /// The share of subscribers after `renewal` - 1 renewals who renew once more. `renewal` counts from 1.
  public func retention(at renewal: Int) -> Double {
    min(most, (beta + Double(renewal) - 1) / (alpha + beta + Double(renewal) - 1))
  }

  /// The share that is left after each number of renewals from 0 to `renewals`. O(renewals).
  public func survival(through renewals: Int) -> [Double] {
    var left = [1.0]
    for renewal in stride(from: 1, through: renewals, by: 1) { left.append(left[renewal - 1] * retention(at: renewal)) }
    return left
  }

  /// The number of periods that a subscriber is expected to pay after a number of renewals. Each later period counts less by the discount
  /// rate, 0.1 for 10 % per period. Infinite without a discount.
  public func expectedPeriods(after renewals: Int, discount: Double) -> Double {
    guard discount > 0 else { return .infinity }
    var (sum, left, factor) = (0.0, 1.0, 1.0)
    for renewal in (renewals + 1)... {
      left *= retention(at: renewal)
      let term = left * factor
      sum += term
      factor /= 1 + discount
      if term < 1e-12 { break }
    }
    return sum
  }

  /// The mean log-likelihood per customer of survivors after 1, 2, … renewals.
  public func likelihood(of survivors: [Double]) -> Double {
    let expected = survival(through: survivors.count)
    var sum = (survivors.last ?? 1) * log(expected[survivors.count])
    for (index, left) in survivors.enumerated() {
      let before = index == 0 ? 1 : survivors[index - 1]
      sum += (before - left) * log(expected[index] - expected[index + 1])
    }
    return sum
  }

  /// The most likely curve for survivors after 1, 2, … renewals, as shares of the first subscribers. `nil` unless there are two or more,
  /// each between 0 and the one before.
  public init?(fitting survivors: [Double]) {
    let pairs = zip([1] + survivors, survivors)
    guard survivors.count >= 2, pairs.allSatisfy({ $0 > $1 && $1 > 0 }) else { return nil }
    // Searches over logarithms in steps. The likelihood has one maximum, so no derivative is needed.
    var (best, step) = ((a: 0.0, b: 0.0), 1.0)
    func likelihood(_ a: Double, _ b: Double) -> Double { RetentionCurve(exp(a), exp(b)).likelihood(of: survivors) }
    var top = likelihood(best.a, best.b)
    while step > 1e-9 {
      let around = [(step, 0), (-step, 0), (0, step), (0, -step), (step, step), (-step, -step), (step, -step), (-step, step)]
      let next = around.map { (a: best.a + $0.0, b: best.b + $0.1) }.map { ($0, likelihood($0.a, $0.b)) }.max { $0.1 < $1.1 }
      if let next, next.1 > top, abs(next.0.a) < 12, abs(next.0.b) < 12 { (best, top) = (next.0, next.1) } else { step /= 2 }
    }
    self.init(exp(best.a), exp(best.b))
  }
}

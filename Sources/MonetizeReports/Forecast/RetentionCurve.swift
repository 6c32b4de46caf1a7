// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How many subscribers are left after each renewal: a shifted beta-geometric curve (Fader and Hardie 2007).
///
/// Each subscriber gives up with a chance of their own at every renewal, and the chances are spread by a beta distribution: those who give up
/// easily go first, so that retention rises with time. A constant churn, which spreadsheets use, is wrong by 4 to 200 times after a year.
public struct RetentionCurve: Sendable, Hashable {
  /// The shape that makes subscribers give up. Above 0.
  public let alpha: Double
  /// The shape that makes them stay. Above 0.
  public let beta: Double

  /// Makes a curve from its shapes; `nil` unless both are above 0 and finite.
  public init?(alpha: Double, beta: Double) {
    guard alpha > 0, beta > 0, alpha.isFinite, beta.isFinite else { return nil }
    (self.alpha, self.beta) = (alpha, beta)
  }

  private init(_ alpha: Double, _ beta: Double) { (self.alpha, self.beta) = (alpha, beta) }

  /// Fitted to published medians of first to third renewals (44.3, 71.0 and 79.2 % of weekly plans). Medians over apps and not one cohort: use
  /// them as first guesses.
  public static let weekly = RetentionCurve(0.6308, 0.5026)
  /// The same for monthly plans (53.2, 70.8 and 77.4 %). It leaves 10.8 % after a year, where 11 % are published.
  public static let monthly = RetentionCurve(0.8258, 0.9418)
  /// The same for yearly plans (25.2, 50.0 and 62.5 %).
  public static let yearly = RetentionCurve(1.5064, 0.5075)

  /// The first guess for a plan of a period of so many days.
  public static func usual(periodInDays days: Int) -> RetentionCurve { days < 20 ? weekly : days < 200 ? monthly : yearly }

  /// The share that renews for the `renewal`-th time, counted from 1, of those who renewed each time before.
  public func retention(at renewal: Int) -> Double { (beta + Double(renewal) - 1) / (alpha + beta + Double(renewal) - 1) }

  /// The share that is left after each number of renewals from 0 to `renewals`. O(renewals).
  public func survival(through renewals: Int) -> [Double] {
    var left = [1.0]
    for renewal in stride(from: 1, through: renewals, by: 1) { left.append(left[renewal - 1] * retention(at: renewal)) }
    return left
  }

  /// The periods that a subscriber is still expected to pay after so many renewals, from the next one on, each later one worth less by a rate
  /// of discount: 0.1 for 10 % a period. Summed until nothing is added any more; infinite without a discount.
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

  /// The mean log-likelihood, a customer, of survivors after 1, 2, … renewals.
  public func likelihood(of survivors: [Double]) -> Double {
    let expected = survival(through: survivors.count)
    var sum = (survivors.last ?? 1) * log(expected[survivors.count])
    for (index, left) in survivors.enumerated() {
      let before = index == 0 ? 1 : survivors[index - 1]
      sum += (before - left) * log(expected[index] - expected[index + 1])
    }
    return sum
  }

  /// The most likely curve for survivors after 1, 2, … renewals, as shares of those who began. `nil` unless there are two or more, each
  /// between 0 and the one before.
  public init?(fitting survivors: [Double]) {
    let pairs = zip([1] + survivors, survivors)
    guard survivors.count >= 2, pairs.allSatisfy({ $0 > $1 && $1 > 0 }) else { return nil }
    // A pattern search over logarithms: the likelihood has one top, and no derivative is needed.
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

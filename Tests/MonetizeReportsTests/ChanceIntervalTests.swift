// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@testable import MonetizeReports

/// What chance leaves open about a measured figure.
@Suite("Chance", .timeLimit(.minutes(30)))
struct ChanceIntervalTests {
  @Test(
    "The interval of a share is Wilson's: within 0 to 1, and of some width for no customer and for all",
    arguments: [
      (0, 10, "0", "0.277533"), (10, 10, "0.722467", "1"), (50, 100, "0.403832", "0.596168"), (1, 1, "0.206549", "1"),
      (21, 1000, "0.013776", "0.03189"), (263, 10_000, "0.023341", "0.029623"),
    ])
  func shares(part: Int, whole: Int, low: String, high: String) {
    let interval = ChanceInterval(part: part, of: whole)
    #expect("\(interval.low)" == low && "\(interval.high)" == high)
  }

  @Test("In 95 of 100 samples the interval contains the share and the mean of all customers") func coverage() {
    var random = SplitMix64(seed: 4)
    var (shares, means, all) = (0, 0, 0)
    for _ in 0..<2000 {
      let chance = Double.random(in: 0.02...0.2, using: &random)
      var paid: [Decimal] = []
      for _ in 0..<1000 where Double.random(in: 0..<1, using: &random) < chance { paid.append(Bool.random(using: &random) ? 3 : 5) }
      guard paid.count >= 10 else { continue }
      all += 1
      let share = ChanceInterval(part: paid.count, of: 1000)
      if share.low.double <= chance && chance <= share.high.double { shares += 1 }
      if let mean = ChanceInterval(meanOf: paid, zeros: 1000 - paid.count), mean.low.double <= chance * 4, chance * 4 <= mean.high.double {
        means += 1
      }
    }
    #expect(abs(Double(shares) / Double(all) - 0.95) < 0.02, "\(shares) of \(all)")
    #expect(abs(Double(means) / Double(all) - 0.95) < 0.02, "\(means) of \(all)")
  }

  @Test("A difference from the smallest visible one on is found in 80 of 100 samples", arguments: [(0.021, 2000, 2000), (0.1, 500, 900)])
  func visible(share: Double, one: Int, other: Int) throws {
    let higher = try #require(ChanceInterval.smallestVisible(above: share, in: (one, other))).double
    var random = SplitMix64(seed: 8)
    func sample(_ count: Int, _ chance: Double) -> Double {
      Double((0..<count).count { _ in Double.random(in: 0..<1, using: &random) < chance }) / Double(count)
    }
    let found = (0..<1500).count { _ in
      let (a, b) = (sample(one, share), sample(other, higher))
      let both = (a * Double(one) + b * Double(other)) / Double(one + other)
      return abs(a - b) > 1.96 * (both * (1 - both) * (1 / Double(one) + 1 / Double(other))).squareRoot()
    }
    #expect(abs(Double(found) / 1500 - 0.8) < 0.05, "\(found) of 1500")
    #expect(ChanceInterval.smallestVisible(above: 0.5, in: (3, 3)) == nil)
  }

  @Test("The mean of fewer than ten amounts has no interval; equal amounts of all customers leave nothing open") func means() {
    #expect(ChanceInterval(meanOf: Array(repeating: 3, count: 9), zeros: 1000) == nil)
    let equal = ChanceInterval(meanOf: Array(repeating: 3, count: 10), zeros: 0)
    #expect(equal?.low == 3 && equal?.high == 3)
  }

  @Test(
    "Counts do not fit the weights if chance does that in fewer than one of 1,000 samples",
    arguments: [
      ([500, 500], [0.5, 0.5], true), ([550, 450], [0.5, 0.5], true), ([555, 445], [0.5, 0.5], false), ([900, 100], [0.9, 0.1], true),
      ([860, 140], [0.9, 0.1], false), ([340, 330, 330], [1, 1, 1], true), ([400, 300, 300], [1, 1, 1], false),
      ([9, 0], [0.5, 0.5], true),
      ([0, 0], [0.5, 0.5], true), ([1000], [1], true), ([1000, 0], [1, 0], true), ([0, 100], [0.5, 0.5], false),
    ] as [([Int], [Double], Bool)])
  func weights(counts: [Int], weights: [Double], isLikely: Bool) {
    #expect(ChanceInterval.isLikely(counts, weights: weights) == isLikely)
  }

  @Test("Both ends of an interval have the same decimals") func decimals() throws {
    func text(_ amounts: [Decimal], _ zeros: Int) throws -> String {
      FunnelRows.Cell.amounts(try #require(ChanceInterval(meanOf: amounts, zeros: zeros)), "USD").text
    }
    let paid = Array(repeating: Decimal(5), count: 20)
    #expect(try text(paid, 100) == "0.50 to 1.17 USD" && text(paid, 1000) == "0.0555 to 0.1406 USD")
  }
}

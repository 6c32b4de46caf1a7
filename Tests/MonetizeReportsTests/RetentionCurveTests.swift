// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import MonetizeReports

/// The published cases of the shifted beta-geometric model (Fader and Hardie 2007), recomputed in `app-store-rules.md` section D.1.
@Suite("Retention curve")
struct RetentionCurveTests {
  static let highEnd = [0.869, 0.743, 0.653, 0.593, 0.551, 0.517, 0.491]
  static let regular = [0.631, 0.468, 0.382, 0.326, 0.289, 0.262, 0.241]

  private func isNear(_ value: Double, _ expected: Double, _ tolerance: Double) -> Bool { abs(value - expected) <= tolerance }

  @Test("The published cohorts are fitted to the published shapes") func fitting() throws {
    let high = try #require(RetentionCurve(fitting: Self.highEnd))
    #expect(isNear(high.alpha, 0.66809, 5e-5) && isNear(high.beta, 3.80609, 5e-5), "\(high)")
    #expect(isNear(high.likelihood(of: Self.highEnd), -1.61116, 5e-6))
    let regular = try #require(RetentionCurve(fitting: Self.regular))
    #expect(isNear(regular.alpha, 0.70408, 5e-5) && isNear(regular.beta, 1.18204, 5e-5), "\(regular)")
  }

  @Test("The periods that were held out of the fit are forecast as published") func heldOut() throws {
    let curve = try #require(RetentionCurve(alpha: 0.66809, beta: 3.80609))
    let left = curve.survival(through: 12)
    for (renewal, expected) in zip(8...12, [0.460, 0.436, 0.414, 0.395, 0.378]) { #expect(isNear(left[renewal], expected, 0.0006)) }
    #expect(isNear(curve.expectedPeriods(after: 7, discount: 0.1), 7.52962, 5e-6))
  }

  @Test("The first guesses give the published shares after a year and a third renewal") func usual() {
    #expect(isNear(RetentionCurve.monthly.survival(through: 12)[12], 0.108, 0.0005))
    #expect(isNear(RetentionCurve.weekly.survival(through: 52)[52], 0.044, 0.0005))
    #expect(isNear(RetentionCurve.weekly.retention(at: 3), 0.799, 0.0005))
    #expect(isNear(RetentionCurve.yearly.retention(at: 1), 0.252, 0.0005))
    let lengths = [7, 19, 20, 30, 92, 183, 199, 200, 365].map { RetentionCurve.usual(periodInDays: $0).alpha }
    #expect(lengths == [0.6308, 0.6308] + Array(repeating: 0.8258, count: 5) + [1.5064, 1.5064])
  }

  @Test("What is no cohort makes no curve") func refused() {
    #expect(RetentionCurve(fitting: [0.5]) == nil)
    #expect(RetentionCurve(fitting: [0.5, 0.6]) == nil)
    #expect(RetentionCurve(fitting: [0.5, 0]) == nil)
    #expect(RetentionCurve(fitting: [1.5, 0.5]) == nil)
    #expect(RetentionCurve(fitting: [0.5, 0.4]) != nil)
    for (alpha, beta) in [(0, 1), (1, 0), (-1, 1), (1, -1), (.infinity, 1), (1, .nan)] as [(Double, Double)] {
      #expect(RetentionCurve(alpha: alpha, beta: beta) == nil)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Assigns a unit (an installation or an account) to an arm of an experiment or to the share of a rollout: the same one in every process,
/// on every platform, for ever, and independently for each seed. Uses no random generator and no server.
///
/// The hash is GrowthBook's, so that a team's other platforms get the same result: version 2 for arms and rollouts, version 1 for
/// namespaces. A test checks its published cases. They hold for ASCII texts, such as ids and seeds; implementations read other texts
/// differently.
public enum Assignment: Sendable {
  /// The two published versions of the hash.
  public enum HashVersion: Int, Sendable, CaseIterable {
    /// In steps of a thousandth. Similar seeds give similar buckets.
    case one = 1
    /// In steps of a ten-thousandth, without that bias.
    case two
  }

  /// The bucket of a unit, from 0 up to and not including 1.
  public static func bucket(of unit: String, seed: String, version: HashVersion = .two) -> Double {
    switch version {
    case .one: Double(fnv1a32(unit + seed) % 1000) / 1000
    case .two: Double(fnv1a32(String(fnv1a32(seed + unit))) % 10_000) / 10_000
    }
  }

  /// The range of buckets of each arm. Each range begins at the sum of the weights before it, and is as long as its weight times the
  /// coverage. A larger coverage adds units and moves none.
  /// - Parameters:
  ///   - weights: The share of each arm. Missing shares, or shares whose sum is not 1 within a hundredth, are replaced by equal ones.
  ///   - arms: The number of arms.
  ///   - coverage: The share of units that takes part, clamped to 0...1.
  public static func bucketRanges(of weights: [Double]?, arms: Int, coverage: Double) -> [Range<Double>] {
    let coverage = min(max(coverage, 0), 1)
    var shares = weights ?? []
    if shares.count != arms || abs(shares.reduce(0, +) - 1) > 0.01 {
      shares = Array(repeating: 1 / Double(max(arms, 1)), count: max(arms, 0))
    }
    var start = 0.0
    return shares.map { share in
      defer { start += share }
      return start..<max(start, start + coverage * share)
    }
  }

  /// The arm of a bucket; `nil` for none.
  public static func arm(at bucket: Double, in ranges: [Range<Double>]) -> Int? { ranges.firstIndex { $0.contains(bucket) } }

  /// Whether a unit belongs to a part of a namespace. Experiments in separate parts never share a unit.
  public static func includes(_ unit: String, namespace: String, part: Range<Double>) -> Bool {
    part.contains(bucket(of: unit, seed: "__" + namespace, version: .one))
  }

  /// Whether a unit belongs to the first `percent` of a rollout. A unit that belongs to 10 % belongs to 20 % as well.
  public static func includes(_ unit: String, in rollout: String, percent: Double) -> Bool {
    bucket(of: unit, seed: rollout) < percent / 100
  }
}

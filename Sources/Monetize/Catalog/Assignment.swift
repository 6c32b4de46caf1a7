// SPDX-License-Identifier: Apache-2.0

/// Assigns a unit (a device, an account) to one of 10,000 buckets of an experiment or a rollout. The bucket is the same in every process,
/// on every platform and at any time, and independent for each experiment. Needs no random generator and no server.
public enum Assignment: Sendable {
  /// The bucket, from 0 to 9,999.
  public static func bucket(of unit: String, in experiment: String) -> Int {
    // FNV-1a over both texts with an unambiguous separator. A finisher spreads its weak low bits.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in "\(experiment.utf8.count):\(experiment):\(unit)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    hash ^= hash >> 31
    return Int(hash % 10_000)
  }

  /// Whether a unit belongs to the first `percent` of an experiment. A unit in the first 10 % is also in the first 20 %.
  public static func includes(_ unit: String, in experiment: String, percent: Double) -> Bool {
    Double(bucket(of: unit, in: experiment)) < percent * 100
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The coins of one puzzle during play: a running total that stops at 0. A bad start does no lasting harm, and a puzzle can never take
/// earlier coins away.
///
/// The puzzle clamps its total, not the wallet: a clamped wallet would make spending wrong.
public struct CoinTally: Sendable, Hashable {
  /// The total that is shown, and paid out at the end. At least 0.
  public private(set) var coins = 0

  /// Nothing earned yet.
  public init() {}

  /// Adds or takes coins; the total stops at 0.
  public mutating func add(_ delta: Int) { coins = max(0, coins + delta) }
}

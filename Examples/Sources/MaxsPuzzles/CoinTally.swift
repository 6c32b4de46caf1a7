// SPDX-License-Identifier: Apache-2.0

/// The coins of one puzzle while it is played: a running total that stops at 0, so that a bad start is forgiven and a puzzle can never
/// take coins away that were there before.
///
/// The clamp is the puzzle's and not the wallet's: a wallet that was clamped would let spending go wrong.
public struct CoinTally: Sendable, Hashable {
  /// What is shown, and paid out at the end. At least 0.
  public private(set) var coins = 0

  /// Nothing earned yet.
  public init() {}

  /// Adds or takes coins; the total stops at 0.
  public mutating func add(_ delta: Int) { coins = max(0, coins + delta) }
}

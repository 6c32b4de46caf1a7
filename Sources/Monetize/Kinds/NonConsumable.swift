// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Bought once, owned for ever unless the store takes it back: a pack, an unlock.
public struct NonConsumable: ProductKind {
  /// `nonConsumable`.
  public static let name = "nonConsumable"

  /// Makes the kind; it has no parameters.
  public init() {}

  /// Owned when there is any valid transaction. A purchase dated ahead of this clock counts: the store's word beats the clock.
  public func ownership(from history: ProductHistory, at now: Date) -> Ownership {
    .latest(of: history.transactions.map { .forever.since($0.purchaseDate) }, at: now)
  }
}

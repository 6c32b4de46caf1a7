// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A product that is bought once and owned for ever unless the store revokes it: a pack, an unlock.
public struct NonConsumable: ProductKind {
  /// `nonConsumable`.
  public static let name = "nonConsumable"

  /// Makes the kind, which has no parameters.
  public init() {}

  /// Owned when there is any valid transaction. A purchase dated ahead of the device clock counts: the store's date decides.
  public func ownership(from history: ProductHistory, at now: Date) -> Ownership {
    .latest(of: history.transactions.map { .forever.since($0.purchaseDate) }, at: now)
  }
}

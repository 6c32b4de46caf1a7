// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A purchase that waits for somebody else: Ask to Buy, a bank's confirmation. It grants nothing and is no failure.
///
/// Nothing tells an app that a request was declined, so a pending purchase also ends by itself (`lapses`).
public struct PendingPurchase: MergingFact {
  /// What is waited for.
  public var productID: ProductID
  /// When the wait began.
  public var since: Date
  /// From when nobody waits any more.
  public var lapses: Date
  /// Whether it still waits; `false` once it was approved or replaced.
  public var isOpen: Bool
  /// Counted up by the device that made the purchase.
  public var revision: Revision

  /// Makes a pending purchase.
  public init(productID: ProductID, since: Date, lapses: Date, isOpen: Bool = true, revision: Revision) {
    self.productID = productID
    self.since = since
    self.lapses = lapses
    self.isOpen = isOpen
    self.revision = revision
  }

  /// One wait a product.
  public var key: ProductID { productID }

  /// The later word wins; within one the end does.
  public func merged(with other: Self) -> Self {
    if revision != other.revision { return revision < other.revision ? other : self }
    if isOpen != other.isOpen { return isOpen ? other : self }
    return self == other ? self : canonicalWinner(self, other)
  }

  /// Whether the purchase still waits at `now`.
  public func isWaiting(at now: Date) -> Bool { isOpen && now < lapses }
}

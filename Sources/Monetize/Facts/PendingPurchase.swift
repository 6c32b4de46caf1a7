// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A purchase that waits for approval, such as Ask to Buy or a bank's confirmation. It grants nothing and is not a failure.
///
/// The store does not report a declined request, so a pending purchase also ends by itself (`lapses`).
public struct PendingPurchase: MergingFact, RevisedFact {
  /// The requested product.
  public var productID: ProductID
  /// When the wait began.
  public var since: Date
  /// When the wait ends without an answer.
  public var lapses: Date
  /// Whether it still waits; `false` after it was approved or replaced.
  public var isOpen: Bool
  /// The revision, raised by the device that made the purchase.
  public var revision: Revision

  /// Makes a pending purchase.
  public init(productID: ProductID, since: Date, lapses: Date, isOpen: Bool = true, revision: Revision) {
    self.productID = productID
    self.since = since
    self.lapses = lapses
    self.isOpen = isOpen
    self.revision = revision
  }

  /// One pending purchase per product.
  public var key: ProductID { productID }

  /// The later revision wins. Within one revision, the end of the wait wins.
  public func merged(with other: Self) -> Self { later(other, orIf: { !$0.isOpen }) }
}

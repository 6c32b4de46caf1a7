// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What everyone has, always. It stands in the catalog's `freeTier` and not among the products: nothing is sold.
public struct FreeTier: ProductKind {
  /// `freeTier`.
  public static let name = "freeTier"
  /// Not sold.
  public static let storeType = StoreProductType.none

  /// Makes the kind; it has no parameters.
  public init() {}

  /// Always owned.
  public func ownership(from history: ProductHistory, at now: Date) -> Ownership { .forever }
}

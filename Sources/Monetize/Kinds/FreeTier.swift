// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Access for every customer. The catalog has it in `freeTier` rather than among the products, because it is not sold.
public struct FreeTier: ProductKind {
  /// `freeTier`.
  public static let name = "freeTier"
  /// `none`.
  public static let storeType = StoreProductType.none

  /// Makes the kind, which has no parameters.
  public init() {}

  /// Always owned.
  public func ownership(from history: ProductHistory, at now: Date) -> Ownership { .forever }
}

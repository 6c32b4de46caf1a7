// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Credits that are bought, used up and bought again, such as "10 more stories".
///
/// Source: StoreKit `Product.ProductType.consumable`. Never owned; grants nothing. Its credits add up over the transactions
/// (``CatalogProduct/credits``), and the covered amounts over the uses (``Use/credits``). Credits do not expire (App Review guideline
/// 3.1.1).
public struct Consumable: ProductKind {
  /// `consumable`.
  public static let name = "consumable"
  /// `consumable`.
  public static let storeType = StoreProductType.consumable

  /// Makes the kind. The catalog reads the credits, because the features define their units.
  public init() {}

  /// Never owned.
  public func ownership(from history: ProductHistory, at now: Date) -> Ownership { .none }
}

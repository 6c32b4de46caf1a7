// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Credits: bought, used up, and bought again, such as "10 more stories".
///
/// Source: StoreKit `Product.ProductType.consumable`. A consumable is never owned and grants nothing: what adds up is a fact and no grant, so
/// that its credits are summed over the transactions (``CatalogProduct/credits``) and what they covered over the uses (``Use/credits``).
/// Credits do not expire (App Review guideline 3.1.1).
public struct Consumable: ProductKind {
  /// `consumable`.
  public static let name = "consumable"
  /// Used up and bought again.
  public static let storeType = StoreProductType.consumable

  /// Makes the kind; its credits are the catalog's to read, because they are in the words of its features.
  public init() {}

  /// Never owned.
  public func ownership(from history: ProductHistory, at now: Date) -> Ownership { .none }
}

// SPDX-License-Identifier: Apache-2.0

/// A product that the store sells, and its grants.
public struct CatalogProduct: Sendable {
  /// The store's id.
  public let id: ProductID
  /// The value of `"kind"` in the JSON.
  public let kindName: String
  /// The rule that turns a purchase into access.
  public let kind: any ProductKind
  /// The name that people see.
  public let name: String
  /// The description in the store.
  public let description: String?
  /// A name for developers only.
  public let referenceName: String?
  /// A reference price for simulation, export and lint. The price that people see comes from the store.
  public let price: Money?
  /// The entitlements that it gives, by name.
  public let entitlements: [EntitlementID]
  /// All of its grants, including those of its entitlements.
  public let grants: [FeatureID: Granted]
  /// The credits that each purchase of a consumable adds, by feature: a number of uses, or seconds where time is counted.
  public let credits: [FeatureID: Int]
  /// Whether it can be bought. A product no longer on sale still counts for its owners.
  public let isOnSale: Bool
  /// The product that this one replaces at another price, in an arm of an experiment; `nil` for all others.
  public let variantOf: ProductID?
  /// Whether the app offers it: it is on sale, no arm that applies sells a variant in its place, and the arm of a variant applies.
  public internal(set) var isOffered: Bool
  /// Whether a family may share it. When `false`, a family-shared transaction gives no access.
  public let isFamilyShareable: Bool

  /// The product type in the store.
  public var storeType: StoreProductType { type(of: kind).storeType }
  /// The terms of a subscription; `nil` for anything else.
  public var subscription: SubscriptionTerms? { kind.subscription }
}

/// A named right that several products may give.
public struct Entitlement: Sendable {
  /// The id that code uses.
  public let id: EntitlementID
  /// The title that people see.
  public let title: String
  /// The grants that it gives.
  public let grants: [FeatureID: Granted]
}

// SPDX-License-Identifier: Apache-2.0

/// Something that the store sells, and what it grants.
public struct CatalogProduct: Sendable {
  /// The store's id.
  public let id: ProductID
  /// The word in the JSON's `"kind"`.
  public let kindName: String
  /// How a purchase turns into access.
  public let kind: any ProductKind
  /// What a person calls it.
  public let name: String
  /// What the store says about it.
  public let description: String?
  /// A name for the developer's eyes only.
  public let referenceName: String?
  /// A reference for simulation, export and lint. What a person sees as a price comes from the store.
  public let price: Money?
  /// The entitlements that it gives by name.
  public let entitlements: [EntitlementID]
  /// All that it grants, its entitlements' grants joined in.
  public let grants: [FeatureID: Granted]
  /// What each purchase of a consumable adds, by feature: a number of uses, or of seconds where time is counted.
  public let credits: [FeatureID: Int]
  /// Whether the store sells it, as the file says; a product that is no longer sold still counts for those who bought it.
  public let isOnSale: Bool
  /// The product that this one is sold in place of, at another price, in an arm of an experiment; `nil` for all others.
  public let variantOf: ProductID?
  /// Whether the app offers it: it is on sale, no arm that applies sells a variant in its place, and where it is a variant, its arm applies.
  public internal(set) var isOffered: Bool
  /// Whether a family may share it; a shared transaction of one that may not be is not honoured.
  public let isFamilyShareable: Bool

  /// What the store knows it as.
  public var storeType: StoreProductType { type(of: kind).storeType }
  /// The terms of a subscription; `nil` for anything else.
  public var subscription: SubscriptionTerms? { kind.subscription }
}

/// A named right that several products may give.
public struct Entitlement: Sendable {
  /// What code calls it.
  public let id: EntitlementID
  /// What a person calls it.
  public let title: String
  /// What it grants.
  public let grants: [FeatureID: Granted]
}

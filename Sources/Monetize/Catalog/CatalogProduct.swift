// SPDX-License-Identifier: Apache-2.0

/// A product that the store sells, and its grants.
public struct CatalogProduct: Sendable {
  /// The store's id.
  public let id: ProductID
  /// The value of `"kind"` in the JSON.
  public let kindName: String
  /// The rule that turns a purchase into access.
  public internal(set) var kind: any ProductKind
  /// The name that people see.
  public let name: String
  /// The description in the store.
  public internal(set) var description: String?
  /// A name for developers only.
  public internal(set) var referenceName: String?
  /// A reference price for simulation, export and lint. The price that people see comes from the store.
  public internal(set) var price: Money?
  /// The entitlements that it gives, by name.
  public internal(set) var entitlements: [EntitlementID] = []
  /// All of its grants, including those of its entitlements.
  public internal(set) var grants: [FeatureID: Granted] = [:]
  /// The credits that each purchase of a consumable adds, by feature: a number of uses, or seconds where time is counted.
  public internal(set) var credits: [FeatureID: Int] = [:]
  /// Whether it can be bought. A product no longer on sale still counts for its owners.
  public internal(set) var isOnSale = false
  /// The product that this one replaces at another price, in an arm of an experiment; `nil` for all others.
  public internal(set) var variantOf: ProductID?
  /// Whether the app offers it: it is on sale, no arm that applies sells a variant in its place, and the arm of a variant applies.
  public internal(set) var isOffered = false
  /// Whether a family may share it. When `false`, a family-shared transaction gives no access.
  public internal(set) var isFamilyShareable = false

  /// The product type in the store.
  public var storeType: StoreProductType { type(of: kind).storeType }
  /// Whether it is a tip: bought any number of times, and gives nothing.
  package var isTip: Bool { storeType == .consumable && credits.isEmpty && grants.isEmpty }
  /// Whether it is a free trial: costs nothing, is sold once, and ends by itself.
  package var isTrial: Bool { kind.isTrial }
  /// Whether a purchase gives each entitlement of another product, and at least each of its amounts.
  package func gives(allOf other: Self) -> Bool {
    Set(entitlements).isSuperset(of: other.entitlements)
      && other.grants.allSatisfy { feature, amount in grants[feature]?.gives(atLeast: amount) ?? false }
  }
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

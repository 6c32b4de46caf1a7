// SPDX-License-Identifier: Apache-2.0

/// A product as listed by the store.
public struct StoreProduct: Sendable, Hashable {
  /// The store's id.
  public var id: ProductID
  /// The name, in the customer's language.
  public var displayName: String
  /// The price to display, in the customer's currency and format.
  public var displayPrice: String
  /// The price.
  public var price: Money
  /// The length of one period; `nil` when it is not a subscription.
  public var period: Period?
  /// The introductory offer that this customer may use now; `nil` when there is none.
  public var introductoryOffer: SubscriptionOffer?

  /// Makes a product.
  public init(
    id: ProductID, displayName: String, displayPrice: String, price: Money, period: Period? = nil,
    introductoryOffer: SubscriptionOffer? = nil
  ) {
    self.id = id
    self.displayName = displayName
    self.displayPrice = displayPrice
    self.price = price
    self.period = period
    self.introductoryOffer = introductoryOffer
  }
}

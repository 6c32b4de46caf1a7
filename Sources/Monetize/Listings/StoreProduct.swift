// SPDX-License-Identifier: Apache-2.0

/// A product as the store shows it.
public struct StoreProduct: Sendable, Hashable {
  /// The store's id.
  public var id: ProductID
  /// The name, in the customer's language.
  public var displayName: String
  /// The price as it is to be shown, in the customer's currency and format.
  public var displayPrice: String
  /// The price.
  public var price: Money
  /// The length of one period, for subscriptions.
  public var period: Period?
  /// The introductory offer that this customer may use now; `nil` when there is none, or none for them.
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

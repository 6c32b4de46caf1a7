// SPDX-License-Identifier: Apache-2.0
public import Foundation

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
  /// All offers of the store, in its order, with their texts. Empty when the store does not provide them.
  public var offers: [StoreOffer]
  /// The win-back offer that this customer may use now, the store's first choice; `nil` when there is none. A purchase names it by its id.
  public var winBackOffer: StoreOffer? { offers.first { $0.offer.type == .winBack && $0.offer.id != nil && $0.eligibility == .eligible } }
  /// The description, in the customer's language.
  public var description: String
  /// The store's id of the subscription group; `nil` when it is not a subscription or the store does not provide it.
  public var group: String?
  /// Whether a family may share it; `nil` when the store does not provide it.
  public var isFamilyShareable: Bool?
  /// The store's format of prices, for amounts derived from `price`; `nil` when the store does not provide it.
  public var priceFormat: Decimal.FormatStyle.Currency?

  /// Makes a product.
  public init(
    id: ProductID, displayName: String, displayPrice: String, price: Money, period: Period? = nil,
    introductoryOffer: SubscriptionOffer? = nil, offers: [StoreOffer] = [], description: String = "", group: String? = nil,
    isFamilyShareable: Bool? = nil, priceFormat: Decimal.FormatStyle.Currency? = nil
  ) {
    self.id = id
    self.displayName = displayName
    self.displayPrice = displayPrice
    self.price = price
    self.period = period
    self.introductoryOffer = introductoryOffer
    self.offers = offers
    self.description = description
    self.group = group
    self.isFamilyShareable = isFamilyShareable
    self.priceFormat = priceFormat
  }
}

/// An offer of a product, as listed by the store.
public struct StoreOffer: Sendable, Hashable {
  /// Whether a customer may use an offer.
  public enum Eligibility: String, Sendable, Hashable, CaseIterable {
    /// The store accepts it.
    case eligible
    /// The store refuses it.
    case ineligible
    /// Not known. A text must not promise the offer.
    case unknown
  }

  /// The offer.
  public var offer: SubscriptionOffer
  /// The price to display, in the customer's currency and format.
  public var displayPrice: String
  /// Whether this customer may use it now.
  public var eligibility: Eligibility

  /// Makes an offer.
  public init(_ offer: SubscriptionOffer, displayPrice: String, eligibility: Eligibility = .unknown) {
    (self.offer, self.displayPrice, self.eligibility) = (offer, displayPrice, eligibility)
  }
}

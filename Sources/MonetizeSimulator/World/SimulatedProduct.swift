// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// A product with its settings in App Store Connect.
public struct SimulatedProduct: Sendable, Hashable {
  /// Conditions of an offer, beyond those of its type.
  public struct OfferRule: Sendable, Hashable {
    /// The customers who may redeem a code. Source: App Store Connect help, offer codes.
    public enum Audience: String, Sendable, Hashable, CaseIterable {
      /// Never subscribed in this group.
      case new
      /// Subscribed now.
      case existing
      /// Subscribed before.
      case expired
    }

    /// The customers who may redeem a code. Default: all.
    public var audiences: Set<Audience>
    /// Win-back: the minimum number of paid months. Default 1.
    public var minimumPaidMonths: Int
    /// Win-back: the number of months since the end of the subscription. Default 1 to 24.
    public var monthsSinceLapse: ClosedRange<Int>
    /// Win-back: the minimum number of months between offers. Default 2, at most 24.
    public var monthsBetweenOffers: Int
    /// Codes: whether the code's offer follows the introductory offer. Source: app-store-rules E.3. Default: only the code's offer.
    public var stacksWithIntroductory = false

    /// Makes a rule.
    public init(
      audiences: Set<Audience> = Set(Audience.allCases), minimumPaidMonths: Int = 1, monthsSinceLapse: ClosedRange<Int> = 1...24,
      monthsBetweenOffers: Int = 2
    ) {
      self.audiences = audiences
      self.minimumPaidMonths = minimumPaidMonths
      self.monthsSinceLapse = monthsSinceLapse
      self.monthsBetweenOffers = monthsBetweenOffers
    }
  }

  /// The store's id.
  public var id: ProductID
  /// The store's type.
  public var type: StoreProductType
  /// The display name.
  public var name: String
  /// The price in storefronts without an entry in ``prices``.
  public var price: Money
  /// The terms, for auto-renewables.
  public var terms: SubscriptionTerms?
  /// Whether a family may share it. Only non-consumables and auto-renewables can be shared.
  public var isFamilyShareable: Bool
  /// The app that sells it.
  public var appID: String?
  /// Whether it is on sale. Otherwise earlier purchases stay, and a subscription no longer renews.
  public var isOnSale: Bool
  /// The number of monthly payments that a customer commits to; 12 for Apple's annual plan with monthly billing, `nil` for none. Source:
  /// app-store-rules E.1: no grace, 90 days of retry, cancelling ends it only after the last payment.
  public var commitmentPeriods: Int?
  /// Prices by storefront, an ISO 3166-1 alpha-3 code.
  public var prices: [String: Money] = [:]
  /// Prices of offers and codes by their id, `introductory` for offers without one, then by storefront. An offer is unavailable where it
  /// has no price in the product's currency. (Our choice.)
  public var offerPrices: [String: [String: Money]] = [:]
  /// The storefronts that sell it; `nil` for all.
  public var storefronts: Set<String>?
  /// Prices by code, for products other than subscriptions. Source: app-store-rules E.3, since 2025.
  public var codes: [String: Money] = [:]
  /// The rules of its offers, by the offer's id.
  public var offerRules: [String: OfferRule] = [:]

  /// Makes a product.
  public init(
    id: ProductID, type: StoreProductType, price: Money, terms: SubscriptionTerms? = nil, name: String? = nil,
    isFamilyShareable: Bool = false,
    appID: String? = nil, isOnSale: Bool = true, commitmentPeriods: Int? = nil
  ) {
    self.id = id
    self.type = terms == nil ? type : .autoRenewable
    self.name = name ?? id.rawValue
    self.price = price
    self.terms = terms
    self.isFamilyShareable = isFamilyShareable
    self.appID = appID
    self.isOnSale = isOnSale
    self.commitmentPeriods = commitmentPeriods
  }

  /// Makes a product of a catalog; without a price there it is free.
  public init(_ product: CatalogProduct, appID: String?) {
    self.init(
      id: product.id, type: product.storeType, price: product.price ?? Money(amount: 0, currency: "USD"), terms: product.subscription,
      name: product.name, isFamilyShareable: product.isFamilyShareable, appID: appID, isOnSale: product.isOnSale)
  }

  func price(in storefront: String) -> Money { prices[storefront] ?? price }
  func isSold(in storefront: String) -> Bool { isOnSale && (storefronts?.contains(storefront) ?? true) }
}

extension Catalog {
  /// The products of the catalog's app, as the simulated store sells them.
  public var simulatedProducts: [SimulatedProduct] {
    products.filter { $0.storeType != .none }.map { SimulatedProduct($0, appID: app.id) }
  }
}

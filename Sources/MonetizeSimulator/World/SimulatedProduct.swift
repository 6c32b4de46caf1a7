// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// A product as the store's owner set it up in App Store Connect.
public struct SimulatedProduct: Sendable, Hashable {
  /// Who may redeem an offer, beyond what its type says.
  public struct OfferRule: Sendable, Hashable {
    /// Who may redeem a code. Source: App Store Connect help, offer codes.
    public enum Audience: String, Sendable, Hashable, CaseIterable {
      /// Never subscribed in this group.
      case new
      /// Subscribed now.
      case existing
      /// Subscribed once.
      case expired
    }

    /// Who may redeem a code; everyone by default.
    public var audiences: Set<Audience>
    /// Win-back: how many months a customer must have paid for, at least. Default 1.
    public var minimumPaidMonths: Int
    /// Win-back: how many months ago the subscription may have ended. Default 1 to 24.
    public var monthsSinceLapse: ClosedRange<Int>
    /// Win-back: how many months a customer must wait after an offer, at least. Default 2, at most 24.
    public var monthsBetweenOffers: Int
    /// Codes: whether the introductory offer comes first, and the code's after it. Source: app-store-rules E.3. Default: the code's alone.
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
  /// What it is to the store.
  public var type: StoreProductType
  /// The name that customers see.
  public var name: String
  /// What it costs where ``prices`` says nothing else.
  public var price: Money
  /// The terms, for auto-renewables.
  public var terms: SubscriptionTerms?
  /// Whether a family may share it. Only non-consumables and auto-renewables can be shared.
  public var isFamilyShareable: Bool
  /// The app that sells it.
  public var appID: String?
  /// Whether it can be bought. What was bought stays; a subscription no longer renews.
  public var isOnSale: Bool
  /// How many monthly payments a customer commits to; 12 for Apple's annual plan with monthly billing, `nil` for none.
  /// Source: app-store-rules E.1: no grace, 90 days of retry, cancelling ends it only after the last payment.
  public var commitmentPeriods: Int?
  /// Prices by storefront, an ISO 3166-1 alpha-3 code.
  public var prices: [String: Money] = [:]
  /// Prices of offers and codes by their id, `introductory` for offers without one, then by storefront. Where an offer has no price in the
  /// currency that the product is sold in, it is not offered. (Our choice.)
  public var offerPrices: [String: [String: Money]] = [:]
  /// The storefronts it is sold in; `nil` for all.
  public var storefronts: Set<String>?
  /// Codes for products that are no subscriptions, with what one costs by it. Source: app-store-rules E.3, since 2025.
  public var codes: [String: Money] = [:]
  /// Rules of its offers, by the offer's id.
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

  /// A product of a catalog; without a price there it costs nothing.
  public init(_ product: CatalogProduct, appID: String?) {
    self.init(
      id: product.id, type: product.storeType, price: product.price ?? Money(amount: 0, currency: "USD"), terms: product.subscription,
      name: product.name, isFamilyShareable: product.isFamilyShareable, appID: appID, isOnSale: product.isOnSale)
  }

  func price(in storefront: String) -> Money { prices[storefront] ?? price }
  func isSold(in storefront: String) -> Bool { isOnSale && (storefronts?.contains(storefront) ?? true) }
}

extension Catalog {
  /// What the catalog's app sells, as the simulated store would sell it.
  public var simulatedProducts: [SimulatedProduct] {
    products.filter { $0.storeType != .none }.map { SimulatedProduct($0, appID: app.id) }
  }
}

// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// One line a declaration, as Docs/ApplePlatforms.md lists it; StandInTableTests compares the two.

public import Foundation

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct Product: Identifiable {

  public struct ProductType: RawRepresentable, Equatable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let consumable: Product.ProductType = .init(rawValue: "Consumable")
    public static let nonConsumable: Product.ProductType = .init(rawValue: "Non-Consumable")
    public static let nonRenewable: Product.ProductType = .init(rawValue: "Non-Renewing Subscription")
    public static let autoRenewable: Product.ProductType = .init(rawValue: "Auto-Renewable Subscription")
  }

  public let id: String
  public let type: Product.ProductType
  public let displayName: String
  public let description: String
  public let price: Decimal
  public let displayPrice: String
  public let isFamilyShareable: Bool
  public let subscription: Product.SubscriptionInfo?
  public var priceFormatStyle: Decimal.FormatStyle.Currency { format }
  let format: Decimal.FormatStyle.Currency

  package init(
    id: String, type: ProductType, displayName: String = "", description: String = "", price: Decimal = 1, displayPrice: String = "1",
    isFamilyShareable: Bool = false, subscription: SubscriptionInfo? = nil, currency: String = "USD"
  ) {
    (self.id, self.type, self.displayName, self.description) = (id, type, displayName, description)
    (self.price, self.displayPrice, self.isFamilyShareable) = (price, displayPrice, isFamilyShareable)
    (self.subscription, format) = (subscription, .init(code: currency, locale: Locale(identifier: "en_US")))
  }

  public static func products<Identifiers>(for identifiers: Identifiers) async throws -> [Product] where Identifiers: Collection, Identifiers.Element == String {
    let store = StandInStore.current.called("products")
    // The real one gives none in a cancelled task.
    return Task.isCancelled ? [] : try await store.script.products(Array(identifiers))
  }

  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  @available(visionOS, unavailable)
  @MainActor public func purchase(options: Set<Product.PurchaseOption> = []) async throws -> Product.PurchaseResult {
    try await StandInStore.current.called("purchase").script.purchase(self, options, nil)
  }

  @available(iOS 17.0, tvOS 17.0, visionOS 1.0, *)
  @available(macOS, unavailable)
  @available(watchOS, unavailable)
  @MainActor public func purchase(confirmIn scene: some UIScene, options: Set<Product.PurchaseOption> = []) async throws -> Product.PurchaseResult {
    try await StandInStore.current.called("purchase").script.purchase(self, options, scene)
  }

  @available(iOS 18.2, tvOS 18.2, visionOS 2.2, *)
  @available(macOS, unavailable)
  @available(watchOS, unavailable)
  public func purchase(confirmIn viewController: UIViewController, options: Set<Product.PurchaseOption> = []) async throws -> Product.PurchaseResult {
    try await StandInStore.current.called("purchase").script.purchase(self, options, viewController)
  }
}

extension Product: Sendable {}
extension Product.ProductType: Sendable {}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {

  public struct PurchaseOption: Equatable, Hashable, Sendable {
    /// What was asked for, for tests.
    package let text: String

    public static func appAccountToken(_ token: UUID) -> Product.PurchaseOption { .init(text: "appAccountToken \(token.uuidString)") }
    @available(iOS, introduced: 15.0, deprecated: 26.0)
    @available(macOS, introduced: 12.0, deprecated: 26.0)
    @available(tvOS, introduced: 15.0, deprecated: 26.0)
    @available(watchOS, introduced: 8.0, deprecated: 26.0)
    @available(visionOS, introduced: 1.0, deprecated: 26.0)
    public static func promotionalOffer(offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int) -> Product.PurchaseOption { .init(text: "promotionalOffer \(offerID) \(keyID) \(timestamp)") }
    public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [Product.PurchaseOption] {
      [.init(text: "promotionalOffer \(offerID) \(compactJWS)")]
    }
    public static func quantity(_ quantity: Int) -> Product.PurchaseOption { .init(text: "quantity \(quantity)") }
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public static func winBackOffer(_ offer: Product.SubscriptionOffer) -> Product.PurchaseOption {
      .init(text: "winBackOffer \(offer.id ?? "")")
    }
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public static func billingPlanType(_ type: Product.SubscriptionInfo.BillingPlanType) -> Product.PurchaseOption { .init(text: "billingPlanType \(type.rawValue)") }
  }

  public enum PurchaseResult {
    case success(VerificationResult<Transaction>)
    case userCancelled
    case pending
  }

  public enum PurchaseError: Error {
    case invalidQuantity
    case productUnavailable
    case purchaseNotAllowed
    case ineligibleForOffer
    case invalidOfferIdentifier
    case invalidOfferPrice
    case invalidOfferSignature
    case missingOfferParameters
  }
}

extension Product.PurchaseResult: Sendable {}

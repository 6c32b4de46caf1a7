// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// One line a declaration, as Docs/ApplePlatforms.md lists it; StandInTableTests compares the two.

public import Foundation

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public enum AppStore {

  @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
  public struct Environment: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let production: AppStore.Environment = .init(rawValue: "Production")
    public static let sandbox: AppStore.Environment = .init(rawValue: "Sandbox")
    public static let xcode: AppStore.Environment = .init(rawValue: "Xcode")
  }

  public static func sync() async throws { try await StandInStore.current.called("sync").script.sync() }

  @available(iOS 15.0, visionOS 1.0, *)
  @available(macOS, unavailable)
  @available(watchOS, unavailable)
  @available(tvOS, unavailable)
  @MainActor public static func showManageSubscriptions(in scene: UIWindowScene) async throws {
    _ = try await StandInStore.current.called("manage").script.sheet("manage")
  }

  @available(iOS 16.0, visionOS 1.0, *)
  @available(macOS, unavailable)
  @available(watchOS, unavailable)
  @available(tvOS, unavailable)
  @MainActor public static func presentOfferCodeRedeemSheet(in scene: UIWindowScene) async throws {
    _ = try await StandInStore.current.called("redeem").script.sheet("redeem")
  }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
public struct AppTransaction: Sendable {
  public let bundleID: String
  public let environment: AppStore.Environment
  public let originalAppVersion: String
  public let originalPurchaseDate: Date

  package init(bundleID: String, environment: AppStore.Environment, originalAppVersion: String, originalPurchaseDate: Date) {
    (self.bundleID, self.environment) = (bundleID, environment)
    (self.originalAppVersion, self.originalPurchaseDate) = (originalAppVersion, originalPurchaseDate)
  }

  public static var shared: VerificationResult<AppTransaction> { get async throws { try await StandInStore.current.called("appTransaction").script.appTransaction() } }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public enum StoreKitError: Error {
  case unknown
  case userCancelled
  case networkError(URLError)
  case systemError(any Error)
  case notAvailableInStorefront
  @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
  case notEntitled
  @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
  case unsupported
}

extension StoreKitError: Sendable {}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct Storefront: Identifiable, Sendable {
  public let countryCode: String
  public let id: String
  package init(countryCode: String, id: String) { (self.countryCode, self.id) = (countryCode, id) }

  public static var current: Storefront? { get async { await StandInStore.current.called("storefront").script.storefront() } }

  public struct Storefronts: AsyncSequence, Sendable {
    public typealias Element = Storefront
    let channel: StandInChannel<Storefront>

    public struct AsyncIterator: AsyncIteratorProtocol {
      let subscriber: StandInSubscriber<Storefront>
      public mutating func next() async -> Storefront? { await subscriber.next() }
    }
    public func makeAsyncIterator() -> Storefront.Storefronts.AsyncIterator { .init(subscriber: channel.subscribe()) }
  }

  public static var updates: Storefront.Storefronts { .init(channel: StandInStore.current.storefronts) }
}

@available(iOS 16.4, macOS 14.4, *)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
@available(visionOS, unavailable)
public struct PurchaseIntent: Sendable {
  public let product: Product
  @available(iOS 18.0, macOS 15.0, *)
  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  @available(visionOS, unavailable)
  public let offer: Product.SubscriptionOffer?
  package init(product: Product, offer: Product.SubscriptionOffer? = nil) { (self.product, self.offer) = (product, offer) }

  public struct PurchaseIntents: AsyncSequence {
    public typealias Element = PurchaseIntent
    let channel: StandInChannel<PurchaseIntent>

    public struct AsyncIterator: AsyncIteratorProtocol {
      let subscriber: StandInSubscriber<PurchaseIntent>
      public mutating func next() async -> PurchaseIntent.PurchaseIntents.Element? { await subscriber.next() }
    }
    public func makeAsyncIterator() -> PurchaseIntent.PurchaseIntents.AsyncIterator { .init(subscriber: channel.subscribe()) }
  }

  public static var intents: PurchaseIntent.PurchaseIntents { .init(channel: StandInStore.current.intents) }
}

@available(iOS 16.0, visionOS 1.0, *)
@available(macOS, unavailable)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
public struct Message: Sendable {

  public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let generic: Message.Reason = .init(rawValue: 0)
    public static let priceIncreaseConsent: Message.Reason = .init(rawValue: 1)
    @available(iOS 16.4, visionOS 1.0, *)
    @available(macOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public static let billingIssue: Message.Reason = .init(rawValue: 2)
    @available(iOS 18.0, visionOS 2.0, *)
    @available(macOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public static let winBackOffer: Message.Reason = .init(rawValue: 3)
  }

  public let reason: Message.Reason
  package init(reason: Reason) { self.reason = reason }

  @MainActor public func display(in scene: UIWindowScene) throws { _ = StandInStore.current.called("message \(reason.rawValue)") }

  public struct Messages: AsyncSequence, Sendable {
    public typealias Element = Message
    let channel: StandInChannel<Message>

    public struct AsyncIterator: AsyncIteratorProtocol {
      let subscriber: StandInSubscriber<Message>
      public mutating func next() async -> Message.Messages.Element? { await subscriber.next() }
    }
    public func makeAsyncIterator() -> Message.Messages.AsyncIterator { .init(subscriber: channel.subscribe()) }
  }

  public static var messages: Message.Messages { .init(channel: StandInStore.current.called("messages").messages) }
}

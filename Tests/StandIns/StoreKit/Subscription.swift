// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// One line a declaration, as Docs/ApplePlatforms.md lists it; StandInTableTests compares the two.

public import Foundation

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {

  public struct SubscriptionPeriod: Equatable, Hashable {

    public enum Unit: Equatable, Hashable, Sendable {
      case day
      case week
      case month
      case year
    }

    public let unit: Product.SubscriptionPeriod.Unit
    public let value: Int
    package init(unit: Unit, value: Int) { (self.unit, self.value) = (unit, value) }
  }

  public struct SubscriptionOffer: Equatable, Hashable {

    public struct OfferType: RawRepresentable, Equatable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let introductory: Product.SubscriptionOffer.OfferType = .init(rawValue: "Introductory")
      public static let promotional: Product.SubscriptionOffer.OfferType = .init(rawValue: "Promotional")
      @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
      public static let winBack: Product.SubscriptionOffer.OfferType = .init(rawValue: "Winback")
    }

    public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let payAsYouGo: Product.SubscriptionOffer.PaymentMode = .init(rawValue: "PayAsYouGo")
      public static let payUpFront: Product.SubscriptionOffer.PaymentMode = .init(rawValue: "PayUpFront")
      public static let freeTrial: Product.SubscriptionOffer.PaymentMode = .init(rawValue: "FreeTrial")
    }

    public let id: String?
    public let type: Product.SubscriptionOffer.OfferType
    public let price: Decimal
    public let displayPrice: String
    public let period: Product.SubscriptionPeriod
    public let periodCount: Int
    public let paymentMode: Product.SubscriptionOffer.PaymentMode

    package init(
      id: String? = nil, type: OfferType = .introductory, price: Decimal = 0, displayPrice: String = "0", period: SubscriptionPeriod,
      periodCount: Int = 1, paymentMode: PaymentMode = .freeTrial
    ) {
      (self.id, self.type, self.price, self.displayPrice) = (id, type, price, displayPrice)
      (self.period, self.periodCount, self.paymentMode) = (period, periodCount, paymentMode)
    }
  }

  public struct SubscriptionInfo: Equatable, Hashable {

    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public struct BillingPlanType: RawRepresentable, Equatable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let monthly: Product.SubscriptionInfo.BillingPlanType = .init(rawValue: "MONTHLY")
    }

    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public struct PricingTerms: Equatable, Hashable, Sendable {
      public let billingPlanType: Product.SubscriptionInfo.BillingPlanType
      package init(billingPlanType: BillingPlanType) { self.billingPlanType = billingPlanType }
    }

    public let introductoryOffer: Product.SubscriptionOffer?
    public let promotionalOffers: [Product.SubscriptionOffer]
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public let winBackOffers: [Product.SubscriptionOffer]
    public let subscriptionGroupID: String
    public let subscriptionPeriod: Product.SubscriptionPeriod
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public let pricingTerms: [Product.SubscriptionInfo.PricingTerms]

    package init(
      introductoryOffer: SubscriptionOffer? = nil, promotionalOffers: [SubscriptionOffer] = [], winBackOffers: [SubscriptionOffer] = [],
      subscriptionGroupID: String, subscriptionPeriod: SubscriptionPeriod, pricingTerms: [PricingTerms] = []
    ) {
      (self.introductoryOffer, self.promotionalOffers, self.winBackOffers) = (introductoryOffer, promotionalOffers, winBackOffers)
      (self.subscriptionGroupID, self.subscriptionPeriod) = (subscriptionGroupID, subscriptionPeriod)
      self.pricingTerms = pricingTerms
    }

    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
      let store = StandInStore.current.called("isEligibleForIntroOffer")
      return Task.isCancelled ? false : await store.script.isEligible(groupID)
    }
    public static func status(for groupID: String) async throws -> [Product.SubscriptionInfo.Status] {
      let store = StandInStore.current.called("status")
      // The real one gives none in a cancelled task.
      return Task.isCancelled ? [] : try await store.script.statuses(groupID)
    }
  }
}

extension Product.SubscriptionPeriod: Sendable {}
extension Product.SubscriptionOffer: Sendable {}
extension Product.SubscriptionInfo: Sendable {}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product.SubscriptionInfo {

  public struct RenewalState: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let subscribed: Product.SubscriptionInfo.RenewalState = .init(rawValue: 1)
    public static let expired: Product.SubscriptionInfo.RenewalState = .init(rawValue: 2)
    public static let inBillingRetryPeriod: Product.SubscriptionInfo.RenewalState = .init(rawValue: 3)
    public static let inGracePeriod: Product.SubscriptionInfo.RenewalState = .init(rawValue: 4)
    public static let revoked: Product.SubscriptionInfo.RenewalState = .init(rawValue: 5)
  }

  public struct RenewalInfo {

    public struct ExpirationReason: RawRepresentable, Equatable, Hashable, Sendable {
      public let rawValue: Int
      public init(rawValue: Int) { self.rawValue = rawValue }
      public static let autoRenewDisabled: Product.SubscriptionInfo.RenewalInfo.ExpirationReason = .init(rawValue: 1)
      public static let billingError: Product.SubscriptionInfo.RenewalInfo.ExpirationReason = .init(rawValue: 2)
      public static let didNotConsentToPriceIncrease: Product.SubscriptionInfo.RenewalInfo.ExpirationReason = .init(rawValue: 3)
      public static let productUnavailable: Product.SubscriptionInfo.RenewalInfo.ExpirationReason = .init(rawValue: 4)
    }

    @frozen public enum PriceIncreaseStatus: Equatable, Hashable, Sendable {
      case noIncreasePending
      case pending
      case agreed
    }

    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public struct CommitmentInfo: Sendable {
      public let willAutoRenew: Bool
      public let autoRenewPreference: String
      package init(willAutoRenew: Bool, autoRenewPreference: String) {
        (self.willAutoRenew, self.autoRenewPreference) = (willAutoRenew, autoRenewPreference)
      }
    }

    public let originalTransactionID: UInt64
    public let currentProductID: String
    public let willAutoRenew: Bool
    public let autoRenewPreference: String?
    public let expirationReason: Product.SubscriptionInfo.RenewalInfo.ExpirationReason?
    public let priceIncreaseStatus: Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus
    public let gracePeriodExpirationDate: Date?
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public let eligibleWinBackOfferIDs: [String]
    public let signedDate: Date
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public let commitmentInfo: Product.SubscriptionInfo.RenewalInfo.CommitmentInfo?

    package init(
      originalTransactionID: UInt64, currentProductID: String, willAutoRenew: Bool = true, autoRenewPreference: String? = nil,
      expirationReason: ExpirationReason? = nil, priceIncreaseStatus: PriceIncreaseStatus = .noIncreasePending,
      gracePeriodExpirationDate: Date? = nil, eligibleWinBackOfferIDs: [String] = [], signedDate: Date,
      commitmentInfo: CommitmentInfo? = nil
    ) {
      (self.originalTransactionID, self.currentProductID, self.willAutoRenew) = (originalTransactionID, currentProductID, willAutoRenew)
      (self.autoRenewPreference, self.expirationReason) = (autoRenewPreference, expirationReason)
      (self.priceIncreaseStatus, self.gracePeriodExpirationDate) = (priceIncreaseStatus, gracePeriodExpirationDate)
      (self.eligibleWinBackOfferIDs, self.signedDate, self.commitmentInfo) = (eligibleWinBackOfferIDs, signedDate, commitmentInfo)
    }
  }

  public struct Status {
    public let state: Product.SubscriptionInfo.RenewalState
    public let transaction: VerificationResult<Transaction>
    public let renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>

    package init(state: RenewalState, transaction: VerificationResult<Transaction>, renewalInfo: VerificationResult<RenewalInfo>) {
      (self.state, self.transaction, self.renewalInfo) = (state, transaction, renewalInfo)
    }

    public struct Statuses: AsyncSequence, Sendable {
      public typealias Element = Product.SubscriptionInfo.Status
      let channel: StandInChannel<Product.SubscriptionInfo.Status>

      public struct AsyncIterator: AsyncIteratorProtocol {
        let subscriber: StandInSubscriber<Product.SubscriptionInfo.Status>
        public mutating func next() async -> Product.SubscriptionInfo.Status.Statuses.Element? { await subscriber.next() }
      }
      public func makeAsyncIterator() -> Product.SubscriptionInfo.Status.Statuses.AsyncIterator { .init(subscriber: channel.subscribe()) }
    }

    public static var updates: Product.SubscriptionInfo.Status.Statuses { .init(channel: StandInStore.current.statuses) }
  }
}

extension Product.SubscriptionInfo.RenewalInfo: Sendable {}
extension Product.SubscriptionInfo.Status: Sendable {}

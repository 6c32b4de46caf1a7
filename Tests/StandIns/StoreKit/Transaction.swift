// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// One line a declaration, as Docs/ApplePlatforms.md lists it; StandInTableTests compares the two.

public import Foundation

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct Transaction: Identifiable {

  public struct RevocationReason: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let developerIssue: Transaction.RevocationReason = .init(rawValue: 1)
    public static let other: Transaction.RevocationReason = .init(rawValue: 0)
  }

  @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
  public struct RevocationType: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let familyRevocation: Transaction.RevocationType = .init(rawValue: "FAMILY_REVOKE")
  }

  @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
  public struct CommitmentInfo: Sendable {
    public let billingPeriodNumber: UInt64
    public let totalBillingPeriods: UInt64
    public let expirationDate: Date
    package init(billingPeriodNumber: UInt64, totalBillingPeriods: UInt64, expirationDate: Date) {
      (self.billingPeriodNumber, self.totalBillingPeriods, self.expirationDate) = (billingPeriodNumber, totalBillingPeriods, expirationDate)
    }
  }

  public struct OfferType: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let introductory: Transaction.OfferType = .init(rawValue: 1)
    public static let promotional: Transaction.OfferType = .init(rawValue: 2)
    public static let code: Transaction.OfferType = .init(rawValue: 3)
    public static var winBack: Transaction.OfferType { .init(rawValue: 4) }
  }

  public struct OwnershipType: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let purchased: Transaction.OwnershipType = .init(rawValue: "PURCHASED")
    public static let familyShared: Transaction.OwnershipType = .init(rawValue: "FAMILY_SHARED")
  }

  @available(iOS 15.0, macOS 12.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
  public enum RefundRequestError: Error {
    case duplicateRequest
  }

  @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
  public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let purchase: Transaction.Reason = .init(rawValue: "PURCHASE")
    public static let renewal: Transaction.Reason = .init(rawValue: "RENEWAL")
  }

  @available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *)
  public struct Offer: Equatable, Hashable, Sendable {

    public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let freeTrial: Transaction.Offer.PaymentMode = .init(rawValue: "FREE_TRIAL")
      public static let payAsYouGo: Transaction.Offer.PaymentMode = .init(rawValue: "PAY_AS_YOU_GO")
      public static let payUpFront: Transaction.Offer.PaymentMode = .init(rawValue: "PAY_UP_FRONT")
    }

    public let id: String?
    public let type: Transaction.OfferType
    public let paymentMode: Transaction.Offer.PaymentMode?
    package init(id: String? = nil, type: OfferType, paymentMode: PaymentMode?) {
      (self.id, self.type, self.paymentMode) = (id, type, paymentMode)
    }
  }

  public let id: UInt64
  public let originalID: UInt64
  public let productID: String
  public let subscriptionGroupID: String?
  public let appBundleID: String
  public let purchaseDate: Date
  public let expirationDate: Date?
  public let purchasedQuantity: Int
  public let isUpgraded: Bool
  @available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *)
  public let offer: Transaction.Offer?
  @available(iOS, introduced: 15.0, deprecated: 17.2)
  @available(macOS, introduced: 12.0, deprecated: 14.2)
  @available(tvOS, introduced: 15.0, deprecated: 17.2)
  @available(watchOS, introduced: 8.0, deprecated: 10.2)
  @available(visionOS, introduced: 1.0, deprecated: 1.1)
  public var offerType: Transaction.OfferType? { offer?.type }
  @available(iOS, introduced: 15.0, deprecated: 17.2)
  @available(macOS, introduced: 12.0, deprecated: 14.2)
  @available(tvOS, introduced: 15.0, deprecated: 17.2)
  @available(watchOS, introduced: 8.0, deprecated: 10.2)
  @available(visionOS, introduced: 1.0, deprecated: 1.1)
  public var offerID: String? { offer?.id }
  @available(iOS, introduced: 15.0, deprecated: 17.2)
  @available(macOS, introduced: 12.0, deprecated: 14.2)
  @available(tvOS, introduced: 15.0, deprecated: 17.2)
  @available(watchOS, introduced: 8.0, deprecated: 10.2)
  @available(visionOS, introduced: 1.0, deprecated: 1.1)
  public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
  public let revocationDate: Date?
  public let revocationReason: Transaction.RevocationReason?
  @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
  public let revocationType: Transaction.RevocationType?
  @available(iOS, introduced: 15.0, deprecated: 26.4)
  @available(macOS, introduced: 12.0, deprecated: 26.4)
  @available(tvOS, introduced: 15.0, deprecated: 26.4)
  @available(watchOS, introduced: 8.0, deprecated: 26.4)
  @available(visionOS, introduced: 1.0, deprecated: 26.4)
  public var revocationTypeStringRepresentation: String? { revocationType?.rawValue }
  public let appAccountToken: UUID?
  @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
  public let environment: AppStore.Environment
  @available(iOS, introduced: 15.0, deprecated: 16.0)
  @available(macOS, introduced: 12.0, deprecated: 13.0)
  @available(tvOS, introduced: 15.0, deprecated: 16.0)
  @available(watchOS, introduced: 8.0, deprecated: 9.0)
  @available(visionOS, unavailable)
  public var environmentStringRepresentation: String { environment.rawValue }
  @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
  public let reason: Transaction.Reason
  public var price: Decimal? { paid }
  @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
  public var currency: Locale.Currency? { currencyCode.map(Locale.Currency.init(_:)) }
  @available(iOS, introduced: 15.0, deprecated: 16.0)
  @available(macOS, introduced: 12.0, deprecated: 13.0)
  @available(tvOS, introduced: 15.0, deprecated: 16.0)
  @available(watchOS, introduced: 8.0, deprecated: 9.0)
  @available(visionOS, introduced: 1.0, deprecated: 1.1)
  public var currencyCode: String? { paidIn }
  public let ownershipType: Transaction.OwnershipType
  public let signedDate: Date
  @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
  public let commitmentInfo: Transaction.CommitmentInfo?
  let paid: Decimal?
  let paidIn: String?

  package init(
    id: UInt64, originalID: UInt64? = nil, productID: String, subscriptionGroupID: String? = nil, appBundleID: String = "com.example.app",
    purchaseDate: Date, expirationDate: Date? = nil, purchasedQuantity: Int = 1, isUpgraded: Bool = false, offer: Offer? = nil,
    revocationDate: Date? = nil, revocationReason: RevocationReason? = nil, revocationType: RevocationType? = nil,
    appAccountToken: UUID? = nil, environment: AppStore.Environment = .production, reason: Reason = .purchase, price: Decimal? = nil, currency: String? = nil,
    ownershipType: OwnershipType = .purchased, signedDate: Date? = nil, commitmentInfo: CommitmentInfo? = nil
  ) {
    (self.id, self.originalID, self.productID, self.subscriptionGroupID) = (id, originalID ?? id, productID, subscriptionGroupID)
    (self.appBundleID, self.purchaseDate, self.expirationDate) = (appBundleID, purchaseDate, expirationDate)
    (self.purchasedQuantity, self.isUpgraded, self.offer) = (purchasedQuantity, isUpgraded, offer)
    (self.revocationDate, self.revocationReason, self.revocationType) = (revocationDate, revocationReason, revocationType)
    (self.appAccountToken, self.environment, paid, paidIn) = (appAccountToken, environment, price, currency)
    self.reason = reason
    (self.ownershipType, self.signedDate, self.commitmentInfo) = (ownershipType, signedDate ?? purchaseDate, commitmentInfo)
  }

  public func finish() async { await StandInStore.current.called("finish \(id)").script.finish(id) }

  public struct Transactions: AsyncSequence, Sendable {
    public typealias Element = VerificationResult<Transaction>
    let list: (@Sendable () async -> [VerificationResult<Transaction>])?
    let channel: StandInChannel<VerificationResult<Transaction>>?

    public struct AsyncIterator: AsyncIteratorProtocol {
      var list: (@Sendable () async -> [VerificationResult<Transaction>])?
      var rest: ArraySlice<VerificationResult<Transaction>> = []
      let subscriber: StandInSubscriber<VerificationResult<Transaction>>?

      public mutating func next() async -> VerificationResult<Transaction>? {
        if let subscriber { return await subscriber.next() }
        // The real one gives none in a cancelled task.
        if Task.isCancelled { return nil }
        if let list { (rest, self.list) = (await list()[...], nil) }
        return rest.popFirst()
      }
    }
    public func makeAsyncIterator() -> Transaction.Transactions.AsyncIterator { .init(list: list, subscriber: channel?.subscribe()) }
  }

  public static var all: Transaction.Transactions { .init(list: StandInStore.current.called("all").script.history, channel: nil) }
  public static var currentEntitlements: Transaction.Transactions {
    .init(list: StandInStore.current.called("currentEntitlements").script.entitlements, channel: nil)
  }
  public static var unfinished: Transaction.Transactions {
    .init(list: StandInStore.current.called("unfinished").script.unfinished, channel: nil)
  }
  public static var updates: Transaction.Transactions { .init(list: nil, channel: StandInStore.current.called("updates").updates) }
}

@available(iOS 15.0, macOS 12.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension Transaction {

  public enum RefundRequestStatus: Sendable {
    case success
    case userCancelled
  }

  @available(iOS 15.0, visionOS 1.0, *)
  @available(watchOS, unavailable)
  @available(tvOS, unavailable)
  @MainActor public static func beginRefundRequest(for transactionID: UInt64, in scene: UIWindowScene) async throws -> Transaction.RefundRequestStatus {
    try await StandInStore.current.called("refund \(transactionID)").script.sheet("refund") ? .success : .userCancelled
  }
}

extension Transaction: Sendable {}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
@frozen public enum VerificationResult<SignedType> {

  public enum VerificationError: Error, Sendable {
    case invalidSignature
  }

  case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
  case verified(SignedType)

  public var unsafePayloadValue: SignedType {
    switch self {
    case .unverified(let value, _), .verified(let value): value
    }
  }
}

extension VerificationResult: Sendable where SignedType: Sendable {}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension VerificationResult where SignedType == Transaction {
  public var jwsRepresentation: String { "jws.transaction.\(unsafePayloadValue.id)" }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
  public var jwsRepresentation: String { "jws.renewal.\(unsafePayloadValue.originalTransactionID)" }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension VerificationResult where SignedType == AppTransaction {
  public var jwsRepresentation: String { "jws.app.\(unsafePayloadValue.bundleID)" }
}

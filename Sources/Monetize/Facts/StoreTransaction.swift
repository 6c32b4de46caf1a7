// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The environment of a store. Facts of different environments never mix. An open set.
public struct StoreEnvironment: StringIdentifier {
  /// The text, such as `production`.
  public let rawValue: String
  /// Makes an environment from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The production environment, with real customers and real money.
  public static let production: Self = "production"
  /// The test environment: TestFlight, sandbox accounts, App Review.
  public static let sandbox: Self = "sandbox"
  /// A store configuration file on a developer's machine.
  public static let xcode: Self = "xcode"
}

/// A purchase or renewal, as signed by the store. Only verified transactions become facts.
///
/// Source: StoreKit 2 `Transaction`. Intervals are half-open: a period is `[purchaseDate, expirationDate)`.
public struct StoreTransaction: MergingFact, RevisedFact {
  /// The ownership of a purchase.
  public enum OwnershipType: String, Sendable, Hashable, Codable, CaseIterable {
    /// This customer bought it.
    case purchased
    /// A family member bought it and shares it.
    case familyShared
  }

  /// How a transaction came about. An open set, as in StoreKit.
  public struct Reason: StringIdentifier {
    /// The text.
    public let rawValue: String
    /// Makes a reason from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A person bought it: the first time, again after a lapse, or as a change of plan that takes effect at once.
    public static let purchase: Self = "purchase"
    /// The store renewed a subscription.
    public static let renewal: Self = "renewal"
  }

  /// The revocation of a purchase by the store.
  public struct Revocation: Sendable, Hashable, Codable {
    /// The reason for a revocation. An open set, as in StoreKit.
    public struct Reason: StringIdentifier {
      /// The text.
      public let rawValue: String
      /// Makes a reason from its text.
      public init(rawValue: String) { self.rawValue = rawValue }
      /// Refunded because of a problem with the app.
      public static let developerIssue: Self = "developerIssue"
      /// Refunded for another reason.
      public static let other: Self = "other"
      /// The family no longer shares it.
      public static let familyLeft: Self = "familyLeft"
      /// The store had no record of this purchase when it was checked.
      public static let gone: Self = "gone"
    }

    /// When it was revoked, by the store's clock.
    public var date: Date
    /// The reason.
    public var reason: Reason

    /// Makes a revocation.
    public init(date: Date, reason: Reason = .other) { (self.date, self.reason) = (date, reason) }
  }

  /// The offer that a period was bought with.
  public struct Offer: Sendable, Hashable, Codable {
    /// The type of the offer.
    public var type: SubscriptionOffer.OfferType
    /// The payment mode.
    public var mode: SubscriptionOffer.Mode
    /// The offer's id; `nil` for introductory offers.
    public var id: String?

    /// Makes the record of an offer.
    public init(type: SubscriptionOffer.OfferType, mode: SubscriptionOffer.Mode, id: String? = nil) {
      (self.type, self.mode, self.id) = (type, mode, id)
    }
  }

  /// The store's id.
  public var id: TransactionID
  /// The id of the first transaction of a chain of renewals; its own id for any other purchase.
  public var originalID: TransactionID
  /// The product.
  public var productID: ProductID
  /// When the purchase or its period began.
  public var purchaseDate: Date
  /// When the period ends; `nil` when it does not expire.
  public var expirationDate: Date?
  /// The revocation; `nil` when there is none.
  public var revocation: Revocation?
  /// Whether a later purchase of a higher level in the group replaced it.
  public var isUpgraded: Bool
  /// Whether it was purchased or family shared.
  public var ownership: OwnershipType
  /// The quantity; more than 1 only for consumables.
  public var quantity: Int
  /// The environment.
  public var environment: StoreEnvironment
  /// The id of the app it was bought in; `nil` when unknown.
  public var appID: String?
  /// The app's account that it was bought for, or the text of its ``AppAccountToken``; `nil` when there was none.
  public var account: String?
  /// The offer it was bought with.
  public var offer: Offer?
  /// How it came about; `nil` when unknown, as on systems before iOS 17.
  public var reason: Reason?
  /// The price paid; `nil` when unknown.
  public var price: Money?
  /// The date of the store's signature.
  public var revision: Revision

  /// Makes a transaction. `originalID` defaults to `id`, which suits everything but renewals. `signed` defaults to the purchase date.
  public init(
    id: TransactionID, originalID: TransactionID? = nil, productID: ProductID, purchaseDate: Date, expirationDate: Date? = nil,
    revocation: Revocation? = nil, isUpgraded: Bool = false, ownership: OwnershipType = .purchased, quantity: Int = 1,
    environment: StoreEnvironment = .production, appID: String? = nil, account: String? = nil, offer: Offer? = nil, reason: Reason? = nil,
    price: Money? = nil, signed: Date? = nil
  ) {
    self.id = id
    self.originalID = originalID ?? id
    self.productID = productID
    self.purchaseDate = purchaseDate
    self.expirationDate = expirationDate
    self.revocation = revocation
    self.isUpgraded = isUpgraded
    self.ownership = ownership
    self.quantity = quantity
    self.environment = environment
    self.appID = appID
    self.account = account
    self.offer = offer
    self.reason = reason
    self.price = price
    self.revision = Revision(signed ?? purchaseDate)
  }

  /// Compares by purchase date, then by end, then by id. Avoids tuples, which would copy both ids for each comparison.
  func isEarlier(than other: Self) -> Bool {
    if purchaseDate != other.purchaseDate { return purchaseDate < other.purchaseDate }
    let (end, otherEnd) = (expirationDate ?? .distantFuture, other.expirationDate ?? .distantFuture)
    return end == otherEnd ? id.isEarlier(than: other.id) : end < otherEnd
  }

  /// Whether it was neither revoked nor replaced by a higher plan.
  var isValid: Bool { revocation == nil && !isUpgraded }

  /// Whether it is a free trial for new subscribers.
  var isFreeTrial: Bool { offer?.type == .introductory && offer?.mode == .freeTrial }

  /// Whether this is a renewal charged before its period begins. Compares the signature date, so a wrong device clock has no effect once
  /// the period was signed as begun.
  func isAhead(at now: Date) -> Bool { now < purchaseDate && revision.date < purchaseDate }

  /// Whether it may count for an account; `nil` for a guest. Some stores keep only the account's token.
  func isBought(for account: String?) -> Bool {
    guard let bought = self.account, let account, bought != account else { return true }
    return bought.utf8.count == 36 && bought == AppAccountToken(account).description
  }

  /// One fact per transaction.
  public var key: TransactionID { id }

  /// The later revision wins. Within one signature, a revocation wins, so that a refund signed in the instant of its purchase is not lost.
  public func merged(with other: Self) -> Self { later(other, orIf: { $0.revocation != nil }) }
}

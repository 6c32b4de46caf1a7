// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Which world a store's word is from. Facts of different worlds never mix. An open set.
public struct StoreEnvironment: StringIdentifier {
  /// The text, such as `production`.
  public let rawValue: String
  /// Makes an environment from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Real customers, real money.
  public static let production: Self = "production"
  /// The store's test world: TestFlight, sandbox accounts, App Review.
  public static let sandbox: Self = "sandbox"
  /// A store configuration file on a developer's machine.
  public static let xcode: Self = "xcode"
}

/// One purchase or renewal, as the store signed it. Only verified ones become facts.
///
/// Source: StoreKit 2 `Transaction`. Intervals are half-open: a period is `[purchaseDate, expirationDate)`.
public struct StoreTransaction: MergingFact {
  /// Who owns what a transaction bought.
  public enum Ownership: String, Sendable, Hashable, Codable, CaseIterable {
    /// This customer bought it.
    case purchased
    /// A member of the family bought it and shares it.
    case familyShared
  }

  /// That the store took a purchase back.
  public struct Revocation: Sendable, Hashable, Codable {
    /// Why a purchase ended. An open set, as in StoreKit.
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
      /// The store, asked about this very purchase, did not know it any more.
      public static let gone: Self = "gone"
    }

    /// When it was taken back, by the store's clock.
    public var date: Date
    /// Why.
    public var reason: Reason

    /// Makes a revocation.
    public init(date: Date, reason: Reason = .other) {
      self.date = date
      self.reason = reason
    }
  }

  /// The offer that a period was bought with.
  public struct Offer: Sendable, Hashable, Codable {
    /// Which sort of offer.
    public var type: SubscriptionOffer.OfferType
    /// How it is paid.
    public var mode: SubscriptionOffer.Mode
    /// The offer's id, for all but introductory ones.
    public var id: String?

    /// Makes the record of an offer.
    public init(type: SubscriptionOffer.OfferType, mode: SubscriptionOffer.Mode, id: String? = nil) {
      self.type = type
      self.mode = mode
      self.id = id
    }
  }

  /// The store's name for it.
  public var id: TransactionID
  /// The first transaction of a chain of renewals; its own id for any other purchase.
  public var originalID: TransactionID
  /// What was bought.
  public var productID: ProductID
  /// When this purchase, or this period, began.
  public var purchaseDate: Date
  /// When the period ends; `nil` for what does not expire.
  public var expirationDate: Date?
  /// That the store took it back, if it did.
  public var revocation: Revocation?
  /// Whether a later purchase of a higher level in the group replaced it.
  public var isUpgraded: Bool
  /// Who owns it.
  public var ownership: Ownership
  /// How many; only consumables have more than one.
  public var quantity: Int
  /// Which world it is from.
  public var environment: StoreEnvironment
  /// The app it was bought in; `nil` when the store does not say.
  public var appID: String?
  /// The app's account that it was bought for; `nil` when none was named.
  public var account: String?
  /// The offer that it was bought with.
  public var offer: Offer?
  /// What was paid, when the store says.
  public var price: Money?
  /// When the store signed this.
  public var revision: Revision

  /// Makes a transaction; `originalID` is `id` unless it renews another, `signed` is the purchase date unless it was signed later.
  public init(
    id: TransactionID, originalID: TransactionID? = nil, productID: ProductID, purchaseDate: Date, expirationDate: Date? = nil,
    revocation: Revocation? = nil, isUpgraded: Bool = false, ownership: Ownership = .purchased, quantity: Int = 1,
    environment: StoreEnvironment = .production, appID: String? = nil, account: String? = nil, offer: Offer? = nil, price: Money? = nil,
    signed: Date? = nil
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
    self.price = price
    self.revision = Revision(signed ?? purchaseDate)
  }

  /// By purchase date, and by id within one. Not as tuples, which would copy both ids for each comparison.
  func isEarlier(than other: Self) -> Bool { purchaseDate == other.purchaseDate ? id < other.id : purchaseDate < other.purchaseDate }

  /// Whether its period is paid already and has not begun: a renewal that the store charged early. What was signed when it began has begun,
  /// whatever a device's clock says.
  func isAhead(at now: Date) -> Bool { now < purchaseDate && revision.date < purchaseDate }

  /// Whether it may count for an account; `nil` when nobody is signed in.
  func isBought(for account: String?) -> Bool { self.account == nil || account == nil || self.account == account }

  /// Facts are the same when they are about one transaction.
  public var key: TransactionID { id }

  /// The later word wins; within one signature a revocation does, so that a refund signed in the instant of its purchase is not lost.
  public func merged(with other: Self) -> Self {
    if revision != other.revision { return revision < other.revision ? other : self }
    if (revocation != nil) != (other.revocation != nil) { return revocation != nil ? self : other }
    return self == other ? self : canonicalWinner(self, other)
  }
}

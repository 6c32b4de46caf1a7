// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A store on one device, used for all purchases. The App Store is one implementation, the simulated store another.
///
/// **Implementation guidance.**
/// - `read` returns an answer or throws. It never returns an empty list because the purchases could not be determined.
/// - Updates that were not requested (renewals, approvals, refunds, purchases elsewhere) go to every listener, and the call is awaited.
///   When a listener returns, it has handled the update. Delivering an update twice is allowed.
/// - `purchase` returns the person's action. Cancelling is a result, not an error.
/// - Only ``synchronize()`` may show a sign-in prompt. It is called only when a person asks to restore purchases.
///
/// `StoreBackendKit` in `MonetizeTesting` checks an implementation behaviour by behaviour.
public protocol StoreBackend: Sendable {
  /// Whether the store is simulated. Default: `false`. Each event carries it.
  var isSimulated: Bool { get }
  /// The products in this storefront. Products that the store does not sell are missing.
  func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct]
  /// Shows the store's purchase sheet and waits for the person.
  func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult
  /// The customer's current purchases: every transaction that gives access, and the renewal status of subscriptions.
  func read() async throws(StoreError) -> StoreAnswer
  /// Checks one recorded purchase that is missing from an answer.
  func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding
  /// The transactions that are not finished yet.
  func unfinished() async throws(StoreError) -> [SignedTransaction]
  /// Finishes a transaction, after its purchase was delivered. Finishing twice is harmless.
  func finish(_ transaction: TransactionID) async throws(StoreError)
  /// Finishes a known transaction. Default: finishes it by its id.
  func finish(_ signed: SignedTransaction) async throws(StoreError)
  /// Reads everything again. May show a sign-in prompt. StoreKit: `AppStore.sync()`.
  func synchronize() async throws(StoreError)
  /// When and how the customer first got the app itself. Throws ``StoreError/Code/unverified`` for a wrong signature. Default: throws
  /// ``StoreError/Code/unsupported``. StoreKit: `AppTransaction.shared`.
  func appTransaction() async throws(StoreError) -> AppTransactionRecord
  /// The country of the store. Default: throws ``StoreError/Code/unsupported``. StoreKit: `Storefront.current`.
  func country() async throws(StoreError) -> StoreCountry
  /// Shows one of the store's own sheets and waits until the person has closed it. Default: throws ``StoreError/Code/unsupported``.
  /// - Parameters:
  ///   - sheet: The sheet.
  ///   - place: The place to show it in, if the store needs one. StoreKit: a `UIWindowScene`.
  func show(_ sheet: StoreSheet, in place: StoreObject?) async throws(StoreError)
  /// Delivers all updates from now on, until the result is released or cancelled.
  func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening
}

/// Handles one update from a store. A type alias, because `async` function types differ between modules with and without the upcoming
/// feature `NonisolatedNonsendingByDefault`, and a store may be written in either.
public typealias StoreUpdateHandler = @Sendable @concurrent (StoreUpdate) async -> Void

extension StoreBackend {
  /// Finishes it by its id.
  public func finish(_ signed: SignedTransaction) async throws(StoreError) { try await finish(signed.transaction.id) }
  /// `false`.
  public var isSimulated: Bool { false }
  /// Throws ``StoreError/Code/unsupported``.
  public func appTransaction() async throws(StoreError) -> AppTransactionRecord { throw StoreError(.unsupported) }
  /// Throws ``StoreError/Code/unsupported``.
  public func country() async throws(StoreError) -> StoreCountry { throw StoreError(.unsupported) }
  /// Throws ``StoreError/Code/unsupported``.
  public func show(_ sheet: StoreSheet, in place: StoreObject?) async throws(StoreError) { throw StoreError(.unsupported) }
}

/// A purchase to make.
public struct PurchaseRequest: Sendable, Hashable {
  /// The product to buy.
  public var productID: ProductID
  /// The offer to use. Introductory offers apply automatically.
  public var offerID: String?
  /// The quantity; more than 1 only for consumables.
  public var quantity: Int
  /// The app's account to buy for. A monetizer sets its own.
  public var account: String?
  /// The developer's signature of a promotional offer, made for this purchase by a server.
  public var signature: OfferSignature?
  /// The place of the confirmation, if the store needs one. StoreKit: the scene or view controller of `purchase(confirmIn:)`.
  public var place: StoreObject?
  /// How a yearly subscription is paid.
  public var billing: BillingPlan

  /// Makes a request.
  public init(
    _ productID: ProductID, offerID: String? = nil, quantity: Int = 1, account: String? = nil, signature: OfferSignature? = nil,
    confirmIn place: StoreObject? = nil, billing: BillingPlan = .upFront
  ) {
    self.productID = productID
    self.offerID = offerID
    self.quantity = quantity
    self.account = account
    self.signature = signature
    self.place = place
    self.billing = billing
  }
}

/// How a yearly subscription is paid. StoreKit: `Product.SubscriptionInfo.BillingPlanType`.
public enum BillingPlan: String, Sendable, Hashable, CaseIterable {
  /// Once for the whole period.
  case upFront
  /// Every month, with a commitment to twelve payments. A store that does not sell the product this way throws
  /// ``StoreError/Code/unsupported``, because the customer would otherwise pay for the whole year at once.
  case monthly
}

/// The result of the store's purchase sheet. StoreKit: `Product.PurchaseResult`.
public enum PurchaseResult: Sendable, Hashable {
  /// Bought. A downgrade returns this with the old transaction.
  case success(SignedTransaction)
  /// Waits for approval.
  case pending
  /// The person cancelled.
  case userCancelled
}

/// A transaction with the result of its verification.
public struct SignedTransaction: Sendable, Hashable {
  /// The claimed transaction.
  public var transaction: StoreTransaction
  /// Whether the signature is the store's.
  public var isVerified: Bool
  /// The signed data of the store, for a server that verifies it again; `nil` when the store does not provide it. StoreKit: a JWS.
  public var jws: String?
  /// The store's own object, so that finishing needs no search.
  public var object: StoreObject?

  /// Makes a signed transaction.
  public init(_ transaction: StoreTransaction, isVerified: Bool = true, jws: String? = nil, object: StoreObject? = nil) {
    (self.transaction, self.isVerified, self.jws, self.object) = (transaction, isVerified, jws, object)
  }
}

/// The customer's purchases, as the store reports them.
public struct StoreAnswer: Sendable, Hashable {
  /// Every transaction that gives access and that the store lists.
  public var transactions: [SignedTransaction]
  /// The renewal status of subscriptions.
  public var renewals: [RenewalInfo]
  /// The store's signed time; `nil` when the answer may come from a cache.
  public var date: Date?
  /// The environment; `nil` when unknown. Facts of other environments do not count then.
  public var environment: StoreEnvironment?
  /// The signed data of each renewal status, by the id of the first transaction; empty when the store does not provide it.
  public var renewalJWS: [TransactionID: String]

  /// Makes an answer.
  public init(
    transactions: [SignedTransaction], renewals: [RenewalInfo] = [], date: Date? = nil, environment: StoreEnvironment? = nil,
    renewalJWS: [TransactionID: String] = [:]
  ) {
    self.transactions = transactions
    self.renewals = renewals
    self.date = date
    self.environment = environment
    self.renewalJWS = renewalJWS
  }
}

/// The result of a check of one purchase.
public enum StoreStanding: Sendable, Hashable {
  /// The customer still has it; the list was wrong or late.
  case held(SignedTransaction)
  /// The purchase was revoked.
  case revoked(SignedTransaction)
  /// The store has no record of the purchase, or no longer has one.
  case gone
}

/// An update that the store sends by itself.
public enum StoreUpdate: Sendable, Hashable {
  /// A renewal, an approval, a refund, a purchase on another device.
  case transaction(SignedTransaction)
  /// A new renewal status of a subscription.
  case renewal(RenewalInfo)
  /// The person began a purchase in the store, and the app must make it. StoreKit: `PurchaseIntent`.
  case intent(PurchaseRequest)
  /// The country of the store changed, and with it products and prices.
  case country(StoreCountry)
}

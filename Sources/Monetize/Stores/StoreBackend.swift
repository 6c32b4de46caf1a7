// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A store on one device: the port that all purchases go through. The App Store is one implementation, the simulated store another.
///
/// **Implementation guidance.**
/// - `read` answers or throws; it never gives an empty list for "I could not find out".
/// - What happens without being asked for (renewals, approvals, refunds, purchases elsewhere) is handed to every listener, and awaited: when
///   a listener returns, it has dealt with the news. Delivering something twice is allowed.
/// - `purchase` returns what the person did. Cancelling is an answer, not an error.
/// - Nothing here shows a sign-in prompt except ``synchronize()``, which is only called when a person asks to restore purchases.
///
/// `StoreBackendKit` in `MonetizeTesting` checks an implementation behaviour by behaviour.
public protocol StoreBackend: Sendable {
  /// The products as this storefront shows them; those that the store does not sell are missing from the answer.
  func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct]
  /// Shows the store's sheet and waits for the person.
  func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult
  /// What the customer has now: every purchase that gives access, and where subscriptions stand.
  func read() async throws(StoreError) -> StoreAnswer
  /// Asks about one recorded purchase that an answer did not list.
  func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding
  /// Purchases that have not been finished yet.
  func unfinished() async throws(StoreError) -> [SignedTransaction]
  /// Tells the store that a purchase has been delivered. Finishing twice is harmless.
  func finish(_ transaction: TransactionID) async throws(StoreError)
  /// Fetches everything anew; may ask the person to sign in. StoreKit: `AppStore.sync()`.
  func synchronize() async throws(StoreError)
  /// When and how the customer first got the app itself; only with a right signature, and ``StoreError/Code/unverified`` without one. A
  /// store that knows nothing about that need not have it: it fails with ``StoreError/Code/unsupported``. StoreKit: `AppTransaction.shared`.
  func appTransaction() async throws(StoreError) -> AppTransactionRecord
  /// Hands everything that happens from now on to `deliver`, until the result is dropped or cancelled.
  func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening
}

/// Takes one piece of news from a store. A name of its own, because `async` function types mean one thing in modules with the upcoming feature
/// `NonisolatedNonsendingByDefault` and another thing in those without it, and a store is written in either.
public typealias StoreUpdateHandler = @Sendable @concurrent (StoreUpdate) async -> Void

extension StoreBackend {
  /// Fails: such a store does not know how the customer got the app.
  public func appTransaction() async throws(StoreError) -> AppTransactionRecord { throw StoreError(.unsupported) }
}

/// A purchase to be made.
public struct PurchaseRequest: Sendable, Hashable {
  /// What is bought.
  public var productID: ProductID
  /// The offer that is to be used; introductory offers apply by themselves.
  public var offerID: String?
  /// How many; only consumables may be more than one.
  public var quantity: Int
  /// The app's account that it is for.
  public var account: String?

  /// Makes a request.
  public init(_ productID: ProductID, offerID: String? = nil, quantity: Int = 1, account: String? = nil) {
    self.productID = productID
    self.offerID = offerID
    self.quantity = quantity
    self.account = account
  }
}

/// What the person did in the store's sheet. StoreKit: `Product.PurchaseResult`.
public enum PurchaseResult: Sendable, Hashable {
  /// Bought. Also what a downgrade answers, with the old transaction.
  case success(SignedTransaction)
  /// Waits for somebody else.
  case pending
  /// The person changed their mind.
  case userCancelled
}

/// A transaction with the verdict on its signature.
public struct SignedTransaction: Sendable, Hashable {
  /// What is claimed.
  public var transaction: StoreTransaction
  /// Whether the store really said so.
  public var isVerified: Bool

  /// Makes a signed transaction.
  public init(_ transaction: StoreTransaction, isVerified: Bool = true) {
    self.transaction = transaction
    self.isVerified = isVerified
  }
}

/// What the store says a customer has.
public struct StoreAnswer: Sendable, Hashable {
  /// Every purchase that gives access, as far as the store lists it.
  public var transactions: [SignedTransaction]
  /// Where subscriptions stand.
  public var renewals: [RenewalInfo]
  /// The store's own time, when it says so with a signature; `nil` when the answer may come from a cache.
  public var date: Date?
  /// The world it is from, when the store says; facts of other worlds do not count then.
  public var environment: StoreEnvironment?

  /// Makes an answer.
  public init(transactions: [SignedTransaction], renewals: [RenewalInfo] = [], date: Date? = nil, environment: StoreEnvironment? = nil) {
    self.transactions = transactions
    self.renewals = renewals
    self.date = date
    self.environment = environment
  }
}

/// What the store says about one purchase when it is asked about just that.
public enum StoreStanding: Sendable, Hashable {
  /// The customer still has it; the list was wrong, or late.
  case held(SignedTransaction)
  /// It was taken back.
  case revoked(SignedTransaction)
  /// The store does not know it (any more).
  case gone
}

/// Something that happened without being asked for.
public enum StoreUpdate: Sendable, Hashable {
  /// A renewal, an approval, a refund, a purchase on another device.
  case transaction(SignedTransaction)
  /// A subscription's future changed.
  case renewal(RenewalInfo)
}

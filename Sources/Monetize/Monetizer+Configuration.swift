// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Monetizer {
  /// What a monetizer works with: everything outside of it, each replaceable.
  public struct Configuration: Sendable {
    // MARK: Dependencies

    /// Where purchases are made. Default: a store that sells nothing.
    public var store: any StoreBackend = EmptyStore()
    /// Where facts are kept. Default: in memory.
    public var storage: any StateStorage = .memory
    /// Where a reinstallation does not reach, such as the keychain: uses of features that say `survivesReinstall` are kept there as well, with
    /// what is needed to judge them, and are merged back at launch. Default: nowhere, so that such features begin anew with a reinstallation.
    public var secureStorage: (any StateStorage)?
    /// Where the time comes from. Default: the system.
    public var time: any TimeSource = .system
    /// Finds out whether an adult is there. Default: a gate that nobody passes.
    public var parentalGate: any ParentalGate = ClosedGate()
    /// Makes the names of this run of the process and of uses without a key of their own; two must never be the same, also of two runs and of two
    /// devices. Default: random ones.
    public var makeID: @Sendable () -> String = { UUID().uuidString }
    /// Is told everything that happens, in order, on the thread where it happened. Default: nobody.
    public var onEvent: (@Sendable (MonetizeEvent) -> Void)?

    // MARK: Options

    /// The device's time zone, asked for anew each time. Default: the system's.
    public var zone: @Sendable () -> TimeZone = { .current }
    /// The app's account; purchases made for another account do not count. Default: none.
    public var account: String?
    /// The name of this device among the customer's. Default: `device`.
    public var source: SourceID = .device
    /// For how long a purchase just made may be missing from the store's list without being asked about, in seconds. Default: 60.
    ///
    /// StoreKit lists a purchase up to seconds late.
    public var listingGrace: TimeInterval = 60
    /// For how long a pending purchase is waited for, in seconds. Default: a day, as Ask to Buy requests last.
    public var pendingLasts: TimeInterval = 86400
    /// Whether the store is asked right after the start. Turn it off to call ``Monetizer/start()`` yourself, in tests.
    public var startsByItself = true
  }
}

/// A store that sells nothing and always answers: for an app that sells nothing yet.
public struct EmptyStore: StoreBackend {
  /// Makes an empty store.
  public init() {}
  /// Sells nothing.
  public func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] { [] }
  /// Sells nothing.
  public func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult { throw StoreError(.productUnavailable) }
  /// The customer has nothing.
  public func read() async throws(StoreError) -> StoreAnswer { StoreAnswer(transactions: []) }
  /// It knows of no purchase, and so cannot say that one is gone.
  public func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding { throw StoreError(.unknown) }
  /// Nothing.
  public func unfinished() async throws(StoreError) -> [SignedTransaction] { [] }
  /// Nothing to do.
  public func finish(_ transaction: TransactionID) async throws(StoreError) {}
  /// Nothing to fetch.
  public func synchronize() async throws(StoreError) {}
  /// Nothing ever happens.
  public func listen(_ deliver: @escaping @Sendable (StoreUpdate) async -> Void) -> StoreListening { StoreListening {} }
}

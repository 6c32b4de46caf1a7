// SPDX-License-Identifier: Apache-2.0

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
  public func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening { StoreListening {} }
}

// SPDX-License-Identifier: Apache-2.0

/// A store without products that always answers. For an app that sells nothing yet.
public struct EmptyStore: StoreBackend {
  /// Makes an empty store.
  public init() {}
  /// Returns no products.
  public func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] { [] }
  /// Fails, because there are no products.
  public func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult { throw StoreError(.productUnavailable) }
  /// Returns no purchases.
  public func read() async throws(StoreError) -> StoreAnswer { StoreAnswer(transactions: []) }
  /// Fails, because the store has no purchases and cannot report one as gone.
  public func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding { throw StoreError(.unknown) }
  /// Returns nothing.
  public func unfinished() async throws(StoreError) -> [SignedTransaction] { [] }
  /// Does nothing.
  public func finish(_ transaction: TransactionID) async throws(StoreError) {}
  /// Does nothing.
  public func synchronize() async throws(StoreError) {}
  /// Never delivers an update.
  public func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening { StoreListening {} }
}

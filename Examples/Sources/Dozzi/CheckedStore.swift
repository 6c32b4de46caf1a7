// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The backend's word about purchases, beside the store's own verification.
///
/// The store's verification is enough: while the backend is down, or answers oddly, nothing changes. Only a revocation later than the
/// store's last signature closes a purchase, until the store signs it again.
public actor PurchaseChecks {
  private let backend: StoryBackend
  private var revoked: [TransactionID: StoreTransaction.Revocation] = [:]

  /// Makes checks by a backend.
  public init(_ backend: StoryBackend) { self.backend = backend }

  /// Asks the backend about purchases, such as `monetizer.signedPurchases()`. Call `monetizer.refresh()` afterwards.
  public func check(_ answer: StoreAnswer) async {
    for signed in answer.transactions {
      guard let jws = signed.jws else { continue }
      let verification = try? await backend.verifyPurchase(jws, of: signed.transaction.productID)
      if let date = verification?.revokedAt { revoked[signed.transaction.id] = StoreTransaction.Revocation(date: date) }
    }
  }

  func applied(to signed: SignedTransaction) -> SignedTransaction {
    guard let revocation = revoked[signed.transaction.id], revocation.date >= signed.transaction.revision.date else { return signed }
    var signed = signed
    signed.transaction.revocation = revocation
    return signed
  }
}

/// A store whose purchases the backend checks as well. Nothing waits for the backend.
public struct CheckedStore: StoreBackend {
  private let store: any StoreBackend
  private let checks: PurchaseChecks

  /// Puts checks in front of a store, such as `.appStore`.
  public init(_ store: any StoreBackend, _ checks: PurchaseChecks) { (self.store, self.checks) = (store, checks) }

  /// The store's answer, with the revocations that the backend knows.
  public func read() async throws(StoreError) -> StoreAnswer {
    var answer = try await store.read()
    for index in answer.transactions.indices { answer.transactions[index] = await checks.applied(to: answer.transactions[index]) }
    return answer
  }

  // MARK: As the store

  /// As the store.
  public var isSimulated: Bool { store.isSimulated }
  /// As the store.
  public func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] { try await store.products(for: ids) }
  /// As the store.
  public func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult { try await store.purchase(request) }
  /// As the store.
  public func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding {
    try await store.standing(of: transaction)
  }
  /// As the store.
  public func unfinished() async throws(StoreError) -> [SignedTransaction] { try await store.unfinished() }
  /// As the store.
  public func finish(_ transaction: TransactionID) async throws(StoreError) { try await store.finish(transaction) }
  /// As the store.
  public func finish(_ signed: SignedTransaction) async throws(StoreError) { try await store.finish(signed) }
  /// As the store.
  public func synchronize() async throws(StoreError) { try await store.synchronize() }
  /// As the store.
  public func appTransaction() async throws(StoreError) -> AppTransactionRecord { try await store.appTransaction() }
  /// As the store.
  public func country() async throws(StoreError) -> StoreCountry { try await store.country() }
  /// As the store.
  public func show(_ sheet: StoreSheet, in place: StoreObject?) async throws(StoreError) { try await store.show(sheet, in: place) }
  /// As the store.
  public func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening { store.listen(deliver) }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// The simulated store with one fault in what it reports.
struct FlawedStore: StoreBackend {
  enum Flaw: String, Sendable, CaseIterable {
    /// A purchase of the family counts as the member's own.
    case hidesSharing
    /// A change of a transaction has the signature of the purchase.
    case signsOnce
    /// A status names the running plan as the next one.
    case forgetsDowngrades
    /// Finishing has no effect.
    case finishesNothing
  }
  let store: SimulatedDevice
  let flaw: Flaw

  private func flawed(_ signed: SignedTransaction) -> SignedTransaction {
    var signed = signed
    switch flaw {
    case .hidesSharing: signed.transaction.ownership = .purchased
    case .signsOnce: signed.transaction.revision = Revision(signed.transaction.purchaseDate)
    case .forgetsDowngrades, .finishesNothing: break
    }
    return signed
  }

  func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] { try await store.products(for: ids) }
  func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult {
    switch try await store.purchase(request) {
    case .success(let signed): .success(flawed(signed))
    case let other: other
    }
  }
  func read() async throws(StoreError) -> StoreAnswer {
    var answer = try await store.read()
    answer.transactions = answer.transactions.map(flawed)
    if flaw == .forgetsDowngrades {
      for index in answer.renewals.indices { answer.renewals[index].renewsInto = answer.renewals[index].productID }
    }
    return answer
  }
  func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding {
    switch try await store.standing(of: transaction) {
    case .held(let signed): .held(flawed(signed))
    case .revoked(let signed): .revoked(flawed(signed))
    case .gone: .gone
    }
  }
  func unfinished() async throws(StoreError) -> [SignedTransaction] { try await store.unfinished().map(flawed) }
  func finish(_ transaction: TransactionID) async throws(StoreError) {
    if flaw != .finishesNothing { try await store.finish(transaction) }
  }
  func finish(_ signed: SignedTransaction) async throws(StoreError) { try await finish(signed.transaction.id) }
  func synchronize() async throws(StoreError) { try await store.synchronize() }
  func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening { store.listen(deliver) }
}

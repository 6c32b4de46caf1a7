// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// Buys a product. Access is there when this returns `.completed`.
  ///
  /// One purchase of a product is under way at a time: a second call gets the first one's outcome. A caller that is cancelled does not
  /// cancel the purchase.
  /// - Parameters:
  ///   - product: What is bought.
  ///   - offer: The offer that is to be used; introductory offers apply by themselves.
  ///   - quantity: How many; only consumables can be more than one.
  ///   - pass: A fresh pass of the parental gate, where the catalog's gate covers purchases. It is used up, whatever the outcome.
  /// - Throws: ``GateRequired`` when there is no such pass, and nothing else. The store has not been asked then.
  public func purchase(_ product: ProductID, offer: String? = nil, quantity: Int = 1, pass: GatePass? = nil) async throws(GateRequired)
    -> PurchaseOutcome
  {
    try useUp(pass, at: .purchase)
    guard let definition = catalog.product(product), definition.isOnSale else { return .failed(StoreError(.productUnavailable)) }
    if let status = snapshot.status(of: product), status.isOwned, owns(definition, status), offer == nil { return .alreadyOwned }
    let task = core.withLock { core -> Task<PurchaseOutcome, Never> in
      if let running = core.purchases[product] { return running }
      let task = Task {
        // However it ends, the next one is a purchase of its own.
        defer { self.core.withLock { $0.purchases[product] = nil } }
        guard self.begins() else { return PurchaseOutcome.failed(StoreError(.cancelled)) }
        defer { self.ends() }
        return await self.buy(
          PurchaseRequest(
            product, offerID: offer, quantity: definition.storeType == .consumable ? max(1, quantity) : 1,
            account: self.configuration.account))
      }
      core.purchases[product] = task
      return task
    }
    return await task.value
  }

  /// Whether buying again would sell nothing: what is owned for ever, or renews into itself.
  private func owns(_ product: CatalogProduct, _ status: ProductStatus) -> Bool {
    switch product.storeType {
    case .consumable, .nonRenewing: false
    case .autoRenewable:
      status.willRenew == true && (status.renewsInto ?? product.id) == product.id && status.state != .grace
        && status.commitment?.willRenew != false
    case .nonConsumable, .none: true
    }
  }

  private func buy(_ request: PurchaseRequest) async -> PurchaseOutcome {
    event(.purchaseStarted, product: request.productID)
    let result: PurchaseResult
    do throws(StoreError) { result = try await configuration.store.purchase(request) } catch {
      if error.code == .userCancelled {
        event(.purchaseCancelled, product: request.productID)
        return .cancelled
      }
      event(.purchaseFailed, product: request.productID, error: error.code)
      return .failed(error)
    }
    switch result {
    case .userCancelled:
      event(.purchaseCancelled, product: request.productID)
      return .cancelled
    case .pending:
      await waitFor(request.productID)
      return .pending
    case .success(let signed):
      guard await accept(signed, restored: false) else { return .unverified }
      // Where a subscription stands is said by the store, not by the transaction.
      if catalog.product(request.productID)?.subscription != nil { await refresh() }
      return .completed(signed.transaction)
    }
  }

  private func waitFor(_ product: ProductID) async {
    let now = now
    let pending = core.withLock { core in
      PendingPurchase(
        productID: product, since: now, lapses: now + configuration.pendingLasts,
        revision: Revision(now, sequence: (core.state.pending[product]?.revision.sequence ?? -1) + 1))
    }
    _ = await journal.write([.pending(pending), timeFact()])
    publish([.pending(pending)])
    event(.purchasePending, product: product)
  }

  /// Brings back what the customer bought before. Only call it when a person asks for it: the store may want them to sign in.
  /// - Parameter pass: A fresh pass of the parental gate, where the catalog's gate covers restoring.
  /// - Throws: ``GateRequired`` when there is no such pass, and nothing else.
  public func restorePurchases(pass: GatePass? = nil) async throws(GateRequired) -> RestoreOutcome {
    try useUp(pass, at: .restore)
    do throws(StoreError) { try await configuration.store.synchronize() } catch {
      return error.code == .userCancelled ? .cancelled : .failed(error)
    }
    if let error = await refresh() { return .failed(error) }
    let snapshot = snapshot
    let owned = snapshot.products.filter { $0.isOwned || snapshot.hasCredits(of: $0.product) }.map(\.product)
    if !owned.isEmpty { return .restored(owned) }
    return core.withLock { $0.state.transactions.isEmpty && $0.state.renewals.isEmpty } ? .nothingToRestore : .nothingActive
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Buys and restores. Runs one purchase of a product at a time; a second call gets the outcome of the first.
actor Purchases {
  /// The result of the last request for products.
  private enum Listing { case unknown, failed, sold(Set<ProductID>) }

  private let parts: Parts
  private let sync: StoreSync
  private var underWay: [ProductID: Task<PurchaseOutcome?, Never>] = [:]
  private var listing = Listing.unknown
  /// The number of requests for products, and the one that `listing` comes from.
  private var (requests, listed) = (0, 0)

  init(_ parts: Parts, _ sync: StoreSync) { (self.parts, self.sync) = (parts, sync) }

  private var store: any StoreBackend { parts.configuration.store }

  func products() async throws(StoreError) -> [StoreProduct] {
    let ids = parts.answers.now.catalog.products.filter(\.isOffered).map(\.id)
    if ids.isEmpty { return [] }
    requests += 1
    let number = requests
    do throws(StoreError) {
      let products = try await store.products(for: ids)
      let sold = Dictionary(products.map { ($0.id, $0) }) { first, _ in first }
      list(.sold(Set(sold.keys)), number)
      return ids.compactMap { sold[$0] }
    } catch {
      // A cancelled request has no result.
      if error.code != .cancelled { list(.failed, number) }
      throw error
    }
  }

  /// Adopts the result of a request, unless a later request has already ended.
  private func list(_ result: Listing, _ number: Int) {
    if number > listed { (listing, listed) = (result, number) }
  }

  /// Whether a product is for sale: offered by the catalog, with monetization on, and among the products if they were loaded.
  private func isForSale(_ product: CatalogProduct, in catalog: Catalog) -> Bool {
    guard product.isOffered, catalog.isMonetized else { return false }
    return switch listing {
    case .unknown: true
    case .failed: false
    case .sold(let ids): ids.contains(product.id)
    }
  }

  /// Returns `nil` without asking the store while a hand-over is under way, and after it.
  func purchase(_ wanted: PurchaseRequest) async -> PurchaseOutcome? {
    let product = wanted.productID
    let snapshot = parts.answers.current(.customer).snapshot
    let isOwned = wanted.offerID == nil && snapshot.preventsPurchase(of: product)
    // The transaction may have arrived although the store's sheet never returned.
    if !isOwned, let running = underWay[product] { return await running.value }
    let catalog = parts.answers.now.catalog
    guard let definition = catalog.product(product), isForSale(definition, in: catalog), !snapshot.isPast(product) else {
      return .failed(StoreError(.productUnavailable))
    }
    if isOwned { return .alreadyOwned }
    var request = wanted
    request.quantity = type(of: definition.kind).sellsCredits ? max(1, wanted.quantity) : 1
    request.account = parts.configuration.account
    // Runs in its own task, so that cancelling the caller does not cancel the purchase.
    let task = Task { [request] () -> PurchaseOutcome? in
      defer { underWay[product] = nil }
      guard parts.work.begin() else { return nil }
      defer { parts.work.end() }
      return await buy(request)
    }
    underWay[product] = task
    return await task.value
  }

  private func buy(_ request: PurchaseRequest) async -> PurchaseOutcome {
    let product = request.productID
    let before = parts.answers.facts.purchases[product].number
    parts.send(.purchaseStarted, product: product)
    do throws(StoreError) {
      switch try await store.purchase(request) {
      case .userCancelled: throw StoreError(.userCancelled)
      case .pending:
        return await wait(for: product, besides: before).map(PurchaseOutcome.completed) ?? .pending
      case .success(let signed):
        let known = parts.answers.facts.transactions[signed.transaction.id] != nil
        guard await sync.accept(signed, isAsked: true) else { return .unverified }
        await sync.finished([signed])
        // The store returns a known transaction when another plan begins only at the next renewal.
        if known, signed.transaction.productID != product { parts.send(.planChangeScheduled, product: product) }
        // The state of a subscription comes from its renewal status, not from the transaction.
        if parts.catalog.product(product)?.subscription != nil { await sync.refresh(within: StoreSync.patience) }
        parts.isPaywallOpen.set(false)
        // The store returns what another account of the app already owns, instead of selling it again.
        guard signed.transaction.isBought(for: parts.configuration.account) else { throw StoreError(.otherAccount) }
        return .completed(signed.transaction)
      }
    } catch {
      let isCancelled = error.code == .userCancelled
      parts.send(isCancelled ? .purchaseCancelled : .purchaseFailed, product: product, error: isCancelled ? nil : error.code)
      return isCancelled ? .cancelled : .failed(error)
    }
  }

  /// Records that a purchase waits for approval. Returns the transaction instead if it was approved before the store's sheet returned.
  /// - Parameter known: The number of the product's transactions before the purchase.
  private func wait(for product: ProductID, besides known: Int) async -> StoreTransaction? {
    let approved = Locked<StoreTransaction?>(nil)
    await parts.writer.add { [parts] in
      let state = parts.answers.now
      let bought = state.facts.purchases[product]
      let found = bought.number > known ? bought.latest : nil
      approved.set(found)
      if found != nil { return nil }
      let now = parts.clock.now
      let pending = PendingPurchase(
        productID: product, since: now, lapses: now + parts.configuration.pendingLasts,
        revision: .next(after: state.facts.pending[product]?.revision, at: now))
      return .init(facts: [.pending(pending)], version: state.version)
    }
    if approved.copy == nil { parts.send(.purchasePending, product: product) }
    return approved.copy
  }

  func restore() async -> RestoreOutcome {
    do throws(StoreError) { try await store.synchronize() } catch {
      return error.code == .userCancelled ? .cancelled : .failed(error)
    }
    if let error = await sync.refresh() { return .failed(error) }
    let snapshot = parts.answers.current(.customer).snapshot
    let owned = snapshot.products.filter { $0.isOwned || snapshot.hasCredits(of: $0.product) }.map(\.product)
    if !owned.isEmpty { return .restored(owned) }
    // Purchases from another environment or for another account do not count, nor do their renewals. After a reinstallation the renewal
    // status of an ended subscription may come without a transaction.
    let facts = parts.answers.facts
    let (situation, app) = (snapshot.situation, parts.catalog.app.id)
    let chains = Set(facts.transactions.values.map(\.originalID))
    let isKnown =
      facts.transactions.values.contains { situation.concerns($0, app: app) }
      || facts.renewals.values.contains { !chains.contains($0.originalID) }
    return isKnown ? .nothingActive : .nothingToRestore
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

extension SimulatedDevice {
  /// The products for the customer's storefront. Counted as `products`; fails as `loadProducts`.
  public func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] {
    try await begin("products", .loadProducts)
    return store.state.withLock { state in
      var products = state.world.storeProducts(for: ids, customer: state.devices[row].customer)
      if state.world.settings.quirks.contains(.frozenEligibility) {
        for index in products.indices {
          let first = state.devices[row].frozenOffers[products[index].id] ?? products[index].introductoryOffer
          state.devices[row].frozenOffers.updateValue(first, forKey: products[index].id)
          products[index].introductoryOffer = first
        }
      }
      state.devices[row].loaded.formUnion(products.map(\.id))
      return products
    }
  }

  /// Shows the store's sheet; ``nextSheet`` is its result. Counted as `purchase`, and fails as it. Loads a product first that this process
  /// has not loaded. When loading fails as `loadProducts`, there is no sheet, and the call is not counted.
  public func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult { try await purchase(request, at: nil) }

  /// The same with a date in the past, renewed until now; `nil` is now. For tests, as `.purchaseDate(_:renewalBehavior:)` does.
  public func purchase(_ request: PurchaseRequest, at date: Date?) async throws(StoreError) -> PurchaseResult {
    let failure = store.state.withLock { state in
      state.devices[row].loaded.contains(request.productID) ? nil : injected(.loadProducts, &state)
    }
    if let failure { throw failure }
    try await begin("purchase", .purchase)
    write { $0.loaded.insert(request.productID) }
    return try await buy(request, at: date)
  }

  func buy(_ request: PurchaseRequest, at date: Date?, isOwnCall: Bool = true) async throws(StoreError) -> PurchaseResult {
    let bought = store.state.withLock { state in
      let (sheet, customer) = (state.devices[row].nextSheet, state.devices[row].customer)
      state.devices[row].nextSheet = nil
      return Result { () throws(StoreError) in
        let bought = try state.world.purchase(request, by: customer, sheet: sheet, at: date, origin: isOwnCall ? id : nil)
        state.note(bought.events)
        return bought
      }
    }
    let (result, events) = try bought.get()
    await store.deliver(events)
    if case .success(let bought) = result { return .success(signed([bought])[0]) }
    return result
  }

  /// The customer's purchases. Counted as `read`; fails as `subscriptionStatus`, by the quirks of reads, and when the task is cancelled.
  public func read() async throws(StoreError) -> StoreAnswer {
    try await begin("read", .subscriptionStatus)
    if Task.isCancelled { throw StoreError(.cancelled) }
    var (answer, quirks) = store.state.withLock { state in
      let device = state.devices[row]
      return (state.world.answer(for: device.customer, app: device.app, sinceSync: device.synchronized), state.quirksOn)
    }
    // A later row applies first, so that a cancelled read neither fails nor answers.
    for quirk in quirks.reversed() { answer = try quirk.read(answer) }
    answer.transactions = signed(answer.transactions)
    return answer
  }

  /// The current state of one transaction. Counted as `standing`.
  public func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding {
    try await begin("standing", nil)
    return store.state.withLock { $0.world.standing(of: transaction, customer: $0.devices[row].customer) }
  }

  /// The unfinished transactions and those that this device missed. Counted as `unfinished`.
  public func unfinished() async throws(StoreError) -> [SignedTransaction] {
    try await begin("unfinished", nil)
    let all = store.state.withLock { state -> [SignedTransaction] in
      let device = state.devices[row]
      let unfinished = state.world.unfinished(of: device.customer, app: device.app, missed: device.missed)
      let ordered = state.quirksOn.reduce(unfinished) { $1.missed($0) }
      return ordered.flatMap { Array(repeating: $0, count: state.deliveries) }
    }
    return signed(all)
  }

  /// Records a transaction as finished, also offline. Counted as `finish`.
  public func finish(_ transaction: TransactionID) async throws(StoreError) {
    store.state.withLock { state in
      state.devices[row].calls["finish", default: 0] += 1
      state.devices[row].finished.insert(transaction)
      state.devices[row].missed.remove(transaction)
      state.world.finish(transaction, customer: state.devices[row].customer)
    }
  }

  /// Lists all purchases, including those that a quirk delays. Counted as `synchronize`; fails as `appStoreSync`.
  public func synchronize() async throws(StoreError) {
    try await begin("synchronize", .appStoreSync)
    let now = store.clock.now
    write { $0.synchronized = now }
  }

  /// The app transaction. Counted as `appTransaction`; fails as `appTransaction`, and as `verification` for a wrong signature.
  public func appTransaction() async throws(StoreError) -> AppTransactionRecord {
    try await begin("appTransaction", .appTransaction)
    if breaksSignatures() { throw StoreError(.unverified) }
    return store.state.withLock { $0.world.appTransaction(of: $0.devices[row].customer, app: $0.devices[row].app) }
  }

  /// Delivers later updates. ``unfinished()`` returns those that were missed before.
  public func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening {
    let number = store.state.withLock { state -> Int in
      state.listenersMade += 1
      state.devices[row].listeners.append(.init(number: state.listenersMade, deliver: deliver))
      return state.listenersMade
    }
    return StoreListening { [weak store, row] in store?.state.withLock { $0.devices[row].listeners.removeAll { $0.number == number } } }
  }

  // MARK: Actions of a person at the store

  /// Redeems an offer code in the store's sheet. Fails as `offerCodeRedeem`.
  public func redeemCode(_ offer: String, for product: ProductID) async throws(StoreError) -> PurchaseResult {
    try await begin(nil, .offerCodeRedeem)
    // The sheet belongs to the store, so the app receives an update. Source: StoreKit `presentOfferCodeRedeemSheet`.
    return try await buy(PurchaseRequest(product, offerID: offer), at: nil, isOwnCall: false)
  }

  /// Buys on the App Store itself. Every device receives an update, including this one.
  public func buyOnTheStore(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult {
    try await begin(nil, nil)
    return try await buy(request, at: nil, isOwnCall: false)
  }

  /// Turns auto-renew on or off in the store's sheet. Fails as `manageSubscriptions`; does nothing for a change that the sheet does not
  /// offer.
  public func manageSubscriptions(_ product: ProductID, autoRenew isOn: Bool) async throws(StoreError) {
    try await begin(nil, .manageSubscriptions)
    do { try await store.setAutoRenew(isOn, product: product, customer: customer) } catch { throw StoreError(.unknown) }
  }

  /// Requests a refund in the store's sheet; ``SimulatedStore/refund(_:customer:part:reason:)`` decides on it. Fails as `refundRequest`.
  public func requestRefund(_ product: ProductID) async throws(StoreError) {
    try await begin(nil, .refundRequest)
    let customer = customer
    do {
      try await store.act { world throws(SimulationError) in try world.requestRefund(product, customer: customer) }
    } catch { throw StoreError(.unknown) }
  }
}

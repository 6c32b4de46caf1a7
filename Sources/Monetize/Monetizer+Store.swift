// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Monetizer {
  // MARK: Purchases

  /// Buys a product. Access is available when this returns `.completed`.
  ///
  /// One purchase of a product runs at a time; a second call gets its outcome. Cancelling the caller does not cancel the purchase.
  /// - Parameters:
  ///   - product: The product to buy.
  ///   - offer: The offer to use. Introductory offers apply automatically.
  ///   - quantity: The quantity; more than 1 only for consumables.
  ///   - pass: A valid pass of the parental gate, if the catalog's gate covers purchases. It is used up, whatever the outcome.
  /// - Throws: ``GateRequired`` when the pass is missing, and nothing else. No request was made to the store then.
  public func purchase(_ product: ProductID, offer: String? = nil, quantity: Int = 1, pass: GatePass? = nil) async throws(GateRequired)
    -> PurchaseOutcome
  {
    try await purchase(PurchaseRequest(product, offerID: offer, quantity: quantity), pass: pass)
  }

  /// Buys a product with the options of a request, such as the signature of an offer or the scene of the confirmation.
  ///
  /// The request's account is replaced by that of the configuration.
  /// - Throws: ``GateRequired`` when the pass is missing, and nothing else.
  public func purchase(_ request: PurchaseRequest, pass: GatePass? = nil) async throws(GateRequired) -> PurchaseOutcome {
    try usePass(pass, for: .purchase)
    return await purchases.purchase(request) ?? .failed(StoreError(.cancelled))
  }

  /// Makes a purchase that a person began in the store, if the app accepts it and an adult passes the gate.
  func purchaseIntended(_ request: PurchaseRequest) async {
    guard await parts.configuration.acceptsIntent(request) else { return }
    do throws(GateFailed) { _ = try await passForPurchase() } catch { return }
    var buyer = self
    // A person may sign in meanwhile, and signing in may fail.
    repeat { buyer = await buyer.current } while await buyer.purchases.purchase(request) == nil
  }

  /// The monetizer that the app continues with: this one, or the one to which it hands over.
  private var current: Monetizer {
    get async {
      guard let begun = handOver.copy, case .success(let heir) = await begun.task.value else { return self }
      return await heir.current
    }
  }

  /// Restores the customer's purchases. Call it only at a person's request, because the store may show a sign-in prompt.
  /// - Parameter pass: A valid pass of the parental gate, if the catalog's gate covers restoring.
  /// - Throws: ``GateRequired`` when the pass is missing, and nothing else.
  public func restorePurchases(pass: GatePass? = nil) async throws(GateRequired) -> RestoreOutcome {
    try usePass(pass, for: .restore)
    return await purchases.restore()
  }

  // MARK: Products and the store

  /// Loads the products that the store sells here, in catalog order, with names and prices for a paywall.
  /// - Throws: ``StoreError`` when the store fails.
  public func storeProducts() async throws(StoreError) -> [StoreProduct] {
    try await purchases.products()
  }

  /// When and how the customer first got the app itself. For an app that changes its business model and honours existing customers:
  ///
  /// ```swift
  /// let app = try await monetizer.appTransaction()
  /// if app.environment == .production, app.originalPurchaseDate < newModel {
  ///   await monetizer.give(["pro"], id: "early")
  /// }
  /// ```
  ///
  /// The complimentary grant is a durable fact; giving it again changes nothing. Reading the app transaction grants nothing, writes nothing
  /// and needs no parental gate.
  /// - Throws: ``StoreError`` when the store fails, has no record, or returns a wrong signature. Retry later, and revoke nothing meanwhile.
  public func appTransaction() async throws(StoreError) -> AppTransactionRecord { try await parts.configuration.store.appTransaction() }

  /// The country of the store.
  /// - Throws: ``StoreError`` when the store fails or has no country.
  public func storeCountry() async throws(StoreError) -> StoreCountry { try await parts.configuration.store.country() }

  /// The customer's purchases with the store's signed data, for a server that verifies them again. Records nothing.
  /// - Throws: ``StoreError`` when the store fails.
  public func signedPurchases() async throws(StoreError) -> StoreAnswer { try await parts.configuration.store.read() }

  /// Shows one of the store's own sheets, waits until the person has closed it, and reads the customer's purchases again.
  /// - Parameters:
  ///   - sheet: The sheet.
  ///   - place: The place to show it in. On Apple's systems the window's scene.
  ///   - pass: A valid pass of the parental gate, if the gate covers purchases, for a code, or links, for the others.
  /// - Returns: The error when the sheet could not be shown or the person cancelled; `nil` on success.
  /// - Throws: ``GateRequired`` when the pass is missing, and nothing else.
  @discardableResult
  public func show(_ sheet: StoreSheet, in place: StoreObject? = nil, pass: GatePass? = nil) async throws(GateRequired) -> StoreError? {
    try usePass(pass, for: sheet.action)
    do throws(StoreError) { try await parts.configuration.store.show(sheet, in: place) } catch { return error }
    return await refresh()
  }

  /// Loads the products, reports the progress, and retries after transient errors:
  ///
  /// ```swift
  /// for await loading in monetizer.loadProducts() { self.loading = loading }
  /// ```
  ///
  /// The last element is `.loaded`, or `.failed` without another retry. Ending the iteration stops the loading.
  /// - Parameter retries: The delay before each retry in seconds, measured by the clock of ``MonetizeConfiguration/time``. Only transient
  ///   errors are retried, see ``StoreError/isTransient``.
  public func loadProducts(retries: [TimeInterval] = [1, 2, 4]) -> AsyncStream<ProductLoading> {
    AsyncStream { continuation in
      let task = Task {
        var delays = retries[...]
        while !Task.isCancelled {
          continuation.yield(.loading)
          do throws(StoreError) {
            continuation.yield(.loaded(try await self.storeProducts()))
            break
          } catch {
            guard error.isTransient, let delay = delays.popFirst() else {
              continuation.yield(.failed(error, retriesAt: nil))
              break
            }
            let clock = self.parts.clock
            let date = clock.wall + max(0, delay)
            await clock.wait(untilWall: date) { _ in continuation.yield(.failed(error, retriesAt: date)) }
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

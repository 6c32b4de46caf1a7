// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// The products that the store sells here, as it shows them: names and prices for a paywall, in catalog order.
  /// - Throws: ``StoreError`` when the store could not answer.
  public func storeProducts() async throws(StoreError) -> [StoreProduct] {
    try await effects.purchases.products()
  }

  /// When and how the customer first got the app itself: what an app asks that changes its model and honours who had it before.
  ///
  /// ```swift
  /// let app = try await monetizer.appTransaction()
  /// if app.environment == .production, app.originalPurchaseDate < newModel {
  ///   await monetizer.give(["pro"], id: "early")
  /// }
  /// ```
  ///
  /// The gift is a fact on disk, and the same one however often it is given. Asking gives nothing by itself, writes nothing, and stands behind
  /// no parental gate.
  /// - Throws: ``StoreError`` when the store could not answer, does not know, or signed wrongly. Ask again later, and take nothing away meanwhile.
  public func appTransaction() async throws(StoreError) -> AppTransactionRecord { try await parts.configuration.store.appTransaction() }

  /// Loads the products, says how far that has come, and asks again after a failure that may pass by itself:
  ///
  /// ```swift
  /// for await loading in monetizer.loadProducts() { self.loading = loading }
  /// ```
  ///
  /// The last element is `.loaded`, or `.failed` with no further try. Whoever stops listening stops the loading.
  /// - Parameter retries: The waits between tries, by the clock of ``Monetizer/Configuration/time``.
  public func loadProducts(retries: StoreRetries = .standard) -> AsyncStream<ProductLoading> {
    AsyncStream { continuation in
      let task = Task {
        var delays = retries.delays[...]
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
            let date = clock.wall + delay
            await clock.wait(untilWall: date) { _ in continuation.yield(.failed(error, retriesAt: date)) }
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

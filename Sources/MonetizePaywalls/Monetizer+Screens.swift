// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

extension Monetizer {
  /// The options of a paywall with the store's prices: one call for an app that draws its own screen.
  ///
  /// ```swift
  /// let options = try await monetizer.options(for: paywall)
  /// ```
  /// - Throws: ``StoreError`` when the store could not answer. Prices are then unknown.
  public func options(for paywall: Paywall, selected: ProductID? = nil) async throws(StoreError) -> [PaywallOption] {
    let products = try await storeProducts()
    return PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(products), selected: selected).options
  }

  /// The screens of a paywall in order: loading, then prices or a failure, then a new screen after every change of the customer's access. A
  /// paywall therefore becomes ``PaywallScreen/Phase/done`` wherever its purchase was made.
  ///
  /// - Parameter retries: The delay before each retry of a store that fails, in seconds.
  public func screens(
    for paywall: Paywall, selected: ProductID? = nil, retries: [TimeInterval] = [1, 2, 4]
  ) -> AsyncStream<PaywallScreen> {
    AsyncStream { continuation in
      let latest = LatestScreen(paywall, selected, continuation)
      let tasks = [
        Task { for await snapshot in self.snapshots { await latest.hear(snapshot) } },
        Task { for await loading in self.loadProducts(retries: retries) { await latest.hear(loading) } },
      ]
      continuation.onTermination = { _ in for task in tasks { task.cancel() } }
    }
  }
}

/// Joins the values of two streams into one screen, and drops a screen that equals the previous one.
private actor LatestScreen {
  private let paywall: Paywall
  private let selected: ProductID?
  private let continuation: AsyncStream<PaywallScreen>.Continuation
  private var snapshot: Snapshot?
  private var loading = ProductLoading.loading
  private var last: PaywallScreen?

  init(_ paywall: Paywall, _ selected: ProductID?, _ continuation: AsyncStream<PaywallScreen>.Continuation) {
    (self.paywall, self.selected, self.continuation) = (paywall, selected, continuation)
  }

  func hear(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    publish()
  }

  func hear(_ loading: ProductLoading) {
    self.loading = loading
    publish()
  }

  private func publish() {
    guard let snapshot else { return }
    let screen = PaywallScreen(of: paywall, snapshot: snapshot, loading: loading, selected: selected)
    guard screen != last else { return }
    last = screen
    continuation.yield(screen)
  }
}

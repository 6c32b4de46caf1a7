// SPDX-License-Identifier: Apache-2.0
#if canImport(Combine) && canImport(SwiftUI)
  public import Combine
  public import Foundation
  public import Monetize
  public import MonetizeSimulator
  public import MonetizeUI

  /// The simulated App Store in a running app: for previews, UI tests and a debug panel on a device. It charges nothing and uses no
  /// network. Never link this module into a release.
  ///
  /// ```swift
  /// @StateObject private var preview = PreviewStore(catalog: catalog, owns: ["pro.month"])
  /// var body: some Scene { WindowGroup { ContentView().preview(preview) } }
  /// ```
  ///
  /// Its time changes only by ``wait(_:)``, so that a month takes a tap.
  @MainActor public final class PreviewStore: ObservableObject {
    /// The store, for everything that the panel has no button for.
    public let store: SimulatedStore
    /// The device that the app runs on.
    public let device: SimulatedDevice
    /// The owner of the app's monetizer.
    public let model: MonetizerModel
    /// The simulated time.
    @Published public private(set) var date: Date
    /// The reason why the last tap had no effect; `nil` when it had one.
    @Published public private(set) var problem: String?
    /// Whether purchases wait for a parent's approval.
    @Published public private(set) var asksToBuy = false
    /// Whether the device reaches the store.
    @Published public private(set) var isOffline = false
    private var isStarted = false
    private let owned: [ProductID]

    /// Makes a store that sells the products of a catalog, and an app that uses it.
    /// - Parameters:
    ///   - catalog: The app's catalog.
    ///   - owned: The products that the customer has bought.
    ///   - date: The time at the start.
    ///   - configure: Changes other settings of the configuration.
    public init(
      catalog: Catalog, owns owned: [ProductID] = [], at date: Date = Date(), _ configure: (inout MonetizeConfiguration) -> Void = { _ in }
    ) {
      store = SimulatedStore(catalog: catalog, start: date)
      device = store.device()
      (self.date, self.owned) = (date, owned)
      model = MonetizerModel(catalog: catalog) { [device] in
        $0.store = device
        $0.time = device.time
        $0.startsByItself = false
        configure(&$0)
      }
    }

    /// Buys the owned products, and starts the monetizer. The modifier `preview(_:)` calls it.
    public func start() async {
      if isStarted { return }
      isStarted = true
      for product in owned { _ = try? await device.purchase(PurchaseRequest(product)) }
      await model.monetizer.start()
    }

    /// Buys a product as the customer, in the App Store, without a paywall of the app.
    public func buy(_ product: ProductID) async {
      do {
        _ = try await device.buyOnTheStore(PurchaseRequest(product))
        problem = nil
      } catch { problem = "\(error)" }
    }

    /// Refunds a purchase.
    public func refund(_ product: ProductID) async {
      await act { store throws(SimulationError) in try await store.refund(product) }
    }

    /// Approves a pending purchase as a parent.
    public func approve(_ product: ProductID) async {
      await act { store throws(SimulationError) in try await store.approve(product) }
    }

    /// Declines a pending purchase as a parent.
    public func decline(_ product: ProductID) async {
      await act { store throws(SimulationError) in try await store.decline(product) }
    }

    /// Advances the time. Renewals, ends and resets on the way happen.
    public func wait(_ length: Period) async {
      await store.advance(by: length)
      date = store.clock.now
    }

    /// Sets whether purchases wait for a parent's approval.
    public func setAsksToBuy(_ isOn: Bool) async {
      asksToBuy = isOn
      await store.setAskToBuy(isOn)
    }

    /// Sets whether the device reaches the store.
    public func setOffline(_ isOn: Bool) async {
      isOffline = isOn
      await act { store throws(SimulationError) in try await store.setNetwork(isOn ? .offline : .online) }
    }

    private func act(_ verb: (SimulatedStore) async throws(SimulationError) -> Void) async {
      do throws(SimulationError) {
        try await verb(store)
        problem = nil
      } catch { problem = "\(error)" }
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0
#if canImport(Combine) && canImport(SwiftUI)
  public import Combine
  public import Foundation
  public import Monetize
  public import MonetizeSimulator
  public import MonetizeUI

  /// The simulated App Store in a running app: for previews, UI tests and a debug panel on a device. Nothing is charged, and nothing leaves the
  /// process. Never link this module into a release.
  ///
  /// ```swift
  /// @StateObject private var preview = PreviewStore(catalog: catalog, owns: ["pro.month"])
  /// var body: some Scene { WindowGroup { ContentView().preview(preview) } }
  /// ```
  ///
  /// Its time stands still until ``wait(_:)`` moves it, so that a month takes a tap.
  @MainActor public final class PreviewStore: ObservableObject {
    /// The store, for everything that the panel has no button for.
    public let store: SimulatedStore
    /// The device that the app runs on.
    public let device: SimulatedDevice
    /// The owner of the app's monetizer.
    public let model: MonetizerModel
    /// What the simulated time is.
    @Published public private(set) var date: Date
    /// Why the last tap did nothing; `nil` when it did what it says.
    @Published public private(set) var problem: String?
    /// Whether purchases wait for a parent.
    @Published public private(set) var asksToBuy = false
    /// Whether the device reaches the store.
    @Published public private(set) var isOffline = false
    private var isStarted = false
    private let owned: [ProductID]

    /// Makes a store that sells what a catalog lists, and an app over it.
    /// - Parameters:
    ///   - catalog: The app's catalog.
    ///   - owned: What the customer has bought.
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

    /// Buys what the customer owns, and starts the monetizer. ``SwiftUI/View/preview(_:)`` calls it.
    public func start() async {
      if isStarted { return }
      isStarted = true
      for product in owned { _ = try? await device.purchase(PurchaseRequest(product)) }
      await model.monetizer.start()
    }

    /// The customer buys a product in the App Store, without a paywall of the app.
    public func buy(_ product: ProductID) async {
      do {
        _ = try await device.buyOnTheStore(PurchaseRequest(product))
        problem = nil
      } catch { problem = "\(error)" }
    }

    /// The store takes a purchase back.
    public func refund(_ product: ProductID) async {
      await act { store throws(SimulationError) in try await store.refund(product) }
    }

    /// A parent says yes to a purchase that waits.
    public func approve(_ product: ProductID) async {
      await act { store throws(SimulationError) in try await store.approve(product) }
    }

    /// A parent says no to a purchase that waits.
    public func decline(_ product: ProductID) async {
      await act { store throws(SimulationError) in try await store.decline(product) }
    }

    /// Lets time pass: renewals, ends and resets on the way happen.
    public func wait(_ length: Period) async {
      await store.advance(by: length)
      date = store.clock.now
    }

    /// Whether purchases wait for a parent.
    public func setAsksToBuy(_ isOn: Bool) async {
      asksToBuy = isOn
      await store.setAskToBuy(isOn)
    }

    /// Whether the device reaches the store.
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

// SPDX-License-Identifier: Apache-2.0
#if canImport(Combine) && canImport(SwiftUI)
  public import Combine
  import Foundation
  public import Monetize
  public import MonetizePaywalls

  /// One paywall on the screen: loads prices, follows the customer's state, and performs the actions of its buttons. Every purchase and
  /// restore passes the parental gate if the catalog has one.
  @MainActor public final class PaywallModel: ObservableObject {
    /// The current screen.
    @Published public private(set) var screen: PaywallScreen
    /// The result of the last tap, in words; `nil` when there is nothing to report.
    @Published public private(set) var notice: String?
    /// The parental gate's task, shown instead of the paywall while it is open.
    @Published public private(set) var challenge: ChallengeModel?

    private let paywall: Paywall
    private let monetizer: Monetizer
    private var pass: GatePass?
    private var loading = ProductLoading.loading
    private var selected: ProductID?
    private var buying: ProductID?
    private var isBusy = false
    private var loadingPrices: Task<Void, Never>?

    init(_ paywall: Paywall, pass: GatePass?, monetizer: Monetizer) {
      (self.paywall, self.pass, self.monetizer) = (paywall, pass, monetizer)
      screen = PaywallScreen(of: paywall, snapshot: monetizer.snapshot, loading: .loading)
    }

    deinit { loadingPrices?.cancel() }

    /// Loads prices and follows the customer, until the task is cancelled.
    func follow() async {
      load()
      for await _ in monetizer.snapshots { update() }
      loadingPrices?.cancel()
    }

    private func load() {
      loadingPrices?.cancel()
      loadingPrices = Task { [weak self, products = monetizer.loadProducts()] in
        for await loading in products {
          guard !Task.isCancelled else { return }
          self?.update(loading)
        }
      }
    }

    private func update(_ loading: ProductLoading) {
      self.loading = loading
      update()
    }

    private func update() {
      let next = PaywallScreen(of: paywall, snapshot: monetizer.snapshot, loading: loading, selected: selected, buying: buying)
      if next != screen { screen = next }
    }

    /// Selects the product of the purchase button. Does nothing during a purchase.
    public func select(_ product: ProductID) {
      guard !isBusy else { return }
      selected = product
      update()
    }

    /// Buys the selected product. Does nothing without a price, and while another tap is being handled.
    /// - Parameter place: The place of the confirmation, if the store needs one.
    public func buy(confirmIn place: StoreObject? = nil) async {
      guard screen.phase == .ready, let product = screen.selected, product.price != nil else { return }
      await busy {
        let outcome = await behindGate { pass async throws(GateRequired) -> PurchaseOutcome in
          self.buying = product.id
          self.update()
          return try await self.monetizer.purchase(PurchaseRequest(product.id, offerID: product.offerID, confirmIn: place), pass: pass)
        }
        buying = nil
        if let outcome { notice = outcome.text(in: screen.language) }
      }
    }

    /// Restores purchases. Does nothing while another tap is being handled.
    public func restore() async {
      await busy {
        let outcome = await behindGate { pass async throws(GateRequired) -> RestoreOutcome in
          try await self.monetizer.restorePurchases(pass: pass)
        }
        if let outcome { notice = outcome.text(in: screen.language) }
      }
    }

    /// Shows the store's entry of an offer code. Does nothing while another tap is being handled.
    /// - Parameter place: The place of the sheet.
    public func redeem(in place: StoreObject? = nil) async {
      await busy {
        let given = pass
        pass = nil
        notice = await monetizer.redeem(in: place, pass: given, asking: self)
      }
    }

    /// Loads prices again.
    public func retry() async {
      load()
      await monetizer.refresh()
    }

    /// Returns whether a link may be opened. Shows the parental gate if it covers links.
    func mayOpenLink() async -> Bool {
      var isAllowed = false
      await busy {
        isAllowed = await behindGate { pass async throws(GateRequired) in try self.monetizer.usePass(pass, for: .links) } != nil
      }
      return isAllowed
    }

    private func busy(_ work: () async -> Void) async {
      guard !isBusy else { return }
      isBusy = true
      notice = nil
      await work()
      isBusy = false
      update()
    }

    /// Uses the pass of the paywall first, which is valid for one call.
    private func behindGate<Value>(_ call: (GatePass?) async throws(GateRequired) -> Value) async -> Value? {
      let given = pass
      pass = nil
      buying = nil
      let value = await monetizer.behindGate(given, asking: self, call)
      if value == nil { notice = ParentalChallenge.failureText(in: screen.language) }
      return value
    }
  }

  extension PaywallModel: ChallengePresenter {
    func present(_ challenge: ChallengeModel) async -> Bool {
      buying = nil
      update()
      self.challenge = challenge
      defer { self.challenge = nil }
      return await challenge.outcome()
    }
  }
#endif

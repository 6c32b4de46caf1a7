// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
public import MonetizePaywalls

/// A paywall in any of its phases, for a customer with the given facts: the content of `monetize paywall`.
public struct PaywallStage: Sendable {
  /// The catalog, in the language of the texts.
  public let catalog: Catalog
  /// The products as the store lists them.
  public let listings: [StoreProduct]
  /// The customer's facts.
  public let facts: [Fact]
  /// The time of the questions.
  public let now: Date

  /// Makes a stage.
  public init(catalog: Catalog, listings: [StoreProduct], facts: [Fact] = [], now: Date) {
    (self.catalog, self.listings, self.facts, self.now) = (catalog, listings, facts, now)
  }

  /// The placements with a paywall in the catalog, by name; `default` if it has none.
  public var placements: [PlacementID] {
    catalog.paywalls.isEmpty ? [.default] : catalog.paywalls.keys.sorted { $0.rawValue < $1.rawValue }
  }

  /// The questions whose paywalls are about an item: for each feature about items and each collection, the first item that leads to one.
  public var itemRequests: [AccessRequest] {
    catalog.features.filter { type(of: $0.shape).isAboutItems }.flatMap { feature in
      catalog.collections(of: feature).compactMap { collection in
        collection.paths.lazy.map { AccessRequest(feature.id, item: $0) }.first { screen(for: $0) != nil }
      }
    }
  }

  /// The answer to a question at this time.
  public func decision(for request: AccessRequest) -> Decision { snapshot(facts).decision(for: request) }

  /// The screen of the paywall for a request; `nil` when it leads to none.
  public func screen(for request: AccessRequest, phase: PaywallScreen.Phase = .ready, selected: ProductID? = nil) -> PaywallScreen? {
    let before = snapshot(facts)
    return before.paywall(for: before.decision(for: request), request: request).map { screen($0, phase, selected) }
  }

  /// The screen of a placement that is opened without a request; `nil` when it has nothing to sell.
  public func screen(at placement: PlacementID, phase: PaywallScreen.Phase = .ready, selected: ProductID? = nil) -> PaywallScreen? {
    snapshot(facts).paywall(at: placement).map { screen($0, phase, selected) }
  }

  private func screen(_ paywall: Paywall, _ phase: PaywallScreen.Phase, _ selected: ProductID?) -> PaywallScreen {
    let choice = paywall.selected(selected)
    let loading: ProductLoading =
      switch phase {
      case .loading: .loading
      case .failed: .failed(StoreError(.network), retriesAt: nil)
      case .ready, .buying, .waitingForApproval, .done: .loaded(listings)
      }
    return PaywallScreen(
      of: paywall, snapshot: snapshot(facts + (choice.map { facts(of: phase, $0) } ?? [])), loading: loading, selected: selected,
      buying: phase == .buying ? choice : nil)
  }

  /// The facts that lead to a phase.
  private func facts(of phase: PaywallScreen.Phase, _ product: ProductID) -> [Fact] {
    switch phase {
    case .waitingForApproval:
      [.pending(PendingPurchase(productID: product, since: now, lapses: now + 86400, revision: Revision(now)))]
    case .done:
      [.transaction(bought(product))]
    case .loading, .failed, .ready, .buying: []
    }
  }

  /// The purchase of a product, with the introductory offer that the store lists for it.
  private func bought(_ product: ProductID) -> StoreTransaction {
    let offer = listings.first { $0.id == product }?.introductoryOffer
    let length = offer?.period ?? catalog.product(product)?.kind.length
    return StoreTransaction(
      id: "done", productID: product, purchaseDate: now, expirationDate: length?.added(to: now, in: .storeCalendar),
      offer: offer.map { StoreTransaction.Offer(type: $0.type, mode: $0.mode) })
  }

  private func snapshot(_ facts: [Fact]) -> Snapshot { Snapshot(of: CustomerState(facts), catalog: catalog, at: now) }
}

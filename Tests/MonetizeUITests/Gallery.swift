// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import MonetizeUI
import SwiftUI

/// Every screen in every state, made once, for golden trees, pictures and checks of labels.
@MainActor struct Gallery {
  nonisolated static let requests: [(app: String, request: AccessRequest)] = [
    ("maze-packs", AccessRequest("story.play", item: "denny/4")), ("heatlab", AccessRequest("aiInsights")),
    ("magical-stories", AccessRequest("customThemes")), ("dozzi", AccessRequest("voices", level: "premium")),
  ]

  static func products(_ catalog: Catalog) -> [StoreProduct] {
    catalog.products.filter(\.isOnSale).map { product in
      let price = product.price ?? Money(amount: 1, currency: "USD")
      return StoreProduct(
        id: product.id, displayName: product.name, displayPrice: "$\(price.amountText)", price: price, period: product.subscription?.period,
        introductoryOffer: product.subscription?.introductoryOffer)
    }
  }

  /// The screen of an app's paywall in a phase.
  static func screen(_ stage: Stage, _ request: AccessRequest, _ phase: PaywallScreen.Phase) -> PaywallScreen? {
    let snapshot = Snapshot(
      of: CustomerState([]), catalog: stage.catalog, situation: Situation(store: .answered), at: Stage.start)
    guard let paywall = snapshot.paywall(for: snapshot.decision(for: request), request: request), let product = paywall.products.first
    else { return nil }
    let request = PendingPurchase(
      productID: product, since: Stage.start - 60, lapses: Stage.start + 86400, revision: Revision(Stage.start - 60))
    let facts: [Fact] =
      switch phase {
      case .waitingForApproval: [.pending(request)]
      case .done:
        [
          .transaction(
            StoreTransaction(
              id: "1", productID: product, purchaseDate: Stage.start - 60, expirationDate: Stage.start + 86400 * 20,
              offer: stage.catalog.product(product)?.subscription?.introductoryOffer.map { .init(type: .introductory, mode: $0.mode) }))
        ]
      default: []
      }
    let now = Snapshot(
      of: CustomerState(facts), catalog: stage.catalog, situation: Situation(store: .answered), at: Stage.start)
    let loading: ProductLoading =
      switch phase {
      case .loading: .loading
      case .failed: .failed(StoreError(.network), retriesAt: nil)
      default: .loaded(products(stage.catalog))
      }
    return PaywallScreen(of: paywall, snapshot: now, loading: loading, buying: phase == .buying ? product : nil)
  }

  static func paywall(_ stage: Stage, _ request: AccessRequest, _ phase: PaywallScreen.Phase, isWide: Bool = false) -> any View {
    guard let screen = screen(stage, request, phase) else { return EmptyView() }
    let configuration = PaywallStyleConfiguration(screen: screen, isWide: isWide)
    return AutomaticPaywallStyle().makeBody(configuration: configuration)
  }

  /// The tree of a view of an app, at rest.
  static func tree(_ stage: Stage, _ view: any View, width: Double = 390, height: Double = 844) async -> [ViewNode] {
    func show(_ view: some View) -> ViewHost { stage.show(view, width: width, height: height) }
    let host = show(view)
    await stage.settle()
    return host.tree
  }
}

// SPDX-License-Identifier: Apache-2.0

/// What a paywall is about: where it stands, what it offers, and the words of the catalog.
public struct Paywall: Sendable, Hashable {
  /// Where it stands.
  public let placement: PlacementID
  /// The question that led to it; `nil` for a paywall that was opened by itself.
  public let request: AccessRequest?
  /// What it offers, in order. Never empty: without an offer there is no paywall.
  public let products: [ProductID]
  /// The catalog's words with the values of the request in them, and those of the placement `default` where this one has none. `{price}` is
  /// still in them: see ``priced(by:)``.
  public internal(set) var definition: PaywallDefinition
  /// What the customer can do there now, of the actions that the catalog lists; see ``Snapshot/actions(at:)``.
  public let actions: [PaywallAction]
}

extension Snapshot {
  /// The paywall that a decision leads to; `nil` where buying does not help, or nobody knows yet.
  public func paywall(for decision: Decision, request: AccessRequest) -> Paywall? {
    guard let placement = decision.placement, !decision.unlockedBy.isEmpty else { return nil }
    let definition = definition(at: placement, for: request, decision) ?? PaywallDefinition()
    // A paywall may name an order; it never offers what would not help.
    let listed = definition.products?.filter(decision.unlockedBy.contains) ?? []
    return paywall(placement, request, listed.isEmpty ? decision.unlockedBy : listed, definition)
  }

  /// The paywall that a person opens by itself, without a question before it. It offers what the placement names, or everything, as far as
  /// it is on sale and neither owned nor waited for; `nil` where that is nothing, or nobody knows yet what is owned.
  public func paywall(at placement: PlacementID) -> Paywall? {
    let products = offers(at: placement)
    guard !products.isEmpty, let definition = definition(at: placement) else { return nil }
    return paywall(placement, nil, products, definition)
  }

  /// What a placement offers by itself now; nothing while the store has not answered, and while monetization is off.
  func offers(at placement: PlacementID) -> [ProductID] {
    guard situation.store.hasAnswered, catalog.isMonetized, let definition = catalog.paywall(placement) else { return [] }
    let doubtful = groups { $0.state == .unknown }
    return (definition.products ?? catalog.products.map(\.id)).filter { id in
      guard let product = catalog.product(id), product.isOffered, let status = status(of: id) else { return false }
      return !status.isOwned && !status.isPending && status.state != .unknown
        && product.subscription.map { !doubtful.contains($0.group) } != false
    }
  }

  /// The subscription groups in which a product has such a status.
  func groups(where isSuch: (ProductStatus) -> Bool) -> Set<String> {
    Set(products.lazy.filter(isSuch).compactMap { catalog.product($0.product)?.subscription?.group })
  }

  private func paywall(
    _ placement: PlacementID, _ request: AccessRequest?, _ products: [ProductID], _ definition: PaywallDefinition
  ) -> Paywall {
    Paywall(
      placement: placement, request: request, products: products, definition: definition,
      actions: actions(definition.actions ?? [], selling: products))
  }
}

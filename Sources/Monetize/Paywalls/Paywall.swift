// SPDX-License-Identifier: Apache-2.0

/// What a paywall is about: where it stands, what it offers, and the words of the catalog.
public struct Paywall: Sendable, Hashable {
  /// Where it stands.
  public let placement: PlacementID
  /// The question that led to it; `nil` for a paywall that was opened by itself.
  public let request: AccessRequest?
  /// What it offers, in order. Never empty: without an offer there is no paywall.
  public let products: [ProductID]
  /// The catalog's words, with those of the placement `default` where this one is silent.
  public let definition: PaywallDefinition
}

extension Snapshot {
  /// The paywall that a decision leads to; `nil` where buying does not help, or nobody knows yet.
  public func paywall(for decision: Decision, request: AccessRequest) -> Paywall? {
    guard let placement = decision.placement, !decision.unlockedBy.isEmpty else { return nil }
    let definition = catalog.paywall(placement) ?? PaywallDefinition()
    // A paywall may name an order; it never offers what would not help.
    let listed = definition.products?.filter(decision.unlockedBy.contains) ?? []
    return Paywall(placement: placement, request: request, products: listed.isEmpty ? decision.unlockedBy : listed, definition: definition)
  }

  /// The paywall that a person opens by itself, without a question before it. It offers what the placement names, or everything, as far as
  /// it is on sale and neither owned nor waited for; `nil` where that is nothing, or nobody knows yet what is owned.
  public func paywall(at placement: PlacementID) -> Paywall? {
    guard situation.store == .answered, catalog.isMonetized, let definition = catalog.paywall(placement) else { return nil }
    let offered = definition.products ?? catalog.products.map(\.id)
    let products = offered.filter { id in
      guard catalog.product(id)?.isOnSale == true, let status = status(of: id) else { return false }
      return !status.isOwned && !status.isPending
    }
    return products.isEmpty ? nil : Paywall(placement: placement, request: nil, products: products, definition: definition)
  }
}

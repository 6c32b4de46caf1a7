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
}

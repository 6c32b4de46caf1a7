// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The content of a paywall: its placement, its offers, and the texts of the catalog.
public struct Paywall: Sendable, Hashable {
  /// The placement.
  public let placement: PlacementID
  /// The request that led to it; `nil` for a paywall opened without one.
  public let request: AccessRequest?
  /// The products on offer, in order. Never empty: without an offer there is no paywall.
  public let products: [ProductID]
  /// The catalog's texts with the values of the request, or those of the placement `default` if this placement has none; empty if the
  /// catalog has neither. `{price}` is not filled in yet: the paywall's screen fills in the store's price.
  public internal(set) var definition: PaywallDefinition
  /// The actions of the placement that the customer can take now: those of ``PaywallDefinition/actions`` that ``Snapshot/actions(at:)``
  /// keeps.
  public let actions: [PaywallAction]
}

extension Paywall {
  /// Whether the paywall has nothing left to sell: its request is allowed, or, without a request, one of its products is owned or the next
  /// plan. None of them was when it opened.
  package func isDone(in snapshot: Snapshot) -> Bool {
    if let request { return snapshot.decision(for: request).isAllowed }
    let next = snapshot.nextPlans
    return products.contains { next.contains($0) || snapshot.status(of: $0)?.isOwned == true }
  }
}

extension Snapshot {
  /// Returns the paywall for a decision; `nil` if buying does not help, or the answer is unknown.
  public func paywall(for decision: Decision, request: AccessRequest) -> Paywall? {
    guard let placement = decision.placement, !decision.unlockedBy.isEmpty else { return nil }
    let definition = definition(at: placement, for: request, decision)
    // A paywall may define an order; it never offers a product that would not help.
    let listed = definition.products?.filter(Set(decision.unlockedBy).contains) ?? []
    return paywall(placement, request, listed.isEmpty ? decision.unlockedBy : listed, definition)
  }

  /// Returns the paywall that is opened without a request. It offers the products of the placement, or all products, if they are on sale,
  /// neither owned, nor pending, nor the next plan, nor a trial that has ended, at any of their prices, and add something to what is owned for
  /// ever; a pass also to a plan that renews. If the only action that buys is `upgrade`, it offers upgrades alone, as long as there are any.
  /// `nil` if no product is left, or the owned products are unknown.
  public func paywall(at placement: PlacementID) -> Paywall? {
    let definition = definition(at: placement)
    let offers = offers(at: placement)
    let isForUpgrades = definition.actions.map { $0.contains(.upgrade) && !$0.contains(.purchase) } ?? false
    let upgrades = isForUpgrades ? upgrades(among: offers) : []
    let products = upgrades.isEmpty ? offers : upgrades
    return products.isEmpty ? nil : paywall(placement, nil, products, definition)
  }

  /// The products of a placement that is opened without a request, without those that would add nothing. Empty until the store has answered,
  /// and while monetization is off.
  func offers(at placement: PlacementID) -> [ProductID] {
    guard situation.store.hasAnswered, catalog.isMonetized else { return [] }
    let (doubtful, owned, next) = (groups { $0.state == .unknown }, LastingPurchases(self), nextPlans)
    return (catalog.paywall(placement)?.products ?? catalog.products.map(\.id)).filter { id in
      guard let index = catalog.index.products[id], catalog.products[index].isOffered, products[index].state != .unknown else {
        return false
      }
      return !catalog.index.isAnyPrice(of: index, in: products) {
        $0.isOwned || $0.isPending || $0.hasBeenSold || next.contains($0.product)
      }
        && catalog.products[index].subscription.map { !doubtful.contains($0.group) } != false
        && !owned.coversForNow(catalog.products[index])
    }
  }

  /// The plans to which the customer's own plans change at the next renewal, without those of another family member. O(products).
  var nextPlans: Set<ProductID> { Set(products.filter { $0.ownership != .familyShared }.compactMap(\.nextPlan)) }

  /// The plans that the customer has. O(products).
  package var plans: [ProductStatus] { products.filter { $0.isOwned && catalog.product($0.product)?.subscription != nil } }

  /// When a purchase of a plan would begin, if only after one of ``plans``. `nil` when it would begin at once, or the date is unknown, such as
  /// in a grace period. Source: app-store-rules E.2. O(plans).
  package func beginning(of plan: CatalogProduct, after plans: [ProductStatus]) -> Date? {
    plans.filter { $0.delays(plan, in: catalog) }.compactMap(\.planEnd).filter { $0 > date }.max()
  }

  /// Whether buying a product now would gain nothing: at one of its prices it is owned and sold only once, or renews into itself.
  func preventsPurchase(of product: ProductID) -> Bool { isAnyPrice(of: product, \.preventsPurchase) }

  /// Whether a product has ended that the store sells only once, such as a trial.
  func isPast(_ product: ProductID) -> Bool { isAnyPrice(of: product, \.hasBeenSold) && !isAnyPrice(of: product, \.isOwned) }

  private func isAnyPrice(of product: ProductID, _ holds: (ProductStatus) -> Bool) -> Bool {
    catalog.index.products[product].map { catalog.index.isAnyPrice(of: $0, in: products, holds) } ?? false
  }

  /// The subscription groups with a product whose status matches.
  package func groups(where isSuch: (ProductStatus) -> Bool) -> Set<String> {
    Set(products.lazy.filter(isSuch).compactMap { catalog.product($0.product)?.subscription?.group })
  }

  private func paywall(
    _ placement: PlacementID, _ request: AccessRequest?, _ products: [ProductID], _ definition: PaywallDefinition
  ) -> Paywall {
    Paywall(
      placement: placement, request: request, products: products, definition: definition,
      actions: actions(definition.actions ?? PaywallDefinition.usualActions, selling: products))
  }
}

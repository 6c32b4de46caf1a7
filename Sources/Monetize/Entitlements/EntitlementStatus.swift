// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Where a customer stands with an entitlement, whichever product or gift it comes from: what a settings screen and an app's own
/// `isPro` are derived from.
///
/// Several products that give one entitlement (a month and a year of the same plan) have one status here: that of the product that
/// explains best where the customer stands.
public struct EntitlementStatus: Sendable, Hashable {
  /// The entitlement.
  public let entitlement: EntitlementID
  /// Where the customer stands with it. `active` for a gift.
  public let state: ProductState
  /// The product that says so; `nil` for a gift, and for an entitlement that no product gives.
  public let product: ProductStatus?
  /// Whether it is given without a purchase.
  public let isGift: Bool

  /// Whether the customer has it: in a trial, while active (renewing or not), in grace, or as a gift.
  public var isEntitled: Bool { state.givesAccess }
  /// Until when it lasts by itself; `nil` when it does not end, or the customer does not have it.
  public var accessUntil: Date? { product?.accessUntil }
}

extension Snapshot {
  /// Where the customer stands with an entitlement; `nil` for one that the catalog does not have. O(products).
  ///
  /// A product that gives access comes before one that does not, then the one whose access lasts longest; without access, a purchase that
  /// waits comes before the store's missing answer, then a failing renewal, then what ended last, then what was never bought.
  public func standing(with entitlement: EntitlementID) -> EntitlementStatus? {
    guard catalog.entitlement(entitlement) != nil else { return nil }
    let giving = products.filter { catalog.product($0.product)?.entitlements.contains(entitlement) ?? false }
    // Of two that say the same, the first in catalog order.
    let best = giving.reduce(nil) { best, next in best.map { next.explainsMore(than: $0) ? next : $0 } ?? next }
    if best?.isOwned != true, isEntitled(to: entitlement) {
      return EntitlementStatus(entitlement: entitlement, state: .active, product: nil, isGift: true)
    }
    let state = best?.state ?? (situation.store == .answered ? .never : .unknown)
    return EntitlementStatus(entitlement: entitlement, state: state, product: best, isGift: false)
  }
}

extension ProductStatus {
  fileprivate func explainsMore(than other: Self) -> Bool {
    func rank(_ state: ProductState) -> Int {
      switch state {
      case .trial, .active, .grace: 5
      case .pending: 4
      case .unknown: 3
      case .billingRetry: 2
      case .expired, .revoked: 1
      case .never: 0
      }
    }
    let (mine, its) = (rank(state), rank(other.state))
    if mine != its { return mine > its }
    func end(_ status: Self) -> Date { status.isOwned ? status.accessUntil ?? .distantFuture : status.expires ?? .distantPast }
    return end(self) > end(other)
  }
}

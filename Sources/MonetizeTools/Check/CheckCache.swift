// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// What one task works out once for all states that are alike in it. One task's own, and so not `Sendable`.
final class CheckCache {
  private var known: [UInt64: Set<ProductID>] = [:]
  private var bases: [Purchases: Base] = [:]
  private var standings: Set<[CheckState.Standing]> = []
  /// So many customers who have used nothing are kept; then all are forgotten.
  private static let most = 20_000

  private struct Purchases: Hashable {
    let now: Int
    let purchases: [CheckState.Purchase]
  }

  /// A customer with some purchases who has used nothing: a use changes only the answers about what was used.
  struct Base {
    let facts: CustomerState
    let snapshot: Snapshot
    let decisions: [Decision]
  }

  /// Whether no state was seen here in which the same products are owned, over and refunded, whenever that was.
  func isFirst(_ state: CheckState) -> Bool { standings.insert(state.purchases.map(\.standing)).inserted }

  /// The customer with a state's purchases and without its uses.
  func base(_ state: CheckState, _ model: CheckModel) -> Base {
    let key = Purchases(now: state.now, purchases: state.purchases)
    if let base = bases[key] { return base }
    let facts = CustomerState(model.storeFacts(state))
    let snapshot = Snapshot(of: facts, catalog: model.catalog, at: model.date(state.now))
    let base = Base(facts: facts, snapshot: snapshot, decisions: model.probes.map { model.decision($0, snapshot) })
    if bases.count >= Self.most { bases = [:] }
    bases[key] = base
    return base
  }

  /// The products on sale that give nothing to a customer who owns these. Another plan of one's own group is a change of plan, and not one of
  /// them.
  func useless(_ active: UInt64, _ model: CheckModel) -> Set<ProductID> {
    if let found = known[active] { return found }
    let catalog = model.catalog
    // Beyond 64 products the bits of two of them are one, and nothing is claimed.
    guard catalog.products.count <= 64, catalog.isMonetized else { return [] }
    let owned = catalog.products.indices.filter { active & (1 << UInt64($0)) != 0 }.map { catalog.products[$0] }
    let groups = Set(owned.compactMap { $0.subscription?.group })
    let grants = owned.reduce(catalog.freeTier) { $0.merging($1.grants) { $0.joined(with: $1) } }
    let found = catalog.products.filter { product in
      !type(of: product.kind).sellsCredits && product.isOnSale && !owned.contains { $0.id == product.id }
        && product.subscription.map { !groups.contains($0.group) } != false
        && product.grants.allSatisfy { grants[$0.key]?.gives(atLeast: $0.value) ?? false }
    }
    let ids = Set(found.map(\.id))
    known[active] = ids
    return ids
  }
}

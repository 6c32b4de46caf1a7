// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Checks outside of the search: products that give nothing, and features that stay closed for all customers.
extension CheckModel {
  func productFindings() -> [CheckFinding] {
    guard catalog.isMonetized else { return [] }
    let useless = CheckCache().useless([], self)
    return catalog.products.indices.filter { useless.contains(catalog.products[$0].id) }.prefix(1).map { index in
      CheckFinding(
        code: CheckProperty.purchaseGivesNothing.code, message: "\"\(catalog.products[index].id)\" gives nothing now that is not free.",
        steps: [buyStep(index)], expect: #"{ "newlyAllowed": { "atLeast": 1 } }"#)
    }
  }

  /// The first feature that is closed in every state to the customer, and to every other member after all purchases.
  func unreachableFinding(_ closed: [Int]) -> CheckFinding? {
    let best = catalog.products.indices.filter { catalog.products[$0].isOnSale && isBest($0) }
    var state = CheckState(purchases: Array(repeating: .init(), count: catalog.products.count))
    for index in best {
      let end = catalog.products[index].subscription.map { $0.period.added(to: start, in: .storeCalendar) }
      state.purchases[index] = .init(standing: .active, end: end.map { Int($0.timeIntervalSince(start)) } ?? 0, quantity: 1)
    }
    // Coins are earned, not bought.
    let coins = Fact.wallet(WalletEntry(id: "earned", earned: 1_000_000))
    let members: [Member] = [.customer, .parent("mum"), Self.child, .guest, .demo]
    let snapshots = members.map {
      Snapshot(of: CustomerState(storeFacts(state.facts) + [coins]), catalog: catalog, situation: Situation(member: $0), at: start)
    }
    for feature in closed {
      let asked = probes.filter { $0.feature == feature }
      if asked.contains(where: { probe in snapshots.contains { decision(probe, $0).isAllowed } }) { continue }
      guard let probe = asked.first else { continue }
      return CheckFinding(
        code: CheckProperty.unreachable.code,
        message: "\"\(catalog.features[feature].id)\" is closed for every customer, even after all purchases.", steps: best.map(buyStep),
        expect: expect(probe, at: start, isAllowed: true))
    }
    return nil
  }

  /// Whether no product on sale gives all of this one and more: in a group the highest level.
  private func isBest(_ index: Int) -> Bool {
    let product = catalog.products[index]
    guard let terms = product.subscription else { return true }
    return !catalog.products.indices.contains { other in
      guard other != index, let others = catalog.products[other].subscription, catalog.products[other].isOnSale else { return false }
      return others.group == terms.group && (others.level, other) < (terms.level, index)
    }
  }
}

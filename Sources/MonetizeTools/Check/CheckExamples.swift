// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Checks outside of the search: products that give nothing, and features that stay closed for all customers.
extension CheckModel {
  func productFindings() -> [CheckFinding] {
    let useless = CheckCache().useless([], self)
    return catalog.products.indices.filter { useless.contains(catalog.products[$0].id) }.prefix(1).map { index in
      CheckFinding(
        code: CheckProperty.purchaseGivesNothing.code, message: "\"\(catalog.products[index].id)\" gives nothing now that is not free.",
        steps: [buyStep(index)], expect: #"{ "newlyAllowed": { "atLeast": 1 } }"#)
    }
  }

  /// The first feature that is closed in every state to the customer, and to every other member after all purchases.
  func unreachableFinding(_ closed: [Int]) -> CheckFinding? {
    let best = best
    var state = CheckState()
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

  /// The products on sale; of a group only that of the highest level.
  private var best: [Int] {
    let products = catalog.products
    let groups = Dictionary(grouping: products.indices.filter { products[$0].isOnSale }) { products[$0].subscription?.group }
    let plans = groups.filter { $0.key != nil }.values.compactMap { group in
      group.min { (products[$0].subscription?.level ?? 0, $0) < (products[$1].subscription?.level ?? 0, $1) }
    }
    return ((groups[nil] ?? []) + plans).sorted()
  }
}

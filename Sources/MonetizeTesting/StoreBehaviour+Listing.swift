// SPDX-License-Identifier: Apache-2.0
import Monetize

extension StoreBehaviour {
  private static let current = "StoreKit: Transaction.currentEntitlements"
  private static let status = "StoreKit: Product.SubscriptionInfo.Status"
  private static let asked = "StoreBackend: standing"

  /// The customer's purchases, in the list and in a check of one purchase.
  static let listing: [StoreBehaviour] = [
    .init("list.nothing", "The list of a new customer is empty.", current) { trial in
      try await trial.listed().isEmpty ? nil : "The list has a purchase."
    },
    .init("list.non-consumable", "A non-consumable is listed, even after it is finished.", current) { trial in
      let bought = try await trial.buy(.nonConsumable)
      try await trial.store.finish(bought.id)
      return try await trial.listed().map(\.id) == [bought.id] ? nil : "It is not listed."
    },
    .init("list.consumable", "A finished consumable is not listed.", current) { trial in
      try await trial.buy(.consumable)
      return try await trial.listed().isEmpty ? nil : "It is listed."
    },
    .init("list.non-renewing", "A non-renewing purchase is listed, without an end date.", current + "; measured by peers") { trial in
      let bought = try await trial.buy(.nonRenewing)
      let listed = try await trial.listed()
      guard listed.map(\.id) == [bought.id] else { return "It is not listed." }
      return bought.expirationDate == nil ? nil : "It has an end date, which only the app can determine."
    },
    .init("list.subscription", "An active plan is listed with its end date, and its status is renewing.", status) { trial in
      let bought = try await trial.buy(.plan)
      guard try await trial.listed().map(\.id) == [bought.id], let end = bought.expirationDate else {
        return "It is not listed with an end date."
      }
      let info = try await trial.renewal()
      return info?.state == .subscribed && info?.willRenew == true && info?.expires == end
        ? nil : "The status is \(info?.state.rawValue ?? "missing")."
    },
    .init("list.latest-renewal", "Only the latest period of a renewed plan is listed.", current) { trial in
      let first = try await trial.buy(.plan)
      try await trial.turn(.endOfPeriod(first.productID))
      let listed = try await trial.listed()
      return listed.count == 1 && listed.first?.id != first.id ? nil : "The list is \(listed.map(\.id))."
    },
    .init("list.grace", "A plan in the grace period is listed.", "Apple: Reducing involuntary churn; " + current) { trial in
      let first = try await trial.buy(.plan)
      try await trial.turn(.payment(works: false))
      try await trial.turn(.endOfPeriod(first.productID))
      guard try await trial.listed().map(\.id) == [first.id] else { return "It is not listed." }
      let info = try await trial.renewal()
      return info?.state == .inGracePeriod && info?.graceUntil != nil ? nil : "The status is \(info?.state.rawValue ?? "missing")."
    },
    .init("list.retry", "A plan after its grace period is not listed, and its status is billing retry.", status) { trial in
      let first = try await trial.buy(.plan)
      try await trial.turn(.payment(works: false))
      try await trial.turn(.endOfPeriod(first.productID))
      try await trial.turn(.endOfGrace(first.productID))
      guard try await trial.listed().isEmpty else { return "It is listed." }
      let info = try await trial.renewal()
      return info?.state == .inBillingRetry ? nil : "The status is \(info?.state.rawValue ?? "missing")."
    },
    .init("list.expired", "An expired plan is not listed, and its status is expired.", current) { trial in
      let first = try await trial.buy(.plan)
      try await trial.turn(.autoRenew(first.productID, isOn: false))
      try await trial.turn(.endOfPeriod(first.productID))
      guard try await trial.listed().isEmpty else { return "It is listed." }
      let info = try await trial.renewal()
      return info?.state == .expired && info?.willRenew == false ? nil : "The status is \(info?.state.rawValue ?? "missing")."
    },
    .init("list.revoked", "A refunded purchase is not listed.", current) { trial in
      let bought = try await trial.buy(.nonConsumable)
      try await trial.turn(.refund(bought.productID))
      return try await trial.listed().isEmpty ? nil : "It is listed."
    },
    .init("list.refund-of-plan", "A plan is revoked when its current period is refunded.", current + "; measured by peers") { trial in
      let bought = try await trial.buy(.plan)
      try await trial.turn(.refund(bought.productID))
      guard try await trial.listed().isEmpty else { return "It is listed." }
      return try await trial.renewal()?.state == .revoked ? nil : "The status is not revoked."
    },
    .init("list.upgraded", "After an upgrade only the higher plan gives access.", "StoreKit: Transaction.isUpgraded") { trial in
      try await trial.buy(.plan)
      let higher = try await trial.buy(.higherPlan)
      let listed = try await trial.listed()
      return listed.filter { !$0.isUpgraded }.map(\.id) == [higher.id] && listed.count == 1
        ? nil : "The list is \(listed.map(\.productID))."
    },
    .init("list.downgrade", "After a downgrade the old plan stays active until the next period.", "Apple: Auto-renewable subscriptions") {
      trial in
      let first = try await trial.buy(.plan)
      try await trial.buy(.lowerPlan)
      guard try await trial.listed().map(\.id) == [first.id] else { return "The current period is not listed." }
      let (info, lower) = (try await trial.renewal(), try trial.product(.lowerPlan))
      guard info?.renewsInto == lower else { return "The next product in the status is \(info?.renewsInto?.rawValue ?? "nothing")." }
      try await trial.turn(.endOfPeriod(first.productID))
      return try await trial.listed().map(\.productID) == [lower] ? nil : "The lower plan is not listed."
    },
    .init("list.downgrade-answer", "A downgrade returns the transaction of the current period.", "measured by peers") { trial in
      let first = try await trial.buy(.plan)
      try await trial.turn(.endOfPeriod(first.productID))
      let running = try await trial.listed().first
      return try await trial.buy(.lowerPlan).id == running?.id ? nil : "It returned another transaction."
    },
    .init("list.date", "An answer that is not from a cache has a date.", "StoreKit: signedDate") { trial in
      try trial.asksTheStore()
      return try await trial.answer().date == nil ? "The answer has no date." : nil
    },
    .init("standing.gone", "The store reports an unknown purchase as gone.", asked) { trial in
      try await trial.store.standing(of: "no-such-transaction") == .gone ? nil : "An unknown purchase is not reported as gone."
    },
    .init("standing.held", "The store reports the customer's purchase as held.", asked) { trial in
      let bought = try await trial.buy(.nonConsumable)
      guard case .held(let signed) = try await trial.store.standing(of: bought.id) else { return "The purchase is not reported as held." }
      return signed.transaction.id == bought.id ? nil : "The answer has another purchase."
    },
    .init("standing.ended", "An ended period still belongs to the customer.", "StoreKit: Transaction.latest(for:)") { trial in
      let bought = try await trial.buy(.plan)
      try await trial.turn(.autoRenew(bought.productID, isOn: false))
      try await trial.turn(.endOfPeriod(bought.productID))
      if case .held = try await trial.store.standing(of: bought.id) { return nil }
      return "The ended period is reported as gone."
    },
    .init("standing.revoked", "The store reports a refunded purchase as revoked.", "StoreKit: Transaction.revocationDate") { trial in
      let bought = try await trial.buy(.nonConsumable)
      try await trial.turn(.refund(bought.productID))
      guard case .revoked(let signed) = try await trial.store.standing(of: bought.id) else {
        return "The purchase is not reported as revoked."
      }
      return signed.transaction.revocation == nil ? "The transaction has no revocation." : nil
    },
    .init("standing.stranger", "Another customer's purchase is reported as gone.", asked) { trial in
      let bought = try await trial.buy(.nonConsumable)
      let other = try await trial.stranger()
      return try await other.store.standing(of: bought.id) == .gone ? nil : "It reports another customer's purchase."
    },
    .init("store.synchronize", "Restoring lists purchases again.", "StoreKit: AppStore.sync()") { trial in
      let bought = try await trial.buy(.nonConsumable)
      try await trial.store.synchronize()
      return try await trial.listed().contains { $0.originalID == bought.originalID } ? nil : "The purchase is not listed."
    },
    .init(
      "family.shared", "A shared purchase is a transaction of the member's own, marked as shared.",
      "Apple: Family Sharing for in-app purchases"
    ) { trial in
      let bought = try await trial.buy(.nonConsumable)
      let member = try await trial.familyMember()
      guard let shared = try await member.listed().first else { return "The member has no purchase." }
      return shared.ownership == .familyShared && shared.id != bought.id ? nil : "The purchase is not marked as shared."
    },
    .init(
      "family.leaves", "A member who leaves the family loses access and receives an update.", "Apple: Family Sharing for in-app purchases"
    ) { trial in
      try await trial.buy(.nonConsumable)
      let member = try await trial.familyMember()
      let listener = KitListener(member.store)
      try await trial.turn(.familyLeaves(customer: member.seat.customer))
      guard try await member.listed().isEmpty else { return "It is still listed." }
      return listener.transactions.contains { $0.revocation != nil } ? nil : "The member received no update."
    },
  ]
}

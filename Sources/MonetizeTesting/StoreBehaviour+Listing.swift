// SPDX-License-Identifier: Apache-2.0
import Monetize

extension StoreBehaviour {
  private static let current = "StoreKit: Transaction.currentEntitlements"
  private static let status = "StoreKit: Product.SubscriptionInfo.Status"
  private static let asked = "StoreBackend: standing"

  /// The customer's purchases, in the list and in a question about one purchase.
  static let listing: [StoreBehaviour] = [
    .init("list.nothing", "A customer who bought nothing has nothing.", current) { trial in
      try await trial.listed().isEmpty ? nil : "It lists a purchase."
    },
    .init("list.non-consumable", "A non-consumable is listed, also when it is finished.", current) { trial in
      let bought = try await trial.buy(.nonConsumable)
      try await trial.store.finish(bought.id)
      return try await trial.listed().map(\.id) == [bought.id] ? nil : "It is not listed."
    },
    .init("list.consumable", "A consumable is not listed: it is used up.", current) { trial in
      try await trial.buy(.consumable)
      return try await trial.listed().isEmpty ? nil : "It is listed."
    },
    .init("list.non-renewing", "A non-renewing purchase is listed, without an end of its own.", current + "; measured by peers") { trial in
      let bought = try await trial.buy(.nonRenewing)
      let listed = try await trial.listed()
      guard listed.map(\.id) == [bought.id] else { return "It is not listed." }
      return bought.expirationDate == nil ? nil : "The store names an end, which only the app knows."
    },
    .init("list.subscription", "A running plan is listed with its end, and the status says that it renews.", status) { trial in
      let bought = try await trial.buy(.plan)
      guard try await trial.listed().map(\.id) == [bought.id], let end = bought.expirationDate else {
        return "It is not listed with an end."
      }
      let info = try await trial.renewal()
      return info?.state == .subscribed && info?.willRenew == true && info?.expires == end
        ? nil : "The status is \(info?.state.rawValue ?? "missing")."
    },
    .init("list.latest-renewal", "Of a plan that renewed the latest period alone is listed.", current) { trial in
      let first = try await trial.buy(.plan)
      try await trial.turn(.endOfPeriod(first.productID))
      let listed = try await trial.listed()
      return listed.count == 1 && listed.first?.id != first.id ? nil : "It lists \(listed.map(\.id))."
    },
    .init("list.grace", "In the grace period the plan is still listed.", "Apple: Reducing involuntary churn; " + current) { trial in
      let first = try await trial.buy(.plan)
      try await trial.turn(.payment(works: false))
      try await trial.turn(.endOfPeriod(first.productID))
      guard try await trial.listed().map(\.id) == [first.id] else { return "It is not listed." }
      let info = try await trial.renewal()
      return info?.state == .inGracePeriod && info?.graceUntil != nil ? nil : "The status is \(info?.state.rawValue ?? "missing")."
    },
    .init("list.retry", "After the grace period it is not listed, and the store still tries.", status) { trial in
      let first = try await trial.buy(.plan)
      try await trial.turn(.payment(works: false))
      try await trial.turn(.endOfPeriod(first.productID))
      try await trial.turn(.endOfGrace(first.productID))
      guard try await trial.listed().isEmpty else { return "It is listed." }
      let info = try await trial.renewal()
      return info?.state == .inBillingRetry ? nil : "The status is \(info?.state.rawValue ?? "missing")."
    },
    .init("list.expired", "A plan that ended is not listed, and the status says that it ended.", current) { trial in
      let first = try await trial.buy(.plan)
      try await trial.turn(.autoRenew(first.productID, isOn: false))
      try await trial.turn(.endOfPeriod(first.productID))
      guard try await trial.listed().isEmpty else { return "It is listed." }
      let info = try await trial.renewal()
      return info?.state == .expired && info?.willRenew == false ? nil : "The status is \(info?.state.rawValue ?? "missing")."
    },
    .init("list.revoked", "What was given back is not listed.", current) { trial in
      let bought = try await trial.buy(.nonConsumable)
      try await trial.turn(.refund(bought.productID))
      return try await trial.listed().isEmpty ? nil : "It is listed."
    },
    .init("list.refund-of-plan", "A plan whose running period was given back is over.", current + "; measured by peers") { trial in
      let bought = try await trial.buy(.plan)
      try await trial.turn(.refund(bought.productID))
      guard try await trial.listed().isEmpty else { return "It is listed." }
      return try await trial.renewal()?.state == .revoked ? nil : "The status does not say that it was revoked."
    },
    .init("list.upgraded", "After an upgrade the higher plan alone gives access.", "StoreKit: Transaction.isUpgraded") { trial in
      try await trial.buy(.plan)
      let higher = try await trial.buy(.higherPlan)
      let listed = try await trial.listed()
      return listed.filter { !$0.isUpgraded }.map(\.id) == [higher.id] && listed.count == 1 ? nil : "It lists \(listed.map(\.productID))."
    },
    .init("list.downgrade", "A lower plan begins with the next period; until then the old one runs.", "Apple: Auto-renewable subscriptions")
    { trial in
      let first = try await trial.buy(.plan)
      try await trial.buy(.lowerPlan)
      guard try await trial.listed().map(\.id) == [first.id] else { return "The running period is not what is listed." }
      let (info, lower) = (try await trial.renewal(), try trial.product(.lowerPlan))
      guard info?.renewsInto == lower else { return "The status names \(info?.renewsInto?.rawValue ?? "nothing") as what comes." }
      try await trial.turn(.endOfPeriod(first.productID))
      return try await trial.listed().map(\.productID) == [lower] ? nil : "The lower plan did not begin."
    },
    .init("list.downgrade-answer", "A downgrade answers with the transaction of the running period.", "measured by peers") { trial in
      let first = try await trial.buy(.plan)
      try await trial.turn(.endOfPeriod(first.productID))
      let running = try await trial.listed().first
      return try await trial.buy(.lowerPlan).id == running?.id ? nil : "It answered with another one."
    },
    .init("list.date", "An answer that is not from a cache says when it was given.", "StoreKit: signedDate") { trial in
      try trial.asksTheStore()
      return try await trial.answer().date == nil ? "It does not say." : nil
    },
    .init("standing.gone", "Asked about a purchase that never was, the store says so.", asked) { trial in
      try await trial.store.standing(of: "no-such-transaction") == .gone ? nil : "It knows a purchase that never was."
    },
    .init("standing.held", "Asked about a purchase that the customer has, the store says so.", asked) { trial in
      let bought = try await trial.buy(.nonConsumable)
      guard case .held(let signed) = try await trial.store.standing(of: bought.id) else { return "It does not know the purchase." }
      return signed.transaction.id == bought.id ? nil : "It answered about another one."
    },
    .init("standing.ended", "A period that is over is still the customer's.", "StoreKit: Transaction.latest(for:)") { trial in
      let bought = try await trial.buy(.plan)
      try await trial.turn(.autoRenew(bought.productID, isOn: false))
      try await trial.turn(.endOfPeriod(bought.productID))
      if case .held = try await trial.store.standing(of: bought.id) { return nil }
      return "It does not know it any more."
    },
    .init("standing.revoked", "Asked about what was given back, the store says so.", "StoreKit: Transaction.revocationDate") { trial in
      let bought = try await trial.buy(.nonConsumable)
      try await trial.turn(.refund(bought.productID))
      guard case .revoked(let signed) = try await trial.store.standing(of: bought.id) else { return "It does not say that it was revoked." }
      return signed.transaction.revocation == nil ? "The transaction carries no revocation." : nil
    },
    .init("standing.stranger", "A purchase of somebody else is nobody's here.", asked) { trial in
      let bought = try await trial.buy(.nonConsumable)
      let other = try await trial.stranger()
      return try await other.store.standing(of: bought.id) == .gone ? nil : "It tells one customer about another."
    },
    .init("store.synchronize", "Restoring brings purchases back.", "StoreKit: AppStore.sync()") { trial in
      let bought = try await trial.buy(.nonConsumable)
      try await trial.store.synchronize()
      return try await trial.listed().contains { $0.originalID == bought.originalID } ? nil : "The purchase is not listed."
    },
    .init(
      "family.shared", "What a family shares is the member's own transaction, and says that it is shared.",
      "Apple: Family Sharing for in-app purchases"
    ) { trial in
      let bought = try await trial.buy(.nonConsumable)
      let member = try await trial.familyMember()
      guard let shared = try await member.listed().first else { return "The member has nothing." }
      return shared.ownership == .familyShared && shared.id != bought.id ? nil : "It looks as if the member had bought it."
    },
    .init("family.leaves", "Who leaves the family has it no more, and is told.", "Apple: Family Sharing for in-app purchases") { trial in
      try await trial.buy(.nonConsumable)
      let member = try await trial.familyMember()
      let listener = KitListener(member.store)
      try await trial.turn(.familyLeaves(customer: member.seat.customer))
      guard try await member.listed().isEmpty else { return "It is still listed." }
      return listener.transactions.contains { $0.revocation != nil } ? nil : "The member was not told."
    },
  ]
}

// SPDX-License-Identifier: Apache-2.0
import Monetize

extension StoreBehaviour {
  private static let updates = "StoreKit: Transaction.updates"

  /// Updates that the store sends by itself.
  static let news: [StoreBehaviour] = [
    .init("news.approval", "A purchase that a parent approves is delivered.", updates) { trial in
      let product = try trial.product(.nonConsumable)
      let listener = KitListener(trial.store)
      try await trial.turn(.sheet(.askToBuy))
      _ = try await trial.store.purchase(PurchaseRequest(product))
      try await trial.turn(.approve(product))
      return listener.transactions.map(\.productID).contains(product) ? nil : "It was not delivered."
    },
    .init(
      "news.approval-listed", "What was approved is listed when it is delivered.", "measured by peers (approval comes before the listing)"
    ) {
      trial in
      let product = try trial.product(.nonConsumable)
      try await trial.turn(.sheet(.askToBuy))
      _ = try await trial.store.purchase(PurchaseRequest(product))
      try await trial.turn(.approve(product))
      return try await trial.listed(.nonConsumable).isEmpty ? "It is not listed." : nil
    },
    .init("news.declined", "A request that a parent declines is announced to nobody.", "measured by peers") { trial in
      let product = try trial.product(.nonConsumable)
      let listener = KitListener(trial.store)
      try await trial.turn(.sheet(.askToBuy))
      _ = try await trial.store.purchase(PurchaseRequest(product))
      try await trial.turn(.decline(product))
      guard listener.transactions.isEmpty else { return "Something was delivered." }
      return try await trial.listed().isEmpty ? nil : "It is listed."
    },
    .init("news.renewal", "A renewal is delivered as a transaction of the same chain.", updates) { trial in
      let listener = KitListener(trial.store)
      let first = try await trial.buy(.plan)
      try await trial.turn(.endOfPeriod(first.productID))
      guard let renewal = listener.transactions.last, renewal.id != first.id else { return "It was not delivered." }
      return renewal.originalID == first.originalID ? nil : "It names \(renewal.originalID) as its first, not \(first.originalID)."
    },
    .init("news.renewal-without-gap", "A renewal begins where the last period ended.", "Apple: Auto-renewable subscriptions") { trial in
      let first = try await trial.buy(.plan)
      try await trial.turn(.endOfPeriod(first.productID))
      let next = try await trial.listed().first
      return next?.purchaseDate == first.expirationDate ? nil : "There is a gap between the periods."
    },
    .init("news.refund", "A refund is delivered.", updates) { trial in
      let listener = KitListener(trial.store)
      let bought = try await trial.buy(.nonConsumable)
      try await trial.turn(.refund(bought.productID))
      return listener.transactions.contains { $0.id == bought.id && $0.revocation != nil } ? nil : "It was not delivered."
    },
    .init("news.refund-reversed", "A refund that is taken back gives again, with a later signature.", "App Store Server: REFUND_REVERSED") {
      trial in
      let listener = KitListener(trial.store)
      let bought = try await trial.buy(.nonConsumable)
      try await trial.turn(.refund(bought.productID))
      try await trial.turn(.reverseRefund(bought.productID))
      guard try await trial.listed().map(\.id) == [bought.id] else { return "It is not listed again." }
      return listener.transactions.last?.revocation == nil && !listener.transactions.isEmpty ? nil : "It was not delivered."
    },
    .init("news.other-device", "A purchase on another device is delivered.", updates) { trial in
      let other = try await trial.anotherDevice()
      let listener = KitListener(trial.store)
      let bought = try await other.buy(.nonConsumable)
      return listener.transactions.map(\.id).contains(bought.id) ? nil : "It was not delivered."
    },
    .init("news.not-own", "What a device bought itself is the answer to its call, and no news.", "measured by peers") { trial in
      let listener = KitListener(trial.store)
      try await trial.buy(.nonConsumable)
      return listener.transactions.isEmpty ? nil : "It was delivered as news."
    },
    .init("news.once", "News comes once.", "StoreBackend: listen (twice is allowed, and tested for by a quirk)") { trial in
      let listener = KitListener(trial.store)
      let bought = try await trial.buy(.plan)
      try await trial.turn(.endOfPeriod(bought.productID))
      let ids = listener.transactions.filter { $0.id != bought.id }.map(\.id)
      return ids.count == Set(ids).count ? nil : "The renewal came \(ids.count) times."
    },
    .init("news.stops", "Nothing is delivered to who has stopped listening.", "StoreBackend: listen") { trial in
      let listener = KitListener(trial.store)
      let bought = try await trial.buy(.nonConsumable)
      let heard = listener.transactions.count
      listener.stop()
      try await trial.turn(.refund(bought.productID))
      return listener.transactions.count == heard ? nil : "Something was delivered."
    },
    .init("news.missed", "What nobody listened to is among the unfinished.", "StoreKit: Transaction.unfinished; measured by peers") {
      trial in
      let first = try await trial.buy(.plan)
      try await trial.store.finish(first.id)
      try await trial.turn(.endOfPeriod(first.productID))
      let missed = try await trial.unfinished()
      return missed.contains { $0.originalID == first.originalID && $0.id != first.id } ? nil : "The renewal is not among them."
    },
    .init("news.missed-in-order", "Missed renewals come oldest first.", "measured by peers (real ones come newest first)") { trial in
      let first = try await trial.buy(.plan)
      for _ in 0..<2 { try await trial.turn(.endOfPeriod(first.productID)) }
      let dates = try await trial.unfinished().map(\.purchaseDate)
      return dates == dates.sorted() && dates.count == Set(dates).count ? nil : "They came in another order, or twice."
    },
    .init("news.missed-refund", "A refund that nobody listened to is among the unfinished.", updates) { trial in
      let bought = try await trial.buy(.nonConsumable)
      try await trial.store.finish(bought.id)
      try await trial.turn(.refund(bought.productID))
      return try await trial.unfinished().contains { $0.id == bought.id && $0.revocation != nil } ? nil : "It is not among them."
    },
    .init("news.no-transaction-at-expiry", "There is no transaction for an end.", "measured by peers") { trial in
      let bought = try await trial.buy(.plan)
      try await trial.turn(.autoRenew(bought.productID, isOn: false))
      let listener = KitListener(trial.store)
      try await trial.turn(.endOfPeriod(bought.productID))
      return listener.transactions.isEmpty ? nil : "One was delivered."
    },
    .init("news.status-at-expiry", "An end is announced as a status.", "StoreKit: Status.updates (measured by peers: often nothing comes)")
    {
      trial in
      let bought = try await trial.buy(.plan)
      try await trial.turn(.autoRenew(bought.productID, isOn: false))
      let listener = KitListener(trial.store)
      try await trial.turn(.endOfPeriod(bought.productID))
      return listener.renewals.last?.state == .expired ? nil : "Nothing was said."
    },
    .init(
      "news.steady-renewal", "At a renewal the status never says that the plan has ended.", "measured by peers (real ones do for 0.7 s)"
    ) {
      trial in
      let bought = try await trial.buy(.plan)
      let listener = KitListener(trial.store)
      try await trial.turn(.endOfPeriod(bought.productID))
      return listener.renewals.contains { $0.state == .expired } ? "It said so." : nil
    },
    .init(
      "news.resubscription", "Who comes back after a lapse gets the new transaction.",
      "measured by peers (real ones may answer with the old one)"
    ) { trial in
      let bought = try await trial.buy(.plan)
      try await trial.turn(.autoRenew(bought.productID, isOn: false))
      try await trial.turn(.endOfPeriod(bought.productID))
      let again = try await trial.buy(.plan)
      guard again.id != bought.id else { return "The old, ended transaction came back." }
      return again.originalID == bought.originalID ? nil : "It is another chain."
    },
    .init("signed.rises", "What the store says later is signed later.", "StoreKit: signedDate") { trial in
      let bought = try await trial.buy(.nonConsumable)
      try await trial.turn(.refund(bought.productID))
      guard case .revoked(let refunded) = try await trial.store.standing(of: bought.id) else { return "The refund is not known." }
      guard refunded.transaction.revision > bought.revision else { return "The refund is not signed later than the purchase." }
      try await trial.turn(.reverseRefund(bought.productID))
      guard case .held(let again) = try await trial.store.standing(of: bought.id) else { return "The reversal is not known." }
      return again.transaction.revision > refunded.transaction.revision ? nil : "The reversal is not signed later than the refund."
    },
    .init("signed.status-rises", "A status that changes is signed later.", "StoreKit: signedDate") { trial in
      let bought = try await trial.buy(.plan)
      guard let before = try await trial.renewal() else { return "There is no status." }
      try await trial.turn(.autoRenew(bought.productID, isOn: false))
      guard let after = try await trial.renewal() else { return "There is no status." }
      return after.revision > before.revision && !after.willRenew ? nil : "It is not signed later."
    },
  ]

  /// The errors of a store.
  static let trouble: [StoreBehaviour] = [
    .init("offline.read", "Without a network there is no answer, and never an empty one.", "StoreBackend: read; measured by peers") {
      trial in
      try trial.asksTheStore()
      try await trial.buy(.nonConsumable)
      try await trial.turn(.network(isOnline: false))
      return await failure(.network) { _ = try await trial.store.read() }
    },
    .init("offline.products", "Without a network there are no products, and never none.", "StoreKit: StoreKitError.networkError") { trial in
      let product = try trial.product(.nonConsumable)
      try await trial.turn(.network(isOnline: false))
      return await failure(.network) { _ = try await trial.store.products(for: [product]) }
    },
    .init("offline.purchase", "Without a network nothing is sold.", "StoreKit: StoreKitError.networkError") { trial in
      let product = try trial.product(.nonConsumable)
      try await trial.turn(.network(isOnline: false))
      return await failure(.network) { _ = try await trial.store.purchase(PurchaseRequest(product)) }
    },
    .init("offline.standing", "Without a network nothing is gone.", "StoreBackend: standing") { trial in
      try trial.asksTheStore()
      let bought = try await trial.buy(.nonConsumable)
      try await trial.turn(.network(isOnline: false))
      return await failure(.network) { _ = try await trial.store.standing(of: bought.id) }
    },
    .init("offline.unfinished", "Without a network nothing is finished.", "StoreBackend: unfinished") { trial in
      try trial.asksTheStore()
      try await trial.buy(.nonConsumable)
      try await trial.turn(.network(isOnline: false))
      return await failure(.network) { _ = try await trial.store.unfinished() }
    },
    .init("offline.back", "Back online the customer has what they had, and hears what they missed.", updates) { trial in
      let other = try await trial.anotherDevice()
      let listener = KitListener(trial.store)
      try await trial.turn(.network(isOnline: false))
      let bought = try await other.buy(.nonConsumable)
      try await trial.turn(.network(isOnline: true))
      guard try await trial.listed().map(\.id) == [bought.id] else { return "The purchase on the other device is not listed." }
      return listener.transactions.map(\.id).contains(bought.id) ? nil : "It was not delivered."
    },
    .init("cancelled.read", "A cancelled task has no answer: real stores give an empty list.", "measured by peers") { trial in
      try await trial.buy(.nonConsumable)
      let store = trial.store
      let task = Task { () -> String? in
        while !Task.isCancelled { await Task.yield() }
        return await failure(.cancelled) { _ = try await store.read() }
      }
      task.cancel()
      return await task.value
    },
  ]

  /// Returns `nil` when `body` fails with this code, otherwise the failure.
  private static func failure(_ code: StoreError.Code, _ body: () async throws -> Void) async -> String? {
    do { try await body() } catch { return (error as? StoreError)?.code == code ? nil : "It failed with \(error)." }
    return "It did not fail."
  }
}

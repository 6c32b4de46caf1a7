// SPDX-License-Identifier: Apache-2.0
import Monetize

extension StoreBehaviour {
  private static let updates = "StoreKit: Transaction.updates"

  /// Updates that the store sends by itself.
  static let news: [StoreBehaviour] = [
    .init("news.approval", "A purchase is delivered after a parent's approval.", updates) { trial in
      let product = try trial.product(.nonConsumable)
      let listener = KitListener(trial.store)
      try await trial.turn(.sheet(.askToBuy))
      _ = try await trial.store.purchase(PurchaseRequest(product))
      try await trial.turn(.approve(product))
      return listener.transactions.map(\.productID).contains(product) ? nil : "It was not delivered."
    },
    .init(
      "news.approval-listed", "An approved purchase is listed when it is delivered.",
      "measured by peers (approval comes before the listing)"
    ) {
      trial in
      let product = try trial.product(.nonConsumable)
      try await trial.turn(.sheet(.askToBuy))
      _ = try await trial.store.purchase(PurchaseRequest(product))
      try await trial.turn(.approve(product))
      return try await trial.listed(.nonConsumable).isEmpty ? "It is not listed." : nil
    },
    .init("news.declined", "A declined request delivers no update.", "measured by peers") { trial in
      let product = try trial.product(.nonConsumable)
      let listener = KitListener(trial.store)
      try await trial.turn(.sheet(.askToBuy))
      _ = try await trial.store.purchase(PurchaseRequest(product))
      try await trial.turn(.decline(product))
      guard listener.transactions.isEmpty else { return "An update was delivered." }
      return try await trial.listed().isEmpty ? nil : "It is listed."
    },
    .init("news.renewal", "A renewal is delivered as a transaction of the same chain.", updates) { trial in
      let listener = KitListener(trial.store)
      let first = try await trial.buy(.plan)
      try await trial.turn(.endOfPeriod(first.productID))
      guard let renewal = listener.transactions.last, renewal.id != first.id else { return "It was not delivered." }
      return renewal.originalID == first.originalID ? nil : "Its first transaction is \(renewal.originalID), not \(first.originalID)."
    },
    .init("news.renewal-without-gap", "A renewal begins at the end of the last period.", "Apple: Auto-renewable subscriptions") { trial in
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
    .init("news.refund-reversed", "A reversed refund gives access again, with a later signature.", "App Store Server: REFUND_REVERSED") {
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
    .init("news.not-own", "A device's own purchase is returned by the call and not delivered as an update.", "measured by peers") { trial in
      let listener = KitListener(trial.store)
      try await trial.buy(.nonConsumable)
      return listener.transactions.isEmpty ? nil : "It was delivered as an update."
    },
    .init("news.once", "An update is delivered once.", "StoreBackend: listen (twice is allowed, and tested for by a quirk)") { trial in
      let listener = KitListener(trial.store)
      let bought = try await trial.buy(.plan)
      try await trial.turn(.endOfPeriod(bought.productID))
      let ids = listener.transactions.filter { $0.id != bought.id }.map(\.id)
      return ids.count == Set(ids).count ? nil : "The renewal was delivered \(ids.count) times."
    },
    .init("news.stops", "Nothing is delivered after listening has stopped.", "StoreBackend: listen") { trial in
      let listener = KitListener(trial.store)
      let bought = try await trial.buy(.nonConsumable)
      let count = listener.transactions.count
      listener.stop()
      try await trial.turn(.refund(bought.productID))
      return listener.transactions.count == count ? nil : "An update was delivered."
    },
    .init(
      "news.missed", "A renewal without a listener is among the unfinished transactions.",
      "StoreKit: Transaction.unfinished; measured by peers"
    ) {
      trial in
      let first = try await trial.buy(.plan)
      try await trial.store.finish(first.id)
      try await trial.turn(.endOfPeriod(first.productID))
      let missed = try await trial.unfinished()
      return missed.contains { $0.originalID == first.originalID && $0.id != first.id } ? nil : "The renewal is not among them."
    },
    .init("news.missed-in-order", "Missed renewals are delivered oldest first.", "measured by peers (real ones come newest first)") {
      trial in
      let first = try await trial.buy(.plan)
      for _ in 0..<2 { try await trial.turn(.endOfPeriod(first.productID)) }
      let dates = try await trial.unfinished().map(\.purchaseDate)
      return dates == dates.sorted() && dates.count == Set(dates).count ? nil : "They were delivered in another order, or twice."
    },
    .init("news.missed-refund", "A refund without a listener is among the unfinished transactions.", updates) { trial in
      let bought = try await trial.buy(.nonConsumable)
      try await trial.store.finish(bought.id)
      try await trial.turn(.refund(bought.productID))
      return try await trial.unfinished().contains { $0.id == bought.id && $0.revocation != nil } ? nil : "It is not among them."
    },
    .init("news.no-transaction-at-expiry", "The end of a plan delivers no transaction.", "measured by peers") { trial in
      let bought = try await trial.buy(.plan)
      try await trial.turn(.autoRenew(bought.productID, isOn: false))
      let listener = KitListener(trial.store)
      try await trial.turn(.endOfPeriod(bought.productID))
      return listener.transactions.isEmpty ? nil : "A transaction was delivered."
    },
    .init(
      "news.status-at-expiry", "The end of a plan delivers a status.",
      "StoreKit: Status.updates (measured by peers: often nothing is delivered)"
    ) {
      trial in
      let bought = try await trial.buy(.plan)
      try await trial.turn(.autoRenew(bought.productID, isOn: false))
      let listener = KitListener(trial.store)
      try await trial.turn(.endOfPeriod(bought.productID))
      return listener.renewals.last?.state == .expired ? nil : "No status was delivered."
    },
    .init(
      "news.steady-renewal", "The status is never expired during a renewal.", "measured by peers (real ones do for 0.7 s)"
    ) {
      trial in
      let bought = try await trial.buy(.plan)
      let listener = KitListener(trial.store)
      try await trial.turn(.endOfPeriod(bought.productID))
      return listener.renewals.contains { $0.state == .expired } ? "The status was expired." : nil
    },
    .init(
      "news.resubscription", "Subscribing again after a lapse returns the new transaction.",
      "measured by peers (real ones may return the old one)"
    ) { trial in
      let bought = try await trial.buy(.plan)
      try await trial.turn(.autoRenew(bought.productID, isOn: false))
      try await trial.turn(.endOfPeriod(bought.productID))
      let again = try await trial.buy(.plan)
      guard again.id != bought.id else { return "It returned the old, ended transaction." }
      return again.originalID == bought.originalID ? nil : "It belongs to another chain."
    },
    .init("signed.rises", "Later changes of a transaction have later signatures.", "StoreKit: signedDate") { trial in
      let bought = try await trial.buy(.nonConsumable)
      try await trial.turn(.refund(bought.productID))
      guard case .revoked(let refunded) = try await trial.store.standing(of: bought.id) else { return "The refund is not reported." }
      guard refunded.transaction.revision > bought.revision else { return "The refund is not signed later than the purchase." }
      try await trial.turn(.reverseRefund(bought.productID))
      guard case .held(let again) = try await trial.store.standing(of: bought.id) else { return "The reversal is not reported." }
      return again.transaction.revision > refunded.transaction.revision ? nil : "The reversal is not signed later than the refund."
    },
    .init("signed.status-rises", "A changed status has a later signature.", "StoreKit: signedDate") { trial in
      let bought = try await trial.buy(.plan)
      guard let before = try await trial.renewal() else { return "There is no status." }
      try await trial.turn(.autoRenew(bought.productID, isOn: false))
      guard let after = try await trial.renewal() else { return "There is no status." }
      return after.revision > before.revision && !after.willRenew ? nil : "It is not signed later."
    },
  ]

  /// The errors of a store.
  static let trouble: [StoreBehaviour] = [
    .init("offline.read", "Reading without a network fails, and never returns an empty answer.", "StoreBackend: read; measured by peers") {
      trial in
      try trial.asksTheStore()
      try await trial.buy(.nonConsumable)
      try await trial.turn(.network(isOnline: false))
      return await failure(.network) { _ = try await trial.store.read() }
    },
    .init(
      "offline.products", "Loading products without a network fails, and never returns an empty list.",
      "StoreKit: StoreKitError.networkError"
    ) { trial in
      let product = try trial.product(.nonConsumable)
      try await trial.turn(.network(isOnline: false))
      return await failure(.network) { _ = try await trial.store.products(for: [product]) }
    },
    .init("offline.purchase", "A purchase without a network fails.", "StoreKit: StoreKitError.networkError") { trial in
      let product = try trial.product(.nonConsumable)
      try await trial.turn(.network(isOnline: false))
      return await failure(.network) { _ = try await trial.store.purchase(PurchaseRequest(product)) }
    },
    .init("offline.standing", "A check of a purchase without a network fails, and never reports it as gone.", "StoreBackend: standing") {
      trial in
      try trial.asksTheStore()
      let bought = try await trial.buy(.nonConsumable)
      try await trial.turn(.network(isOnline: false))
      return await failure(.network) { _ = try await trial.store.standing(of: bought.id) }
    },
    .init("offline.unfinished", "Reading unfinished transactions without a network fails.", "StoreBackend: unfinished") { trial in
      try trial.asksTheStore()
      try await trial.buy(.nonConsumable)
      try await trial.turn(.network(isOnline: false))
      return await failure(.network) { _ = try await trial.store.unfinished() }
    },
    .init("offline.back", "Back online, purchases are listed and missed updates are delivered.", updates) { trial in
      let other = try await trial.anotherDevice()
      let listener = KitListener(trial.store)
      try await trial.turn(.network(isOnline: false))
      let bought = try await other.buy(.nonConsumable)
      try await trial.turn(.network(isOnline: true))
      guard try await trial.listed().map(\.id) == [bought.id] else { return "The purchase on the other device is not listed." }
      return listener.transactions.map(\.id).contains(bought.id) ? nil : "It was not delivered."
    },
    .init("cancelled.read", "A cancelled read fails. Real stores return an empty list.", "measured by peers") { trial in
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

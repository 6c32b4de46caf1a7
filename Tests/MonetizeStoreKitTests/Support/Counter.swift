// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeStoreKit
import MonetizeTesting
import StoreKit

/// The App Store of one test: what a customer bought, in StoreKit's types, with the time of a clock that does not move by itself.
final class Counter: Sendable {
  static let noon = Date(timeIntervalSince1970: 1_772_366_400)
  static let json = """
    { "schemaVersion": 1, "app": { "id": "com.example.app", "name": "App" },
      "features": { "export": {}, "story": { "allowance": "count", "per": "month" } },
      "freeTier": { "grants": { "story": 2 } },
      "products": [
        { "kind": "nonConsumable", "id": "pack", "name": "Pack", "grants": { "export": true } },
        { "kind": "subscription", "id": "month", "name": "Monthly", "group": "g", "level": 1, "period": "P1M", "grants": { "story": "unlimited" } }
      ]GATE }
    """

  let store = StandInStore()
  let time = TestClock(noon)
  let owned = Locked<[StoreKit.Transaction]>([])
  let finished = Locked<[UInt64]>([])
  let statuses = Locked<[Product.SubscriptionInfo.Status]>([])
  let events = Locked<[MonetizeEvent]>([])

  init(_ change: @escaping (inout StandInStore.Script) -> Void = { _ in }) {
    var script = StandInStore.Script()
    let (owned, finished, statuses) = (owned, finished, statuses)
    script.products = { ids in ids.compactMap { id in Self.products.first { $0.id == id } } }
    script.entitlements = { owned.copy.filter { $0.revocationDate == nil }.map { .verified($0) } }
    script.history = { owned.copy.map { .verified($0) } }
    script.unfinished = { owned.copy.filter { !finished.copy.contains($0.id) }.map { .verified($0) } }
    script.finish = { id in finished.withLock { $0.append(id) } }
    script.statuses = { _ in statuses.copy }
    script.purchase = { product, options, _ in
      let token = options.compactMap { $0.text.hasPrefix("appAccountToken ") ? UUID(uuidString: String($0.text.dropFirst(16))) : nil }.first
      let bought = Self.transaction(UInt64(owned.copy.count + 1), product.id, account: token)
      owned.withLock { $0.append(bought) }
      return .success(.verified(bought))
    }
    change(&script)
    store.script = script
  }

  static let offer = Product.SubscriptionOffer(period: .init(unit: .week, value: 1))
  static let half = Product.SubscriptionOffer(
    id: "half", type: .promotional, price: 5, displayPrice: "$5.00", period: .init(unit: .month, value: 1), periodCount: 3,
    paymentMode: .payAsYouGo)
  static let back = Product.SubscriptionOffer(
    id: "back", type: .winBack, price: 12, displayPrice: "$12.00", period: .init(unit: .month, value: 3), paymentMode: .payUpFront)
  static let products = [
    Product(
      id: "pack", type: .nonConsumable, displayName: "Pack", description: "A pack", price: 3, displayPrice: "$3.00", isFamilyShareable: true
    ),
    Product(
      id: "month", type: .autoRenewable, displayName: "Monthly", price: 10, displayPrice: "$10.00",
      subscription: .init(
        introductoryOffer: offer, promotionalOffers: [half], winBackOffers: [back], subscriptionGroupID: "21",
        subscriptionPeriod: .init(unit: .month, value: 1))),
  ]

  static func transaction(
    _ id: UInt64, _ product: String = "pack", account: UUID? = nil, offer: StoreKit.Transaction.Offer? = nil, revoked: Date? = nil,
    signed: Date? = nil
  ) -> StoreKit.Transaction {
    StoreKit.Transaction(
      id: id, productID: product, subscriptionGroupID: product == "month" ? "21" : nil, purchaseDate: noon,
      expirationDate: product == "month" ? noon + 30 * 86400 : nil, offer: offer, revocationDate: revoked, appAccountToken: account,
      signedDate: signed)
  }

  static func status(
    _ state: Product.SubscriptionInfo.RenewalState, willRenew: Bool = true, expires: Date = noon + 30 * 86400, grace: Date? = nil,
    signed: Date = noon
  ) -> Product.SubscriptionInfo.Status {
    let transaction = StoreKit.Transaction(
      id: 1, productID: "month", subscriptionGroupID: "21", purchaseDate: noon, expirationDate: expires)
    return .init(
      state: state, transaction: .verified(transaction),
      renewalInfo: .verified(
        .init(
          originalTransactionID: 1, currentProductID: "month", willAutoRenew: willRenew, autoRenewPreference: "month",
          gracePeriodExpirationDate: grace, signedDate: signed)))
  }

  /// An app over this store, which has not started.
  func app(
    _ backend: AppStoreBackend = AppStoreBackend(onMissing: { _ in }), gate: (any ParentalGate)? = nil, storage: any StateStorage = .memory,
    _ configure: (inout Monetizer.Configuration) -> Void = { _ in }
  ) throws -> Monetizer {
    let json = Self.json.replacingOccurrences(of: "GATE", with: gate == nil ? "" : ", \"parentalGate\": {}")
    let events = events
    return Monetizer(catalog: try Catalog(json: Data(json.utf8))) { configuration in
      configuration.store = backend
      configuration.storage = storage
      configuration.time = time
      configuration.zone = { Calendar.storeCalendar.timeZone }
      configuration.parentalGate = gate ?? ClosedGate()
      configuration.onEvent = { event in events.withLock { $0.append(event) } }
      configuration.startsByItself = false
      configure(&configuration)
    }
  }

  /// Gives a purchase back, and announces it.
  func refund(_ id: UInt64) async {
    let refunded = owned.withLock { owned -> StoreKit.Transaction? in
      guard let index = owned.firstIndex(where: { $0.id == id }) else { return nil }
      owned[index] = Self.transaction(id, owned[index].productID, revoked: Self.noon + 60, signed: Self.noon + 60)
      return owned[index]
    }
    if let refunded { await store.updates.send(.verified(refunded)) }
  }

  /// Runs a test with this store as the App Store.
  func run(_ body: @Sendable () async throws -> Void) async rethrows { try await store.run(body) }

  func count(_ call: String) -> Int { store.calls.filter { $0 == call }.count }
}

/// A gate that passes or not, and counts.
final class CountingGate: ParentalGate {
  let shown = Locked(0)
  private let passes: Bool
  init(passes: Bool) { self.passes = passes }
  func challenge() async -> Bool {
    shown.withLock { $0 += 1 }
    return passes
  }
}

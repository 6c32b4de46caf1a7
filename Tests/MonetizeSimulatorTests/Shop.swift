// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// The products that most tests use, and shortcuts.
enum Shop {
  static func usd(_ text: String) -> Money { Money(amount: Money.amount(text) ?? -1, currency: "USD") }
  static func decimal(_ text: String) -> Decimal { Money.amount(text) ?? -1 }

  static func plan(
    _ id: ProductID, _ period: String, _ price: String, level: Int = 1, group: String = "pro", offers: [SubscriptionOffer] = [],
    shareable: Bool = false, commitment: Int? = nil
  ) -> SimulatedProduct {
    let terms = SubscriptionTerms(group: group, level: level, period: Period(period) ?? Period(), offers: offers)
    return SimulatedProduct(
      id: id, type: .autoRenewable, price: usd(price), terms: terms, isFamilyShareable: shareable, appID: "com.example.app",
      commitmentPeriods: commitment)
  }

  static func thing(_ id: ProductID, _ type: StoreProductType, _ price: String, shareable: Bool = false) -> SimulatedProduct {
    SimulatedProduct(id: id, type: type, price: usd(price), isFamilyShareable: shareable, appID: "com.example.app")
  }

  static let trial = SubscriptionOffer(type: .introductory, mode: .freeTrial, period: Period(days: 7))

  static let products: [SimulatedProduct] = [
    plan("monthly", "P1M", "10.00", level: 2, shareable: true), plan("annual", "P1Y", "100.00", level: 2),
    plan("gold", "P1M", "20.00", level: 1), plan("silver", "P1M", "9.00", level: 2), plan("basic", "P1M", "5.00", level: 3),
    plan("weekly", "P7D", "3.00", group: "week"),
    plan(
      "trial", "P1M", "10.00", group: "trial",
      offers: [
        trial, .init(type: .promotional, mode: .payAsYouGo, period: Period(months: 1), id: "half", periods: 3, price: usd("5.00")),
        .init(type: .winBack, mode: .payUpFront, period: Period(months: 3), id: "back", price: usd("12.00")),
        .init(type: .code, mode: .freeTrial, period: Period(months: 1), id: "code"),
      ]),
    plan(
      "paygo", "P1M", "10.00", group: "paygo",
      offers: [.init(type: .introductory, mode: .payAsYouGo, period: Period(months: 1), periods: 3, price: usd("2.00"))]),
    plan(
      "upfront", "P1M", "10.00", group: "upfront",
      offers: [.init(type: .introductory, mode: .payUpFront, period: Period(months: 3), price: usd("15.00"))]),
    plan("committed", "P1M", "8.00", group: "committed", commitment: 12), thing("pack", .nonConsumable, "9.99", shareable: true),
    thing("coins", .consumable, "1.99"), thing("season", .nonRenewing, "4.99"), thing("private", .nonConsumable, "2.99"),
  ]

  static func date(_ text: String) -> Date { ISODate.parse(text, in: Calendar.storeCalendar.timeZone) ?? .distantPast }

  static func store(at start: String = "2026-03-01T12:00:00Z", seed: UInt64 = 0) -> SimulatedStore {
    SimulatedStore(products: products, start: date(start), seed: seed)
  }

  static func world(at start: String = "2026-03-01T12:00:00Z") -> StoreWorld { StoreWorld(products: products, now: date(start)) }
}

extension StoreWorld {
  /// Buys and confirms.
  @discardableResult
  mutating func buy(_ product: ProductID, by customer: CustomerID = "ann", offer: String? = nil, quantity: Int = 1) throws
    -> StoreTransaction?
  {
    let result = try purchase(PurchaseRequest(product, offerID: offer, quantity: quantity), by: customer).result
    guard case .success(let signed) = result else { return nil }
    return signed.transaction
  }

  /// The log entries up to `text`, without those that a test need not repeat.
  mutating func lines(until text: String) -> [String] {
    advance(to: Shop.date(text)).compactMap(\.notification).map(\.short)
  }

  func state(_ customer: CustomerID = "ann") -> RenewalInfo? { subscriptions(of: customer).last }
}

extension ServerNotification {
  /// `2026-04-01 DID_RENEW monthly`.
  var short: String {
    ([String(ISODate.text(date).prefix(10)), type.rawValue] + [subtype?.rawValue, productID.rawValue].compactMap { $0 }).joined(
      separator: " ")
  }
}

extension SimulatedDevice {
  @discardableResult
  func buy(_ product: ProductID, offer: String? = nil, sheet: Sheet? = nil) async throws -> StoreTransaction? {
    nextSheet = sheet
    guard case .success(let signed) = try await purchase(PurchaseRequest(product, offerID: offer)) else { return nil }
    return signed.transaction
  }
}

/// Records a device's updates.
final class Ear: Sendable {
  private let received = Locked<[StoreUpdate]>([])
  private let listening = Locked<StoreListening?>(nil)

  init(_ device: SimulatedDevice) {
    let received = received
    let handle = device.listen { update in received.withLock { $0.append(update) } }
    listening.withLock { $0 = handle }
  }

  var updates: [StoreUpdate] { received.withLock { $0 } }
  var transactions: [StoreTransaction] {
    updates.compactMap { if case .transaction(let signed) = $0 { signed.transaction } else { nil } }
  }
  var renewals: [RenewalInfo] { updates.compactMap { if case .renewal(let info) = $0 { info } else { nil } } }
  func stop() { listening.withLock { $0?.cancel() } }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls

/// Catalogs of the repository, and their screens without a store.
enum Screens {
  static let now = Date(timeIntervalSince1970: 1_772_366_400)  // 2026-03-01T12:00:00Z

  static let products = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Products")

  static func catalog(_ name: String, _ change: (String) -> String = { $0 }) throws -> Catalog {
    let text = try String(contentsOf: products.appendingPathComponent("\(name).json"), encoding: .utf8)
    return try Catalog(json: Data(change(text).utf8))
  }

  static func snapshot(_ catalog: Catalog, _ facts: [Fact] = [], at now: Date = now, answered: Bool = true) -> Snapshot {
    Snapshot(of: CustomerState(facts), catalog: catalog, situation: Situation(store: answered ? .answered : .waiting), at: now)
  }

  /// A period of a plan that began ten days ago, or that has ended: paid in full, or with the introductory offer.
  static func transaction(_ product: ProductID, ended: Bool = false, withOffer: Bool = false) -> Fact {
    let start = now - (ended ? 400 : 10) * 86400
    return .transaction(
      StoreTransaction(
        id: "1", productID: product, purchaseDate: start, expirationDate: start + 31 * 86400,
        offer: withOffer ? .init(type: .introductory, mode: .freeTrial) : nil))
  }

  /// The store's products, with the catalog's prices in a style.
  static func products(_ catalog: Catalog, trial: Bool = true, text: (Money) -> String = { "$\($0.amountText)" }) -> [StoreProduct] {
    catalog.products.filter(\.isOnSale).map { product in
      let price = product.price ?? Money(amount: 1, currency: "USD")
      return StoreProduct(
        id: product.id, displayName: product.name, displayPrice: text(price), price: price, period: product.subscription?.period,
        introductoryOffer: trial ? product.subscription?.introductoryOffer : nil)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Monetize
@testable import MonetizeSimulator

/// The possible charges, from the catalog and the steps alone.
struct AmountLaw: Sendable {
  /// The prices of a product or offer over time, everywhere and in single storefronts, the newest last.
  private struct Prices: Sendable {
    var everywhere: [Decimal] = []
    var local: [String: [Decimal]] = [:]

    func now(in storefront: String) -> Decimal? { local[storefront]?.last ?? everywhere.last }
    func ever(in storefront: String) -> [Decimal] { everywhere + (local[storefront] ?? []) }
    mutating func add(_ amount: Decimal, in storefront: String?) {
      if let storefront { local[storefront, default: []].append(amount) } else { everywhere.append(amount) }
    }
  }

  private var prices: [ProductID: Prices] = [:]
  /// The prices of offers and codes, by product and name.
  private var offers: [ProductID: [String: Prices]] = [:]
  private var isPlan: Set<ProductID> = []
  private var seen: [CustomerID: Int] = [:]
  private(set) var charges = 0
  /// The number of charges above zero.
  private(set) var costly = 0
  private(set) var violations: [String] = []

  init(_ runner: ScenarioRunner) {
    self.init(runner.catalog)
    if let settings = runner.scenario.settings { obey(settings.values) }
  }

  init(_ catalog: Catalog) { learn(catalog) }

  /// What is wrong since it was last asked.
  mutating func takeViolations() -> [Violation] {
    defer { violations = [] }
    return violations.map { Violation(law: "charged-as-agreed", text: $0) }
  }

  /// Adds the prices of a catalog, only for products that are still unknown.
  private mutating func learn(_ catalog: Catalog) {
    for product in catalog.products where prices[product.id] == nil {
      prices[product.id] = Prices(everywhere: [product.price?.amount ?? 0])
      if product.subscription != nil { isPlan.insert(product.id) }
      for offer in product.subscription?.offers ?? [] {
        let amount = offer.mode == .freeTrial ? 0 : offer.price?.amount ?? 0
        offers[product.id, default: [:]][offer.id ?? offer.type.rawValue, default: Prices()].add(amount, in: nil)
      }
    }
  }

  private mutating func obey(_ settings: [ScenarioSetting.Value]) {
    for (product, codes) in settings.lazy.compactMap({ $0.value as? [String: [String: Decimal]] }).first ?? [:] {
      for (code, amount) in codes { offers[ProductID(product), default: [:]][code, default: Prices()].add(amount, in: nil) }
    }
    guard let price = settings.lazy.compactMap({ $0.value as? ScenarioSetting.Price }).first else { return }
    let amount = price.amount
    if let offer = price.offer {
      offers[price.product, default: [:]][offer, default: Prices()].add(amount, in: price.storefront)
    } else {
      prices[price.product, default: Prices()].add(amount, in: price.storefront)
    }
  }

  mutating func look(at world: StoreWorld, after step: ScenarioStep, _ catalogs: [Catalog]) {
    for catalog in catalogs { learn(catalog) }
    if let set = step.does(ScenarioVerbs.SetWorld.self) { obey(set.settings) }
    for customer in world.customers {
      for purchase in customer.purchases.dropFirst(seen[customer.id] ?? 0) where purchase.source == nil && !purchase.isForged {
        look(at: purchase.transaction, customer.settings.storefront)
      }
      seen[customer.id] = customer.purchases.count
    }
  }

  private mutating func look(at transaction: StoreTransaction, _ storefront: String) {
    guard let charged = transaction.price?.amount else { return }
    charges += 1
    costly += charged == 0 ? 0 : 1
    let known = prices[transaction.productID] ?? Prices()
    let allowed: [Decimal]
    if let offer = transaction.offer {
      allowed = offers[transaction.productID]?[offer.id ?? offer.type.rawValue]?.ever(in: storefront) ?? []
    } else if isPlan.contains(transaction.productID) {
      // A subscriber keeps the agreed price until a consent to a higher one, and never pays more than the price now.
      allowed = known.ever(in: storefront).filter { price in known.now(in: storefront).map { price <= $0 } ?? true }
    } else {
      allowed = known.now(in: storefront).map { [$0] } ?? []
    }
    if !allowed.contains(where: { $0 * Decimal(transaction.quantity) == charged }) {
      violations.append("\(transaction.productID) cost \(charged), and may cost \(allowed)")
    }
  }
}

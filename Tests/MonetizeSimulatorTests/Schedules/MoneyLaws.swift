// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

@testable import MonetizeSimulator

/// The laws of money, by the store's transactions and its unsigned records. Checks the world after each step.
struct MoneyLaws {
  private struct Rise {
    let product: Row<SimulatedProduct>
    let price: AgreedPrice
  }

  /// The number of checked purchases of each customer.
  private var seen: [CustomerID: Int] = [:]
  /// Higher prices that wait for consent, by customer and chain.
  private var unanswered: [CustomerID: [TransactionID: Rise]] = [:]

  mutating func check(_ world: StoreWorld) -> [Violation] {
    var found: [Violation] = []
    for customer in world.customers {
      for index in (seen[customer.id] ?? 0)..<customer.purchases.count {
        found += new(customer.purchases[index], of: customer, world)
      }
      seen[customer.id] = customer.purchases.count
      unanswered[customer.id] = [:]
      for chain in customer.chains where !chain.isShared && !chain.isForgotten {
        guard let rise = chain.priceRise, rise.needsConsent, !rise.isAgreed else { continue }
        unanswered[customer.id]?[chain.originalID] = Rise(product: chain.product, price: rise.price)
      }
      found += refunds(customer) + sums(customer)
    }
    return found
  }

  /// A price belongs to the storefront of its time, and a higher one needs consent.
  private func new(_ purchase: Purchase, of customer: Customer, _ world: StoreWorld) -> [Violation] {
    let transaction = purchase.transaction
    guard purchase.source == nil, !purchase.isForged, let price = transaction.price, let product = world.known(transaction.productID) else {
      return []
    }
    let store = world.products[product].agreed(in: customer.settings.storefront)
    if price.currency != store.money.currency {
      return [
        Violation(
          law: "priced-where-bought", text: "\(customer.id) pays \(price) for \(transaction.id) in \(customer.settings.storefront).")
      ]
    }
    if transaction.reason == .renewal, transaction.offer == nil, let rise = unanswered[customer.id]?[transaction.originalID],
      rise.product == product,
      rise.price.money == price, rise.price.isOfList(store)
    {
      return [Violation(law: "no-rise-without-consent", text: "\(customer.id) pays \(price) for \(transaction.id) and never agreed.")]
    }
    return []
  }

  private func refunds(_ customer: Customer) -> [Violation] {
    customer.purchases.compactMap { purchase in
      let price = purchase.transaction.price?.amount ?? 0
      if 0 <= purchase.reversible, purchase.reversible <= purchase.refunded, purchase.refunded <= price { return nil }
      return Violation(
        law: "refunded-within-charged", text: "Of \(purchase.transaction.id), \(price), \(purchase.refunded) was given back.")
    }
  }

  /// The money charged and refunded is the sum of the transactions, in total and in each environment.
  private func sums(_ customer: Customer) -> [Violation] {
    let own = customer.purchases.filter { $0.source == nil && !$0.isForged }
    let environments = Set(own.map(\.transaction.environment)).union(customer.ledgers.map(\.environment))
    func differ(_ purchases: [Purchase], _ ledgers: [MoneyLedger]) -> String? {
      let currencies = Set(purchases.compactMap { $0.transaction.price?.currency }).union(ledgers.flatMap { $0.charged.map(\.currency) })
      for currency in currencies.sorted() {
        let paid = purchases.filter { $0.transaction.price?.currency == currency }
        let charged = paid.reduce(0) { $0 + ($1.transaction.price?.amount ?? 0) }
        let refunded = paid.reduce(0) { $0 + $1.refunded }
        let (ledger, back) = ledgers.reduce((0 as Decimal, 0 as Decimal)) {
          ($0.0 + $1.charged(in: currency), $0.1 + $1.refunded(in: currency))
        }
        if charged != ledger || refunded != back {
          return "\(customer.id) paid \(charged) \(currency) and got \(refunded) back, but the store has \(ledger) and \(back)."
        }
      }
      return nil
    }
    if let text = differ(own, customer.ledgers.map(\.money)) { return [Violation(law: "charged-adds-up", text: text)] }
    for environment in environments.sorted(by: { $0.rawValue < $1.rawValue }) {
      if let text = differ(own.filter { $0.transaction.environment == environment }, [customer.ledger(environment)]) {
        return [Violation(law: "sandbox-is-no-money", text: "\(environment): \(text)")]
      }
    }
    return []
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

extension StoreWorld {
  /// What a customer's account is like.
  public func settings(of customer: CustomerID) -> CustomerSettings { known(customer).map { customers[$0].settings } ?? newCustomers }

  /// Changes what the whole store is like, from now on.
  public mutating func configure(_ change: (inout StoreSettings) -> Void) { change(&settings) }

  /// Changes a customer's account, or with `nil` everybody's, also of those who come later. When charges go through again, failed renewals
  /// are paid at once.
  public mutating func setAccount(_ customer: CustomerID?, _ change: (inout CustomerSettings) -> Void) -> [StoreEvent] {
    if customer == nil { change(&newCustomers) }
    let indices = customer.map { [index(of: $0)] } ?? Array(customers.indices)
    for buyer in indices {
      let before = customers[buyer].settings.payment
      change(&customers[buyer].settings)
      if before == .fails, customers[buyer].settings.payment == .works { recover(buyer, at: now) }
    }
    return settled()
  }

  /// How a customer got the app; `app` is the one that asks. In the sandbox everybody got version 1.0 on the same day.
  /// Source: Apple, `AppTransaction.originalPurchaseDate` and `originalAppVersion`.
  public func appTransaction(of customer: CustomerID, app: String? = nil) -> AppTransactionRecord {
    let settings = settings(of: customer)
    let isSandbox = settings.environment == .sandbox
    return AppTransactionRecord(
      appID: app ?? products.lazy.compactMap(\.appID).first ?? "", environment: settings.environment,
      originalPurchaseDate: isSandbox
        ? Date(timeIntervalSince1970: 1_375_340_400) : settings.originalPurchaseDate ?? known(customer).map { customers[$0].since } ?? now,
      originalAppVersion: isSandbox ? "1.0" : settings.originalAppVersion)
  }

  // MARK: History

  /// What a customer paid and got back in an environment; `nil` is the one that the account is in. Play money of the sandbox is never among
  /// real money.
  public func money(of customer: CustomerID, in environment: StoreEnvironment? = nil) -> MoneyLedger {
    known(customer).map { customers[$0].ledger(environment ?? customers[$0].settings.environment) } ?? MoneyLedger()
  }

  /// All transactions of a customer in an environment, in the order in which they were made; not those that were forgotten or forged.
  /// `nil` is the environment that the account is in.
  public func transactions(of customer: CustomerID, in environment: StoreEnvironment? = nil) -> [StoreTransaction] {
    guard let index = known(customer) else { return [] }
    let environment = environment ?? customers[index].settings.environment
    return customers[index].purchases
      .filter { !$0.isForgotten && !$0.isForged && $0.transaction.environment == environment }.map(\.transaction)
  }

  /// Whether the store made a transaction at a renewal; StoreKit's `Transaction.reason`.
  public func isRenewal(_ transaction: TransactionID, customer: CustomerID) -> Bool {
    known(customer).flatMap { buyer in customers[buyer].index(of: transaction).map { customers[buyer].purchases[$0].isRenewal } } ?? false
  }

  /// How much of a transaction was given back; 0 for one that the store does not know.
  public func refunded(_ transaction: TransactionID, customer: CustomerID) -> Decimal {
    known(customer).flatMap { buyer in customers[buyer].index(of: transaction).map { customers[buyer].purchases[$0].refunded } } ?? 0
  }

  /// Where a customer's subscriptions stand in an environment, by chain; `nil` is the environment that the account is in.
  public func subscriptions(of customer: CustomerID, in environment: StoreEnvironment? = nil) -> [RenewalInfo] {
    guard let index = known(customer) else { return [] }
    let environment = environment ?? customers[index].settings.environment
    return customers[index].chains.filter { !$0.isForgotten && $0.environment == environment }.map { $0.info(products) }
  }

  /// When a customer's next renewal is due, of all subscriptions in the account's environment or of the one that `product` is of;
  /// `nil` when none renews.
  public func nextRenewal(of customer: CustomerID, product: ProductID? = nil) -> Date? {
    guard let buyer = known(customer) else { return nil }
    let group = product.flatMap(known).flatMap { products[$0].terms?.group }
    return customers[buyer].runningChains.map { customers[buyer].chains[$0] }
      .filter { $0.isActive && $0.willRenew && (product == nil || $0.group == group) }
      .map { renewalDate(from: $0.start, to: $0.expires) }.min()
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

extension StoreWorld {
  /// The settings of a customer's account.
  public func settings(of customer: CustomerID) -> CustomerSettings { known(customer).map { customers[$0].settings } ?? newCustomers }

  /// Changes the settings of the whole store.
  public mutating func configure(_ change: (inout StoreSettings) -> Void) { change(&settings) }

  /// Changes a customer's account or, with `nil`, all accounts, including later ones. When charges succeed again, failed renewals are paid
  /// at once.
  public mutating func setAccount(_ customer: CustomerID?, _ change: (inout CustomerSettings) -> Void) -> [StoreEvent] {
    if customer == nil { change(&newCustomers) }
    let indices = customer.map { [index(of: $0)] } ?? Array(customers.rows)
    for buyer in indices {
      let before = customers[buyer].settings.payment
      change(&customers[buyer].settings)
      if before == .fails, customers[buyer].settings.payment == .works { recover(buyer, at: now) }
    }
    return settled()
  }

  /// The app transaction of a customer; `app` is the app that reads it. In the sandbox, version 1.0 and the date are the same for all.
  /// Source: Apple, `AppTransaction.originalPurchaseDate` and `originalAppVersion`.
  public func appTransaction(of customer: CustomerID, app: String? = nil) -> AppTransactionRecord {
    let account = account(customer)
    let (settings, isSandbox) = (account.settings, account.settings.environment == .sandbox)
    return AppTransactionRecord(
      appID: app ?? products.lazy.compactMap(\.appID).first ?? "", environment: settings.environment,
      originalPurchaseDate: isSandbox
        ? Date(timeIntervalSince1970: 1_375_340_400) : settings.originalPurchaseDate ?? account.since,
      originalAppVersion: isSandbox ? "1.0" : settings.originalAppVersion)
  }

  // MARK: History

  /// The charges and refunds of a customer in an environment; `nil` means the account's current environment. Sandbox money is never mixed
  /// with real money.
  public func money(of customer: CustomerID, in environment: StoreEnvironment? = nil) -> MoneyLedger {
    let account = account(customer)
    return account.ledger(environment ?? account.settings.environment)
  }

  /// All transactions of a customer in an environment, oldest first, without cleared and forged ones. `nil` means the account's current
  /// environment.
  public func transactions(of customer: CustomerID, in environment: StoreEnvironment? = nil) -> [StoreTransaction] {
    account(customer).purchases(in: environment).filter { !$0.isForged }.map(\.transaction)
  }

  /// The refunded amount of a transaction; 0 for an unknown transaction.
  public func refunded(_ transaction: TransactionID, customer: CustomerID) -> Decimal {
    known(customer).flatMap { buyer in customers[buyer].index(of: transaction).map { self[buyer, $0].refunded } } ?? 0
  }

  /// A customer's subscriptions in an environment, by chain; `nil` means the account's current environment.
  public func subscriptions(of customer: CustomerID, in environment: StoreEnvironment? = nil) -> [RenewalInfo] {
    account(customer).chains(in: environment).map { $0.info(products) }
  }

  /// The date of a customer's next renewal in the account's current environment, of all subscriptions or of the one that includes
  /// `product`; `nil` when none renews.
  public func nextRenewal(of customer: CustomerID, product: ProductID? = nil) -> Date? {
    let group = product.flatMap(known).flatMap { products[$0].terms?.group }
    let account = account(customer)
    return account.runningChains.map { account.chains[$0] }
      .filter { $0.isActive && $0.willRenew && (product == nil || $0.group == group) }
      .map { renewalDate(from: $0.start, to: $0.expires) }.min()
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The charges and refunds of a customer, exact, by currency.
public struct MoneyLedger: Sendable, Hashable {
  private struct Account: Sendable, Hashable {
    let currency: String
    var charged: Decimal
    var refunded: Decimal
  }

  // A customer has one or two currencies: an array is smaller than a dictionary, and there may be 100,000 customers.
  private var accounts: [Account] = []

  /// Makes an empty ledger.
  public init() {}

  /// The total charges by currency, without deducting refunds.
  public var charged: [Money] { accounts.map { Money(amount: $0.charged, currency: $0.currency) } }
  /// The total refunds by currency, including those of upgrades, without reversed ones.
  public var refunded: [Money] { accounts.map { Money(amount: $0.refunded, currency: $0.currency) } }
  /// All charges in one currency; 0 when there are none.
  public func charged(in currency: String) -> Decimal { accounts.first { $0.currency == currency }?.charged ?? 0 }
  /// All refunds in one currency; 0 when there are none.
  public func refunded(in currency: String) -> Decimal { accounts.first { $0.currency == currency }?.refunded ?? 0 }

  mutating func charge(_ money: Money) { change(money.currency) { $0.charged += money.amount } }
  mutating func refund(_ amount: Decimal, _ currency: String) { change(currency) { $0.refunded += amount } }

  private mutating func change(_ currency: String, _ body: (inout Account) -> Void) {
    if let index = accounts.firstIndex(where: { $0.currency == currency }) { return body(&accounts[index]) }
    var account = Account(currency: currency, charged: 0, refunded: 0)
    body(&account)
    accounts.append(account)
  }

  /// The part of `amount` for the rest of a period at `date`, rounded half up to the currency's smallest unit.
  static func share(of amount: Decimal, currency: String, leftAt date: Date, from start: Date, to end: Date) -> Decimal {
    let whole = end.timeIntervalSince(start)
    let left = min(max(end.timeIntervalSince(date), 0), whole)
    guard whole >= 1 else { return 0 }
    var exact = amount * Decimal(Int(left)) / Decimal(Int(whole))
    var rounded = Decimal()
    NSDecimalRound(&rounded, &exact, Money.decimals(of: currency), .plain)
    return rounded
  }
}

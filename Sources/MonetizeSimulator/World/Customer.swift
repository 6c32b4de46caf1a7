// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A transaction with unsigned data of the store.
struct Purchase: Sendable {
  var transaction: StoreTransaction
  /// The refunded part of its price.
  var refunded: Decimal = 0
  /// The part of the refund that can still be reversed.
  var reversible: Decimal = 0
  /// Whether a device of the customer has finished it.
  var isFinished = false
  /// Whether a forged store made it: no charge, and a wrong signature.
  var isForged = false
  /// Whether the purchase history was cleared.
  var isForgotten = false
  /// When the store begins to list it, for the quirks that list late.
  var listedFrom: Date?
  /// The owner's transaction, when this is a family member's copy.
  var source: TransactionID?

  var signed: SignedTransaction { SignedTransaction(transaction, isVerified: !isForged) }

  /// Changes the transaction and signs it anew, with a later revision than any before.
  mutating func change(at date: Date, _ body: (inout StoreTransaction) -> Void) {
    body(&transaction)
    transaction.revision = transaction.revision.next(at: date)
  }
}

extension Revision {
  /// The next revision at `date`, which may be the same instant.
  func next(at date: Date) -> Revision { date > self.date ? Revision(date) : Revision(self.date, sequence: sequence + 1) }
}

/// A purchase that has not completed.
struct PurchaseInWaiting: Sendable {
  enum Kind: Sendable { case askToBuy, interrupted }
  let kind: Kind
  let number: Int
  let request: PurchaseRequest
  let environment: StoreEnvironment
}

/// A person with an account at the store, and the store's data about them.
struct Customer: Sendable {
  let id: CustomerID
  /// The first contact with the store, and the default date of getting the app.
  let since: Date
  var settings: CustomerSettings
  var purchases: [Purchase] = []
  /// The purchases that may be listed for ever: those that do not end by themselves and are not used up, and forged ones.
  var lasting: [Row<Purchase>] = []
  /// The copies of other family members' purchases that follow them, by the owner's transaction.
  var copies: [TransactionID: Row<Purchase>] = [:]
  /// The original transaction of each shared subscription, by the owner's original transaction.
  var originals: [TransactionID: TransactionID] = [:]
  var chains: [SubscriptionChain] = []
  var waiting: [PurchaseInWaiting] = []
  /// The date of the last redemption of each offer.
  var redeemed: [OfferUse: Date] = [:]
  /// The ledger of each environment; nearly always one.
  var ledgers: [(environment: StoreEnvironment, money: MoneyLedger)] = []
  /// The customer's family.
  var family: Row<[Row<Customer>]>?

  /// Whether the customer bought it, and in the account's current environment.
  func isOwn(_ purchase: Purchase) -> Bool {
    purchase.source == nil && !purchase.isForged && !purchase.isForgotten && purchase.transaction.environment == settings.environment
  }

  func ledger(_ environment: StoreEnvironment) -> MoneyLedger {
    ledgers.first { $0.environment == environment }?.money ?? MoneyLedger()
  }

  mutating func account(_ environment: StoreEnvironment, _ change: (inout MoneyLedger) -> Void) {
    let index = ledgers.firstIndex { $0.environment == environment }
    if index == nil { ledgers.append((environment, MoneyLedger())) }
    change(&ledgers[index ?? ledgers.count - 1].money)
  }

  /// The purchases in an environment, without cleared ones; `nil` means the account's current environment.
  func purchases(in environment: StoreEnvironment?) -> [Purchase] {
    let environment = environment ?? settings.environment
    return purchases.filter { !$0.isForgotten && $0.transaction.environment == environment }
  }

  /// The chains in an environment, without cleared ones; `nil` means the account's current environment.
  func chains(in environment: StoreEnvironment?) -> [SubscriptionChain] {
    let environment = environment ?? settings.environment
    return chains.filter { !$0.isForgotten && $0.environment == environment }
  }

  /// The transactions that a chain's access rests on: that of its current period and, if this has not begun, that of the running period
  /// before.
  func periods(of chain: SubscriptionChain, at now: Date) -> [Row<Purchase>] {
    guard let previous = chain.previous, let end = purchases[previous].transaction.expirationDate, now < end, now < chain.start,
      !purchases[previous].isForgotten
    else { return [chain.latest] }
    return [previous, chain.latest]
  }

  /// The customer's own chains that have not ended, in the account's current environment.
  var runningChains: [Row<SubscriptionChain>] {
    chains.rows.filter { index in
      let chain = chains[index]
      return !chain.isShared && !chain.isForgotten && chain.environment == settings.environment && !chain.isOver
    }
  }

  /// The purchases of a product, in the account's current environment.
  func own(of product: ProductID) -> [Row<Purchase>] {
    purchases.rows.filter { purchases[$0].transaction.productID == product && isOwn(purchases[$0]) }
  }

  func index(of id: TransactionID) -> Row<Purchase>? {
    purchases.lastRow { $0.transaction.id == id && !$0.isForgotten }
  }

  /// The customer's own chain in a group; `nil` means the account's current environment.
  func chain(of group: String, _ environment: StoreEnvironment? = nil) -> Row<SubscriptionChain>? {
    chains.firstRow { $0.group == group && $0.environment == environment ?? settings.environment && !$0.isShared && !$0.isForgotten }
  }
}

/// What a redemption of an offer uses up in an environment. An introductory offer uses up that of all products of its group. Any other
/// offer uses up itself.
enum OfferUse: Sendable, Hashable {
  case introductory(group: String, StoreEnvironment)
  case offer(String, of: ProductID, StoreEnvironment)
}

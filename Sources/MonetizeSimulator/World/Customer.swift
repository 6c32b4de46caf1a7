// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A transaction, and what the store knows about it beside what it signs.
struct Purchase: Sendable {
  var transaction: StoreTransaction
  /// How much of its price was given back.
  var refunded: Decimal = 0
  /// How much of that a refund gave that may still be reversed.
  var reversible: Decimal = 0
  /// Whether a device of the customer has finished it.
  var isFinished = false
  /// Made by the store at a renewal, and not by a person.
  var isRenewal = false
  /// Made by a forged store: nobody was charged, and the signature is wrong.
  var isForged = false
  /// The purchase history was cleared.
  var isForgotten = false
  /// From when it is listed, for the quirks that list late.
  var listedFrom: Date?
  /// The transaction that this is a family's copy of.
  var source: TransactionID?

  var signed: SignedTransaction { SignedTransaction(transaction, isVerified: !isForged) }

  /// The store changes its word: it is signed anew, later than anything said before.
  mutating func change(at date: Date, _ body: (inout StoreTransaction) -> Void) {
    body(&transaction)
    transaction.revision = transaction.revision.next(at: date)
  }
}

extension Revision {
  /// The next thing said at `date`, which may be the same instant.
  func next(at date: Date) -> Revision { date > self.date ? Revision(date) : Revision(self.date, sequence: sequence + 1) }
}

/// A purchase that has not gone through.
struct PurchaseInWaiting: Sendable {
  enum Kind: Sendable { case askToBuy, interrupted }
  let kind: Kind
  let number: Int
  let request: PurchaseRequest
  let environment: StoreEnvironment
}

/// A person with an account at the store, and all that the store knows about them.
struct Customer: Sendable {
  let id: CustomerID
  /// When the store first saw them: they got the app then.
  let since: Date
  var settings: CustomerSettings
  var purchases: [Purchase] = []
  var chains: [SubscriptionChain] = []
  var waiting: [PurchaseInWaiting] = []
  /// Groups whose introductory offer was used, by environment.
  var usedIntroductory: Set<String> = []
  /// When offers were last redeemed, by environment and id.
  var redeemed: [String: Date] = [:]
  /// What was paid in each world; nearly always one.
  var ledgers: [(environment: StoreEnvironment, money: MoneyLedger)] = []
  /// The index of the family among the world's.
  var family: Int?

  /// Whether the store sold it to them, in the world that the account is in.
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

  /// The indices of the own chains that have not ended, in the world that the account is in.
  var runningChains: [Int] {
    chains.indices.filter { index in
      let chain = chains[index]
      return chain.sharedBy == nil && !chain.isForgotten && chain.environment == settings.environment && !chain.isOver
    }
  }

  /// The indices of what was bought of a product, in the world that the account is in.
  func own(of product: ProductID) -> [Int] {
    purchases.indices.filter { purchases[$0].transaction.productID == product && isOwn(purchases[$0]) }
  }

  func index(of id: TransactionID) -> Int? {
    purchases.lastIndex { $0.transaction.id == id && !$0.isForgotten }
  }

  /// The customer's own chain in a group, in the world that the account is in.
  func chain(of group: String) -> Int? { chain(of: group, settings.environment) }

  func chain(of group: String, _ environment: StoreEnvironment) -> Int? {
    chains.firstIndex { $0.group == group && $0.environment == environment && $0.sharedBy == nil && !$0.isForgotten }
  }

  func key(_ text: String, _ environment: StoreEnvironment) -> String { "\(environment)/\(text)" }
}

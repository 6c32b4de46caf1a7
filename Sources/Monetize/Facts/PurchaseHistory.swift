// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Transactions of one product, earliest purchase first. Each has a summary of those before it, so that a question reads only the latest ones,
/// however many periods have ended.
struct PurchaseHistory: Sendable, Hashable {
  /// The summary of a transaction and all before it.
  private struct Mark: Sendable, Hashable {
    /// The transaction's own end; `.distantFuture` without one.
    let end: Date
    let latestEnd: Date
    let hasEnd: Bool
    /// The index of the first period of an unbroken run, in which each period begins where an earlier one of its chain ended. A new run
    /// begins after a free trial.
    let first: Int
    let quantity: Int
    let hasIntroduction: Bool
  }

  private(set) var transactions: [StoreTransaction]
  private var marks: [Mark] = []
  /// The number of transactions of each chain.
  private var chains: [TransactionID: Int] = [:]

  /// O(n log n); O(n) when they are sorted already.
  init(_ transactions: [StoreTransaction] = []) {
    self.transactions = transactions.sorted { $0.isEarlier(than: $1) }
    for transaction in transactions { chains[transaction.originalID, default: 0] += 1 }
    mark(from: 0)
  }

  /// The total quantity.
  var quantity: Int { marks.last?.quantity ?? 0 }
  /// Whether an introductory offer was used.
  var hasIntroduction: Bool { marks.last?.hasIntroduction ?? false }
  /// Whether any of them ends.
  var hasEnd: Bool { marks.last?.hasEnd ?? false }

  func contains(chain: TransactionID) -> Bool { chains[chain] != nil }

  /// O(1) for the latest purchase.
  mutating func insert(_ transaction: StoreTransaction) {
    let index = transactions.indexPast { $0.isEarlier(than: transaction) }
    transactions.insert(transaction, at: index)
    chains[transaction.originalID, default: 0] += 1
    mark(from: index)
  }

  mutating func remove(_ transaction: StoreTransaction) {
    let index = transactions.indexPast { $0.isEarlier(than: transaction) }
    transactions.remove(at: index)
    chains[transaction.originalID] = chains[transaction.originalID].flatMap { $0 > 1 ? $0 - 1 : nil }
    mark(from: index)
  }

  private mutating func mark(from start: Int) {
    marks.removeLast(marks.count - start)
    for index in start..<transactions.count {
      let (transaction, end) = (transactions[index], transactions[index].expirationDate ?? .distantFuture)
      let before = self.index(before: transaction).flatMap { transactions[$0].isFreeTrial ? nil : $0 }
      marks.append(
        Mark(
          end: end, latestEnd: max(marks.last?.latestEnd ?? end, end), hasEnd: hasEnd || transaction.expirationDate != nil,
          first: before.map(first) ?? index,
          quantity: min(quantity + transaction.quantity.clamped(to: 0...1_000_000), Use.unknownAmount),
          hasIntroduction: hasIntroduction || transaction.offer?.type == .introductory))
    }
  }

  /// The indexes of the transactions that have not ended, latest purchase first. O(those), if each period ends after the one before it.
  func running(at now: Date) -> [Int] {
    marks.indices.reversed().prefix { now < marks[$0].latestEnd }.filter { now < marks[$0].end }
  }

  /// The index of the period of the same chain that ended where a later period begins. O(log n + those that had not ended then).
  func index(before transaction: StoreTransaction) -> Int? {
    if transaction.expirationDate == nil { return nil }
    return marks.prefix(transactions.indexPast { $0.isEarlier(than: transaction) }).indices.reversed()
      .prefix { transaction.purchaseDate <= marks[$0].latestEnd }
      .first { marks[$0].end == transaction.purchaseDate && transactions[$0].originalID == transaction.originalID }
  }

  /// The index of the first period in the unbroken run of the period at `index`.
  func first(of index: Int) -> Int { marks[index].first }
}

extension [PurchaseHistory] {
  /// The number of transactions.
  var number: Int { reduce(0) { $0 + $1.transactions.count } }
  /// The latest transaction.
  var latest: StoreTransaction? { compactMap(\.transactions.last).latest }
}

extension Collection<StoreTransaction> {
  /// The latest one, in any order.
  var latest: StoreTransaction? { self.max { $0.isEarlier(than: $1) } }
}

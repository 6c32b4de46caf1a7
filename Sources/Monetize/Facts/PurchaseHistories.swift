// SPDX-License-Identifier: Apache-2.0

/// The histories of all products. They depend only on the transactions, never on their arrival.
struct PurchaseHistories: Sendable, Hashable {
  /// The properties that decide for whom a transaction counts. All transactions of a history have the same ones.
  private struct Scope: Sendable, Hashable {
    let environment: StoreEnvironment
    let appID, account: String?
    let ownership: StoreTransaction.OwnershipType
    let isValid: Bool

    init(_ transaction: StoreTransaction) {
      (environment, appID, account) = (transaction.environment, transaction.appID, transaction.account)
      (ownership, isValid) = (transaction.ownership, transaction.isValid)
    }
  }

  private var byProduct: [ProductID: [Scope: PurchaseHistory]] = [:]

  init() {}

  /// O(n log n); O(n) when they are sorted already.
  init(_ transactions: some Collection<StoreTransaction>) {
    byProduct = Dictionary(grouping: transactions, by: \.productID)
      .mapValues { Dictionary(grouping: $0, by: Scope.init).mapValues { PurchaseHistory($0) } }
  }

  /// The histories of a product, in no order.
  subscript(product: ProductID) -> [PurchaseHistory] { byProduct[product].map { Array($0.values) } ?? [] }

  /// All histories, in no order.
  var all: [PurchaseHistory] { byProduct.values.flatMap(\.values) }

  func contains(chain: TransactionID) -> Bool { all.contains { $0.contains(chain: chain) } }

  /// Inserts a transaction at its position, replacing the known copy. O(1) for the latest purchase.
  mutating func replace(_ known: StoreTransaction?, with transaction: StoreTransaction) {
    if let known {
      byProduct[known.productID]?[Scope(known)]?.remove(known)
      if byProduct[known.productID]?[Scope(known)]?.transactions.isEmpty == true { byProduct[known.productID]?[Scope(known)] = nil }
      if byProduct[known.productID]?.isEmpty == true { byProduct[known.productID] = nil }
    }
    byProduct[transaction.productID, default: [:]][Scope(transaction), default: PurchaseHistory()].insert(transaction)
  }
}

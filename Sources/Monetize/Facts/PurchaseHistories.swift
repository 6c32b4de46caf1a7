// SPDX-License-Identifier: Apache-2.0

/// All transactions by product, earliest purchase first. The order depends only on the transactions, never on their arrival.
struct PurchaseHistories: Sendable, Hashable {
  private var byProduct: [ProductID: [StoreTransaction]] = [:]

  init() {}

  /// O(n log n); O(n) when they are sorted already.
  init(_ transactions: some Collection<StoreTransaction>) {
    for transaction in transactions { byProduct[transaction.productID, default: []].append(transaction) }
    for product in byProduct.keys { byProduct[product]?.sort { $0.isEarlier(than: $1) } }
  }

  subscript(product: ProductID) -> [StoreTransaction] { byProduct[product] ?? [] }

  /// Inserts a transaction at its position, replacing the known copy. O(1) for the latest purchase.
  mutating func replace(_ known: StoreTransaction?, with transaction: StoreTransaction) {
    if let known {
      let index = self[known.productID].indexPast { $0.isEarlier(than: known) }
      byProduct[known.productID]?.remove(at: index)
      if byProduct[known.productID]?.isEmpty == true { byProduct[known.productID] = nil }
    }
    let index = self[transaction.productID].indexPast { $0.isEarlier(than: transaction) }
    byProduct[transaction.productID, default: []].insert(transaction, at: index)
  }
}

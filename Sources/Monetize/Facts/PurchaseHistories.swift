// SPDX-License-Identifier: Apache-2.0

/// All transactions by product, each product's earliest purchase first. It depends only on what they are, never on the order they came in.
struct PurchaseHistories: Sendable, Hashable {
  private var byProduct: [ProductID: [StoreTransaction]] = [:]

  init() {}

  /// O(n log n), O(n) when they come in their order.
  init(_ transactions: some Collection<StoreTransaction>) {
    for transaction in transactions { byProduct[transaction.productID, default: []].append(transaction) }
    for product in byProduct.keys { byProduct[product]?.sort { $0.isEarlier(than: $1) } }
  }

  /// The transactions of a product.
  subscript(product: ProductID) -> [StoreTransaction] { byProduct[product] ?? [] }

  /// Puts a transaction in its place, instead of what was known of it before. O(1) for the latest purchase.
  mutating func replace(_ known: StoreTransaction?, with transaction: StoreTransaction) {
    if let known {
      let place = self[known.productID].indexPast { $0.isEarlier(than: known) }
      byProduct[known.productID]?.remove(at: place)
      if byProduct[known.productID]?.isEmpty == true { byProduct[known.productID] = nil }
    }
    let place = self[transaction.productID].indexPast { $0.isEarlier(than: transaction) }
    byProduct[transaction.productID, default: []].insert(transaction, at: place)
  }
}

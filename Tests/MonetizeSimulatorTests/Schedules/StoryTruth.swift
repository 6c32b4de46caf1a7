// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Monetize
@testable import MonetizeSimulator

/// What a customer has, from the store's sales and refunds, whatever the store lists.
struct Truth {
  /// The products that give access now.
  let transactions: [StoreTransaction]
  private let all: [StoreTransaction]
  private let ends: [TransactionID: Date]

  /// - Parameters:
  ///   - known: The device's updates. The store lists only the latest pass, so a device that forgot the others has only that one.
  ///   - account: The signed-in account: purchases for another account are not included.
  ///   - hasRead: Whether it has just read. When the last pass is refunded, only a read shows the one before it.
  init(_ world: StoreWorld, _ customer: CustomerID, _ catalog: Catalog, known: Set<TransactionID>, account: String?, hasRead: Bool) {
    let environment = world.settings(of: customer).environment
    let bought = world.transactions(of: customer)
    var all = bought.filter {
      $0.environment == environment && $0.revocation == nil && !$0.isUpgraded && $0.appID == catalog.app.id
        && Story.credits[$0.productID] == nil && ($0.account == nil || account == nil || $0.account == account)
    }
    for product in Story.passes.keys {
      let own = bought.filter { $0.productID == product && $0.environment == environment }
      let listed = own.filter { $0.revocation == nil }.map(\.purchaseDate).max()
      let isTold = hasRead || listed == own.map(\.purchaseDate).max()
      all.removeAll { $0.productID == product && !(isTold && $0.purchaseDate == listed) && !known.contains($0.id) }
    }
    let chains = world.subscriptions(of: customer).filter { $0.state == .inGracePeriod }
    let graces = Dictionary(chains.map { ($0.originalID, $0) }) { first, _ in first }
    var ends = Self.passes(all)
    for transaction in all where Story.passes[transaction.productID] == nil { ends[transaction.id] = Self.end(transaction, graces) }
    (self.all, self.ends) = (all, ends)
    transactions = all.filter { ends[$0.id] ?? .distantFuture > world.now }
  }

  func owned(_ product: ProductID, at date: Date) -> Bool {
    all.contains { $0.productID == product && end(of: $0) > date }
  }

  /// The end of the last purchase of a pass.
  func end(ofPass product: ProductID) -> Date? { all.filter { $0.productID == product }.map { end(of: $0) }.max() }

  private func end(of transaction: StoreTransaction) -> Date { ends[transaction.id] ?? .distantFuture }

  private static func end(_ transaction: StoreTransaction, _ graces: [TransactionID: RenewalInfo]) -> Date {
    let end = transaction.expirationDate ?? .distantFuture
    guard let chain = graces[transaction.originalID], chain.productID == transaction.productID, let grace = chain.graceUntil else {
      return end
    }
    return max(end, grace)
  }

  /// The end of each purchase of a pass: after its own length, or after the lengths of all earlier purchases, too.
  static func passes(_ transactions: [StoreTransaction]) -> [TransactionID: Date] {
    var ends: [TransactionID: Date] = [:]
    for (product, pass) in Story.passes {
      var end = Date.distantPast
      for transaction in transactions.filter({ $0.productID == product }).sorted(by: { $0.purchaseDate < $1.purchaseDate }) {
        let start = pass.stacks ? max(end, transaction.purchaseDate) : transaction.purchaseDate
        end = start + Double(pass.days) * 86400
        ends[transaction.id] = end
      }
    }
    return ends
  }
}

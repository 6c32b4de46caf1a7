// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// A customer whom a command assumes: products bought, and amounts used, at the time of the question.
public struct AssumedCustomer: Sendable {
  /// The products, by id, the end of one, or name.
  public var owned: [String]
  /// The amounts, such as `export=5`; for a feature that counts time a number of seconds, or a length such as `playTime=PT20M`.
  public var used: [String]

  /// Makes a customer.
  public init(owned: [String] = [], used: [String] = []) { (self.owned, self.used) = (owned, used) }

  /// The purchases, each made at `now`. A subscription is in its first period. O(owned × products).
  /// - Throws: ``ToolProblem`` for a product that is not in the catalog.
  public func purchases(in catalog: Catalog, at now: Date) throws(ToolProblem) -> [StoreTransaction] {
    var purchases: [StoreTransaction] = []
    for (number, name) in owned.enumerated() {
      guard let product = catalog.product(ProductID(try NameChoice.products(of: catalog).one(name))) else { continue }
      let ends = product.subscription.map { $0.period.added(to: now, in: .storeCalendar) }
      purchases.append(
        StoreTransaction(id: TransactionID("owned-\(number)"), productID: product.id, purchaseDate: now, expirationDate: ends))
    }
    return purchases
  }

  /// The uses, by the member of a snapshot and at its date, whether it would allow them or not. Credits cover what the grants do not.
  /// O(used × features).
  /// - Parameter snapshot: The answers before these uses.
  /// - Throws: ``ToolProblem`` for a feature that is not in the catalog or not counted, and for what is not an amount.
  public func uses(in snapshot: Snapshot) throws(ToolProblem) -> [Fact] {
    var seen: Set<FeatureID> = []
    var uses: [Fact] = []
    for text in used {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let id = FeatureID(try NameChoice.features(of: snapshot.catalog).one(parts[0]))
      let amount = try amount(parts.count > 1 ? parts[1] : "", of: id, in: snapshot.catalog)
      // A milestone counts as well, but no answer depends on it.
      guard snapshot.catalog.feature(id).map({ type(of: $0.shape).isMetered }) == true,
        let use = snapshot.use(of: id, amount: amount, key: "used-\(id)")
      else {
        throw ToolProblem("\(id) is not counted. Remove --used \(text).")
      }
      guard seen.insert(use.feature).inserted else { throw ToolProblem("--used: \(use.feature) is counted twice. Write one amount.") }
      uses.append(.use(use))
    }
    return uses
  }

  private func amount(_ text: String, of id: FeatureID, in catalog: Catalog) throws(ToolProblem) -> Int {
    let countsSeconds = catalog.feature(id).map { type(of: $0.shape).countsSeconds } ?? false
    if let number = Int(text) ?? (countsSeconds ? Period(text)?.fixedSeconds.map { Int($0) } : nil), number > 0 { return number }
    let found = text.isEmpty ? "--used: \(id) has no amount." : "--used: \"\(text)\" is not an amount."
    throw ToolProblem("\(found) Write \(countsSeconds ? "seconds or a length, such as \(id)=PT20M" : "a number, such as \(id)=3").")
  }
}

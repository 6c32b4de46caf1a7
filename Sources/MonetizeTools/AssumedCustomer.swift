// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// A customer whom a command assumes: products bought, and amounts used, at the time of the question.
public struct AssumedCustomer: Sendable {
  /// The products, by id, the end of one, or name.
  public var owned: [String]
  /// The products that the customer had and that have ended, in the same way.
  public var ended: [String]
  /// The amounts, such as `export=5`; for a feature that counts time a number of seconds, or a length such as `playTime=20min`.
  public var used: [String]

  /// Makes a customer.
  public init(owned: [String] = [], ended: [String] = [], used: [String] = []) {
    (self.owned, self.ended, self.used) = (owned, ended, used)
  }

  /// The purchases. What is owned was bought at `now`, a subscription for its first period. What has ended did so 30 days before.
  /// O((owned + ended) × products).
  /// - Throws: ``ToolProblem`` for a product that is not in the catalog, and for an ended one that never ends.
  public func purchases(in catalog: Catalog, at now: Date) throws(ToolProblem) -> [StoreTransaction] {
    var purchases: [StoreTransaction] = []
    for (number, product) in try products(ended, in: catalog).enumerated() {
      guard let length = product.kind.length else {
        throw ToolProblem("--ended: \(product.name) has no end. Write --owned \(product.id), or remove it.")
      }
      // Months have no fixed length: the purchase is found from its end.
      let end = now - 30 * 86400
      var start = Period(years: -length.years, months: -length.months, days: -length.days, seconds: -length.seconds)
        .added(to: end, in: .storeCalendar)
      while length.added(to: start, in: .storeCalendar) > end { start -= 86400 }
      purchases.append(purchase("ended-\(number)", product, at: start))
    }
    for (number, product) in try products(owned, in: catalog).enumerated() {
      purchases.append(purchase("owned-\(number)", product, at: now))
    }
    return purchases
  }

  private func purchase(_ id: String, _ product: CatalogProduct, at date: Date) -> StoreTransaction {
    StoreTransaction(
      id: TransactionID(id), productID: product.id, purchaseDate: date,
      expirationDate: product.subscription.map { $0.period.added(to: date, in: .storeCalendar) })
  }

  private func products(_ names: [String], in catalog: Catalog) throws(ToolProblem) -> [CatalogProduct] {
    var products: [CatalogProduct] = []
    for name in names { products += [catalog.product(ProductID(try NameChoice.products(of: catalog).one(name)))].compactMap { $0 } }
    return products
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
    if let number = Int(text) ?? (countsSeconds ? Period(typed: text, isFixed: true)?.fixedSeconds.map { Int($0) } : nil), number > 0 {
      return number
    }
    let found = text.isEmpty ? "--used: \(id) has no amount." : "--used: \"\(text)\" is not an amount."
    throw ToolProblem("\(found) Write \(countsSeconds ? "seconds or a length, such as \(id)=20min" : "a number, such as \(id)=3").")
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// Many tasks on one monetizer. Run with `swift test --sanitize=thread --filter MonetizeThreadSafetyTests`; else only totals are checked.
@Suite(.timeLimit(.minutes(30)))
struct HammerTests {
  /// A store that sells immediately and delivers everything twice.
  private final class Seller: StoreBackend {
    private let sold = Locked<[SignedTransaction]>([])
    private let listener = Locked<StoreUpdateHandler?>(nil)
    func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] { [] }
    func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult {
      let signed = sold.withLock { sold in
        let number = sold.count
        sold.append(
          SignedTransaction(StoreTransaction(id: TransactionID("\(number)"), productID: request.productID, purchaseDate: Date())))
        return sold[number]
      }
      await listener.withLock { $0 }?(.transaction(signed))
      return .success(signed)
    }
    func read() async throws(StoreError) -> StoreAnswer { StoreAnswer(transactions: sold.withLock { $0 }) }
    func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding { .gone }
    func unfinished() async throws(StoreError) -> [SignedTransaction] { sold.withLock { $0 } }
    func finish(_ transaction: TransactionID) async throws(StoreError) {}
    func synchronize() async throws(StoreError) {}
    func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening {
      listener.withLock { $0 = deliver }
      return StoreListening { [weak self] in self?.listener.withLock { $0 = nil } }
    }
  }

  private func catalog() throws -> Catalog {
    let products = (0..<8).map { "{ \"kind\": \"nonConsumable\", \"id\": \"p\($0)\", \"name\": \"P\", \"grants\": { \"f\($0)\": true } }" }
    let features = (0..<8).map { "\"f\($0)\": {}" }
    return try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
          "features": { "story": { "allowance": "count", "per": "month" }, \(features.joined(separator: ", ")) },
          "freeTier": { "grants": { "story": 50 } }, "products": [\(products.joined(separator: ", "))] }
        """.utf8))
  }

  @Test("Concurrent reads, uses, purchases, refreshes and watchers: exact totals, and the last snapshot is the current one")
  func everything() async throws {
    let monetizer = Monetizer(catalog: try catalog()) { $0.store = Seller() }
    let watcher = Task {
      var last: Snapshot?
      for await snapshot in monetizer.snapshots {
        last = snapshot
        let isSold = (0..<8).allSatisfy { snapshot.allows(FeatureID("f\($0)")) }
        // Everything can be used and sold before the store's first answer, which makes another snapshot.
        if isSold, snapshot.decision(for: "story").remaining == 0, snapshot.situation.store.hasAnswered { break }
      }
      return last
    }
    let spent = await withTaskGroup(of: Int.self) { group in
      for task in 0..<6 {
        group.addTask {
          var count = 0
          for number in 0..<40 where (try? await monetizer.withSpending("story", key: "\(task)/\(number)") { number }) != nil { count += 1 }
          return count
        }
      }
      for product in 0..<8 {
        group.addTask {
          _ = try? await monetizer.purchase(ProductID("p\(product)"))
          return 0
        }
      }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<300 {
            _ = monetizer.allows("story")
            _ = monetizer.decision(for: "f3")
            _ = monetizer.snapshot.decision(for: AccessRequest("story", count: 2))
          }
          return 0
        }
        group.addTask {
          for _ in 0..<10 { await monetizer.refresh() }
          return 0
        }
        group.addTask {
          for _ in 0..<20 {
            var snapshots = monetizer.snapshots.makeAsyncIterator()
            _ = await snapshots.next()
          }
          return 0
        }
      }
      return await group.reduce(0, +)
    }
    #expect(spent == 50)
    #expect(monetizer.decision(for: "story").used == 50)
    let last = await watcher.value
    #expect(last == monetizer.snapshot)
    #expect(monetizer.state.transactions.count == 8)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// Products are loaded, failures are visible, and temporary ones are retried.
@Suite("Loading products", .timeLimit(.minutes(30)))
struct ProductLoadingTests {
  /// The steps of a load, as text; the clock moves to each retry.
  private func steps(failing failures: [StoreError.Code], retries: [TimeInterval] = [1, 2, 4]) async throws -> [String] {
    let (store, time) = (ScriptedStore { $0.productErrors = failures.map(StoreError.init) }, TestTime())
    let monetizer = try TestShop.monetizer(store, time: time)
    var steps: [String] = []
    for await loading in monetizer.loadProducts(retries: retries) {
      switch loading {
      case .loading: steps.append("loading")
      case .loaded(let products): steps.append(products.map(\.id.rawValue).joined(separator: " "))
      case .failed(let error, nil): steps.append("\(error.code)")
      case .failed(let error, let date?):
        steps.append("\(error.code), again in \(Int(date.timeIntervalSince(time.now))) s")
        time.advance(date.timeIntervalSince(time.now))
      }
      if case .failed = loading { #expect(loading.error != nil) } else { #expect(loading.error == nil) }
    }
    #expect(store.calls("products") == steps.filter { $0 == "loading" }.count)
    return steps
  }

  @Test("DOZZI-07: two failures are visible and retried after 1 and 2 seconds; then the products are there and the error is gone")
  func backoff() async throws {
    #expect(
      try await steps(failing: [.network, .system])
        == ["loading", "network, again in 1 s", "loading", "system, again in 2 s", "loading", "pack month"])
  }

  @Test("DOZZI-33: three temporary failures are within the tries, a fourth is not") func budget() async throws {
    #expect(try await steps(failing: [.network, .network, .network]).last == "pack month")
    let four = try await steps(failing: [.network, .network, .network, .network, .network])
    #expect(four.filter { $0 == "loading" }.count == 4 && four.last == "network")
    #expect(try await steps(failing: [.network], retries: []) == ["loading", "network"])
  }

  @Test(
    "DOZZI-33: permanent failures are not retried", arguments: [StoreError.Code.notAllowed, .productUnavailable, .unknown])
  func permanent(_ code: StoreError.Code) async throws { #expect(try await steps(failing: [code]) == ["loading", code.rawValue]) }

  @Test("PUZZ-01: an app that sells nothing never asks the store for products") func nothingSold() async throws {
    let store = ScriptedStore { $0.productErrors = [StoreError(.network)] }
    let monetizer = try TestShop.monetizer(store, catalog: Shipped.catalog("maxs-puzzles"))
    for await loading in monetizer.loadProducts() where loading != .loading { #expect(loading == .loaded([])) }
    #expect(store.calls("products") == 0)
  }

  @Test("Cancelling the listener stops the loading: the store is not asked again") func stopped() async throws {
    let (store, time) = (ScriptedStore { $0.productErrors = [StoreError(.network)] }, TestTime())
    let monetizer = try TestShop.monetizer(store, time: time)
    for await loading in monetizer.loadProducts() where loading.error != nil { break }
    time.advance(3600)
    for _ in 0..<100 { await Task.yield() }
    #expect(store.calls("products") == 1)
  }

  @Test("A cancelled request for products, or one that was overtaken, does not close the shop") func overtaken() async throws {
    let (answers, answer) = AsyncStream.makeStream(of: Void.self)
    let store = SlowShop(answers)
    let monetizer = try Monetizer(catalog: TestShop.catalog()) { ($0.store, $0.startsByItself) = (store, false) }
    let slow = Task { try await monetizer.storeProducts() }
    while store.requests.copy < 1 { await Task.yield() }
    #expect(try await monetizer.storeProducts().count == 2)
    answer.finish()
    await #expect(throws: StoreError.self) { try await slow.value }
    #expect(try await monetizer.purchase("pack") == .cancelled)
    await #expect(throws: StoreError(.cancelled)) { try await monetizer.storeProducts() }
    #expect(try await monetizer.purchase("pack") == .cancelled)
    await #expect(throws: StoreError(.network)) { try await monetizer.storeProducts() }
    #expect(try await monetizer.purchase("pack") == .failed(StoreError(.productUnavailable)))
  }

  /// A store whose first answer about products is late and a failure, the second is right, and all others are failures.
  private final class SlowShop: StoreBackend {
    let requests = Locked(0)
    private let answers: AsyncStream<Void>
    init(_ answers: AsyncStream<Void>) { self.answers = answers }
    func products(for ids: [ProductID]) async throws(StoreError) -> [StoreProduct] {
      let number = requests.withLock { count in
        count += 1
        return count
      }
      if number == 1 { for await _ in answers {} }
      if number != 2 { throw StoreError(number == 3 ? .cancelled : .network) }
      return ids.map { StoreProduct(id: $0, displayName: "", displayPrice: "1", price: Money(amount: 1, currency: "USD")) }
    }
    func purchase(_ request: PurchaseRequest) async throws(StoreError) -> PurchaseResult { .userCancelled }
    func read() async throws(StoreError) -> StoreAnswer { StoreAnswer(transactions: []) }
    func standing(of transaction: TransactionID) async throws(StoreError) -> StoreStanding { .gone }
    func unfinished() async throws(StoreError) -> [SignedTransaction] { [] }
    func finish(_ transaction: TransactionID) async throws(StoreError) {}
    func synchronize() async throws(StoreError) {}
    func listen(_ deliver: @escaping StoreUpdateHandler) -> StoreListening { StoreListening {} }
  }

  @Test("DOZZI-14: a product that is not for sale fails before the store is asked; a refusal by the store keeps its reason")
  func notForSale() async throws {
    let store = ScriptedStore()
    let monetizer = try TestShop.monetizer(store)
    func failure(_ product: ProductID) async throws -> StoreError.Code? {
      if case .failed(let error) = try await monetizer.purchase(product) { error.code } else { nil }
    }
    #expect(try await failure("no.such.product") == .productUnavailable)
    #expect(store.calls("purchase") == 0)
    for code in [StoreError.Code.productUnavailable, .system, .notAllowed] {
      store.change { $0.purchase = { _ throws(StoreError) in throw StoreError(code) } }
      #expect(try await failure("pack") == code)
    }
    #expect(store.calls("purchase") == 3)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// Products are loaded, failures are visible, and temporary ones are retried.
@Suite("Loading products", .timeLimit(.minutes(30)))
struct ProductLoadingTests {
  /// The steps of a load, as text; the clock moves to each retry.
  private func steps(failing failures: [StoreError.Code], retries: StoreRetries = .standard) async throws -> [String] {
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
    #expect(try await steps(failing: [.network], retries: .none) == ["loading", "network"])
  }

  @Test(
    "DOZZI-33: permanent failures are not retried", arguments: [StoreError.Code.notAllowed, .productUnavailable, .unknown])
  func permanent(_ code: StoreError.Code) async throws { #expect(try await steps(failing: [code]) == ["loading", code.rawValue]) }

  @Test("Cancelling the listener stops the loading: the store is not asked again") func stopped() async throws {
    let (store, time) = (ScriptedStore { $0.productErrors = [StoreError(.network)] }, TestTime())
    let monetizer = try TestShop.monetizer(store, time: time)
    for await loading in monetizer.loadProducts() where loading.error != nil { break }
    time.advance(3600)
    for _ in 0..<100 { await Task.yield() }
    #expect(store.calls("products") == 1)
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

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// A tester's uses do not count for a customer.
@Suite(.timeLimit(.minutes(30)))
struct TestWorldTests {
  private func launch(_ world: StoreEnvironment?, _ storage: MemoryStorage) async throws -> Monetizer {
    let store = ScriptedStore { $0.read = world.map { StoreAnswer(transactions: [], environment: $0) } }
    let monetizer = try TestShop.monetizer(store, storage: storage)
    await monetizer.start()
    return monetizer
  }

  private func used(_ world: StoreEnvironment?, _ storage: MemoryStorage) async throws -> Int? {
    try await launch(world, storage).decision(for: "trial").used
  }

  @Test("Uses of the sandbox and of Xcode are separate from each other and from production") func apart() async throws {
    let storage = MemoryStorage()
    try await launch(.sandbox, storage).spend("trial", count: 2)
    try await launch(.xcode, storage).spend("trial")
    #expect(try await used(.production, storage) == 0)
    #expect(try await used(.sandbox, storage) == 2)
    #expect(try await used(.xcode, storage) == 1)
    // H5: without an answer, the environment of the last answer applies, also after a relaunch.
    #expect(try await used(nil, storage) == 1)
    try await launch(.production, storage).spend("trial")
    #expect(try await used(.production, storage) == 1)
  }

  @Test("XC-05: a key counts once, whether the environment is known or not") func keys() async throws {
    let storage = MemoryStorage()
    try await launch(nil, storage).spend("trial", key: "a")
    let tester = try await launch(.sandbox, storage)
    try await tester.spend("trial", key: "a")
    try await tester.spend("trial", key: "b")
    #expect(tester.decision(for: "trial").used == 2)
    let unknown = try await launch(nil, storage)
    try await unknown.spend("trial", key: "b")
    #expect(unknown.decision(for: "trial").used == 2)
    // The tester's use does not count for a customer, and a key in production is separate.
    let customer = try await launch(.production, storage)
    try await customer.spend("trial", key: "b")
    #expect(customer.decision(for: "trial").used == 2)
  }

  @Test("A reservation is settled in its environment, also when the environment becomes known meanwhile") func reservation() async throws {
    let store = ScriptedStore { $0.read = nil }
    let monetizer = try TestShop.monetizer(store)
    await monetizer.start()
    let reservation = try await monetizer.reserve(AccessRequest("trial"), key: "a")
    store.change { $0.read = StoreAnswer(transactions: [], environment: .sandbox) }
    await monetizer.refresh()
    await monetizer.release(reservation)
    #expect(monetizer.decision(for: "trial").used == 0)
    let second = try await monetizer.reserve(AccessRequest("trial"), key: "a")
    await monetizer.commit(second)
    #expect(monetizer.decision(for: "trial").used == 1)
    // A retry of the same use.
    let use = try #require(monetizer.state.usage.uses.first { $0.status == .committed })
    #expect(use.key == "a" && use.environment == nil)
  }
}

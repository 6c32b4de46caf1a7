// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

@Suite("Loading a monetizer", .timeLimit(.minutes(30)))
struct LoadingTests {
  /// Whether the code runs in the task of the caller. A detached task does not inherit it, and runs on no actor.
  @TaskLocal private static var isCaller = false

  /// A storage that records who reads it.
  private struct WatchedStorage: StateStorage {
    let memory = MemoryStorage()
    let readsOfCaller = Locked<[Bool]>([])

    func load() throws(StorageError) -> StoredRecords {
      readsOfCaller.withLock { $0.append(LoadingTests.isCaller) }
      return memory.load()
    }
    func append(_ record: Data) throws(StorageError) { memory.append(record) }
    func replace(with records: [Data]) throws(StorageError) { memory.replace(with: records) }
  }

  @MainActor @Test("The initializer reads in the caller's task, and load in a task without the caller's actor; both have the same facts")
  func tasks() async throws {
    let catalog = try TestShop.catalog()
    let storage = WatchedStorage()
    try await Self.$isCaller.withValue(true) {
      let first = Monetizer(catalog: catalog) {
        $0.storage = storage
        $0.startsByItself = false
      }
      try await first.spend("trial")
      #expect(storage.readsOfCaller.copy == [true])

      let second = await Monetizer.load(catalog: catalog) {
        $0.storage = storage
        $0.startsByItself = false
      }
      #expect(storage.readsOfCaller.copy == [true, false])
      #expect(second.decision(for: "trial").used == 1)
    }
  }
}

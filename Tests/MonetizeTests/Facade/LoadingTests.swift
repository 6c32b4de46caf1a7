// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

@Suite("Where the storage is read", .timeLimit(.minutes(30)))
struct LoadingTests {
  /// A storage that records which reads the main thread made.
  private struct WatchedStorage: StateStorage {
    let memory = MemoryStorage()
    let readsOnMain = Locked<[Bool]>([])

    func load() throws(StorageError) -> StoredRecords {
      readsOnMain.withLock { $0.append(Thread.isMainThread) }
      return try memory.load()
    }
    func append(_ record: Data) throws(StorageError) { try memory.append(record) }
    func replace(with records: [Data]) throws(StorageError) { try memory.replace(with: records) }
  }

  @MainActor @Test("The initializer reads on the caller's thread, load on another, and both know the same facts")
  func threads() async throws {
    let catalog = try TestShop.catalog()
    let storage = WatchedStorage()
    let first = Monetizer(catalog: catalog) {
      $0.storage = storage
      $0.startsByItself = false
    }
    try await first.spend("trial")
    #expect(storage.readsOnMain.copy == [true])

    let second = await Monetizer.load(catalog: catalog) {
      $0.storage = storage
      $0.startsByItself = false
    }
    #expect(storage.readsOnMain.copy == [true, false])
    #expect(second.decision(for: "trial").used == 1 && second.state == first.state)
  }
}

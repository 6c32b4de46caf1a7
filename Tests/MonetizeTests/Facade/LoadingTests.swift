// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

@Suite("Loading a monetizer away from the caller's thread", .timeLimit(.minutes(30)))
struct LoadingTests {
  /// A storage whose reads wait until another thread lets them go on.
  private struct SlowStorage: StateStorage {
    let memory: MemoryStorage
    let hasBegun = Locked(false)
    let isReleased = DispatchSemaphore(value: 0)
    /// Whether the read was released, and did not give up after a minute.
    let wasReleased = Locked(false)

    func load() throws(StorageError) -> StoredRecords {
      hasBegun.set(true)
      wasReleased.set(isReleased.wait(timeout: .now() + 60) == .success)
      return memory.load()
    }
    func append(_ record: Data) throws(StorageError) { memory.append(record) }
    func replace(with records: [Data]) throws(StorageError) { memory.replace(with: records) }
  }

  @MainActor @Test("The main actor goes on while load reads a slow storage, and the monetizer then has its facts")
  func mainActorIsFree() async throws {
    let catalog = try TestShop.catalog()
    let memory = MemoryStorage()
    let first = Monetizer(catalog: catalog) {
      $0.storage = memory
      $0.startsByItself = false
    }
    try await first.spend("trial")

    let storage = SlowStorage(memory: memory)
    let loading = Task { @MainActor in
      await Monetizer.load(catalog: catalog) {
        $0.storage = storage
        $0.startsByItself = false
      }
    }
    while !storage.hasBegun.copy { await Task.yield() }
    storage.isReleased.signal()
    let second = await loading.value
    #expect(storage.wasReleased.copy)
    #expect(second.decision(for: "trial").used == 1)
  }
}

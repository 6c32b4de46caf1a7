// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Each reader of a storage has a position of its own, and an owner that is gone is not an owner without facts.
@Suite(.timeLimit(.minutes(30)))
struct ReaderTests {
  @Test("Any number of monetizers share one storage object: each knows what the others recorded before it decides, however it is read")
  func oneStorageObject() async throws {
    let disk = MemoryDisk()
    for storage in [
      FileStorage(path: "d/plain", files: disk), SealedStorage(FileStorage(path: "d/sealed", files: disk), by: MemorySecureStore()),
    ] as [any StateStorage] {
      let (app, widget) = (
        try TestShop.monetizer(
          ScriptedStore { $0.purchase = { _ throws(StoreError) in .success(SignedTransaction(TestShop.transaction())) } }, storage: storage),
        try TestShop.monetizer(storage: storage)
      )
      try await app.spend("trial")
      try await widget.spend("trial")
      _ = try Snapshot(storedIn: storage, catalog: app.catalog, at: RandomFacts.start)
      _ = try storage.load()
      try await app.spend("trial")
      await #expect(throws: AccessDenied.self) { try await app.spend("trial") }
      await #expect(throws: AccessDenied.self) { try await widget.spend("trial") }
      _ = try await app.purchase("pack")
      _ = try storage.load()
      for number in 0..<400 { await widget.as(.customer).earn(1, for: "\(number)") }
      await widget.written()
      let later = try TestShop.monetizer(storage: storage)
      #expect(later.state.usage.uses.count == 3 && later.allows("extra") && later.as(.customer).coins == 400)
    }
  }

  @Test("A widget's environment is the one that the caller names, or else that of the store's last answer") func environment() throws {
    let storage = MemoryStorage()
    storage.append(try Journal.record([.answer(AnswerSeen(number: 1, asOf: RandomFacts.start, environment: .sandbox))]))
    let catalog = try TestShop.catalog()
    func environment(_ named: StoreEnvironment?) throws -> StoreEnvironment? {
      var situation = Situation(store: .waiting)
      situation.environment = named
      return try Snapshot(storedIn: storage, catalog: catalog, situation: situation, at: RandomFacts.start).situation.environment
    }
    #expect(try environment(nil) == .sandbox && environment(.production) == .production)
  }

  /// A file to which another process writes between two reads.
  private struct Interrupted: SharedStorage {
    let storage: FileStorage
    let loads: Locked<Int>
    let between: @Sendable () -> Void
    func opened() -> Interrupted { Interrupted(storage: storage.opened(), loads: loads, between: between) }
    func load() throws(StorageError) -> StoredRecords {
      if loads.withLock({ count in
        count += 1
        return count == 2
      }) {
        between()
      }
      return try storage.load()
    }
    func append(_ record: Data) throws(StorageError) { try storage.append(record) }
    func replace(with records: [Data]) throws(StorageError) { try storage.replace(with: records) }
    func change(_ body: (StorageNews) -> StorageChange?) throws(StorageError) { try storage.change(body) }
    func begin(_ run: String) throws(StorageError) -> Cancellation { try storage.begin(run) }
    func isRunActive(_ run: String) -> Bool? { false }
  }

  @Test("What another process writes while an app starts is adopted, although the start reads the file twice") func betweenTwoReads()
    async throws
  {
    let disk = MemoryDisk()
    @Sendable func file() -> FileStorage { FileStorage(path: "d/state", files: disk) }
    let ended = try TestShop.monetizer(storage: file())
    let work = try await ended.reserve(AccessRequest("trial"))
    let storage = Interrupted(storage: file(), loads: Locked(0)) {
      let coins = try? Journal.record([.wallet(WalletEntry(id: "late", earned: 7))])
      if let coins { try? file().append(coins) }
    }
    let app = try TestShop.monetizer(storage: storage)
    #expect(storage.loads.copy == 2)
    await app.refresh()
    #expect(app.as(.customer).coins == 7)
    await ended.commit(work)
    for number in 0..<400 { await app.as(.customer).earn(1, for: "\(number)") }
    await app.written()
    #expect(try TestShop.monetizer(storage: file()).as(.customer).coins == 407)
  }

  /// A storage that a lock of another process keeps waiting.
  private final class Waiting: SharedStorage {
    let records = MemoryStorage()
    private let (lock, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    func opened() -> Waiting { self }
    func load() throws(StorageError) -> StoredRecords { records.load() }
    func append(_ record: Data) throws(StorageError) { records.append(record) }
    func replace(with records: [Data]) throws(StorageError) { self.records.replace(with: records) }
    func change(_ body: (StorageNews) -> StorageChange?) throws(StorageError) {
      lock.wait()
      switch body(StorageNews()) {
      case .append(let record): records.append(record)
      case .replace(let all): records.replace(with: all)
      case nil: break
      }
      done.signal()
    }
    func begin(_ run: String) throws(StorageError) -> Cancellation { Cancellation {} }
    func isRunActive(_ run: String) -> Bool? { nil }
    func goOn() {
      lock.signal()
      done.wait()
    }
  }

  @Test("A file that is compacted when its monetizer is already gone keeps all facts") func compactedWithoutOwner() throws {
    let storage = Waiting()
    for number in 0..<600 { storage.records.append(try Journal.record([.wallet(WalletEntry(id: "\(number)", earned: 1))])) }
    let facts = Journal.load(storage).state
    var monetizer: Monetizer? = try TestShop.monetizer(storage: storage)
    #expect(monetizer?.as(.customer).coins == 600)
    monetizer = nil
    storage.goOn()
    #expect(Journal.load(storage).state == facts)
  }
}

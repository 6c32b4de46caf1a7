// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Testing

@testable import Monetize

/// A storage in memory. `change` decides what other processes have written.
private protocol WrittenStorage: SharedStorage {
  var written: MemoryStorage { get }
}

extension WrittenStorage {
  func load() -> StoredRecords { written.load() }
  func append(_ record: Data) { written.append(record) }
  func replace(with records: [Data]) { written.replace(with: records) }
  func opened() -> Self { self }
  func begin(_ run: String) -> Cancellation { Cancellation {} }
  func isRunActive(_ run: String) -> Bool? { nil }

  func apply(_ change: StorageChange?) {
    switch change {
    case .append(let record): written.append(record)
    case .replace(let records): written.replace(with: records)
    case nil: break
    }
  }
}

/// A write happens on its caller's thread, and ends with its own group.
@Suite(.timeLimit(.minutes(30)))
struct JournalTests {
  /// Posts a fact while the first record is written, and holds up the second record until it may go on.
  private final class Held: StateStorage {
    let records = MemoryStorage()
    let journal = Locked<Journal?>(nil)
    let next = DispatchSemaphore(value: 0)
    func load() -> StoredRecords { records.load() }
    func replace(with records: [Data]) { self.records.replace(with: records) }
    func append(_ record: Data) {
      if load().records.isEmpty { journal.copy?.post(.time(TimeSeen(latest: RandomFacts.start))) } else { next.wait() }
      records.append(record)
    }
  }

  @Test("A write returns when it is durable, although later ones wait for the disk") func returnsWhenDurable() async {
    let storage = Held()
    let journal = Journal(storage: storage)
    storage.journal.set(journal)
    #expect(await journal.write([.installation(Installation(id: "first"))]))
    #expect(storage.load().records.count == 1, "the posted record is not written, and the first call has returned")
    storage.next.signal()
    #expect(await journal.write([]))
    #expect(storage.load().records.count == 2)
  }

  /// A storage that other processes write as well, with the same news at each change.
  private final class Shared: WrittenStorage {
    let news: StorageNews
    let written = MemoryStorage()
    init(_ news: StorageNews) { self.news = news }
    func change(_ body: (StorageNews) -> StorageChange?) { apply(body(news)) }
  }

  /// A storage to which another process adds a record before each change, once a record of a later version.
  private final class Crowded: WrittenStorage {
    static let later = Data(#"{"fact of a later version":1}"#.utf8)
    let written = MemoryStorage()
    private let seen = Locked(0)
    private let others = Locked(0)
    var number: Int { others.copy }
    func change(_ body: (StorageNews) -> StorageChange?) {
      let number = others.withLock { count in
        count += 1
        return count
      }
      if number == 9 { append(Self.later) }
      if let record = try? Journal.record([.wallet(WalletEntry(id: "other \(number)", earned: 1))]) { append(record) }
      apply(body(StorageNews(records: Array(load().records.dropFirst(seen.copy)))))
      seen.set(load().records.count)
    }
  }

  @Test("A file is compacted with what another process has written since the last write") func compactedBesideAnother() async {
    let (storage, known) = (Crowded(), Locked(CustomerState()))
    let journal = Journal(storage: storage)
    journal.belong(
      to: Journal.Owner(
        facts: { known.copy.facts }, state: { known.copy }, folded: { known.copy.facts },
        takeOver: { facts, _ in known.withLock { for fact in facts { $0.insert(fact) } } }, announce: {}))
    journal.begin(with: Journal.load(storage))
    var shortest = 0
    for number in 0..<600 {
      let fact = Fact.wallet(WalletEntry(id: "own \(number)", earned: 1))
      _ = known.withLock { $0.insert(fact) }
      #expect(await journal.write([fact]))
      if storage.load().records.count <= number { shortest = number }
    }
    #expect(shortest > 0, "The file was never compacted.")
    let number = storage.number
    #expect(await journal.write([]))
    let loaded = Journal.load(storage)
    #expect(loaded.foreign == [Crowded.later])
    let stored = Set(loaded.state.wallet.values.map(\.id))
    #expect((1...number).allSatisfy { stored.contains("other \($0)") })
    #expect((0..<600).allSatisfy { stored.contains("own \($0)") })
  }

  /// Writes a fact for an owner who knows these facts. Returns whether it is durable, and the number of announcements.
  private func write(to storage: Shared, known: [Fact]?) async -> (isDurable: Bool, announcements: Int) {
    let announcements = Locked(0)
    let journal = Journal(storage: storage)
    journal.belong(
      to: Journal.Owner(
        facts: { known }, state: { known.map { CustomerState($0) } }, folded: { known }, takeOver: { _, _ in },
        announce: { announcements.withLock { $0 += 1 } }))
    let isDurable = await journal.write([.installation(Installation(id: "new"))])
    return (isDurable, announcements.copy)
  }

  @Test("Records that cannot be trusted stay when their owner, which knows what replaces them, is gone") func ownerIsGone() async {
    let lost = StorageNews(isWhole: true, isLost: true)
    let (gone, alive) = (Shared(lost), Shared(lost))
    #expect(await write(to: gone, known: nil) == (false, 0))
    #expect(gone.load().records.isEmpty)
    #expect(await write(to: alive, known: []) == (true, 0))
    #expect(alive.load().records.count == 1)
  }

  @Test("Facts that the disk refused are not written after all facts were replaced") func replacedAfterRefusals() async throws {
    final class Full: StateStorage {
      let records = MemoryStorage()
      let isFull = Locked(true)
      func load() -> StoredRecords { records.load() }
      func replace(with records: [Data]) { self.records.replace(with: records) }
      func append(_ record: Data) throws(StorageError) {
        if isFull.copy { throw StorageError("full") }
        records.append(record)
      }
    }
    let storage = Full()
    let journal = Journal(storage: storage)
    #expect(await journal.write([.wallet(WalletEntry(id: "refused", earned: 1))]) == false)
    try await journal.replace(with: [.wallet(WalletEntry(id: "kept", earned: 1))])
    storage.isFull.set(false)
    #expect(await journal.write([.wallet(WalletEntry(id: "new", earned: 1))]))
    let loaded = Journal.load(storage)
    #expect(Set(loaded.state.wallet.values.map(\.id)) == ["kept", "new"])
    #expect(loaded.removals == 1)
    try await journal.replace(with: [])
    #expect(Journal.load(storage).removals == 2)
  }

  @Test("Facts of another process are announced, once for each write that finds some") func news() async {
    let other = MemoryStorage()
    #expect(await Journal(storage: other).write([.time(TimeSeen(latest: RandomFacts.start))]))
    #expect(await write(to: Shared(StorageNews()), known: []) == (true, 0))
    #expect(await write(to: Shared(StorageNews(records: other.load().records)), known: []) == (true, 1))
  }

  @Test("A write on the main actor leaves it, so that a slow disk never stops the screen") @MainActor func leavesTheMainActor() async {
    final class Watched: StateStorage {
      let isOnMain = Locked<Bool?>(nil)
      func load() -> StoredRecords { StoredRecords() }
      func replace(with records: [Data]) {}
      func append(_ record: Data) { isOnMain.set(Thread.isMainThread) }
    }
    let storage = Watched()
    #expect(await Journal(storage: storage).write([.installation(Installation(id: "first"))]))
    #expect(storage.isOnMain.copy == false)
  }

  @Test("Copies of damaged files are numbered from 1 on, one for each content") func numbered() throws {
    let disk = MemoryDisk()
    for (text, name) in [("one", "damaged-1"), ("two", "damaged-2"), ("one", "damaged-1"), ("three", "damaged-3")] {
      disk.put(Array("monetize-state 1\n\(text)\n".utf8), at: "d/state")
      #expect(try FileStorage(path: "d/state", files: disk).load().damaged == "d/state.\(name)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Testing

@testable import Monetize

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
}

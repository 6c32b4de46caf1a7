// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// A monetizer with a disk that fails at every step of a life with purchases, a refund and uses.
@Suite(.timeLimit(.minutes(30)))
struct CrashTests {
  /// The knowledge of the store and the customer, independent of the app's memory.
  private final class World: Sendable {
    let bought = Locked<[StoreTransaction]>([])
    let store = ScriptedStore()
    var transactions: [StoreTransaction] { bought.withLock { $0 } }

    init() {
      store.change { script in
        script.read = nil
        script.purchase = { [bought] request throws(StoreError) in
          let transaction = bought.withLock { bought in
            let transaction = TestShop.transaction(TransactionID("m\(bought.count)"), request.productID)
            bought.append(transaction)
            return transaction
          }
          return .success(SignedTransaction(transaction))
        }
      }
    }

    func refund() async {
      let refunded = bought.withLock { bought -> StoreTransaction? in
        guard !bought.isEmpty else { return nil }
        bought[0].revocation = .init(date: RandomFacts.start)
        return bought[0]
      }
      if let refunded { await store.deliver(.transaction(SignedTransaction(refunded))) }
    }
  }

  private func open(_ world: World, _ disk: MemoryDisk) throws -> Monetizer {
    try TestShop.monetizer(world.store, storage: FileStorage(path: "d/state", files: disk))
  }

  /// One life. Stops when the disk fails, as a killed process does. Returns the durable uses.
  private func live(_ world: World, _ disk: MemoryDisk, until crash: Int) async throws -> (
    acknowledged: Set<String>, attempted: Set<String>
  ) {
    var acknowledged: Set<String> = []
    var attempted: Set<String> = []
    let monetizer = try open(world, disk)
    let steps: [@Sendable (Monetizer) async -> String?] = [
      {
        await $0.start(); return nil
      },
      {
        _ = try? await $0.spend("story", key: "a"); return "a"
      },
      {
        _ = try? await $0.purchase("month"); return nil
      },
      { _ in
        await world.refund(); return nil
      },
      {
        _ = try? await $0.reserve(AccessRequest("story"), key: "never settled"); return nil
      },
      {
        _ = try? await $0.purchase("month"); return nil
      },
      {
        _ = try? await $0.withSpending("story", key: "c") {}; return "c"
      },
    ]
    for step in steps {
      let key = await step(monetizer)
      if let key { attempted.insert(key) }
      if disk.steps >= crash { break }
      if let key { acknowledged.insert(key) }
    }
    return (acknowledged, attempted)
  }

  @Test("After an end between any two writes, no payment is lost, nothing counts twice, and no reservation outlives its process")
  func killedAnywhere() async throws {
    let whole = MemoryDisk()
    _ = try await live(World(), whole, until: .max)
    #expect(whole.steps > 12)
    for crash in 1...(whole.steps + 1) {
      for (torn, loses, quarters) in [(0, false, 0), (4, false, 0), (2, false, 0), (0, true, 0), (2, true, 4), (4, true, 2)] {
        let place: Comment = "step \(crash), torn \(torn)/4, \(loses ? "power cut keeping \(quarters)/4" : "killed")"
        let world = World()
        let disk = MemoryDisk(crashAt: crash, torn: torn)
        let (acknowledged, attempted) = try await live(world, disk, until: crash)
        world.store.change { script in
          script.unfinished = world.transactions.map { SignedTransaction($0) }
          script.standings = [:]
        }
        let after = disk.afterCrash(losesUnsynced: loses, keeping: quarters)
        let log = EventLog()
        let monetizer = try TestShop.monetizer(world.store, storage: FileStorage(path: "d/state", files: after), log: log)
        #expect(log.count(.stateDamaged) == 0, place)
        let used = monetizer.decision(for: "story").used ?? -1
        #expect(used >= acknowledged.count && used <= attempted.count, place)
        await monetizer.start()
        // The store cannot be read: only delivered and written purchases count.
        if world.transactions.contains(where: { $0.revocation == nil }) { #expect(monetizer.allows("extra"), place) }
        #expect(monetizer.state.transactions.count <= world.transactions.count, place)
        for key in ["a", "c"] { try await monetizer.spend("story", key: key) }
        #expect(monetizer.decision(for: "story").used == 2, place)
        // Now the store can be read.
        let held = world.transactions.filter { $0.revocation == nil }
        world.store.change { script in
          script.read = StoreAnswer(transactions: held.map { SignedTransaction($0) })
          for transaction in world.transactions where transaction.revocation != nil {
            script.standings[transaction.id] = .revoked(SignedTransaction(transaction))
          }
        }
        await monetizer.refresh()
        // A purchase just delivered may be listed late; the next process reads it.
        let last = try open(world, after)
        await last.start()
        #expect(last.allows("extra") == !held.isEmpty, place)
        #expect(last.decision(for: "story").used == 2, place)
        let finished = world.store.finished
        #expect(Set(finished).isSuperset(of: held.map(\.id)), place)
      }
    }
  }

  @Test("XC-13: a corrupt state is set aside, purchases come back from the store, metered features stay closed until the period ends")
  func corruptState() async throws {
    let disk = MemoryDisk()
    let time = TestTime()
    let transaction = TestShop.transaction("1", "month")
    let store = ScriptedStore { script in
      script.purchase = { _ throws(StoreError) in .success(SignedTransaction(transaction)) }
      script.read = StoreAnswer(transactions: [SignedTransaction(transaction)])
    }
    func open(_ disk: MemoryDisk, _ log: EventLog = EventLog()) throws -> Monetizer {
      try TestShop.monetizer(store, storage: FileStorage(path: "d/state", files: disk), time: time, log: log)
    }
    let first = try open(disk)
    _ = try await first.purchase("month")
    try await first.spend("story")
    var bytes = try #require(try disk.read("d/state"))
    for index in stride(from: 17, to: bytes.count, by: 7) { bytes[index] = UInt8(ascii: "#") }

    // The process that finds the damage may also end at any step.
    for crash in [1, 2, 3, 4, 5, 6, 7, 8, Int.max] {
      let damaged = MemoryDisk(crashAt: crash)
      damaged.put(bytes, at: "d/state")
      let log = EventLog()
      let second = try open(damaged, log)
      #expect(log.count(.stateDamaged) == 1)
      await second.start()
      if crash == .max { #expect(second.allows("extra")) }
      let after = damaged.afterCrash(losesUnsynced: true)
      let third = try open(after)
      await third.start()
      #expect(third.allows("extra"))
      #expect(third.decision(for: "story").isAllowed == false, "step \(crash)")
      #expect(third.decision(for: "story").reason == .limitReached)
      await #expect(throws: AccessDenied.self) { try await third.spend("story") }
      #expect(try after.read("d/state.damaged-1") == bytes, "step \(crash)")
      time.set(RandomFacts.start + 31 * 86400)
      #expect(third.decision(for: "story").remaining == 3)
      time.set(RandomFacts.start)
    }
  }

  @Test("XC-13: an unreadable state closes metered items, and nothing for good") func unreadable() async throws {
    struct Locked: StateStorage {
      func load() throws(StorageError) -> StoredRecords { throw StorageError("The device is locked.") }
      func append(_ record: Data) throws(StorageError) { throw StorageError("The device is locked.") }
      func replace(with records: [Data]) throws(StorageError) { throw StorageError("The device is locked.") }
    }
    let monetizer = try TestShop.monetizer(storage: Locked())
    await monetizer.start()
    #expect(!monetizer.allows("story"))
  }

  @Test("XC-13: what closes a feature after damage is of the configured source, else of the installation") func damagedSource() throws {
    for source in [nil, "phone" as SourceID] {
      let disk = MemoryDisk()
      disk.put(Array("not a state\n".utf8), at: "d/state")
      let monetizer = try TestShop.monetizer(storage: FileStorage(path: "d/state", files: disk)) { $0.source = source }
      let closing = monetizer.parts.answers.now.facts.facts.compactMap(\.use).filter { $0.amount == Use.unknownAmount }
      #expect(!closing.isEmpty && closing.allSatisfy { $0.source == source ?? monetizer.parts.source })
    }
  }
}

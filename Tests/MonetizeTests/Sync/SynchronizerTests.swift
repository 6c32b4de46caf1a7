// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import MonetizeTesting
import Testing

@testable import Monetize

/// The queue and its records.
@Suite("Synchronizing", .timeLimit(.minutes(30)))
struct SynchronizerTests {
  private func device(
    _ name: SourceID, account: String? = "ann", storage: any StateStorage = .memory, time: TestTime = TestTime()
  ) throws -> Monetizer {
    try TestShop.monetizer(storage: storage, time: time) { ($0.source, $0.account) = (name, account) }
  }
  private static var dead: SimulatedSyncServer.Network {
    var network = SimulatedSyncServer.Network()
    network.lost = 1
    return network
  }

  @Test("PUZZ-13, DOZZI-31: offline records count at once, wait in order, are sent once, and an empty merge changes nothing")
  func offline() async throws {
    let server = SimulatedSyncServer()
    server.setNetwork(Self.dead)
    let phone = try device("phone")
    let sync = Synchronizer(phone, over: server.transport("ann"))
    try await phone.spend("trial", key: "a")
    #expect(await sync.queue.map(\.record.type) == ["use"] && phone.decision(for: "trial").remaining == 2)
    await phone.as(.customer).earn(3, for: "p")
    #expect(await sync.queue.count == 2)
    try await phone.spend("trial", key: "b")
    let (state, waiting) = (phone.state, await sync.queue)
    #expect(waiting.map { $0.record.fact()?.name } == ["use", "wallet", "use"])
    let failed = await sync.sync()
    #expect(failed.error?.code == .unreachable && failed.sent == 0)
    #expect(await sync.queue == waiting && phone.state == state && phone.decision(for: "trial").isAllowed)
    server.setNetwork(.init())
    let sent = await sync.sync()
    #expect(sent.sent == 3 && sent.error == nil && sent.received == 0)
    #expect(server.records(of: "ann") == waiting.map(\.record))
    #expect(await sync.queue.isEmpty && phone.state == state)
    #expect(await sync.sync().sent == 0 && server.records(of: "ann").count == 3)
  }

  @Test("PUZZ-14: a record has an id, a type, a payload and a date; sent twice, or interrupted while sending, it counts once")
  func killed() async throws {
    let server = SimulatedSyncServer()
    let (storage, outbox, time) = (MemoryStorage(), MemoryStorage(), TestTime())
    let phone = try device("phone", storage: storage, time: time)
    try await phone.spend("trial", key: "a")
    let first = Synchronizer(phone, over: server.transport("ann"), outbox: outbox)
    let record = try #require(await first.queue.first?.record)
    #expect(record.type == "use" && record.createdAt == time.now && !record.id.isEmpty && record.fact() == phone.sharedFacts.first)
    let before = outbox.load().records
    await first.sync()
    // Killed after the server took it and before the answer was noted.
    outbox.replace(with: before)
    time.advance(60)
    let again = Synchronizer(try device("phone", storage: storage, time: time), over: server.transport("ann"), outbox: outbox)
    #expect(await again.queue.map(\.record) == [record])
    #expect(await again.sync().sent == 1 && server.records(of: "ann") == [record])
    let tablet = try device("tablet")
    await Synchronizer(tablet, over: server.transport("ann")).sync()
    #expect(tablet.decision(for: "trial").used == 1)
    // A lost outbox causes everything to be sent and fetched once more, and nothing changes.
    let lost = Synchronizer(tablet, over: server.transport("ann"))
    #expect(await lost.sync().error == nil && server.records(of: "ann").count == 1 && tablet.decision(for: "trial").used == 1)
  }

  @Test("A lost answer, a late or repeated call: nothing is lost and nothing counts twice", arguments: [1, 2, 3])
  func unanswered(case number: Int) async throws {
    let server = SimulatedSyncServer(seed: UInt64(number))
    var network = SimulatedSyncServer.Network()
    if number == 1 { network.unanswered = 1 } else if number == 2 { network.delayed = 1 } else { network.duplicated = 1 }
    server.setNetwork(network)
    let phone = try device("phone")
    try await phone.spend("trial", count: 2)
    let sync = Synchronizer(phone, over: server.transport("ann"))
    #expect(await sync.sync().error?.code == (number == 3 ? nil : .unreachable))
    server.arrive()
    #expect(server.records(of: "ann").count == 1)
    server.setNetwork(.init())
    #expect(await sync.sync().error == nil && server.records(of: "ann").count == 1)
    #expect(await sync.queue.isEmpty)
  }

  @Test("PUZZ-26, DEF-P10: a refused record stays with its reason, the others continue, and it is sent again only on request")
  func refused() async throws {
    let scope = RowScope(read: .own, write: .own)
    let server = SimulatedSyncServer { record, asker in
      scope.allows(.write, fact: record.fact(), of: "ann", by: asker) ? nil : "This row is another child's."
    }
    let phone = try device("phone")
    await phone.as(.child("max")).earn(1, for: "a")
    await phone.as(.child("mia")).earn(2, for: "b")
    await phone.as(.child("max")).earn(3, for: "c")
    let outbox = MemoryStorage()
    let sync = Synchronizer(phone, over: server.transport("ann", member: .child("max")), outbox: outbox)
    let outcome = await sync.sync()
    #expect(outcome.sent == 2 && outcome.refused == 1 && outcome.error == nil)
    #expect(server.records(of: "ann").compactMap { $0.fact()?.subject } == ["max", "max"])
    #expect(await sync.queue.map(\.refusal) == ["This row is another child's."])
    let calls = server.calls
    #expect(await sync.sync() == Synchronizer.Outcome())
    #expect(server.calls == calls + 1, "nothing is sent for it")
    // Another run of the app has the same refusal, and with Mia's session it may send the record.
    let mia = Synchronizer(phone, over: server.transport("ann", member: .child("mia")), outbox: outbox)
    #expect(await mia.queue.map(\.refusal) == ["This row is another child's."])
    #expect(await mia.retryRefused().sent == 1)
    #expect(await mia.queue.isEmpty && server.records(of: "ann").count == 3)
  }

  @Test("PUZZ-15: a guest sends and fetches nothing, with any records") func guest() async throws {
    let server = SimulatedSyncServer()
    let phone = try device("phone", account: nil)
    let sync = Synchronizer(phone, over: server.transport("ann"))
    await sync.start()
    for number in 0..<50 {
      await phone.as(.guest).earn(1, for: "p\(number)")
      await sync.sync()
    }
    #expect(server.calls == 0 && phone.as(.guest).coins == 50)
    #expect(await sync.queue.isEmpty)
    await sync.stop()
  }

  @Test("DOZZI-55, XC-05: the higher use counts, never the lower; another period is separate") func higher() async throws {
    let server = SimulatedSyncServer()
    let (phone, tablet) = (try device("phone"), try device("tablet"))
    let month = LocalDay.of(RandomFacts.start, in: Calendar.storeCalendar.timeZone)
    for (monetizer, amount) in [(phone, 1), (tablet, 2)] {
      await monetizer.record(ReportedTotal(feature: "story", source: "server", amount: amount, unit: .month, day: month))
      await monetizer.record(ReportedTotal(feature: "story", source: "server", amount: 3, unit: .month, day: month - 40))
      await Synchronizer(monetizer, over: server.transport("ann")).sync()
    }
    let sync = Synchronizer(phone, over: server.transport("ann"))
    await sync.sync()
    #expect(phone.decision(for: "story").used == 2 && tablet.decision(for: "story").used == 2)
  }

  @Test("HEAT-47: a thousand records that wait for a connection delay no answer and no purchase") func waiting() async throws {
    let server = SimulatedSyncServer()
    server.setNetwork(Self.dead)
    let watch = try device("watch")
    await watch.merge((0..<1000).map { .wallet(WalletEntry(id: "p\($0)", source: "watch", earned: 1)) })
    let sync = Synchronizer(watch, over: server.transport("ann"))
    #expect(await sync.queue.count == 1000)
    #expect(await sync.sync().error != nil)
    await watch.receive(.transaction(SignedTransaction(TestShop.transaction())))
    #expect(watch.allows("extra") && server.calls == 1)
    server.setNetwork(.init())
    #expect(await sync.sync().sent == 1000)
  }

  @Test("It retries by itself after a failure: with growing and varying delays, and not if that cannot help")
  func backoff() async throws {
    let backoff = Backoff(first: 2, most: 60)
    #expect((1...8).map { backoff.delay(after: $0, random: 1) } == [2, 4, 8, 16, 32, 60, 60, 60])
    #expect(backoff.delay(after: 3, random: 0) == 4 && backoff.delay(after: 1_000_000, random: 0.5) == 45)
    let (server, time) = (SimulatedSyncServer(), TestTime())
    server.setNetwork(Self.dead)
    let phone = try device("phone", time: time)
    try await phone.spend("trial")
    let sync = Synchronizer(phone, over: server.transport("ann"), backoff: backoff, random: { 0.5 })
    await sync.start()
    #expect(await sync.sync().error != nil)
    let first = try #require(await sync.retriesAt)
    #expect(first > time.now && first <= time.now + 60)
    let fresh = Synchronizer(try device("watch", time: time), over: server.transport("ann"), backoff: backoff, random: { 0.5 })
    await fresh.start()
    #expect(await fresh.sync().error != nil)
    #expect(await fresh.retriesAt == time.now + backoff.delay(after: 1, random: 0.5))
    await fresh.stop()
    server.setNetwork(.init())
    while await !sync.queue.isEmpty {
      time.advance(61)
      await Task.yield()
    }
    #expect(server.records(of: "ann").count == 1)
    #expect(await sync.sync().error == nil)
    #expect(await sync.retriesAt == nil)
    // The next failure is the first one again.
    server.setNetwork(Self.dead)
    #expect(await sync.sync().error != nil)
    #expect(await sync.retriesAt == time.now + backoff.delay(after: 1, random: 0.5))
    await sync.stop()
  }

  /// A device with a use that it could not send, because the server does not answer.
  private func failedExchange() async throws -> (SimulatedSyncServer, TestTime, Monetizer, Synchronizer) {
    let (server, time) = (SimulatedSyncServer(), TestTime())
    server.setNetwork(Self.dead)
    let phone = try device("phone", time: time)
    try await phone.spend("trial")
    let sync = Synchronizer(phone, over: server.transport("ann"))
    await sync.start()
    #expect(await sync.sync().error != nil)
    return (server, time, phone, sync)
  }

  @Test("A clock that was set back by a year after a failure does not stop the exchange for a year") func setBack() async throws {
    let (server, time, phone, sync) = try await failedExchange()
    server.setNetwork(.init())
    time.set(time.now - 365 * 86400)
    try await phone.spend("trial")
    while server.records(of: "ann").count < 2 { await Task.yield() }
    await sync.stop()
  }

  @Test("A record that is made while a retry is planned waits for it") func waitsForRetry() async throws {
    let (server, time, phone, sync) = try await failedExchange()
    server.setNetwork(.init())
    try await phone.spend("trial")
    while await sync.queue.count < 2 { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    #expect(server.records(of: "ann").isEmpty)
    while server.records(of: "ann").count < 2 {
      time.advance(61)
      await Task.yield()
    }
    await sync.stop()
  }

  @Test("Reading the queue does not stop the exchange of a record") func readQueue() async throws {
    let server = SimulatedSyncServer()
    let phone = try device("phone")
    let sync = Synchronizer(phone, over: server.transport("ann"))
    await sync.start()
    while server.calls == 0 { await Task.yield() }
    for number in 1...20 {
      async let spent: Void = phone.record([Use(key: "\(number)", feature: "trial", date: RandomFacts.start, day: 0, zone: "GMT")])
      while await sync.queue.isEmpty, server.records(of: "ann").count < number { await Task.yield() }
      await spent
      while server.records(of: "ann").count < number { await Task.yield() }
    }
    await sync.stop()
  }

  private struct Counting: SyncTransport {
    let running = Locked(0)
    let most = Locked(0)
    private func work() async {
      let now = running.withLock { number -> Int in
        number += 1
        return number
      }
      most.withLock { $0 = max($0, now) }
      for _ in 0..<50 { await Task.yield() }
      running.withLock { $0 -= 1 }
    }
    func push(_ records: [SyncRecord]) async throws(SyncError) -> [String: String] {
      await work()
      return [:]
    }
    func pull(after cursor: String?) async throws(SyncError) -> SyncPage {
      await work()
      return SyncPage(cursor: nil)
    }
  }

  @Test("Exchanges run one after another, so that each record is sent once") func oneAtATime() async throws {
    let (phone, transport) = (try device("phone"), Counting())
    let sync = Synchronizer(phone, over: transport)
    try await phone.spend("trial")
    let sent = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 { group.addTask { await sync.sync().sent } }
      return await group.reduce(0, +)
    }
    #expect(sent == 1 && transport.most.copy == 1)
  }

  @Test("Without new records it exchanges nothing after the first time: a purchase is no record") func nothingNew() async throws {
    let (server, store) = (SimulatedSyncServer(), ScriptedStore())
    let phone = try TestShop.monetizer(store) { ($0.source, $0.account) = ("phone", "ann") }
    let sync = Synchronizer(phone, over: server.transport("ann"))
    await sync.start()
    while server.calls == 0 { await Task.yield() }
    await sync.sync()
    let calls = server.calls
    store.change { $0.read = StoreAnswer(transactions: [SignedTransaction(TestShop.transaction())]) }
    await phone.refresh()
    // The watching task handles the purchase before the use, unless it is so late that it sees both at once.
    for _ in 0..<100 { await Task.yield() }
    #expect(phone.snapshot.status(of: "pack")?.isOwned == true)
    try await phone.spend("trial")
    while server.records(of: "ann").isEmpty || server.calls < calls + 2 { await Task.yield() }
    await sync.stop()
    #expect(server.calls == calls + 2, "one push and one pull")
  }

  @Test("After a hand-over a synchronizer tries nothing again") func ends() async throws {
    let (_, _, phone, sync) = try await failedExchange()
    while await sync.retriesAt == nil { await Task.yield() }
    _ = try await phone.handOver(to: "bob", storage: .memory)
    while await sync.retriesAt != nil { await Task.yield() }
    #expect(await sync.sync().error != nil)
    #expect(await sync.retriesAt == nil)
  }

  @Test("PUZZ-16: an account with records is not empty, and an unreadable one is neither") func existing() async throws {
    let server = SimulatedSyncServer()
    #expect(try await !server.transport("ann").hasRecords())
    let phone = try device("phone")
    try await phone.spend("trial")
    await Synchronizer(phone, over: server.transport("ann")).sync()
    #expect(try await server.transport("ann").hasRecords())
    #expect(try await !server.transport("bob").hasRecords())
    server.setNetwork(Self.dead)
    await #expect(throws: SyncError.self) { try await server.transport("bob").hasRecords() }
  }

  struct SignedOut: SyncTransport {
    func push(_ records: [SyncRecord]) async throws(SyncError) -> [String: String] { throw SyncError(.notSignedIn, "Sign in again.") }
    func pull(after cursor: String?) async throws(SyncError) -> SyncPage { throw SyncError(.notSignedIn, "Sign in again.") }
  }

  @Test("An expired session is reported, and not retried by itself") func signedOut() async throws {
    let phone = try device("phone")
    let sync = Synchronizer(phone, over: SignedOut())
    await sync.start()
    #expect(await sync.sync().error?.code == .notSignedIn)
    #expect(await sync.retriesAt == nil)
    await sync.stop()
  }

  /// Fetches nothing before a gate opens. Cannot be reached at first.
  struct Gated: SyncTransport {
    let sent = Locked<[SyncRecord]>([])
    let isReachable = Locked(false)
    let calls = Locked(0)
    let gate: AsyncStream<Void>
    func push(_ records: [SyncRecord]) async throws(SyncError) -> [String: String] {
      guard isReachable.copy else { throw SyncError(.unreachable, "No connection.") }
      sent.withLock { $0 += records }
      return [:]
    }
    func pull(after cursor: String?) async throws(SyncError) -> SyncPage {
      guard isReachable.copy else { throw SyncError(.unreachable, "No connection.") }
      calls.withLock { $0 += 1 }
      for await _ in gate {}
      return SyncPage(cursor: nil)
    }
  }

  @Test("A record that is made during an exchange, while a retry was planned, is sent after it") func recordDuringRetry() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (transport, phone) = (Gated(gate: gate), try device("phone"))
    let sync = Synchronizer(phone, over: transport)
    await sync.start()
    #expect(await sync.sync().error != nil)
    while await sync.retriesAt == nil { await Task.yield() }
    transport.isReachable.set(true)
    let exchange = Task { await sync.sync() }
    while transport.calls.copy == 0 { await Task.yield() }
    try await phone.spend("trial")
    for _ in 0..<1000 { await Task.yield() }
    open.finish()
    #expect(await exchange.value.error == nil)
    for _ in 0..<10_000 where transport.sent.copy.isEmpty { await Task.yield() }
    #expect(transport.sent.copy.count == 1)
    await sync.stop()
  }

  /// Cannot be reached, until the session has ended.
  struct Ending: SyncTransport {
    let hasEnded = Locked(false)
    private var error: SyncError { hasEnded.copy ? SyncError(.notSignedIn, "Sign in again.") : SyncError(.unreachable, "No connection.") }
    func push(_ records: [SyncRecord]) async throws(SyncError) -> [String: String] { throw error }
    func pull(after cursor: String?) async throws(SyncError) -> SyncPage { throw error }
  }

  @Test("A session that ended while a retry was planned takes the retry away") func endedSession() async throws {
    let (transport, time) = (Ending(), TestTime())
    let sync = Synchronizer(try device("phone", time: time), over: transport)
    await sync.start()
    #expect(await sync.sync().error?.code == .unreachable)
    #expect(await sync.retriesAt != nil)
    transport.hasEnded.set(true)
    #expect(await sync.sync().error?.code == .notSignedIn)
    #expect(await sync.retriesAt == nil)
    await sync.stop()
  }

  @Test("Records that cannot be written here are fetched again, and records after signing out are not lost") func notKept() async throws {
    let server = SimulatedSyncServer()
    let tablet = try device("tablet")
    try await tablet.spend("trial")
    await Synchronizer(tablet, over: server.transport("ann")).sync()
    let (disk, outbox) = (FullStorage(), MemoryStorage())
    let phone = try device("phone", storage: disk)
    let sync = Synchronizer(phone, over: server.transport("ann"), outbox: outbox)
    disk.isFull.withLock { $0 = true }
    #expect(await sync.sync().error?.code == .notKept)
    #expect(phone.decision(for: "trial").used == 1)
    #expect(await sync.queue.isEmpty, "what another device recorded is not sent back")
    disk.isFull.withLock { $0 = false }
    // Killed and restarted: facts that were only in memory are fetched once more.
    let again = try device("phone", storage: disk)
    #expect(again.decision(for: "trial").used == 0)
    #expect(await Synchronizer(again, over: server.transport("ann"), outbox: outbox).sync().error == nil)
    #expect(again.decision(for: "trial").used == 1)

    let closed = try device("watch")
    let late = Synchronizer(closed, over: server.transport("ann"), outbox: outbox)
    _ = try await closed.handOver(to: "bob", storage: .memory)
    #expect(await late.sync().error?.code == .notKept)
  }

  /// A disk that may be full.
  final class FullStorage: StateStorage {
    let isFull = Locked(false)
    private let storage = MemoryStorage()
    func load() throws(StorageError) -> StoredRecords { storage.load() }
    func append(_ record: Data) throws(StorageError) {
      if isFull.copy { throw StorageError("full") }
      storage.append(record)
    }
    func replace(with records: [Data]) throws(StorageError) {
      if isFull.copy { throw StorageError("full") }
      storage.replace(with: records)
    }
  }

  private struct Medal: CustomFact {
    static let name = "medal"
    var key: String
    func merged(with other: Self) -> Self { self }
  }

  @Test("A fact of a later version waits until this one can read it; a limit from a wrong future until its time")
  func later() async throws {
    let (server, time, outbox) = (SimulatedSyncServer(), TestTime(), MemoryStorage())
    let future = RandomFacts.start + 100 * 86400
    let cap = try #require(
      SyncRecord(.cap(Cap(feature: "story", subject: .customer, amount: "0", revision: Revision(future))), at: future))
    let unknown = SyncRecord(id: "x", type: "medal", payload: Data("{\"medal\":{\"key\":\"gold\"}}".utf8), createdAt: future)
    #expect(try await server.transport("ann").push([cap, unknown]) == [:])
    let phone = try device("phone", time: time)
    #expect(await Synchronizer(phone, over: server.transport("ann"), outbox: outbox).sync() == Synchronizer.Outcome())
    #expect(phone.allows("story"))
    time.set(future)
    let sync = Synchronizer(phone, over: server.transport("ann"), outbox: outbox)
    #expect(await sync.sync().received == 1)
    #expect(!phone.allows("story"))
    #expect(await sync.queue.isEmpty, "what was received is not sent back")
    let updated = try TestShop.monetizer(time: time) { ($0.account, $0.facts) = ("ann", .standard.adding(Medal.self)) }
    #expect(await Synchronizer(updated, over: server.transport("ann"), outbox: outbox).sync().error == nil)
    #expect(updated.state.facts(of: Medal.self).map(\.key) == ["gold"])
  }

  @Test("What waits for a later version is kept when it changes, and not written again when nothing does") func laterVersions() {
    let storage = MemoryStorage()
    let unknown = SyncRecord(id: "x", type: "medal", payload: Data("{}".utf8), createdAt: RandomFacts.start)
    var outbox = Outbox(storage, .standard)
    for _ in 0..<2 { outbox.receive([], later: [unknown], cursor: nil) }
    #expect(storage.load().records.count == 1 && Outbox(storage, .standard).later == [unknown])
    outbox.receive([], later: [], cursor: nil)
    #expect(Outbox(storage, .standard).later == [])
  }

  @Test("An outbox of many changes is shortened, without a change of content") func compact() async throws {
    let (server, outbox) = (SimulatedSyncServer { record, _ in record.type == "completion" ? "No." : nil }, MemoryStorage())
    let phone = try device("phone")
    await phone.record(.completion(Completion(item: "a/1")), by: .customer)
    let sync = Synchronizer(phone, over: server.transport("ann"), outbox: outbox)
    for number in 0..<40 {
      await phone.as(.customer).earn(1, for: "p\(number)")
      await sync.sync()
    }
    let queue = await sync.queue
    #expect(outbox.load().records.count > 64 && queue.count == 1)
    let again = Synchronizer(phone, over: server.transport("ann"), outbox: outbox)
    #expect(outbox.load().records.count == 1)
    #expect(await again.queue == queue)
    let calls = server.calls
    #expect(await again.sync() == Synchronizer.Outcome() && server.calls == calls + 1)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Two devices of one customer exchange their records.
@Suite(.timeLimit(.minutes(30)))
struct SharingTests {
  private func device(_ name: SourceID, _ storage: any StateStorage = .memory, time: TestTime = TestTime()) throws -> Monetizer {
    try Monetizer(catalog: TestShop.catalog()) {
      $0.storage = storage
      $0.time = time
      $0.zone = { Calendar.storeCalendar.timeZone }
      $0.source = name
      $0.startsByItself = false
    }
  }

  @Test("A mark that another device has raised further is not raised here, and adds no fact") func marks() async throws {
    let (phone, tablet) = (try device("phone"), try device("tablet"))
    #expect(await tablet.mark(["a": 5, "b": 1], in: .milestones) == ["a", "b"])
    await phone.merge(tablet.sharedFacts)
    let before = phone.state.facts.count
    #expect(await phone.mark(["a": 3, "b": 1], in: .milestones) == [] && phone.state.facts.count == before)
    #expect(await phone.mark(["a": 3, "b": 2], in: .milestones) == ["b"] && phone.marks(.milestones) == ["a": 5, "b": 2])
  }

  @Test("Law 6: two devices used up the limit separately: the sum is used, and nothing is below zero") func sums() async throws {
    let (phone, tablet) = (try device("phone"), try device("tablet"))
    for _ in 0..<3 { try await phone.spend("trial") }
    for _ in 0..<2 { try await tablet.spend("trial") }
    let (said, answered) = (phone.sharedFacts, tablet.sharedFacts)
    #expect(await tablet.merge(said).news.count == 3)
    await phone.merge(answered)
    for monetizer in [phone, tablet] {
      #expect(monetizer.decision(for: "trial").used == 5 && monetizer.decision(for: "trial").remaining == 0)
    }
    #expect(Set(phone.sharedFacts) == Set(tablet.sharedFacts))
  }

  @Test("A repeated, late or reordered exchange changes nothing, and received facts are durable")
  func idempotent() async throws {
    let storage = MemoryStorage()
    let (phone, tablet) = (try device("phone"), try device("tablet", storage))
    try await phone.spend("trial", key: "a")
    let early = phone.sharedFacts
    await phone.as(.customer).earn(10, for: "p1")
    try await phone.spend("trial", key: "b")
    await tablet.merge(phone.sharedFacts.reversed())
    let state = tablet.state
    #expect(await tablet.merge(early).news.isEmpty)
    #expect(await tablet.merge(phone.sharedFacts + phone.sharedFacts).news.isEmpty)
    #expect(tablet.state == state)
    #expect(try device("tablet", storage).decision(for: "trial").used == 2)
  }

  @Test("DEF-P1: the balance is the coins earned minus those spent on all devices; completed stays, with the earliest date")
  func puzzles() async throws {
    let (phone, tablet) = (try device("phone"), try device("tablet"))
    await phone.as(.customer).earn(10, for: "p1")
    await tablet.as(.customer).earn(7, for: "p1")
    await tablet.merge(phone.sharedFacts)
    #expect(tablet.as(.customer).coins == 17)
    await tablet.record(.wallet(WalletEntry(id: "hat", source: "tablet", spent: 12)), by: .customer)
    // A device that has not received the spend cannot undo it.
    await tablet.merge(phone.sharedFacts)
    await phone.merge(tablet.sharedFacts)
    #expect(phone.as(.customer).coins == 5 && tablet.as(.customer).coins == 5)
    let (late, early) = (RandomFacts.start + 100, RandomFacts.start)
    await phone.merge([.completion(Completion(item: "a/1", date: late))])
    await phone.merge([.completion(Completion(item: "a/1", date: early)), .completion(Completion(item: "a/1"))])
    #expect(phone.completions.map(\.date) == [early])
  }

  @Test("Another device supplies neither purchases nor the time, and no running work") func notShared()
    async throws
  {
    let phone = try device("phone")
    _ = try await phone.reserve(AccessRequest("trial"), key: "open")
    await phone.receive(.transaction(SignedTransaction(TestShop.transaction())))
    #expect(phone.sharedFacts.isEmpty)
    let tablet = try device("tablet")
    let later = RandomFacts.start + 400 * 86400
    let report = await tablet.merge([
      .transaction(TestShop.transaction()), .time(TimeSeen(correction: 9, latest: later)),
      .use(Use(key: "x", feature: "trial", date: RandomFacts.start, day: 0, zone: "GMT", status: .reserved, run: "elsewhere")),
    ])
    #expect(report == MergeReport() && tablet.state.isEmpty && tablet.now < later)
  }

  @Test("Law 7: a limit or a gift from a wrong future is refused until its time; a use from there counts for ever at once")
  func wrongFuture() async throws {
    let time = TestTime()
    let tablet = try device("tablet", time: time)
    let future = RandomFacts.start + 100 * 86400
    let cap = Fact.cap(Cap(feature: "story", subject: .customer, amount: "0", revision: Revision(future)))
    let use = Fact.use(
      Use(key: "x", feature: "trial", date: future, day: LocalDay.of(future, in: Calendar.storeCalendar.timeZone), zone: "GMT"))
    let report = await tablet.merge([cap, use])
    #expect(report.refused == [cap] && report.news == [use])
    #expect(tablet.allows("story") && tablet.decision(for: "trial").used == 1)
    time.set(future)
    #expect(await tablet.merge([cap]).refused.isEmpty)
    #expect(!tablet.allows("story"))
  }

  @Test("Law 7: a child's name from a wrong future is refused until its time; a removal from there counts for ever at once")
  func childrenOfTheFuture() async throws {
    let monetizer = try TestShop.monetizer()
    func child(_ isRemoved: Bool) -> Fact {
      .child(FamilyChild(id: "max", name: "Max", isRemoved: isRemoved, revision: Revision(RandomFacts.start + 30 * 86400)))
    }
    #expect(await monetizer.merge([child(false)]).refused == [child(false)])
    #expect(await monetizer.merge([child(true)]).refused.isEmpty)
  }

  @Test("A use that another device returned and repeated has its last state") func released() async throws {
    struct Failed: Error {}
    let (phone, tablet) = (try device("phone"), try device("tablet"))
    _ = try? await phone.withSpending("trial", key: "a") { throw Failed() }
    let released = phone.sharedFacts
    try await phone.spend("trial", key: "a")
    await tablet.merge(phone.sharedFacts)
    await tablet.merge(released)
    #expect(tablet.decision(for: "trial").used == 1)
    // The other device's next start releases no finished use.
    await phone.merge(tablet.sharedFacts)
    #expect(phone.decision(for: "trial").used == 1)
  }

  @Test("Law 6: finished work counts once, even if another device returned or counted the same key meanwhile")
  func sameKey() async throws {
    struct Failed: Error {}
    for fails in [true, false] {
      let (phone, tablet) = (try device("phone"), try device("tablet"))
      _ = try? await tablet.withSpending("trial", key: "a") { if fails { throw Failed() } }
      let reservation = try await phone.reserve(AccessRequest("trial"), key: "a")
      await phone.merge(tablet.sharedFacts)
      await phone.commit(reservation)
      await phone.release(reservation)
      await tablet.merge(phone.sharedFacts)
      #expect(phone.decision(for: "trial").used == 1 && tablet.decision(for: "trial").used == 1)
    }
  }

  @Test("Law 6: work that fails here takes no use back that another device finished with the same key") func failsHere() async throws {
    let (phone, tablet) = (try device("phone"), try device("tablet"))
    let reservation = try await phone.reserve(AccessRequest("trial"), key: "a")
    await tablet.merge(phone.sharedFacts)
    try await tablet.spend("trial", key: "a")
    await phone.merge(tablet.sharedFacts)
    await phone.release(reservation)
    #expect(phone.decision(for: "trial").used == 1)
  }

  /// A storage of which a part was lost.
  private struct ScratchedStorage: StateStorage {
    let inner: MemoryStorage
    func load() throws(StorageError) -> StoredRecords { StoredRecords(records: inner.load().records, damaged: "aside") }
    func append(_ record: Data) throws(StorageError) { inner.append(record) }
    func replace(with records: [Data]) throws(StorageError) { inner.replace(with: records) }
  }

  @Test("What closes a state of which a part was lost comes from the same source as its other uses") func sourceOfDamage() async throws {
    let storage = MemoryStorage()
    try await TestShop.monetizer(storage: storage).spend("trial")
    let uses = try TestShop.monetizer(storage: ScratchedStorage(inner: storage)).state.usage.uses
    #expect(uses.count > 1 && Set(uses.map(\.source)).count == 1)
  }

  @Test("A state that is lost on one device closes nothing on another") func damage() async throws {
    let tablet = try device("tablet")
    let phone = try device("phone", DamagedStorage())
    #expect(!phone.allows("trial"))
    await tablet.merge(phone.sharedFacts)
    #expect(tablet.allows("trial"))
  }
}

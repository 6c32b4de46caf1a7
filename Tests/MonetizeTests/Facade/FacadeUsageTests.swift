// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Laws 6 and 7: uses never exceed the limit, and time does not run back.
@Suite(.timeLimit(.minutes(30)))
struct FacadeUsageTests {
  struct Failed: Error {}

  private func date(_ text: String) throws -> Date { try #require(ISODate.parse(text, in: Calendar.storeCalendar.timeZone)) }

  @Test("Law 6: 100 concurrent spends with 3 left give 3, every time") func hundredAtOnce() async throws {
    for _ in 0..<20 {
      let storage = MemoryStorage()
      let monetizer = try TestShop.monetizer(storage: storage)
      let given = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<100 { group.addTask { (try? await monetizer.spend("story")) != nil } }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(given == 3)
      #expect(monetizer.decision(for: "story").remaining == 0)
      #expect(try TestShop.monetizer(storage: storage).decision(for: "story").remaining == 0)
    }
  }

  @Test("Law 6: a key counts once, for any number of uses and at any concurrency") func keys() async throws {
    let monetizer = try TestShop.monetizer()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try? await monetizer.spend("story", key: "same") } }
    }
    #expect(monetizer.decision(for: "story").used == 1)
    try await monetizer.spend("story", key: "other")
    try await monetizer.spend("story", key: "other")
    #expect(monetizer.decision(for: "story").remaining == 1)
  }

  @Test("XC-04: a body that throws costs nothing; one that succeeds costs one; a denied one does not run") func bodies() async throws {
    let monetizer = try TestShop.monetizer()
    for _ in 0..<10 {
      await #expect(throws: Failed.self) { try await monetizer.withSpending("story", key: "retry") { throw Failed() } }
    }
    #expect(monetizer.decision(for: "story").remaining == 3)
    #expect(try await monetizer.withSpending("story", key: "retry") { monetizer.decision(for: "story").remaining } == 2)
    #expect(monetizer.decision(for: "story").remaining == 2)
    #expect(try await monetizer.withSpending("story", key: "retry") { "again" } == "again")
    #expect(monetizer.decision(for: "story").remaining == 2)
    await #expect(throws: AccessDenied.self) { try await monetizer.withSpending("story", count: 3) { Issue.record("ran") } }
    await #expect(throws: AccessDenied.self) { try await monetizer.spend("no such feature") }
  }

  @Test("makeID names the run and uses without a key") func names() async throws {
    let made = Locked(0)
    let monetizer = try TestShop.monetizer { configuration in
      configuration.makeID = {
        made.withLock { made in
          made += 1
          return "id-\(made)"
        }
      }
    }
    for _ in 0..<2 { try await monetizer.spend("story") }
    try await monetizer.spend("story", key: "own")
    #expect(monetizer.state.usage.uses.map(\.key).sorted() == ["id-2", "id-3", "own"])
    #expect(Set(monetizer.state.usage.uses.map(\.run)) == ["id-1"])
  }

  @Test("Law 6: a reservation is settled once, whatever comes after") func settledOnce() async throws {
    let monetizer = try TestShop.monetizer()
    let first = try await monetizer.reserve(AccessRequest("story"), key: "a")
    await monetizer.commit(first)
    await monetizer.release(first)
    await monetizer.commit(first)
    #expect(monetizer.decision(for: "story").used == 1)
    let second = try await monetizer.reserve(AccessRequest("story"), key: "b")
    #expect(monetizer.decision(for: "story").used == 2)
    await monetizer.release(second)
    await monetizer.commit(second)
    #expect(monetizer.decision(for: "story").used == 1)
    let again = try await monetizer.reserve(AccessRequest("story"), key: "b")
    await monetizer.release(second)
    #expect(monetizer.decision(for: "story").used == 2)
    await monetizer.commit(again)
    #expect(monetizer.decision(for: "story").used == 2)
  }

  @Test("Law 6: work under way twice with one key is one use, even the last one; it is given back when both have failed")
  func sharedKey() async throws {
    let monetizer = try TestShop.monetizer()
    try await monetizer.spend("story", count: 2)
    let request = AccessRequest("story")
    for (isDone, remaining) in [(false, 1), (true, 0)] {
      let (first, second) = (try await monetizer.reserve(request, key: "last"), try await monetizer.reserve(request, key: "last"))
      #expect(monetizer.decision(for: "story").remaining == 0)
      await monetizer.release(first)
      #expect(monetizer.decision(for: "story").remaining == 0)
      if isDone { await monetizer.commit(second) } else { await monetizer.release(second) }
      #expect(monetizer.decision(for: "story").remaining == remaining)
    }
  }

  @Test("MAGIC-23: uses survive the process, and a reservation does not outlive it") func relaunch() async throws {
    let storage = MemoryStorage()
    let first = try TestShop.monetizer(storage: storage)
    try await first.spend("story")
    _ = try await first.reserve(AccessRequest("story"), key: "open")
    #expect(first.decision(for: "story").used == 2)
    let second = try TestShop.monetizer(storage: storage)
    #expect(second.decision(for: "story").used == 1)
    try await second.spend("story", key: "open")
    #expect(second.decision(for: "story").used == 2)
    #expect(try TestShop.monetizer(storage: storage).decision(for: "story").used == 2)
  }

  @Test("MAGIC-24: used 0 to 4 leaves 3, 2, 1, 0, 0") func remaining() async throws {
    let monetizer = try TestShop.monetizer()
    #expect(monetizer.decision(for: "story").remaining == 3 && monetizer.decision(for: "story").isAllowed)
    for left in [2, 1, 0, 0] {
      _ = try? await monetizer.spend("story")
      #expect(monetizer.decision(for: "story").remaining == left)
      #expect(monetizer.decision(for: "story").isAllowed == (left > 0))
    }
  }

  @Test("MAGIC-25/26: months begin at their boundaries, skipped ones do not add up")
  func months() async throws {
    for (before, after) in [
      ("2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"), ("2028-02-29T23:59:59Z", "2028-03-01T00:00:00Z"),
      ("2025-06-30T23:59:59Z", "2025-07-01T00:00:00Z"), ("2025-06-30T12:00:00Z", "2025-10-01T00:00:00Z"),
    ] {
      let time = TestTime(try date(before))
      let monetizer = try TestShop.monetizer(time: time)
      for _ in 0..<3 { try await monetizer.spend("story") }
      #expect(monetizer.decision(for: "story").remaining == 0)
      time.set(try date(after))
      #expect(monetizer.decision(for: "story").remaining == 3)
    }
  }

  @Test("MAGIC-26: travel from UTC+14 to UTC-10 on the first of a month gives no second month") func travel() async throws {
    let zone = Locked("Pacific/Kiritimati")
    let time = TestTime(try date("2026-03-31T11:00:00Z"))
    let catalog = try TestShop.catalog()
    let monetizer = Monetizer(catalog: catalog) { configuration in
      configuration.time = time
      configuration.zone = { TimeZone(identifier: zone.withLock { $0 }) ?? Calendar.storeCalendar.timeZone }
      configuration.startsByItself = false
    }
    for _ in 0..<3 { try await monetizer.spend("story") }
    zone.withLock { $0 = "Pacific/Honolulu" }
    for hours in stride(from: 0, to: 48, by: 6) {
      time.set(try date("2026-03-31T11:00:00Z") + Double(hours) * 3600)
      await monetizer.refresh()
      #expect(monetizer.decision(for: "story").remaining == 0)
    }
  }

  @Test("Law 7: a clock set back refills nothing and extends nothing, in the same process and the next")
  func setBack() async throws {
    let storage = MemoryStorage()
    let time = TestTime(try date("2026-03-20T12:00:00Z"))
    let transaction = TestShop.transaction("1", "month", at: try date("2026-03-01T12:00:00Z"))
    let store = ScriptedStore { $0.unfinished = [SignedTransaction(transaction)] }
    let monetizer = try TestShop.monetizer(store, storage: storage, time: time)
    await monetizer.start()
    #expect(monetizer.allows("extra"))
    time.set(try date("2026-04-02T12:00:00Z"))
    #expect(!monetizer.allows("extra"))
    for _ in 0..<3 { try await monetizer.spend("story") }
    time.set(try date("2026-03-30T12:00:00Z"))
    // Rebuilds the whole snapshot.
    await store.deliver(.transaction(SignedTransaction(StoreTransaction(id: "9", productID: "unknown", purchaseDate: time.now))))
    await monetizer.refresh()
    #expect(!monetizer.allows("extra"))
    #expect(monetizer.decision(for: "story").remaining == 0)
    let next = try TestShop.monetizer(ScriptedStore(), storage: storage, time: time)
    #expect(!next.allows("extra"))
    #expect(next.decision(for: "story").remaining == 0)
    await #expect(throws: AccessDenied.self) { try await next.spend("story") }
  }

  @Test("Law 7: access that has ended at the instant of the question stays ended after a relaunch with an earlier clock")
  func endsNow() async throws {
    let storage = MemoryStorage()
    let time = TestTime(try date("2026-03-20T12:00:00Z"))
    let transaction = TestShop.transaction("1", "month", at: try date("2026-03-01T12:00:00Z"))
    let monetizer = try TestShop.monetizer(
      ScriptedStore { $0.unfinished = [SignedTransaction(transaction)] }, storage: storage, time: time)
    await monetizer.start()
    time.set(try #require(transaction.expirationDate))
    #expect(!monetizer.allows("extra"))
    await monetizer.written()
    time.advance(-10)
    #expect(try !TestShop.monetizer(ScriptedStore(), storage: storage, time: time).allows("extra"))
  }

  @Test("Law 7: a signed time more than two days earlier corrects a wrong future, one less does not")
  func wrongFuture() async throws {
    let storage = MemoryStorage()
    let truth = try date("2026-03-10T12:00:00Z")
    let time = TestTime(truth + 300 * 86400)
    let transaction = TestShop.transaction("1", "month", at: try date("2026-03-01T12:00:00Z"))
    let store = ScriptedStore { $0.unfinished = [SignedTransaction(transaction)] }
    let monetizer = try TestShop.monetizer(store, storage: storage, time: time)
    await monetizer.start()
    try await monetizer.spend("story")
    #expect(!monetizer.allows("extra"))
    time.set(truth)
    await monetizer.refresh()
    #expect(!monetizer.allows("extra"))
    store.change { $0.read = StoreAnswer(transactions: [SignedTransaction(transaction)], date: truth + 299 * 86400) }
    await monetizer.refresh()
    #expect(!monetizer.allows("extra"))
    store.change { $0.read = StoreAnswer(transactions: [SignedTransaction(transaction)], date: truth) }
    await monetizer.refresh()
    #expect(monetizer.allows("extra"))
    // Also while the wall clock is still wrong, and in the next process.
    time.set(truth + 300 * 86400)
    await monetizer.refresh()
    #expect(monetizer.allows("extra"))
    time.set(truth)
    try await monetizer.spend("story")
    let next = try TestShop.monetizer(ScriptedStore(), storage: storage, time: time)
    #expect(next.allows("extra"))
  }

  @Test("Law 3: asking writes nothing, and a demo leaves no trace") func askingWritesNothing() async throws {
    let storage = MemoryStorage()
    let monetizer = try TestShop.monetizer(storage: storage)
    let before = monetizer.state
    for _ in 0..<100 {
      _ = monetizer.decision(for: "story")
      _ = monetizer.allows("extra")
      _ = monetizer.decision(for: AccessRequest("story", count: 2))
    }
    _ = try await monetizer.as(.demo).reserve(AccessRequest("story"))
    #expect(monetizer.state == before)
    #expect(storage.load().records.isEmpty)
  }

  @Test("A use is recorded on the local day of its moment, although the answers are those of the day before") func days() async throws {
    let time = TestTime()
    let monetizer = try TestShop.monetizer(time: time)
    for _ in 0..<3 {
      #expect(monetizer.allows("trial"))
      try await monetizer.spend("trial")
      time.advance(86400)
    }
    let uses = monetizer.state.usage.uses
    #expect(uses.count == 3 && uses.allSatisfy { $0.day == LocalDay.of($0.date, in: Calendar.storeCalendar.timeZone) })
    let later = monetizer.snapshot.date + 2 * 86400
    #expect(monetizer.snapshot.metering(AccessRequest("trial"), at: later)?.day == LocalDay.of(later, in: Calendar.storeCalendar.timeZone))
  }

  @Test("A huge count does not overflow") func hugeCounts() async throws {
    let text = TestShop.json().replacingOccurrences(of: "\"trial\": 3 }", with: "\"trial\": \"unlimited\" }")
    let monetizer = try TestShop.monetizer(catalog: Catalog(json: Data(text.utf8)))
    for _ in 0..<3 { _ = try? await monetizer.spend("trial", count: .max) }
    #expect(monetizer.allows("trial"))
    await #expect(throws: AccessDenied.self) { try await monetizer.spend("story", count: .max) }
  }
}

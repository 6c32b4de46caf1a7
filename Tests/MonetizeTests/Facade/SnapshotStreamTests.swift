// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

@Suite(.timeLimit(.minutes(30)))
struct SnapshotStreamTests {
  @Test("A watcher gets the current snapshot first") func currentFirst() async throws {
    let monetizer = try TestShop.monetizer()
    try await monetizer.spend("story")
    var snapshots = monetizer.snapshots.makeAsyncIterator()
    #expect(await snapshots.next()?.decision(for: "story").remaining == 2)
    try await monetizer.spend("story")
    #expect(await snapshots.next()?.decision(for: "story").remaining == 1)
  }

  @Test("After days without a change, a snapshot after a use has the time of the use, and uses at once count in one span")
  func timeOfUse() async throws {
    let text = TestShop.json().replacingOccurrences(of: #""per": "month""#, with: #""per": "P1D""#)
    for _ in 0..<20 {
      let time = TestTime()
      let monetizer = try TestShop.monetizer(time: time, catalog: Catalog(json: Data(text.utf8)))
      await monetizer.start()
      #expect(monetizer.allows("story"))
      time.advance(3 * 86400)
      let granted = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<100 { group.addTask { (try? await monetizer.spend("story")) != nil } }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(granted == 3)
      #expect(monetizer.state.facts.compactMap(\.use).allSatisfy { $0.date == time.now })
      var snapshots = monetizer.snapshots.makeAsyncIterator()
      #expect(await snapshots.next()?.date == time.now)
    }
  }

  @Test("The last delivered snapshot is the current one: 200 runs of 8 tasks, with early and late watchers")
  func lastIsCurrent() async throws {
    let text = TestShop.json().replacingOccurrences(of: "\"story\": 3", with: "\"story\": 8")
    let catalog = try Catalog(json: Data(text.utf8))
    for run in 0..<200 {
      let monetizer = try TestShop.monetizer(catalog: catalog)
      let early = monetizer.snapshots
      let late = await withTaskGroup(of: AsyncStream<Snapshot>?.self) { group in
        for number in 0..<8 {
          group.addTask {
            _ = try? await monetizer.spend("story")
            return number % 2 == 0 ? monetizer.snapshots : nil
          }
        }
        return await group.reduce(into: [AsyncStream<Snapshot>]()) { if let stream = $1 { $0.append(stream) } }
      }
      for stream in [early] + late {
        // Only the newest is kept, so the first one read now is the last one delivered.
        var snapshots = stream.makeAsyncIterator()
        let last = await snapshots.next()
        #expect(last?.decision(for: "story").remaining == 0, "run \(run)")
      }
    }
  }

  @Test("A stream that has ended is forgotten at the next value; one that begins after the end of the others ends at once")
  func endedStreams() async {
    var watchers = Watchers<Int>()
    let (ended, end) = AsyncStream.makeStream(of: Int.self)
    watchers.add(end)
    watchers.yield(1)
    end.finish()
    #expect(!watchers.isEmpty)
    watchers.yield(2)
    #expect(watchers.isEmpty)
    #expect(await ended.reduce(0, +) == 1)
    _ = watchers.end()
    let (late, start) = AsyncStream.makeStream(of: Int.self)
    watchers.add(start)
    watchers.yield(3)
    #expect(watchers.isEmpty)
    start.finish()
    #expect(await late.reduce(0, +) == 0)
  }

  @Test("Watchers are woken at the next change, in order, without a call") func wakes() async throws {
    let start = try #require(ISODate.parse("2026-03-31T12:00:00Z", in: Calendar.storeCalendar.timeZone))
    let time = TestTime(start)
    let log = EventLog()
    let store = ScriptedStore {
      $0.unfinished = [
        SignedTransaction(StoreTransaction(id: "1", productID: "month", purchaseDate: start, expirationDate: start + 86400 * 10))
      ]
    }
    let monetizer = try TestShop.monetizer(store, time: time, log: log)
    await monetizer.start()
    for _ in 0..<3 { try await monetizer.spend("story") }
    #expect(monetizer.snapshot.nextChange == start + 43200)
    var snapshots = monetizer.snapshots.makeAsyncIterator()
    _ = await snapshots.next()
    time.advance(43200)
    #expect(await snapshots.next()?.decision(for: "story").remaining == 3)
    // The purchase, and the story that the new month opened again.
    time.advance(86400 * 9)
    #expect(log.count(.accessChanged) == 2)
    time.advance(43200)
    #expect(log.count(.accessChanged) == 3)
    #expect(await snapshots.next()?.allows("extra") == false)
    time.advance(86400 * 3650)
    #expect(monetizer.decision(for: "story").remaining == 3)
  }

  @Test("A child's new period and each day that moves a window make a snapshot") func wokenForOthers() async throws {
    let time = TestTime()
    let catalog = try Catalog.small(#"{ "allowance": "count", "per": "P7D" }"#, free: "1")
    let monetizer = try TestShop.monetizer(time: time, catalog: catalog)
    await monetizer.start()
    try await monetizer.as(.child("max")).spend("f")
    let changes = Locked(0)
    let watching = Task { for await _ in monetizer.snapshots { changes.withLock { $0 += 1 } } }
    while changes.copy < 1 { await Task.yield() }
    time.advance(7 * 86400 - 1)
    for _ in 0..<100 { await Task.yield() }
    #expect(changes.copy == 1 && !monetizer.as(.child("max")).allows("f"))
    time.advance(1)
    for _ in 0..<1000 where changes.copy < 2 { await Task.yield() }
    #expect(changes.copy == 2 && monetizer.as(.child("max")).allows("f"))
    watching.cancel()
    let storage = MemoryStorage()
    let history = try TestShop.monetizer(
      storage: storage, time: time, catalog: .small(#"{ "allowance": "window" }"#, free: "\"P7D\""))
    await history.start()
    var snapshots = history.snapshots.makeAsyncIterator()
    _ = await snapshots.next()
    time.advance(86400)
    #expect(await snapshots.next()?.decision(for: "f").cutoff == time.now - 7 * 86400)
    // Law 7: the time is stored each day, so that a relaunch with an earlier clock opens no older history.
    await history.written()
    #expect(Journal.load(storage).state.time[0]?.latest == time.now)
  }

  @Test("A released monetizer is not kept alive by its clock, its store or its watchers, and listens no more") func dropped() async throws {
    let time = TestTime()
    let store = ScriptedStore()
    weak var gone: Monetizer?
    do {
      let monetizer = try TestShop.monetizer(store, time: time)
      await monetizer.start()
      try await monetizer.spend("story")
      _ = monetizer.snapshots
      gone = monetizer
      #expect(time.pending == 1)
    }
    #expect(gone == nil)
    #expect(time.pending == 0)
    #expect(!store.isListenedTo)
  }
}

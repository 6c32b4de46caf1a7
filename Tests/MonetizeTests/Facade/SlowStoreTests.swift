// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// A store that answers late, in another order, or never.
@Suite(.timeLimit(.minutes(30)))
struct SlowStoreTests {
  private func bought(_ transaction: StoreTransaction) -> ScriptedStore {
    ScriptedStore { script in
      script.purchase = { _ throws(StoreError) in .success(SignedTransaction(transaction)) }
      script.read = StoreAnswer(transactions: [SignedTransaction(transaction)])
    }
  }

  @Test("A read that never ends holds up neither the outcome of a purchase, nor a later read, nor signing in")
  func hungRead() async throws {
    let (time, month) = (TestTime(), TestShop.transaction("1", "month"))
    let (never, end) = AsyncStream.makeStream(of: Void.self)
    defer { end.finish() }
    let store = bought(month)
    store.change { $0.read = StoreAnswer(transactions: []) }
    let monetizer = try TestShop.monetizer(store, time: time) {
      // No read for a purchase that is listed late, while the clock is moved.
      $0.listingGrace = 3600
    }
    await monetizer.start()
    store.change { $0.beforeReading = { for await _ in never {} } }
    let purchase = Task { try await monetizer.purchase("month") }
    while store.calls("read") < 2 { await Task.yield() }
    // A second tap, while the outcome still waits for the read, which tells whether the plan renews.
    let again = Task { try await monetizer.purchase("month") }
    await moving(time, by: StoreSync.patience) {
      let outcomes = try await [purchase.value, again.value]
      #expect(outcomes == [.completed(month), .completed(month)])
    }
    store.change { $0.beforeReading = nil }
    await moving(time, by: StoreSync.longRead) {
      let error = await monetizer.refresh()
      #expect(error == nil)
    }
    #expect(store.calls("read") == 3)
    #expect(try await monetizer.handOver(to: nil, storage: .memory) === monetizer)
    let ann = try await monetizer.handOver(to: "ann", storage: .memory)
    #expect(monetizer.decision(for: "story").remaining == 3 && ann !== monetizer)
  }

  @Test("Law 4: a read that fails after a later one has succeeded does not make the store unreachable") func lateFailure() async throws {
    let (time, (gate, open)) = (TestTime(), AsyncStream.makeStream(of: Void.self))
    let store = ScriptedStore()
    let monetizer = try TestShop.monetizer(store, time: time)
    await monetizer.start()
    store.change { script in
      script.read = nil
      script.beforeReading = { for await _ in gate {} }
    }
    let late = Task { await monetizer.refresh() }
    while store.calls("read") < 2 { await Task.yield() }
    store.change { ($0.read, $0.beforeReading) = (StoreAnswer(transactions: []), nil) }
    await moving(time, by: StoreSync.longRead) {
      let error = await monetizer.refresh()
      #expect(error == nil)
    }
    open.finish()
    #expect(await late.value == StoreError(.network), "the caller of that read learns of it")
    #expect(!monetizer.snapshot.situation.store.isFailing)
  }

  @Test("Law 4: an answer that comes after the answer to a later read is ignored") func lateAnswer() async throws {
    let (time, (gate, open)) = (TestTime(), AsyncStream.makeStream(of: Void.self))
    let (month, now) = (SignedTransaction(TestShop.transaction("1", "month")), time.now)
    let store = ScriptedStore { $0.read = StoreAnswer(transactions: [month], date: now) }
    let monetizer = try TestShop.monetizer(store, time: time)
    await monetizer.start()
    store.change { script in
      script.read = StoreAnswer(transactions: [month], date: now + 1)
      script.beforeReading = { for await _ in gate {} }
    }
    let late = Task { await monetizer.refresh() }
    while store.calls("read") < 2 { await Task.yield() }
    store.change { ($0.read, $0.beforeReading) = (StoreAnswer(transactions: [month], date: now + 60), nil) }
    await moving(time, by: StoreSync.longRead) {
      let error = await monetizer.refresh()
      #expect(error == nil)
    }
    open.finish()
    #expect(await late.value == nil)
    #expect(monetizer.snapshot.situation.store == .answered(at: now + 60))
  }

  @Test("Law 4: an answer that is checked for longer than a later read takes does not become the latest") func lateCheck() async throws {
    let (time, (gate, open)) = (TestTime(), AsyncStream.makeStream(of: Void.self))
    let (month, now) = (SignedTransaction(TestShop.transaction("1", "month")), time.now)
    let store = ScriptedStore { $0.read = StoreAnswer(transactions: [month], date: now) }
    let monetizer = try TestShop.monetizer(store, time: time)
    await monetizer.start()
    store.change { script in
      script.read = StoreAnswer(transactions: [], date: now + 1)
      script.standings = ["1": .held(month)]
      script.beforeStanding = { for await _ in gate {} }
    }
    let late = Task { await monetizer.refresh() }
    while store.calls("standing") < 1 { await Task.yield() }
    store.change { ($0.read, $0.beforeStanding) = (StoreAnswer(transactions: [month], date: now + 60), nil) }
    await moving(time, by: StoreSync.longRead) {
      let error = await monetizer.refresh()
      #expect(error == nil)
    }
    open.finish()
    #expect(await late.value == nil)
    #expect(monetizer.snapshot.situation.store == .answered(at: now + 60))
    #expect(monetizer.state.answer[0]?.asOf == now + 60)
    try await monetizer.spend("trial")
    #expect(monetizer.snapshot.situation.store == .answered(at: now + 60), "and not with the next change either")
  }

  @Test("A purchase that cannot be written while the store lists what is unfinished is asked for again with the next read")
  func refusedMeanwhile() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (store, storage) = (ScriptedStore(), RefusingStorage())
    let monetizer = try TestShop.monetizer(store, storage: storage)
    await monetizer.start()
    // A wrong signature leaves a transaction to be asked for.
    await store.deliver(.transaction(SignedTransaction(TestShop.transaction("0"), isVerified: false)))
    store.change { $0.beforeUnfinished = { for await _ in gate {} } }
    let refreshing = Task { await monetizer.refresh() }
    while store.calls("unfinished") < 2 { await Task.yield() }
    storage.isRefusing = true
    let bought = SignedTransaction(TestShop.transaction("1"))
    await store.deliver(.transaction(bought))
    #expect(monetizer.allows("extra") && store.finished.isEmpty)
    store.change { ($0.unfinished, $0.beforeUnfinished) = ([bought], nil) }
    open.finish()
    _ = await refreshing.value
    storage.isRefusing = false
    await monetizer.refresh()
    #expect(store.finished == ["1"])
  }

  @Test("Of two purchases that the store lists late, each is checked when its own time has passed") func listedLate() async throws {
    let (time, store) = (TestTime(), ScriptedStore())
    let monetizer = try TestShop.monetizer(store, time: time)
    await monetizer.start()
    await store.deliver(.transaction(SignedTransaction(TestShop.transaction("1", "pack"))))
    time.advance(30)
    await store.deliver(.transaction(SignedTransaction(TestShop.transaction("2", "month"))))
    await monetizer.refresh()
    #expect(store.calls("standing") == 0)
    time.advance(30)
    await monetizer.settled()
    #expect(store.calls("standing") == 1)
    time.advance(30)
    await monetizer.settled()
    #expect(store.calls("standing") == 3, "both are asked about again")
  }

  @Test("After a hand-over, the monetizer that has ended asks the store nothing again", arguments: [false, true])
  func ended(isHandedOver: Bool) async throws {
    let (time, store) = (TestTime(), ScriptedStore())
    let monetizer = try TestShop.monetizer(store, time: time)
    await monetizer.start()
    await store.deliver(.transaction(SignedTransaction(TestShop.transaction())))
    // The answer lacks the purchase, so it is asked about later.
    await monetizer.refresh()
    if isHandedOver { _ = try await monetizer.handOver(to: "ann", storage: .memory) }
    let reads = store.calls("read")
    time.advance(3600)
    await monetizer.settled()
    for _ in 0..<100 { await Task.yield() }
    #expect(store.calls("read") == reads + (isHandedOver ? 0 : 1))
  }

  @Test("A store that never finishes, or never lists what is unfinished, holds up neither purchases, nor reads, nor signing in")
  func hungFinish() async throws {
    let (never, end) = AsyncStream.makeStream(of: Void.self)
    defer { end.finish() }
    for isListing in [true, false] {
      let time = TestTime()
      let store = ScriptedStore()
      store.change { script in
        script.unfinished = [SignedTransaction(TestShop.transaction("1")), SignedTransaction(TestShop.transaction("2"))]
        let hangs: @Sendable () async -> Void = { for await _ in never {} }
        if isListing { script.beforeUnfinished = hangs } else { script.beforeFinishing = hangs }
      }
      let monetizer = try TestShop.monetizer(store, time: time)
      await moving(time, by: StoreSync.patience) { await monetizer.start() }
      // Accepting them may take longer than the clock that was moved.
      while !isListing, store.calls("finish") < 2 { await Task.yield() }
      #expect(store.calls("read") == 1 && monetizer.allows("extra") == !isListing)
      await moving(time, by: StoreSync.patience) { await store.deliver(.transaction(SignedTransaction(TestShop.transaction("3")))) }
      #expect(monetizer.allows("extra") && store.calls("finish") == (isListing ? 1 : 3))
      await moving(time, by: StoreSync.patience) {
        let error = await monetizer.refresh()
        #expect(error == nil)
      }
      let ann = try await monetizer.handOver(to: "ann", storage: .memory)
      #expect(ann !== monetizer)
    }
  }

  @Test("A purchase returns after the store has finished it, so that an app that ends now leaves nothing unfinished")
  func finishedFirst() async throws {
    let store = bought(TestShop.transaction())
    store.change { script in
      script.read = StoreAnswer(transactions: [])
      script.beforeFinishing = { for _ in 0..<1000 { await Task.yield() } }
    }
    let monetizer = try TestShop.monetizer(store)
    await monetizer.start()
    #expect(try await monetizer.purchase("pack") == .completed(TestShop.transaction()))
    #expect(store.finished == [TestShop.transaction().id])
  }

  @Test("The outcome of a purchase comes although the store never finishes it") func hungPurchase() async throws {
    let (time, store) = (TestTime(), bought(TestShop.transaction()))
    let (never, end) = AsyncStream.makeStream(of: Void.self)
    store.change { script in
      script.read = StoreAnswer(transactions: [])
      script.beforeFinishing = { for await _ in never {} }
    }
    let monetizer = try TestShop.monetizer(store, time: time)
    await monetizer.start()
    await moving(time, by: StoreSync.patience) {
      let outcome = try await monetizer.purchase("pack")
      #expect(outcome == .completed(TestShop.transaction()))
    }
    #expect(monetizer.allows("extra") && store.finished.isEmpty)
    end.finish()
    await monetizer.settled()
    #expect(store.finished == ["1"])
  }

  /// Moves a clock once a call waits for it, until the call is over.
  private func moving(_ time: TestTime, by seconds: TimeInterval, _ call: @escaping @Sendable () async throws -> Void) async {
    let isOver = Locked(false)
    let task = Task {
      defer { isOver.set(true) }
      try await call()
    }
    while !isOver.copy {
      for _ in 0..<200 where !isOver.copy { await Task.yield() }
      if time.isCalled(within: seconds) { time.advance(seconds) }
    }
    _ = await task.result
  }

  @Test("An answer after a failure ends the failure, also without another change") func recovery() async throws {
    let store = ScriptedStore()
    let monetizer = try TestShop.monetizer(store)
    await monetizer.start()
    store.change { $0.read = nil }
    #expect(await monetizer.refresh() == StoreError(.network))
    #expect(monetizer.snapshot.situation.store.isFailing)
    store.change { $0.read = StoreAnswer(transactions: []) }
    #expect(await monetizer.refresh() == nil)
    #expect(!monetizer.snapshot.situation.store.isFailing)
  }

  @Test("What is unfinished is asked for again with the next read while the store fails to list it, and not after it did") func relisted()
    async throws
  {
    let store = ScriptedStore { ($0.unfinished, $0.unfinishedFails) = ([SignedTransaction(TestShop.transaction())], true) }
    let monetizer = try TestShop.monetizer(store)
    await monetizer.start()
    #expect(!monetizer.allows("extra"))
    store.change { $0.unfinishedFails = false }
    await monetizer.refresh()
    #expect(monetizer.allows("extra") && store.calls("unfinished") == 2)
    await monetizer.refresh()
    #expect(store.calls("unfinished") == 2)
  }
}

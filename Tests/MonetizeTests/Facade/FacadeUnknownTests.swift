// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// Law 4: unknown is not no.
@Suite(.timeLimit(.minutes(30)))
struct FacadeUnknownTests {
  private let transaction = TestShop.transaction("1", "pack", at: RandomFacts.start)

  private func owned(_ storage: MemoryStorage) async throws {
    let store = ScriptedStore { [transaction] in $0.unfinished = [SignedTransaction(transaction)] }
    await (try TestShop.monetizer(store, storage: storage)).start()
  }

  @Test("XC-03: before the store's answer a denial is unknown and has no paywall; free features are allowed at once")
  func waits() async throws {
    let store = ScriptedStore()
    let monetizer = try TestShop.monetizer(store)
    #expect(monetizer.decision(for: "extra").reason == .unknown)
    #expect(monetizer.decision(for: "extra").placement == nil)
    #expect(monetizer.decision(for: "story").isAllowed)
    await monetizer.start()
    #expect(monetizer.decision(for: "extra").reason == .requiresPurchase)
    #expect(monetizer.decision(for: "extra").placement == .featureRestricted)
  }

  @Test("Law 4: what only a product that is no longer sold gives is unknown before the store's answer, and not offered after it")
  func noLongerSold() async throws {
    let old = #", { "kind": "nonConsumable", "id": "old", "name": "Old", "onSale": false, "grants": { "legacy": true } }"#
    let json = TestShop.json(products: old).replacingOccurrences(of: #""extra": {} }"#, with: #""extra": {}, "legacy": {} }"#)
    let monetizer = try TestShop.monetizer(catalog: try Catalog(json: Data(json.utf8)))
    #expect(monetizer.decision(for: "legacy").reason == .unknown && monetizer.decision(for: "legacy").placement == nil)
    #expect(monetizer.as(.demo).decision(for: "legacy").reason == .notOffered, "a demo has no purchases")
    await monetizer.start()
    #expect(monetizer.decision(for: "legacy").reason == .notOffered)
  }

  @Test("Law 8: a used-up limit that only a product no longer sold may give is unknown again in the next period")
  func noLongerSoldAndUsedUp() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "story": { "allowance": "count", "per": "month" } },
        "products": [{ "kind": "nonConsumable", "id": "old", "name": "Old", "onSale": false, "grants": { "story": 1 } }] }
      """#
    let catalog = try Catalog(json: Data(json.utf8))
    let (now, zone) = (RandomFacts.start, Calendar.storeCalendar.timeZone)
    let use = Use(key: "a", feature: "story", source: "phone", date: now, day: 20_513, zone: "GMT")
    func snapshot(at date: Date) -> Snapshot {
      Snapshot(of: CustomerState([.use(use)]), catalog: catalog, situation: Situation(zone: zone, store: .waiting), at: date)
    }
    let before = snapshot(at: now)
    #expect(before.decision(for: "story").reason == .notOffered)
    let change = try #require(before.nextChange)
    #expect(snapshot(at: change - 1).decision(for: "story").reason == .notOffered)
    #expect(snapshot(at: change).decision(for: "story").reason == .unknown)
  }

  @Test("XC-03: an unreachable store is the reason of the denial, and asking again helps")
  func unreachable() async throws {
    let store = ScriptedStore { $0.read = nil }
    let monetizer = try TestShop.monetizer(store)
    await monetizer.start()
    #expect(monetizer.decision(for: "extra").reason == .storeUnreachable)
    #expect(monetizer.decision(for: "extra").placement == nil)
    store.change { $0.read = StoreAnswer(transactions: []) }
    #expect(await monetizer.refresh() == nil)
    #expect(monetizer.decision(for: "extra").reason == .requiresPurchase)
    store.change { $0.read = nil }
    #expect(await monetizer.refresh() == StoreError(.network))
    #expect(monetizer.decision(for: "extra").reason == .requiresPurchase)
  }

  @Test("Law 4: a tap on something in doubt asks the store again, also when the doubt began while the app is open")
  func tapAsksAgain() async throws {
    let (store, time) = (ScriptedStore { $0.read = nil }, TestTime())
    let monetizer = try TestShop.monetizer(store, time: time)
    await monetizer.start()
    guard case .denied(let offline) = await monetizer.open(AccessRequest("extra")) else { return #expect(Bool(false)) }
    #expect(offline.reason == .storeUnreachable && store.calls("read") == 2)
    store.change { $0.read = StoreAnswer(transactions: []) }
    guard case .paywall = await monetizer.open(AccessRequest("extra")) else { return #expect(Bool(false)) }
    store.change { $0.purchase = { _ throws(StoreError) in .pending } }
    _ = try await monetizer.purchase("pack")
    let calls = store.calls("read")
    guard case .denied(let waiting) = await monetizer.open(AccessRequest("extra")) else { return #expect(Bool(false)) }
    #expect(waiting.reason == .pending && store.calls("read") == calls, "what waits for approval is known")
    time.advance(86400)
    #expect(monetizer.decision(for: "extra").reason == .unknown)
    guard case .paywall = await monetizer.open(AccessRequest("extra")) else { return #expect(Bool(false)) }
    #expect(store.calls("read") == calls + 1)
  }

  @Test("XC-03: an empty read ends nothing: the store is asked about the purchase once, and only its answer ends it")
  func emptyRead() async throws {
    let storage = MemoryStorage()
    try await owned(storage)
    let time = TestTime(RandomFacts.start + 3600)
    let store = ScriptedStore()
    let monetizer = try TestShop.monetizer(store, storage: storage, time: time)
    #expect(monetizer.allows("extra"))
    await monetizer.start()
    #expect(store.calls("standing") == 1)
    #expect(monetizer.allows("extra"))
    store.change { [transaction] in $0.standings["1"] = .held(SignedTransaction(transaction)) }
    await monetizer.refresh()
    #expect(monetizer.allows("extra"))
    store.change { $0.standings["1"] = .gone }
    await monetizer.refresh()
    #expect(!monetizer.allows("extra"))
    #expect(monetizer.snapshot.status(of: "pack")?.state == .revoked)
    // The store finds it again.
    store.change { [transaction] in $0.read = StoreAnswer(transactions: [SignedTransaction(transaction)]) }
    await monetizer.refresh()
    #expect(monetizer.allows("extra"))
    #expect(try TestShop.monetizer(storage: storage).allows("extra"))
  }

  @Test("An answer of the store that changes nothing leaves the snapshot as it is, also one with the time") func sameSnapshot() async throws
  {
    let time = TestTime()
    for date in [nil, time.now] {
      let monetizer = try TestShop.monetizer(ScriptedStore { $0.read = StoreAnswer(transactions: [], date: date) }, time: time)
      await monetizer.start()
      let before = monetizer.snapshot
      await monetizer.refresh()
      #expect(monetizer.snapshot.isIdentical(to: before))
    }
  }

  @Test("Reading the store again writes nothing, when nothing is new and nothing that is owned can end") func readsWithoutNews()
    async throws
  {
    let (storage, store) = (
      MemoryStorage(), ScriptedStore { [transaction] in $0.read = StoreAnswer(transactions: [SignedTransaction(transaction)]) }
    )
    let monetizer = try TestShop.monetizer(store, storage: storage)
    await monetizer.start()
    let records = storage.load().records
    #expect(monetizer.allows("extra") && !records.isEmpty)
    for _ in 0..<3 { await monetizer.refresh() }
    #expect(storage.load().records == records)
  }

  @Test("An unverified answer about a purchase ends nothing and gives nothing") func unverifiedWords() async throws {
    let storage = MemoryStorage()
    try await owned(storage)
    var refunded = transaction
    refunded.revocation = .init(date: RandomFacts.start)
    refunded.revision.sequence = 9
    let forged = SignedTransaction(refunded, isVerified: false)
    let store = ScriptedStore { $0.standings["1"] = .revoked(forged) }
    let monetizer = try TestShop.monetizer(store, storage: storage)
    await monetizer.start()
    await store.deliver(.transaction(forged))
    #expect(monetizer.allows("extra"))
    #expect(store.calls("finish") == 0)
  }

  @Test("The store is asked about a pass that it does not list only while the pass lasts", arguments: [29.0, 31])
  func endedPass(days: Double) async throws {
    let text = """
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": {} },
        "products": [{ "kind": "nonRenewing", "id": "p", "name": "P", "period": "P30D", "grants": { "f": true } }] }
      """
    let storage = MemoryStorage()
    let bought = StoreTransaction(id: "1", productID: "p", purchaseDate: RandomFacts.start)
    let catalog = try Catalog(json: Data(text.utf8))
    let listing = ScriptedStore { $0.read = StoreAnswer(transactions: [SignedTransaction(bought)]) }
    await (try TestShop.monetizer(listing, storage: storage, catalog: catalog)).start()
    let (store, time) = (ScriptedStore(), TestTime(RandomFacts.start + days * 86400))
    await (try TestShop.monetizer(store, storage: storage, time: time, catalog: catalog)).start()
    #expect(store.calls("standing") == (days < 30 ? 1 : 0))
  }

  @Test("A new purchase may be listed late: the store is asked about it later, not at once")
  func lateListing() async throws {
    let time = TestTime()
    let store = ScriptedStore { [transaction] script in
      script.purchase = { _ throws(StoreError) in .success(SignedTransaction(transaction)) }
      script.standings["1"] = .gone
    }
    let monetizer = try TestShop.monetizer(store, time: time)
    await monetizer.start()
    _ = try await monetizer.purchase("pack")
    await monetizer.refresh()
    #expect(monetizer.allows("extra"))
    #expect(store.calls("standing") == 0)
    let reads = store.calls("read")
    time.advance(60)
    while store.calls("standing") == 0 || monetizer.allows("extra") { await Task.yield() }
    #expect(store.calls("read") == reads + 1)
    #expect(store.calls("standing") == 1)
  }

  @Test("A refresh whose caller is cancelled answers nothing and ends nothing") func cancelledRefresh() async throws {
    let storage = MemoryStorage()
    try await owned(storage)
    let monetizer = try TestShop.monetizer(ScriptedStore(), storage: storage)
    let task = Task { await monetizer.refresh() }
    task.cancel()
    _ = await task.value
    #expect(monetizer.allows("extra"))
  }

  @Test("A purchase in another environment than the store's is neither counted nor asked about") func otherWorld() async throws {
    let storage = MemoryStorage()
    var sandbox = transaction
    sandbox.environment = .sandbox
    let first = ScriptedStore { [sandbox] in $0.unfinished = [SignedTransaction(sandbox)] }
    await (try TestShop.monetizer(first, storage: storage)).start()
    let store = ScriptedStore {
      $0.read = StoreAnswer(transactions: [], environment: .production)
      $0.standings["1"] = .gone
    }
    let monetizer = try TestShop.monetizer(store, storage: storage)
    await monetizer.start()
    #expect(!monetizer.allows("extra"))
    #expect(store.calls("standing") == 0)
    #expect(monetizer.state.transactions["1"]?.revocation == nil)
  }

  @Test("It reads the store by itself when it is made, unless the app starts it", arguments: [true, false])
  func starts(byItself: Bool) async throws {
    let store = ScriptedStore()
    let monetizer = Monetizer(catalog: try TestShop.catalog()) { configuration in
      configuration.store = store
      if !byItself { configuration.startsByItself = false }
    }
    if byItself {
      while !monetizer.snapshot.situation.store.hasAnswered { await Task.yield() }
    } else {
      for _ in 0..<100 { await Task.yield() }
    }
    #expect(store.calls("read") == (byItself ? 1 : 0))
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

@Suite(.timeLimit(.minutes(30)))
struct FacadePurchaseTests {
  private func bought(_ transaction: StoreTransaction, isVerified: Bool = true) -> ScriptedStore {
    ScriptedStore { script in
      script.purchase = { _ throws(StoreError) in .success(SignedTransaction(transaction, isVerified: isVerified)) }
      script.read = StoreAnswer(transactions: isVerified ? [SignedTransaction(transaction)] : [])
    }
  }

  @Test("A purchase counts at once in the environment of its signature, even after an answer of another one") func signedElsewhere()
    async throws
  {
    let store = ScriptedStore { script in
      script.purchase = { _ throws(StoreError) in
        var pack = TestShop.transaction()
        pack.environment = .sandbox
        return .success(SignedTransaction(pack))
      }
      script.read = StoreAnswer(transactions: [], date: RandomFacts.start, environment: .production)
    }
    let monetizer = try TestShop.monetizer(store)
    await monetizer.start()
    #expect(try await monetizer.purchase("pack").name == "completed")
    #expect(monetizer.allows("extra") && monetizer.snapshot.situation.environment == .sandbox)
  }

  @Test("XC-01: six outcomes, and the effect of each")
  func sixOutcomes() async throws {
    let transaction = TestShop.transaction()
    let store = bought(transaction)
    let monetizer = try TestShop.monetizer(store)
    #expect(try await monetizer.purchase("pack") == .completed(transaction))
    #expect(monetizer.allows("extra"))
    #expect(store.finished == ["1"])
    #expect(try await monetizer.purchase("pack") == .alreadyOwned)
    #expect(store.calls("purchase") == 1)

    let unverified = bought(transaction, isVerified: false)
    let log = EventLog()
    let second = try TestShop.monetizer(unverified, log: log)
    #expect(try await second.purchase("pack") == .unverified)
    #expect(!second.allows("extra"))
    #expect(unverified.calls("finish") == 0)
    #expect(log.count(.purchaseUnverified) == 1)

    let results: [(PurchaseResult, PurchaseOutcome)] = [(.pending, .pending), (.userCancelled, .cancelled)]
    for (result, outcome) in results {
      let monetizer = try TestShop.monetizer(ScriptedStore { $0.purchase = { _ throws(StoreError) in result } })
      #expect(try await monetizer.purchase("pack") == outcome)
      #expect(!monetizer.allows("extra"))
    }
    for code in [StoreError.Code.network, .notAllowed, .ineligibleForOffer, .unknown] {
      let monetizer = try TestShop.monetizer(ScriptedStore { $0.purchase = { _ throws(StoreError) in throw StoreError(code) } })
      #expect(try await monetizer.purchase("pack") == .failed(StoreError(code)))
    }
    let cancelled = try TestShop.monetizer(ScriptedStore { $0.purchase = { _ throws(StoreError) in throw StoreError(.userCancelled) } })
    #expect(try await cancelled.purchase("pack") == .cancelled)
    let unknown = ScriptedStore()
    #expect(try await TestShop.monetizer(unknown).purchase("no such product") == .failed(StoreError(.productUnavailable)))
    #expect(unknown.calls("purchase") == 0)
  }

  @Test("XC-01: a pending purchase survives the process and is approved in the next one")
  func approvedAfterKill() async throws {
    let storage = MemoryStorage()
    let (time, log) = (TestTime(), EventLog())
    let asking = ScriptedStore { $0.purchase = { _ throws(StoreError) in .pending } }
    let first = try TestShop.monetizer(asking, storage: storage, time: time, log: log)
    await first.start()
    #expect(try await first.purchase("pack") == .pending && log.count(.purchasePending) == 1)
    #expect(first.decision(for: "extra").reason == .pending)
    let store = ScriptedStore()
    let second = try TestShop.monetizer(store, storage: storage, time: time)
    await second.start()
    #expect(second.decision(for: "extra").reason == .pending)
    await store.deliver(.transaction(SignedTransaction(TestShop.transaction())))
    #expect(second.allows("extra"))
    #expect(second.snapshot.status(of: "pack")?.isPending == false)
    #expect(store.finished == ["1"])
  }

  @Test("An approval that arrives before the store says that it waits is a purchase, and nothing waits afterwards")
  func approvedFirst() async throws {
    let (store, log) = (ScriptedStore(), EventLog())
    store.change { script in
      script.purchase = { [store] _ throws(StoreError) in
        await store.deliver(.transaction(SignedTransaction(TestShop.transaction())))
        return .pending
      }
    }
    let monetizer = try TestShop.monetizer(store, log: log)
    await monetizer.start()
    #expect(try await monetizer.purchase("pack") == .completed(TestShop.transaction()))
    #expect(monetizer.state.pending["pack"] == nil && log.count(.purchasePending) == 0 && log.count(.purchaseCompleted) == 1)
  }

  @Test(
    "A request to renew again is answered by a status that renews, which comes without a transaction; one that fails to renew answers nothing"
  )
  func approvedToRenewAgain() async throws {
    let (time, month) = (TestTime(), TestShop.transaction("1", "month"))
    func renewal(_ state: RenewalInfo.State, willRenew: Bool, signed: Date? = nil) -> RenewalInfo {
      RenewalInfo(
        originalID: "1", productID: "month", state: state, willRenew: willRenew, expires: month.expirationDate, signed: signed ?? time.now)
    }
    let store = ScriptedStore { script in
      script.read = StoreAnswer(transactions: [SignedTransaction(month)], renewals: [renewal(.subscribed, willRenew: false)])
      script.purchase = { _ throws(StoreError) in .pending }
    }
    let monetizer = try TestShop.monetizer(store, time: time)
    await monetizer.start()
    #expect(try await monetizer.purchase("month") == .pending)
    func isPending() -> Bool? { monetizer.snapshot.status(of: "month")?.isPending }
    await store.deliver(.renewal(renewal(.subscribed, willRenew: true, signed: time.now - 60)))
    #expect(isPending() == true, "a status from before the request")
    time.advance(60)
    await store.deliver(.renewal(renewal(.subscribed, willRenew: false)))
    #expect(isPending() == true)
    await store.deliver(.renewal(renewal(.inBillingRetry, willRenew: true)))
    #expect(isPending() == true)
    time.advance(60)
    await store.deliver(.renewal(renewal(.subscribed, willRenew: true)))
    #expect(isPending() == false && monetizer.snapshot.status(of: "month")?.willRenew == true)
  }

  @Test("A pending purchase without an answer ends by itself") func pendingLapses() async throws {
    let time = TestTime()
    let monetizer = try TestShop.monetizer(ScriptedStore { $0.purchase = { _ throws(StoreError) in .pending } }, time: time)
    await monetizer.start()
    _ = try await monetizer.purchase("pack")
    time.advance(86399)
    #expect(monetizer.decision(for: "extra").reason == .pending)
    time.advance(1)
    // Law 4: an approval in the meantime is unknown until the next answer.
    #expect(monetizer.decision(for: "extra").reason == .unknown)
    await monetizer.refresh()
    #expect(monetizer.decision(for: "extra").reason == .requiresPurchase)
  }

  @Test("Two concurrent purchases of a product are one call to the store")
  func sharedInFlight() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let transaction = TestShop.transaction()
    let store = ScriptedStore { script in
      script.purchase = { _ throws(StoreError) in
        for await _ in gate { break }
        return .success(SignedTransaction(transaction))
      }
    }
    let log = EventLog()
    let monetizer = try TestShop.monetizer(store, log: log)
    async let first = monetizer.purchase("pack")
    async let second = monetizer.purchase("pack")
    while store.calls("purchase") == 0 { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    open.finish()
    let outcomes = try await [first, second]
    #expect(Set(outcomes).isSubset(of: [.completed(transaction), .alreadyOwned]))
    #expect(outcomes.contains(.completed(transaction)))
    #expect(store.calls("purchase") == 1)
    #expect(log.count(.purchaseCompleted) == 1)
  }

  @Test("XC-14: a transaction from listener, result, launch and restore is one grant, one event and one finish")
  func duplicates() async throws {
    for _ in 0..<50 {
      let transaction = TestShop.transaction()
      let store = bought(transaction)
      store.change { $0.unfinished = [SignedTransaction(transaction)] }
      let log = EventLog()
      let monetizer = try TestShop.monetizer(store, log: log)
      await monetizer.start()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask { await store.deliver(.transaction(SignedTransaction(transaction))) } }
        group.addTask { _ = try? await monetizer.purchase("pack") }
        group.addTask { _ = try? await monetizer.restorePurchases() }
        group.addTask { await monetizer.refresh() }
      }
      #expect(store.calls("finish") == 1)
      #expect(log.count(.purchaseCompleted) + log.count(.purchaseRestored) == 1)
      #expect(monetizer.state.transactions.count == 1)
    }
  }

  @Test("XC-14: the same, from listener and read at once")
  func duplicatesAtOnce() async throws {
    for _ in 0..<200 {
      let transaction = TestShop.transaction()
      let store = bought(transaction)
      let log = EventLog()
      let monetizer = try TestShop.monetizer(store, log: log)
      store.change { $0.read = StoreAnswer(transactions: []) }
      await monetizer.start()
      store.change { $0.read = StoreAnswer(transactions: [SignedTransaction(transaction)]) }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { await store.deliver(.transaction(SignedTransaction(transaction))) } }
        group.addTask { await monetizer.refresh() }
      }
      #expect(log.count(.purchaseCompleted) + log.count(.purchaseRestored) == 1)
      #expect(log.count(.accessChanged) == 1)
      #expect(store.calls("finish") == 1)
    }
  }

  @Test("A product that the catalog lacks is kept and not finished, and opens after an update of the app")
  func unknownProductIsKept() async throws {
    let storage = MemoryStorage()
    let transaction = StoreTransaction(id: "7", productID: "new.pack", purchaseDate: RandomFacts.start)
    let store = ScriptedStore { $0.unfinished = [SignedTransaction(transaction)] }
    await (try TestShop.monetizer(store, storage: storage)).start()
    #expect(store.calls("finish") == 0)
    let text = TestShop.json(
      products: ", { \"kind\": \"nonConsumable\", \"id\": \"new.pack\", \"name\": \"N\", \"grants\": { \"extra\": true } }")
    let updated = try TestShop.monetizer(store, storage: storage, catalog: Catalog(json: Data(text.utf8)))
    #expect(updated.allows("extra"))
    await updated.start()
    #expect(store.finished == ["7"])
  }

  @Test("Law 5: when the disk refuses, access is granted, nothing is finished, and redelivery does not finish it either")
  func diskRefuses() async throws {
    let storage = RefusingStorage()
    let transaction = TestShop.transaction()
    let store = bought(transaction)
    let monetizer = try TestShop.monetizer(store, storage: storage)
    storage.isRefusing = true
    #expect(try await monetizer.purchase("pack") == .completed(transaction))
    #expect(monetizer.allows("extra"))
    #expect(store.calls("finish") == 0)
    await store.deliver(.transaction(SignedTransaction(transaction)))
    await monetizer.start()
    await store.deliver(.transaction(SignedTransaction(transaction)))
    #expect(store.calls("finish") == 0)
    #expect(storage.inner.load().records.isEmpty)
    storage.isRefusing = false
    await store.deliver(.transaction(SignedTransaction(transaction)))
    #expect(store.finished == ["1"])
    #expect(try TestShop.monetizer(storage: storage).allows("extra"))
  }

  @Test("A failed finish is retried when the transaction comes again") func finishFails() async throws {
    let store = bought(TestShop.transaction())
    store.change { $0.finishFails = true }
    let monetizer = try TestShop.monetizer(store)
    _ = try await monetizer.purchase("pack")
    #expect(store.finished.isEmpty)
    store.change { $0.finishFails = false }
    await monetizer.start()
    await store.deliver(.transaction(SignedTransaction(TestShop.transaction())))
    #expect(store.finished == ["1"])
  }

  @Test("Restoring: restored, nothing active, nothing to restore, cancelled, failed")
  func restoring() async throws {
    let transaction = TestShop.transaction()
    #expect(try await TestShop.monetizer(bought(transaction)).restorePurchases() == .restored(["pack"]))
    var refunded = transaction
    refunded.revocation = .init(date: RandomFacts.start)
    #expect(try await TestShop.monetizer(bought(refunded)).restorePurchases() == .nothingActive)
    #expect(try await TestShop.monetizer().restorePurchases() == .nothingToRestore)
    let cancels = ScriptedStore { $0.synchronizeFails = StoreError(.userCancelled) }
    #expect(try await TestShop.monetizer(cancels).restorePurchases() == .cancelled)
    let fails = ScriptedStore { $0.synchronizeFails = StoreError(.network) }
    #expect(try await TestShop.monetizer(fails).restorePurchases() == .failed(StoreError(.network)))
    #expect(try await TestShop.monetizer(ScriptedStore { $0.read = nil }).restorePurchases() == .failed(StoreError(.network)))
  }

  @Test("Restoring: the renewals of purchases that do not count do not count either, and a renewal without its purchase does")
  func restoringRenewals() async throws {
    var month = TestShop.transaction("1", "month")
    month.environment = .sandbox
    let ended = RenewalInfo(originalID: "1", productID: "month", state: .expired, willRenew: false, signed: RandomFacts.start)
    let storage = MemoryStorage()
    let sandbox = ScriptedStore { [month] in
      $0.read = StoreAnswer(transactions: [SignedTransaction(month)], renewals: [ended], environment: .sandbox)
    }
    await (try TestShop.monetizer(sandbox, storage: storage)).start()
    let production = ScriptedStore { $0.read = StoreAnswer(transactions: [], environment: .production) }
    #expect(try await TestShop.monetizer(production, storage: storage).restorePurchases() == .nothingToRestore)
    production.change { $0.read = StoreAnswer(transactions: [], renewals: [ended], environment: .production) }
    #expect(try await TestShop.monetizer(production).restorePurchases() == .nothingActive)
  }

  @Test("Law 9: without a fresh pass nothing starts; a pass is valid for one start and ten minutes")
  func gate() async throws {
    let store = bought(TestShop.transaction())
    let time = TestTime()
    let gate = OpenGate()
    let monetizer = try TestShop.monetizer(store, time: time, gate: gate)
    await #expect(throws: GateRequired.self) { try await monetizer.purchase("pack") }
    await #expect(throws: GateRequired.self) { try await monetizer.restorePurchases() }
    #expect(throws: GateRequired.self) { try monetizer.usePass(nil, for: .links) }
    for sheet in [StoreSheet.subscriptions, .refund("1"), .code] {
      await #expect(throws: GateRequired.self) { try await monetizer.show(sheet) }
    }
    for name in ["purchase", "synchronize", "read", "products"] { #expect(store.calls(name) == 0) }
    let stale = try await monetizer.passParentalGate()
    time.advance(600)
    await #expect(throws: GateRequired.self) { try await monetizer.purchase("pack", pass: stale) }
    let future = try await monetizer.passParentalGate()
    time.set(time.now - 60)
    await #expect(throws: GateRequired.self) { try await monetizer.purchase("pack", pass: future) }
    #expect(store.calls("purchase") == 0)
    let pass = try await monetizer.passParentalGate()
    time.advance(599)
    #expect(try await monetizer.purchase("pack", pass: pass).name == "completed")
    await #expect(throws: GateRequired.self) { try await monetizer.purchase("month", pass: pass) }
    await #expect(throws: GateRequired.self) { try await monetizer.restorePurchases(pass: pass) }
    #expect(store.calls("purchase") == 1)
    #expect(gate.count == 3)
    // Of many concurrent starts with one pass, one succeeds.
    let shared = try await monetizer.passParentalGate()
    let started = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 { group.addTask { (try? monetizer.usePass(shared, for: .links)) != nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(started == 1)
  }

  @Test("A purchase before the store's first answer does not decide the environment: purchases of both count until then")
  func unknownEnvironment() async throws {
    let storage = MemoryStorage([try Journal.record([.transaction(TestShop.transaction())])])
    let monetizer = try TestShop.monetizer(storage: storage)
    var month = TestShop.transaction("2", "month")
    month.environment = .sandbox
    await monetizer.receive(.transaction(SignedTransaction(month)))
    #expect(monetizer.snapshot.situation.environment == nil && monetizer.state.transactions.count == 2)
    #expect(["pack", "month"].allSatisfy { monetizer.snapshot.status(of: $0)?.isOwned == true })
  }

  @Test("What the gate does not cover needs no pass") func openActions() async throws {
    let text = TestShop.json(gate: true).replacingOccurrences(of: #""parentalGate": {}"#, with: #""parentalGate": { "covers": ["links"] }"#)
    let store = bought(TestShop.transaction())
    let monetizer = try TestShop.monetizer(store, gate: OpenGate(), catalog: Catalog(json: Data(text.utf8)))
    #expect(throws: GateRequired.self) { try monetizer.usePass(nil, for: .links) }
    try monetizer.usePass(nil, for: .restore)
    #expect(try await monetizer.purchase("pack").name == "completed")
  }

  @Test("CARD-10: two monetizers in one process share nothing")
  func twoMonetizers() async throws {
    let storages = (MemoryStorage(), MemoryStorage())
    let first = try TestShop.monetizer(bought(TestShop.transaction()), storage: storages.0)
    let second = try TestShop.monetizer(storage: storages.1)
    _ = try await first.purchase("pack")
    try await first.spend("story")
    #expect(first.allows("extra") && !second.allows("extra"))
    #expect(second.state.isEmpty && storages.1.load().records.isEmpty)
    #expect(second.decision(for: "story").remaining == 3)
  }

  @Test("XC-01: the disk refuses an approved purchase: the event names the product, and not only the end of the wait")
  func approvedOnFullDisk() async throws {
    let (storage, log) = (RefusingStorage(), EventLog())
    let store = ScriptedStore { $0.purchase = { _ throws(StoreError) in .pending } }
    let monetizer = try TestShop.monetizer(store, storage: storage, log: log)
    await monetizer.start()
    #expect(try await monetizer.purchase("pack") == .pending)
    storage.isRefusing = true
    await store.deliver(.transaction(SignedTransaction(TestShop.transaction())))
    #expect(monetizer.allows("extra") && monetizer.state.pending["pack"]?.isOpen == false)
    #expect(log.all.filter { $0.name == .storageFailed }.map(\.product) == ["pack"])
  }
}

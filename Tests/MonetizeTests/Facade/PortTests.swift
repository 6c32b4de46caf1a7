// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// What the port of stores has beside buying and reading, over a scripted store.
@Suite("The port of stores", .timeLimit(.minutes(30)))
struct PortTests {
  @Test("A store that implements only the required functions is valid, and does not know the rest") func defaults() async throws {
    let monetizer = try TestShop.monetizer(ScriptedStore())
    await #expect(throws: StoreError(.unsupported)) { try await monetizer.storeCountry() }
    #expect(try await monetizer.show(.subscriptions) == StoreError(.unsupported))
    let signed = SignedTransaction(TestShop.transaction())
    let store = ScriptedStore()
    try await store.finish(signed)
    #expect(store.finished == ["1"])
  }

  @Test("The environment of a signature that came between two answers lasts until the next one, also after a relaunch")
  func environment() async throws {
    let (store, storage) = (ScriptedStore { $0.read = StoreAnswer(transactions: [], environment: .sandbox) }, MemoryStorage())
    let monetizer = try TestShop.monetizer(store, storage: storage)
    await monetizer.start()
    var bought = TestShop.transaction()
    bought.environment = .production
    await store.deliver(.transaction(SignedTransaction(bought)))
    for known in [monetizer, try TestShop.monetizer(storage: storage)] {
      #expect(known.snapshot.situation.environment == .production && known.snapshot.status(of: "pack")?.isOwned == true)
    }
  }

  @Test("DOZZI-34: a purchase that the app could not pass on opens, stays unfinished, and comes again until it is passed on")
  func passingOn()
    async throws
  {
    let transaction = TestShop.transaction()
    let store = ScriptedStore { script in
      script.purchase = { _ throws(StoreError) in .success(SignedTransaction(transaction, jws: "a.b.c")) }
      script.read = StoreAnswer(transactions: [SignedTransaction(transaction)])
      script.unfinished = [SignedTransaction(transaction, jws: "a.b.c")]
    }
    let (isReady, passed) = (Locked(false), Locked<[String?]>([]))
    let monetizer = try TestShop.monetizer(store) {
      $0.beforeFinishing = { signed in
        passed.withLock { $0.append(signed.jws) }
        return isReady.copy
      }
    }
    #expect(try await monetizer.purchase("pack") == .completed(transaction))
    await monetizer.settled()
    #expect(monetizer.allows("extra") && store.finished.isEmpty && passed.copy == ["a.b.c"])
    await monetizer.refresh()
    await monetizer.settled()
    #expect(store.finished.isEmpty)
    isReady.set(true)
    await monetizer.refresh()
    await monetizer.settled()
    #expect(store.finished == ["1"] && passed.copy.count == 3)
    await monetizer.refresh()
    await monetizer.settled()
    #expect(passed.copy.count == 3)
  }

  @Test("A server that does not answer delays neither access, nor the first read, nor other transactions, nor signing in")
  func slowServer() async throws {
    let (plan, pack) = (TestShop.transaction("1", "month"), TestShop.transaction("2"))
    let store = ScriptedStore { script in
      script.read = StoreAnswer(transactions: [SignedTransaction(plan)])
      script.purchase = { _ throws(StoreError) in .success(SignedTransaction(plan)) }
      script.unfinished = [SignedTransaction(plan)]
    }
    let (answers, answer) = AsyncStream.makeStream(of: Void.self)
    let monetizer = try TestShop.monetizer(store) {
      $0.beforeFinishing = { _ in
        for await _ in answers {}
        return true
      }
    }
    await monetizer.start()
    #expect(store.calls("read") == 1 && monetizer.allows("extra"))
    await store.deliver(.transaction(SignedTransaction(pack)))
    #expect(monetizer.snapshot.status(of: "pack")?.isOwned == true)
    #expect(await monetizer.refresh() == nil && store.finished.isEmpty)
    _ = try await monetizer.handOver(to: "ann", storage: .memory)
    answer.finish()
    await monetizer.settled()
    #expect(Set(store.finished) == ["1", "2"])
  }

  @Test("A purchase that a person began in the store is made by the account that signed in before the app accepted it")
  func intentAndSigningIn() async throws {
    let bought = Locked<[String?]>([])
    let store = ScriptedStore { script in
      script.purchase = { request throws(StoreError) in
        bought.withLock { $0.append(request.account) }
        return .success(SignedTransaction(TestShop.transaction()))
      }
    }
    let (moments, moment) = AsyncStream.makeStream(of: Void.self)
    let asked = Locked(0)
    let guest = try TestShop.monetizer(store, gate: OpenGate()) {
      $0.acceptsIntent = { _ in
        asked.withLock { $0 += 1 }
        for await _ in moments {}
        return true
      }
    }
    await guest.start()
    await store.deliver(.intent(PurchaseRequest("pack")))
    while asked.copy == 0 { await Task.yield() }
    let ann = try await guest.handOver(to: "ann", storage: .memory)
    await guest.receive(.intent(PurchaseRequest("pack")))
    while asked.copy == 1 { await Task.yield() }
    moment.finish()
    while !ann.allows("extra") { await Task.yield() }
    #expect(bought.copy.first == "ann" && asked.copy == 2)
  }

  @Test("A purchase that is finished while only memory keeps it is reported once, in a file not at all")
  func kept() async throws {
    let reported = Locked<[String]>([])
    func shop(_ storage: any StateStorage) throws -> Monetizer {
      let store = ScriptedStore {
        $0.unfinished = [SignedTransaction(TestShop.transaction()), SignedTransaction(TestShop.transaction("2"))]
      }
      return try TestShop.monetizer(store, storage: storage) { $0.onUnknownName = { line in reported.withLock { $0.append(line) } } }
    }
    await (try shop(FileStorage(path: "d/state", files: MemoryDisk()))).start()
    #expect(reported.copy.isEmpty)
    await (try shop(.memory)).start()
    #expect(reported.copy.count == 1 && reported.copy.first?.contains("Set `storage`") == true)
  }

  @Test("A purchase that a person began in the store is made after the gate, and not at all when the app refuses") func intents()
    async throws
  {
    for (accepts, passes, buys) in [(true, true, 1), (true, false, 0), (false, true, 0)] {
      let store = ScriptedStore { script in
        script.purchase = { _ throws(StoreError) in .success(SignedTransaction(TestShop.transaction())) }
      }
      let done = Locked(false)
      let gate = SignallingGate(passes: passes) { done.set(true) }
      let monetizer = try TestShop.monetizer(store, gate: gate) {
        $0.acceptsIntent = { request in
          if !accepts { done.set(true) }
          return accepts && request.productID == "pack"
        }
        $0.onEvent = { event in if event.name == .purchaseCompleted { done.set(true) } }
      }
      await monetizer.start()
      if passes, accepts { gate.signals.set(false) }
      await store.deliver(.intent(PurchaseRequest("pack")))
      while !done.copy { await Task.yield() }
      #expect(store.calls("purchase") == buys)
    }
  }

  @Test("A purchase that a person began in the store, and that the store cancels, is tried once") func cancelledIntent() async throws {
    let store = ScriptedStore { $0.purchase = { _ throws(StoreError) in throw StoreError(.cancelled) } }
    let log = EventLog()
    let monetizer = try TestShop.monetizer(store, log: log) { $0.acceptsIntent = { _ in true } }
    await monetizer.start()
    await store.deliver(.intent(PurchaseRequest("pack")))
    while log.count(.purchaseFailed) == 0 { await Task.yield() }
    for _ in 0..<1000 { await Task.yield() }
    #expect(store.calls("purchase") == 1)
  }

  @Test("A purchase that a person began in the store is made after a hand-over that failed before the purchase, by way of one gate")
  func intentAndFailedSigningIn() async throws {
    let store = ScriptedStore { $0.purchase = { _ throws(StoreError) in .success(SignedTransaction(TestShop.transaction())) } }
    let asked = Locked(0)
    let gate = SignallingGate(passes: true) { asked.withLock { $0 += 1 } }
    let monetizer = try TestShop.monetizer(store, gate: gate) { $0.acceptsIntent = { _ in true } }
    await monetizer.start()
    #expect(await monetizer.parts.work.close(by: monetizer.parts.clock, within: 1))
    await store.deliver(.intent(PurchaseRequest("pack")))
    for _ in 0..<1000 { await Task.yield() }
    #expect(store.calls("purchase") == 0)
    monetizer.parts.work.conclude(handedOver: false)
    while !monetizer.allows("extra") { await Task.yield() }
    #expect(store.calls("purchase") == 1 && asked.copy == 1)
  }

  @Test("A change of the country is an event, and decides nothing") func country() async throws {
    let (store, log) = (ScriptedStore(), EventLog())
    let monetizer = try TestShop.monetizer(store, log: log)
    await monetizer.start()
    let before = monetizer.snapshot
    await store.deliver(.country(StoreCountry(code: "DEU", id: "143443")))
    #expect(log.count(.countryChanged) == 1 && monetizer.snapshot == before)
  }

  @Test("A refresh follows the device's zone and the app's attributes, each by itself, also while the store cannot be reached")
  func surroundings() async throws {
    let store = ScriptedStore { $0.read = nil }
    let (zone, region) = (Locked("UTC"), Locked("DE"))
    let monetizer = try TestShop.monetizer(store) {
      $0.zone = { TimeZone(identifier: zone.copy) ?? Calendar.storeCalendar.timeZone }
      $0.attributes = { ["region": region.copy] }
    }
    await monetizer.start()
    await monetizer.refresh()
    zone.set("Asia/Tokyo")
    await monetizer.refresh()
    #expect(monetizer.snapshot.situation.zone.identifier == "Asia/Tokyo")
    region.set("JP")
    await monetizer.refresh()
    #expect(monetizer.snapshot.situation.attributes == ["region": "JP"])
  }

  @Test("MAGIC-12: a store that knows only tokens keeps accounts apart") func tokens() async throws {
    var transaction = TestShop.transaction()
    transaction.account = AppAccountToken("ann").description
    let store = ScriptedStore { $0.read = StoreAnswer(transactions: [SignedTransaction(transaction)]) }
    for (account, isOpen) in [("ann", true), ("bob", false), (nil, true)] as [(String?, Bool)] {
      let monetizer = try TestShop.monetizer(store) { $0.account = account }
      await monetizer.start()
      #expect(monetizer.allows("extra") == isOpen, "\(account ?? "a guest")")
    }
    // Computed by hand: the first 16 bytes of sha256("monetize.account:ann"), version 8.
    #expect(AppAccountToken("ann").description == "C25ECE5C-C631-8816-9672-07E77F3575E6")
    let uuid = UUID().uuidString
    #expect(AppAccountToken(uuid.lowercased()).description == uuid)
  }

  @Test("An answer from a cache moves a slow clock to its newest signature, and never a fast one back") func signatures() async throws {
    let time = TestTime()
    let now = time.now
    var plan = TestShop.transaction("1", "month", at: now - 40 * 86400)
    plan.revision = Revision(now + 86400)
    let store = ScriptedStore { $0.read = StoreAnswer(transactions: [SignedTransaction(plan)]) }
    let monetizer = try TestShop.monetizer(store, time: time)
    await monetizer.start()
    #expect(monetizer.snapshot.date >= now + 86400)
    let old = TestShop.transaction("2", "pack", at: now - 400 * 86400)
    store.change { $0.read = StoreAnswer(transactions: [SignedTransaction(old)]) }
    await monetizer.refresh()
    #expect(monetizer.snapshot.date >= now + 86400)
  }

  @Test("H1: what a store says and no file can keep is left out, and keeps nothing else from the disk") func unreadable() async throws {
    let storage = MemoryStorage()
    let pack = TestShop.transaction()
    let first = ScriptedStore { $0.read = StoreAnswer(transactions: [SignedTransaction(pack)]) }
    await (try TestShop.monetizer(first, storage: storage)).start()
    var revoked = pack
    (revoked.revocation, revoked.revision.sequence) = (.init(date: RandomFacts.start), 1)
    revoked.price = Money(amount: -1, currency: "usd")
    let second = ScriptedStore { [revoked] in $0.standings["1"] = .revoked(SignedTransaction(revoked)) }
    let monetizer = try TestShop.monetizer(second, storage: storage)
    await monetizer.start()
    let never = Date(timeIntervalSinceReferenceDate: .infinity)
    await second.deliver(
      .renewal(RenewalInfo(originalID: "2", productID: "month", state: .subscribed, expires: never, signed: RandomFacts.start)))
    var plan = TestShop.transaction("3", "month")
    plan.revision = Revision(never)
    second.change { [plan] in $0.read = StoreAnswer(transactions: [SignedTransaction(plan)]) }
    await monetizer.refresh()
    try await monetizer.spend("story")
    let again = try TestShop.monetizer(ScriptedStore { $0.read = nil }, storage: storage)
    #expect(!again.allows("extra") && again.decision(for: "story").used == 1)
  }

  @Test("A purchase that no file can keep is neither granted nor finished, and the next read asks for it again")
  func unreadablePurchase() async throws {
    var damaged = TestShop.transaction()
    damaged.revision = Revision(Date(timeIntervalSinceReferenceDate: .infinity))
    let store = ScriptedStore { [damaged] in $0.unfinished = [SignedTransaction(damaged)] }
    let monetizer = try TestShop.monetizer(store)
    await monetizer.start()
    #expect(!monetizer.allows("extra") && store.finished.isEmpty)
    store.change { $0.unfinished = [SignedTransaction(TestShop.transaction())] }
    await monetizer.refresh()
    #expect(monetizer.allows("extra"))
  }

  @Test("An app that decides nothing accepts what a person began in the store") func acceptsByDefault() async {
    #expect(await MonetizeConfiguration().acceptsIntent(PurchaseRequest("pack")))
  }

  @Test("Opaque objects do not make two requests different") func objects() {
    #expect(PurchaseRequest("pack", confirmIn: StoreObject(1)) == PurchaseRequest("pack", confirmIn: StoreObject("two")))
    #expect(Set([StoreObject(1), StoreObject(2)]).count == 1)
    #expect(PurchaseRequest("pack", signature: .jws("a")) != PurchaseRequest("pack", signature: .jws("b")))
  }
}

/// A gate that signals when it was shown.
private final class SignallingGate: ParentalGate {
  let signals = Locked(true)
  private let passes: Bool
  private let shown: @Sendable () -> Void
  init(passes: Bool, shown: @escaping @Sendable () -> Void) { (self.passes, self.shown) = (passes, shown) }
  func challenge() async -> Bool {
    if signals.copy { shown() }
    return passes
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// The life of a fact: merged, durable, published, sent as an event. Each test is named after the defect that it prevents.
@Suite(.timeLimit(.minutes(30)))
struct FactLifeTests {
  private static let coins = """
    { "schemaVersion": 1, "app": { "id": "a", "name": "A" },
      "collections": { "hats": { "title": "Hats", "items": [{ "id": "hat", "coins": 10 }] } },
      "features": { "shop": { "allowance": "coins", "in": ["hats"] } }, "freeTier": { "grants": { "shop": true } } }
    """

  private func selling(_ transaction: StoreTransaction = TestShop.transaction()) -> ScriptedStore {
    ScriptedStore { script in
      script.purchase = { _ throws(StoreError) in .success(SignedTransaction(transaction)) }
      script.read = StoreAnswer(transactions: [SignedTransaction(transaction)])
    }
  }

  private func temporary() -> URL { FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString) }

  // MARK: Events after answers

  @Test("C1: in the event of a purchase, its features are already allowed, in every call") func askedInTheEvent() async throws {
    let (answers, box) = (Locked<[Bool]>([]), Locked<Monetizer?>(nil))
    let store = selling()
    store.change { $0.read = StoreAnswer(transactions: []) }
    let monetizer = try TestShop.monetizer(store) { configuration in
      configuration.onEvent = { event in
        guard event.name == .purchaseCompleted, let monetizer = box.withLock({ $0 }) else { return }
        let found = [monetizer.allows("extra"), monetizer.decision(for: "extra").isAllowed, monetizer.snapshot.allows("extra")]
        answers.withLock { $0 = found }
      }
    }
    box.withLock { $0 = monetizer }
    await monetizer.start()
    _ = try await monetizer.purchase("pack")
    box.withLock { $0 = nil }
    #expect(answers.withLock { $0 } == [true, true, true])
  }

  @Test("C1: after a purchase for coins the balance is new, and snapshots contain it") func coinsAreTold() async throws {
    let monetizer = try TestShop.monetizer(catalog: Catalog(json: Data(Self.coins.utf8)))
    let customer = monetizer.as(.customer)
    await customer.earn(30, for: "p1")
    var snapshots = monetizer.snapshots.makeAsyncIterator()
    #expect(await snapshots.next()?.decision(for: "shop").balance == 30)
    try await customer.buy("hats/hat", of: "shop")
    #expect(monetizer.decision(for: "shop").balance == 20)
    #expect(await snapshots.next()?.decision(for: "shop").balance == 20)
  }

  @Test("C10: events come one at a time and in order, also when a handler causes the next one") func order() async throws {
    let (log, box) = (Locked<[String]>([]), Locked<Monetizer?>(nil))
    let monetizer = try TestShop.monetizer { configuration in
      configuration.onEvent = { event in
        log.withLock { $0.append("begin \(event.name)") }
        if event.name == .purchaseStarted { try? box.withLock { $0 }?.apply([]) }
        log.withLock { $0.append("end \(event.name)") }
      }
    }
    box.withLock { $0 = monetizer }
    _ = try await monetizer.purchase("pack")
    box.withLock { $0 = nil }
    let lines = log.withLock { $0 }
    for index in stride(from: 0, to: lines.count - 1, by: 2) {
      #expect(lines[index].dropFirst(6) == lines[index + 1].dropFirst(4))
    }
    #expect(lines.first == "begin purchaseStarted" && lines.count == 4)
  }

  @Test("C10: a clock that calls the monetizer does not deadlock it") func clockAsksBack() async throws {
    final class Curious: TimeSource {
      let monetizer = Locked<Monetizer?>(nil)
      let isAsking = Locked(false)
      var now: Date {
        let begins = isAsking.withLock { asks in
          defer { asks = true }
          return !asks
        }
        if begins {
          _ = monetizer.withLock { $0 }?.allows("story")
          isAsking.withLock { $0 = false }
        }
        return RandomFacts.start
      }
      func wake(at date: Date, _ action: @escaping @Sendable () -> Void) -> WakeUp { WakeUp { [weak self] in _ = self?.now } }
    }
    let time = Curious()
    let monetizer = try TestShop.monetizer { $0.time = time }
    time.monetizer.withLock { $0 = monetizer }
    try await monetizer.spend("story")
    let pass = try await monetizer.passParentalGate()
    try monetizer.usePass(pass, for: .links)
    time.monetizer.withLock { $0 = nil }
    #expect(monetizer.decision(for: "story").remaining == 2)
  }

  @Test("C9: streams end when the monetizer is released") func streamsEnd() async throws {
    var monetizer: Monetizer? = try TestShop.monetizer()
    let (snapshots, events) = try (#require(monetizer?.snapshots), #require(monetizer?.events))
    monetizer = nil
    for await _ in snapshots {}
    for await _ in events {}
  }

  // MARK: Time and the store's answers

  @Test("A5: a restore is answered by a read that began after it, not by an earlier one") func laterRead() async throws {
    let store = ScriptedStore()
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let isFirst = Locked(true)
    store.change { script in
      script.beforeReading = {
        guard
          isFirst.withLock({ first in
            defer { first = false }; return first
          })
        else { return }
        for await _ in gate {}
      }
    }
    let monetizer = try TestShop.monetizer(store)
    async let early = monetizer.refresh()
    while store.calls("read") == 0 { try await Task.sleep(nanoseconds: 1_000_000) }
    store.change { $0.read = StoreAnswer(transactions: [SignedTransaction(TestShop.transaction())]) }
    async let restored = monetizer.restorePurchases()
    while store.calls("synchronize") == 0 { try await Task.sleep(nanoseconds: 1_000_000) }
    for _ in 0..<50 { try await Task.sleep(nanoseconds: 1_000_000) }
    open.finish()
    #expect(await early == nil)
    #expect(try await restored == .restored(["pack"]))
    #expect(store.calls("read") == 2)
  }

  @Test("H5: the environment outlives the process: sandbox purchases open nothing in production, also offline") func environment()
    async throws
  {
    let storage = MemoryStorage()
    var tested = TestShop.transaction()
    tested.environment = .sandbox
    let sandbox = ScriptedStore { [tested] in $0.read = StoreAnswer(transactions: [SignedTransaction(tested)], environment: .sandbox) }
    await (try TestShop.monetizer(sandbox, storage: storage)).start()
    let production = ScriptedStore { $0.read = StoreAnswer(transactions: [], environment: .production) }
    await (try TestShop.monetizer(production, storage: storage)).start()
    let offline = try TestShop.monetizer(ScriptedStore { $0.read = nil }, storage: storage)
    #expect(!offline.allows("extra"))
    await offline.start()
    #expect(!offline.allows("extra"))
  }

  @Test("I5: the next change includes that of a child's limit, and the clock wakes for it") func membersChange() async throws {
    let time = TestTime()
    let monetizer = try TestShop.monetizer(time: time)
    let max = monetizer.as(.child("max"))
    for _ in 0..<3 { try await max.spend("story") }
    let end = try #require(max.decision(for: "story").resetsAt)
    #expect(monetizer.nextChange == end)
    var snapshots = monetizer.snapshots.makeAsyncIterator()
    _ = await snapshots.next()
    time.advance(end.timeIntervalSince(time.now))
    #expect(await snapshots.next() != nil)
    #expect(max.decision(for: "story").remaining == 3)
  }

  @Test("I7: a running app follows its zone with the next fact") func zone() async throws {
    let zone = Locked(Calendar.storeCalendar.timeZone)
    let monetizer = try TestShop.monetizer { $0.zone = { zone.withLock { $0 } } }
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    zone.withLock { $0 = tokyo }
    try await monetizer.spend("trial")
    #expect(monetizer.snapshot.situation.zone == tokyo)
  }

  // MARK: Buying

  @Test("C6: nothing is sold while monetization is off, nor products that could not be loaded") func notForSale() async throws {
    let unavailable = PurchaseOutcome.failed(StoreError(.productUnavailable))
    let store = selling()
    let off = try TestShop.monetizer(store)
    try off.apply([Overlay(json: Data(#"{ "id": "off", "patch": { "monetization": "off" } }"#.utf8))])
    #expect(try await off.purchase("pack") == unavailable)
    let failing = try TestShop.monetizer(store)
    store.change { $0.productErrors = [StoreError(.network)] }
    await #expect(throws: StoreError.self) { try await failing.storeProducts() }
    #expect(try await failing.purchase("pack") == unavailable)
    #expect(store.calls("purchase") == 0)
    _ = try await failing.storeProducts()
    #expect(try await failing.purchase("pack").name == "completed")
  }

  @Test("C12: a tap just after the start waits for the first answer, for a limited time") func tapAtTheStart() async throws {
    let store = selling()
    let monetizer = try TestShop.monetizer(store) { $0.startsByItself = true }
    guard case .content = await monetizer.open(AccessRequest("extra")) else { return #expect(Bool(false), "It did not wait.") }
    let time = TestTime()
    let slow = ScriptedStore { $0.beforeReading = { try? await Task.sleep(nanoseconds: 600_000_000_000) } }
    let waiting = try TestShop.monetizer(slow, time: time) { $0.startsByItself = true }
    async let opening = waiting.open(AccessRequest("extra"))
    while slow.calls("read") == 0 || time.pending < 2 { try await Task.sleep(nanoseconds: 1_000_000) }
    time.advance(3)
    guard case .denied(let decision) = await opening else { return #expect(Bool(false), "It opened.") }
    #expect(decision.reason == .unknown)
  }

  // MARK: The disk

  @Test("A use that the disk refuses again and again counts nothing, and counts once when the disk takes it")
  func refusedAgain() async throws {
    let storage = RefusingStorage()
    let monetizer = try TestShop.monetizer(selling(), storage: storage)
    storage.isRefusing = true
    for _ in 0..<3 {
      await #expect(throws: AccessDenied.self) { try await monetizer.spend("story", key: "again") }
      #expect(monetizer.decision(for: "story").remaining == 3)
    }
    storage.isRefusing = false
    for _ in 0..<2 { #expect(try await monetizer.spend("story", key: "again").remaining == 2) }
  }

  @Test("H4: a use that cannot be recorded does not begin; an unlimited one does; a commit counts in memory and is written later")
  func refusedUses() async throws {
    let (storage, log) = (RefusingStorage(), EventLog())
    let monetizer = try TestShop.monetizer(selling(), storage: storage, log: log)
    let reservation = try await monetizer.reserve(AccessRequest("trial"))
    storage.isRefusing = true
    var denial: Reason?
    do { _ = try await monetizer.withSpending("story") { Issue.record("The work began.") } } catch let error as AccessDenied {
      denial = error.decision.reason
    }
    #expect(denial == .notRecorded)
    guard case .closed(let closed) = await monetizer.perform("story", { Issue.record("The work began.") }) else {
      return #expect(Bool(false), "It is not closed.")
    }
    #expect(closed.reason == .notRecorded && monetizer.decision(for: "story").remaining == 3)
    await monetizer.commit(reservation)
    #expect(monetizer.decision(for: "trial").remaining == 2)
    _ = try await monetizer.purchase("pack")
    let failures = log.all.filter { $0.name == .storageFailed }
    #expect(failures.map { "\($0.feature?.rawValue ?? "-") \($0.product?.rawValue ?? "-")" }.suffix(2) == ["trial -", "- pack"])
    #expect(failures.allSatisfy { $0.error == .notDurable })
    #expect(try await monetizer.withSpending("story") { "done" } == "done")
    storage.isRefusing = false
    await monetizer.complete("none/1")
    try await monetizer.spend("story")
    #expect(try TestShop.monetizer(storage: storage).state.usage.uses.filter { $0.status == .committed }.count == 3)
  }

  @Test("H1: an unreadable fact loses no other fact, on reading and on writing") func unreadableFacts() async throws {
    let storage = MemoryStorage()
    var odd = TestShop.transaction()
    odd.price = Money(amount: 1, currency: "usd")
    let monetizer = try TestShop.monetizer(selling(odd), storage: storage)
    #expect(try await monetizer.purchase("pack").name == "completed")
    await monetizer.give(["x"], id: "g", until: Date(timeIntervalSinceReferenceDate: .nan))
    for _ in 0..<2 { try await monetizer.spend("trial") }
    #expect(try TestShop.monetizer(storage: storage).allows("extra"))
    #expect(try TestShop.monetizer(storage: storage).state.usage.uses.count == 2)
    // A fact in the record that this version cannot read.
    let record = try #require(storage.load().records.first)
    let mixed = MemoryStorage([Data("[{\"fromTheFuture\":{}},".utf8) + record.dropFirst()])
    #expect(try TestShop.monetizer(storage: mixed).allows("extra"))
  }

  @Test("H8: what a shorter or another file lacks of the acknowledged facts is written again", arguments: [false, true])
  func lackingFile(isCut: Bool) async throws {
    let disk = MemoryDisk()
    func open() throws -> Monetizer { try TestShop.monetizer(storage: FileStorage(path: "d/state", files: disk)) }
    let other = try open()
    let strange = Data("[{\"fromTheFuture\":{}}]".utf8)
    try FileStorage(path: "d/state", files: disk).append(strange)
    let monetizer = try open()
    try await monetizer.spend("trial", key: "a")
    if isCut {
      try disk.truncate("d/state", to: 30)
    } else {
      disk.put([], at: "d/state")
      try await other.spend("trial", key: "b")
    }
    try await monetizer.spend("trial", key: "c")
    #expect(try open().decision(for: "trial").used == (isCut ? 2 : 3))
    #expect(try FileStorage(path: "d/state", files: disk).load().records.contains(strange))
  }

  @Test("After another process has shortened the file, only new facts are written") func shortenedFile() async throws {
    let (disk, time) = (MemoryDisk(), TestTime())
    let storage = FileStorage(path: "d/state", files: disk)
    let text = TestShop.json().replacingOccurrences(of: "\"trial\": 3 }", with: "\"trial\": 5000 }")
    let monetizer = try TestShop.monetizer(
      storage: FileStorage(path: "d/state", files: disk), time: time, catalog: Catalog(json: Data(text.utf8)))
    for number in 0..<20 {
      try await monetizer.spend("trial", key: "\(number)")
      time.advance(86400)
    }
    let state = monetizer.state.folded(by: monetizer.catalog, of: monetizer.parts.source, at: time.now)
    #expect(state != monetizer.state)
    try storage.replace(with: Journal.packed(state.facts))
    let count = try storage.load().records.count
    try await monetizer.spend("trial", key: "new")
    let records = try storage.load().records
    #expect(records.count == count + 1)
    #expect(Set(Journal.read(records.suffix(1)).facts.map(\.name)) == ["use", "time"])
    #expect(Journal.read(records.suffix(1)).facts.count == 2)
  }

  @Test("H8: a file that is deleted while the app runs is written again in full") func deletedFile() async throws {
    let url = temporary()
    defer { for name in ["", ".lock"] { try? FileManager.default.removeItem(atPath: url.path + name) } }
    do {
      let monetizer = try TestShop.monetizer(storage: FileStorage(url))
      for _ in 0..<2 { try await monetizer.spend("trial") }
      try FileManager.default.removeItem(at: url)
      try await monetizer.spend("trial")
    }
    #expect(try TestShop.monetizer(storage: FileStorage(url)).decision(for: "trial").remaining == 0)
  }

  @Test("C11: a missing folder is created") func folder() async throws {
    let folder = temporary()
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("a/b/state")
    try await TestShop.monetizer(storage: .file(url)).spend("trial")
    #expect(FileManager.default.fileExists(atPath: url.path))
  }

  @Test("B12: two storages of one file lose no record of each other, also when one of them replaces the file") func secondStorage() throws {
    let url = temporary()
    defer { for name in ["", ".lock"] { try? FileManager.default.removeItem(atPath: url.path + name) } }
    let (first, second) = (FileStorage(url), FileStorage(url))
    func records(_ texts: String...) -> [Data] { texts.map { Data($0.utf8) } }
    try first.append(Data("one".utf8))
    try second.append(Data("two".utf8))
    try first.append(Data("three".utf8))
    #expect(try second.load().records == records("one", "two", "three"))
    try second.replace(with: records("short"))
    try second.replace(with: records("shorter"))
    try first.change { news in
      #expect(news.records == records("shorter") && news.isWhole && !news.isLost)
      return .append(Data("four".utf8))
    }
    #expect(try second.load().records == records("shorter", "four"))
  }

  @Test("H7: a changed bit in the header is damage, not a later version: the file is set aside, and all lines are read") func header()
    throws
  {
    let disk = MemoryDisk()
    try FileStorage(path: "d/state", files: disk).append(Data("one".utf8))
    var bytes = try #require(try disk.read("d/state"))
    bytes[15] = UInt8(ascii: "5")
    disk.put(bytes, at: "d/state")
    let found = try FileStorage(path: "d/state", files: disk).load()
    #expect(found.records == [Data("one".utf8)] && found.damaged != nil)
  }

  // MARK: Names, coins, accounts

  @Test("A use is one record, also when the clock moves on while it is counted") func oneRecordWhileTicking() async throws {
    final class Ticking: TimeSource {
      private let seconds = Locked(0.0)
      var now: Date {
        seconds.withLock { seconds in
          seconds += 0.001
          return RandomFacts.start + seconds
        }
      }
      func wake(at date: Date, _ action: @escaping @Sendable () -> Void) -> WakeUp { WakeUp {} }
    }
    let storage = MemoryStorage()
    let monetizer = try TestShop.monetizer(storage: storage) { $0.time = Ticking() }
    await monetizer.start()
    let before = storage.load().records.count
    for _ in 0..<3 {
      try await monetizer.spend("story")
      _ = monetizer.decision(for: "story")
    }
    #expect(storage.load().records.count == before + 3)
  }

  @Test("An installation's name is written with its first fact, once") func installationOnce() async throws {
    let storage = MemoryStorage()
    let monetizer = try TestShop.monetizer(storage: storage)
    await monetizer.start()
    func names() -> Int { storage.load().records.filter { String(decoding: $0, as: UTF8.self).contains("\"installation\"") }.count }
    try await monetizer.spend("story")
    #expect(names() == 1)
    try await monetizer.spend("story")
    #expect(names() == 1)
  }

  @Test("B9: two installations are two sources, and each keeps its name, which no other device learns") func installation() async throws {
    let catalog = try Catalog(json: Data(Self.coins.utf8))
    let storage = MemoryStorage()
    let (phone, tablet) = (try TestShop.monetizer(storage: storage, catalog: catalog), try TestShop.monetizer(catalog: catalog))
    await phone.as(.customer).earn(10, for: "p1")
    await tablet.as(.customer).earn(7, for: "p1")
    await phone.merge(tablet.sharedFacts)
    #expect(phone.as(.customer).coins == 17)
    #expect(try TestShop.monetizer(storage: storage, catalog: catalog).parts.source == phone.parts.source)
    #expect(phone.parts.source != tablet.parts.source)
    #expect(!phone.sharedFacts.contains { $0.name == "installation" })
  }

  @Test("B1: no entries of coins stop the process") func endlessCoins() async throws {
    let monetizer = try TestShop.monetizer(catalog: Catalog(json: Data(Self.coins.utf8)))
    let customer = monetizer.as(.customer)
    await customer.earn(.max, for: "p1")
    await customer.earn(1, for: "p2")
    #expect(customer.coins > 1_000_000)
    try await customer.buy("hats/hat", of: "shop")
  }

  @Test("B8: an unsettled reservation delays a change of account for a limited time") func forgottenReservation() async throws {
    let time = TestTime()
    let guest = try TestShop.monetizer(time: time)
    let reservation = try await guest.reserve(AccessRequest("trial"))
    let handOver = Task { try await guest.handOver(to: "ann", storage: .memory) }
    while !guest.parts.work.isClosed { try await Task.sleep(nanoseconds: 1_000_000) }
    time.advance(Monetizer.handOverPatience)
    await #expect(throws: StorageError.self) { try await handOver.value }
    try await guest.spend("trial")
    await guest.release(reservation)
    #expect(try await guest.handOver(to: "ann", storage: .memory).decision(for: "trial").isAllowed)
  }

  @Test("A use without work is one record; with work it is two: reserved before, counted after; a denial is none") func spendIsOneRecord()
    async throws
  {
    let storage = MemoryStorage()
    let monetizer = try TestShop.monetizer(storage: storage)
    for spent in 1...3 {
      try await monetizer.spend("trial")
      #expect(storage.load().records.count == spent)
    }
    await #expect(throws: AccessDenied.self) { try await monetizer.spend("trial") }
    #expect(storage.load().records.count == 3)
    try await monetizer.withSpending("story") { #expect(storage.load().records.count == 4) }
    #expect(storage.load().records.count == 5)
  }

  @Test("Two monetizers of one file see each other's uses and purchases before they decide") func twoMonetizers() async throws {
    let url = temporary()
    defer { for name in ["", ".lock"] { try? FileManager.default.removeItem(atPath: url.path + name) } }
    let (app, widget) = (try TestShop.monetizer(selling(), storage: .file(url)), try TestShop.monetizer(storage: .file(url)))
    for _ in 0..<2 { try await app.spend("trial") }
    try await widget.spend("trial")
    await #expect(throws: AccessDenied.self) { try await widget.spend("trial") }
    await #expect(throws: AccessDenied.self) { try await app.spend("trial") }
    #expect(app.decision(for: "trial").used == 3)
    _ = try await app.purchase("pack")
    await widget.refresh()
    #expect(widget.allows("extra"))
  }

  @Test("Law 7: a later time that another process has recorded is the time here, and an earlier one is not") func twoClocks() async throws {
    let storage = FileStorage(path: "d/state", files: MemoryDisk())
    let (early, late) = (TestTime(), TestTime(RandomFacts.start + 3600))
    let (app, widget) = (try TestShop.monetizer(storage: storage, time: early), try TestShop.monetizer(storage: storage, time: late))
    try await widget.spend("trial")
    await app.refresh()
    #expect(app.now == late.now)
    early.advance(7200)
    try await app.spend("trial")
    await widget.refresh()
    #expect(widget.now == early.now && app.now == early.now)
  }

  @Test("Uses of another source are one record") func oneRecord() async throws {
    let storage = MemoryStorage()
    let monetizer = try TestShop.monetizer(storage: storage)
    await monetizer.record(
      (0..<50).map { Use(key: "\($0)", feature: "trial", source: "server", date: RandomFacts.start, day: 1, zone: "GMT") })
    #expect(storage.load().records.count == 1)
  }
}

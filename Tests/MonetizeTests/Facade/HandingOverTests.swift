// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Signing in and out: one monetizer replaces another.
@Suite(.timeLimit(.minutes(30)))
struct HandingOverTests {
  private struct Device {
    let guest = MemoryStorage()
    let ann = MemoryStorage()
    let store: ScriptedStore
    let time = TestTime()
    init(_ store: ScriptedStore = ScriptedStore()) { self.store = store }

    func launch() throws -> Monetizer { try TestShop.monetizer(store, storage: guest, time: time) }
  }

  private func trial(_ monetizer: Monetizer) -> Int? { monetizer.decision(for: "trial").remaining }

  @Test("Two calls with one key are one reservation: a change of account waits for no third one to end", arguments: [true, false])
  func heldTwice(commits: Bool) async throws {
    let device = Device()
    let guest = try device.launch()
    let first = try await guest.reserve(AccessRequest("trial"), key: "k")
    let second = try await guest.reserve(AccessRequest("trial"), key: "k")
    for reservation in [first, second] {
      if commits { await guest.commit(reservation) } else { await guest.release(reservation) }
    }
    let ann = try await guest.handOver(to: "ann", policy: .transfer, storage: device.ann)
    #expect(trial(ann) == (commits ? 2 : 3))
  }

  @Test("A time that was seen, and not written yet, is known after signing in: a clock that is set back gains nothing by it")
  func timeSeen() async throws {
    let device = Device()
    let guest = try device.launch()
    let start = device.time.now
    device.time.advance(86400)
    #expect(guest.parts.clock.now == start + 86400)
    device.time.set(start)
    let ann = try await guest.handOver(to: "ann", storage: device.ann)
    #expect(ann.parts.clock.now == start + 86400)
  }

  @Test("keep: the account begins with its own facts, and after signing out all of the guest's are there") func keep() async throws {
    let device = Device()
    let guest = try device.launch()
    try await guest.spend("trial")
    await guest.complete("none/1")
    let ann = try await guest.handOver(to: "ann", storage: device.ann)
    #expect(trial(ann) == 3)
    try await ann.spend("trial", count: 2)
    let again = try await ann.handOver(to: nil, storage: device.guest)
    #expect(trial(again) == 2)
    let back = try await again.handOver(to: "ann", storage: device.ann)
    #expect(trial(back) == 1)
  }

  @Test("DEF-P11: transfer: the account continues from the guest, and the guest begins anew, also after a relaunch")
  func transfer() async throws {
    let device = Device()
    let guest = try device.launch()
    try await guest.spend("trial", count: 2)
    await guest.as(.customer).earn(30, for: "p1")
    let ann = try await guest.handOver(to: "ann", policy: .transfer, storage: device.ann)
    #expect(trial(ann) == 1 && ann.as(.customer).coins == 30)
    #expect(trial(guest) == 3 && guest.as(.customer).coins == 0)
    #expect(try trial(device.launch()) == 3)
    #expect(try trial(TestShop.monetizer(storage: device.ann)) == 1)
  }

  @Test("share: repeated signing in and out gives no additional use", arguments: 1...6) func share(seed: Int) async throws {
    let device = Device()
    var monetizer = try device.launch()
    var used = 0
    for round in 0..<8 {
      if (round + seed) % 3 != 0 { used += (try? await monetizer.spend("trial")) == nil ? 0 : 1 }
      let isGuest = round % 2 == 0
      monetizer = try await monetizer.handOver(
        to: isGuest ? "ann" : nil, policy: .share, storage: isGuest ? device.ann : device.guest)
      #expect(trial(monetizer) == 3 - used)
    }
    #expect(used == 3)
  }

  @Test("The old monetizer is closed: it denies uses, records nothing, does not listen, and its streams end") func closed() async throws {
    let device = Device()
    let guest = try device.launch()
    await guest.start()
    let snapshots = guest.snapshots
    let events = guest.events
    let ann = try await guest.handOver(to: "ann", policy: .transfer, storage: device.ann)
    let denial = await #expect(throws: AccessDenied.self) { try await guest.spend("trial") }
    #expect(denial?.decision.reason == .handedOver)
    await guest.as(.customer).earn(5, for: "late")
    await guest.give(["x"], id: "late")
    #expect(await guest.refresh()?.code == .cancelled)
    #expect(await guest.merge([.wallet(WalletEntry(id: "late", earned: 1))]).news.isEmpty)
    for await _ in snapshots {}
    for await _ in events {}
    // Streams requested afterwards also end.
    for await _ in guest.snapshots {}
    for await _ in guest.events {}
    let written = device.guest.load()
    await device.store.deliver(.transaction(SignedTransaction(TestShop.transaction())))
    #expect(!guest.allows("extra") && guest.state.transactions.isEmpty)
    #expect(device.guest.load() == written)
    #expect(ann.state.wallet.isEmpty)
    await ann.start()
    await device.store.deliver(.transaction(SignedTransaction(TestShop.transaction())))
    #expect(ann.allows("extra"))
  }

  @Test("A second call for the same account returns the same monetizer; for another one it throws") func again() async throws {
    let device = Device()
    let guest = try device.launch()
    try await guest.spend("trial")
    async let first = guest.handOver(to: "ann", policy: .transfer, storage: device.ann)
    async let second = guest.handOver(to: "ann", policy: .transfer, storage: device.ann)
    let (a, b) = try await (first, second)
    #expect(a === b && trial(a) == 2)
    #expect(try await guest.handOver(to: "ann", storage: device.ann) === a)
    await #expect(throws: StorageError.self) { try await guest.handOver(to: "bob", storage: .memory) }
    // To itself: its own storage is not emptied.
    #expect(try await a.handOver(to: "ann", policy: .transfer, storage: device.ann) === a)
    #expect(trial(a) == 2)
  }

  @Test("It waits for running work, which is counted before the facts move") func waits() async throws {
    let device = Device()
    let guest = try device.launch()
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (goOn, end) = AsyncStream.makeStream(of: Void.self)
    let work = Task {
      try await guest.withSpending("trial") {
        begin.finish()
        for await _ in goOn {}
      }
    }
    for await _ in begun {}
    let handOver = Task { try await guest.handOver(to: "ann", policy: .transfer, storage: device.ann) }
    while !guest.parts.work.isClosed { await Task.yield() }
    #expect(device.ann.load().records.isEmpty)
    // It waits for a minute, and no longer.
    #expect(!device.time.isCalled(within: 59) && device.time.isCalled(within: 60))
    end.finish()
    try await work.value
    #expect(try await trial(handOver.value) == 2)
    #expect(try trial(TestShop.monetizer(storage: device.ann)) == 2)
    #expect(try trial(device.launch()) == 3)
  }

  @Test("What is recorded while a hand-over waits moves with the facts, or stays when it fails", arguments: [true, false])
  func recordedMeanwhile(fails: Bool) async throws {
    let (device, storage) = (Device(ScriptedStore { $0.unfinished = [] }), RefusingStorage())
    let guest = try device.launch()
    await guest.start()
    let reservation = try await guest.reserve(AccessRequest("trial"))
    storage.isRefusing = fails
    let handOver = Task { try await guest.handOver(to: "ann", policy: .transfer, storage: storage) }
    while !guest.parts.work.isClosed { await Task.yield() }
    await guest.as(.customer).earn(5, for: "p1")
    // Each account reads its purchases from the store.
    device.store.change { $0.read = StoreAnswer(transactions: [SignedTransaction(TestShop.transaction())]) }
    await device.store.deliver(.transaction(SignedTransaction(TestShop.transaction())))
    await guest.release(reservation)
    let next = fails ? guest : try await handOver.value
    if fails { await #expect(throws: StorageError.self) { try await handOver.value } }
    if !fails { await next.refresh() }
    #expect(next.as(.customer).coins == 5 && next.state.transactions["1"] != nil)
    #expect(try TestShop.monetizer(storage: fails ? device.guest : storage.inner).as(.customer).coins == 5)
  }

  @Test("What is recorded while a hand-over moves the facts waits for its result", arguments: [true, false])
  func recordedDuringTheMove(isDone: Bool) async {
    let operations = Operations()
    #expect(await operations.close(by: TrustedClock(TestTime(), seen: nil), within: 10))
    let isWaiting = Locked(false)
    let recorded = Task {
      isWaiting.set(true)
      return await operations.record()
    }
    while !isWaiting.copy { await Task.yield() }
    // Lets the task go on into `record`. If it has not, the result is the same, and only a record that never ends remains unnoticed.
    for _ in 0..<1000 { await Task.yield() }
    operations.conclude(handedOver: isDone)
    #expect(await recorded.value == !isDone)
    #expect(operations.isClosed == isDone)
  }

  @Test("Law 6: each of several simultaneous uses is counted by one of the two, or denied", arguments: HandOverPolicy.allCases)
  func concurrent(_ policy: HandOverPolicy) async throws {
    let json = """
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "story": { "allowance": "count" } },
        "freeTier": { "grants": { "story": 1000 } } }
      """
    let catalog = try Catalog(json: Data(json.utf8))
    for _ in 0..<20 {
      let (old, new) = (MemoryStorage(), MemoryStorage())
      let guest = try TestShop.monetizer(storage: old, catalog: catalog)
      async let handOver = guest.handOver(to: "ann", policy: policy, storage: new)
      let counted = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<64 { group.addTask { (try? await guest.withSpending("story") { await Task.yield() }) != nil } }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      let ann = try await handOver
      let (here, there) = (guest.decision(for: "story").used, ann.decision(for: "story").used)
      #expect(here == (policy == .transfer ? 0 : counted) && there == (policy == .keep ? 0 : counted))
      // The same holds on disk.
      #expect(try TestShop.monetizer(storage: old, catalog: catalog).decision(for: "story").used == here)
      #expect(try TestShop.monetizer(storage: new, catalog: catalog).decision(for: "story").used == there)
    }
  }

  @Test("With a storage that refuses, the old monetizer continues with everything, and a second try completes", arguments: [true, false])
  func refused(newOne: Bool) async throws {
    let (old, new) = (RefusingStorage(), RefusingStorage())
    let guest = try TestShop.monetizer(storage: old)
    try await guest.spend("trial")
    if newOne { new.isRefusing = true } else { old.isRefusing = true }
    await #expect(throws: StorageError.self) { try await guest.handOver(to: "ann", policy: .transfer, storage: new) }
    #expect(trial(guest) == 2)
    (old.isRefusing, new.isRefusing) = (false, false)
    try await guest.spend("trial")
    let ann = try await guest.handOver(to: "ann", policy: .transfer, storage: new)
    #expect(trial(ann) == 1)
    #expect(try trial(TestShop.monetizer(storage: old.inner)) == 3)
    #expect(try trial(TestShop.monetizer(storage: new.inner)) == 1)
  }

  @Test("PUZZ-16: after an end between any two writes, nothing is lost or counted twice, and another hand-over completes it")
  func killedAnywhere() async throws {
    func open(_ disk: MemoryDisk, _ name: String) throws -> (storage: FileStorage, monetizer: Monetizer) {
      let storage = FileStorage(path: "d/\(name)", files: disk)
      return (storage, try TestShop.monetizer(storage: storage))
    }
    func prepare(_ disk: MemoryDisk) async throws -> Monetizer {
      let (_, ann) = try open(disk, "ann")
      try await ann.spend("trial", key: "b")
      let (_, guest) = try open(disk, "guest")
      try await guest.spend("trial", key: "a")
      await guest.as(.customer).earn(30, for: "p1")
      return guest
    }
    let whole = MemoryDisk()
    let first = try await prepare(whole)
    let before = whole.steps
    _ = try await first.handOver(to: "ann", policy: .transfer, storage: open(whole, "ann").storage)
    #expect(whole.steps > before + 4)
    for crash in before + 1...whole.steps + 1 {
      for (torn, loses) in [(0, false), (2, false), (0, true), (4, true)] {
        let disk = MemoryDisk(crashAt: crash, torn: torn)
        let guest = try await prepare(disk)
        _ = try? await guest.handOver(to: "ann", policy: .transfer, storage: open(disk, "ann").storage)
        let after = disk.afterCrash(losesUnsynced: loses)
        let place: Comment = "step \(crash) of \(before)...\(whole.steps), torn \(torn)/4, \(loses ? "power cut" : "killed")"
        let (there, here) = (try open(after, "ann").monetizer, try open(after, "guest").monetizer)
        // In both storages, or in the new one.
        let isDone = there.as(.customer).coins == 30
        #expect(isDone || here.as(.customer).coins == 30, place)
        #expect([1, 2].contains(trial(there)) && [2, 3].contains(trial(here)), place)
        let ann = try await here.handOver(to: "ann", policy: .transfer, storage: open(after, "ann").storage)
        #expect(trial(ann) == 1 && ann.as(.customer).coins == 30, place)
        let left = try open(after, "guest").monetizer
        #expect(trial(left) == 3 && left.as(.customer).coins == 0, place)
      }
    }
  }

  @Test("A transfer takes what another process wrote to the guest's file, and that process brings nothing back") func otherProcess()
    async throws
  {
    let disk = MemoryDisk()
    func open() throws -> Monetizer { try TestShop.monetizer(storage: FileStorage(path: "d/guest", files: disk)) }
    let guest = try open()
    try await guest.spend("trial", key: "a")
    let other = try open()
    try await other.spend("trial", key: "b")
    let sleeper = try open()
    let ann = try await guest.handOver(to: "ann", policy: .transfer, storage: FileStorage(path: "d/ann", files: disk))
    #expect(trial(ann) == 1)
    try await other.spend("trial", key: "c")
    #expect(try trial(other) == 2 && trial(open()) == 2)
    // Until it shortens the file, and after that.
    for number in 0..<300 { await other.as(.customer).earn(1, for: "\(number)") }
    await other.written()
    #expect(try trial(open()) == 2 && open().as(.customer).coins == 300)
    // Nor does a process that has slept until then.
    try await sleeper.spend("trial", key: "d")
    #expect(try trial(sleeper) == 1 && trial(open()) == 1)
    let again = try await open().handOver(to: "ann", policy: .transfer, storage: FileStorage(path: "d/ann", files: disk))
    #expect(trial(again) == 0 && again.as(.customer).coins == 300)
    await other.refresh()
    #expect(trial(other) == 3 && other.as(.customer).coins == 0)
  }

  @Test("A transfer is refused when another process writes meanwhile, and the next one takes that, too") func otherWriter() async throws {
    final class Meddling: StateStorage {
      let inner: FileStorage
      let meddle: Locked<Int>
      let guest: FileStorage
      init(_ disk: MemoryDisk) {
        (inner, guest, meddle) = (FileStorage(path: "d/ann", files: disk), FileStorage(path: "d/guest", files: disk), Locked(1))
      }
      func load() throws(StorageError) -> StoredRecords { try inner.load() }
      func append(_ record: Data) throws(StorageError) {
        try inner.append(record)
        if meddle.withLock({ left in
          defer { left = 0 }
          return left > 0
        }) {
          try guest.append(Journal.record([.wallet(WalletEntry(id: "late", earned: 7))]))
        }
      }
      func replace(with records: [Data]) throws(StorageError) { try inner.replace(with: records) }
    }
    let disk = MemoryDisk()
    let storage = Meddling(disk)
    let guest = try TestShop.monetizer(storage: FileStorage(path: "d/guest", files: disk))
    try await guest.spend("trial", key: "a")
    await #expect(throws: StorageError.self) { try await guest.handOver(to: "ann", policy: .transfer, storage: storage) }
    #expect(trial(guest) == 2)
    let ann = try await guest.handOver(to: "ann", policy: .transfer, storage: storage)
    #expect(trial(ann) == 2 && ann.as(.customer).coins == 7)
    let left = try TestShop.monetizer(storage: FileStorage(path: "d/guest", files: disk))
    #expect(trial(left) == 3 && left.as(.customer).coins == 0)
  }

  @Test("Law 7: a clock that was set back gains nothing from signing out") func time() async throws {
    let device = Device()
    let guest = try device.launch()
    device.time.set(RandomFacts.start + 40 * 86400)
    for _ in 0..<3 { try await guest.spend("story") }
    let ann = try await guest.handOver(to: "ann", storage: device.ann)
    device.time.set(RandomFacts.start)
    let again = try await ann.handOver(to: nil, storage: device.guest)
    #expect(again.decision(for: "story").remaining == 0)
    #expect(ann.now >= RandomFacts.start + 40 * 86400)
  }

  @Test("Purchases are read from the store again, and count for their own account") func purchases() async throws {
    var bought = TestShop.transaction()
    bought.account = "ann"
    let device = Device(ScriptedStore { [bought] in $0.read = StoreAnswer(transactions: [SignedTransaction(bought)]) })
    let guest = try device.launch()
    let ann = try await guest.handOver(to: "ann", policy: .transfer, storage: device.ann)
    #expect(ann.decision(for: "extra").reason == .unknown)
    await ann.start()
    #expect(ann.allows("extra"))
    let bob = try await ann.handOver(to: "bob", policy: .transfer, storage: .memory)
    await bob.start()
    #expect(!bob.allows("extra"))
  }

  @Test("Credits move with their uses: a hand-over neither loses nor doubles purchases") func credits() async throws {
    let catalog = try Catalog(
      json: Data(
        TestShop.json(
          products: #", { "kind": "consumable", "id": "ten", "name": "Ten", "credits": { "trial": 10 } }"#
        ).utf8))
    let ten = StoreTransaction(id: "c1", productID: "ten", purchaseDate: RandomFacts.start)
    let store = ScriptedStore { $0.purchase = { _ throws(StoreError) in .success(SignedTransaction(ten)) } }
    let (guestFile, annFile, guestKeychain, annKeychain) = (MemoryStorage(), MemoryStorage(), MemoryStorage(), MemoryStorage())
    let guest = Monetizer(catalog: catalog) {
      ($0.store, $0.storage, $0.secureStorage, $0.startsByItself) = (store, guestFile, guestKeychain, false)
    }
    _ = try await guest.purchase("ten")
    for _ in 0..<5 { try await guest.spend("trial") }
    let ann = try await guest.handOver(to: "ann", policy: .transfer, storage: annFile, secureStorage: annKeychain)
    #expect(ann.decision(for: "trial").remaining == 8)
    let again = try await ann.handOver(to: nil, storage: guestFile, secureStorage: guestKeychain)
    #expect(trial(again) == 3)
    // They are gone from the app's folder and from the secure storage.
    let reinstalled = Monetizer(catalog: catalog) { ($0.secureStorage, $0.startsByItself) = (guestKeychain, false) }
    #expect(trial(reinstalled) == 3)
  }

  @Test("Overlays stay applied: signing in changes no arm") func overlays() async throws {
    let device = Device()
    let guest = try device.launch()
    try guest.apply([Overlay(json: Data(#"{ "id": "five", "patch": { "freeTier": { "grants": { "trial": 5 } } } }"#.utf8))])
    #expect(try await trial(guest.handOver(to: "ann", storage: device.ann)) == 5)
  }

  @Test("What the new account could read from its start is no change of access") func news() async throws {
    let device = Device()
    let guest = try device.launch()
    try await guest.spend("trial", count: 3)
    let ann = try await guest.handOver(to: "ann", policy: .transfer, storage: device.ann)
    #expect(!ann.allows("trial"))
    let events = ann.events
    await ann.as(.customer).earn(1, for: "a")
    ann.stop()
    for await event in events { #expect(event.name != .accessChanged) }
  }
}

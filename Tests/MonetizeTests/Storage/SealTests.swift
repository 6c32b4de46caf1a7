// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Attacks on a sealed state file and their results: each row of the table in Docs/Guides/Privacy.md.
@Suite(.timeLimit(.minutes(30)))
struct SealTests {
  private static let text = """
    { "schemaVersion": 1, "app": { "id": "test.shop", "name": "Shop" },
      "features": { "story": { "allowance": "count", "per": "month" }, "extra": {} },
      "freeTier": { "grants": { "story": 5 } },
      "entitlements": { "gift": { "grants": { "extra": true } } },
      "products": [
        { "kind": "nonConsumable", "id": "pack", "name": "Pack", "grants": { "extra": true } },
        { "kind": "consumable", "id": "coin", "name": "Coin", "credits": { "story": 50 } }] }
    """

  private final class CountingStore: SecureStore {
    let memory = MemorySecureStore()
    let writes = Locked(0)
    func read() -> Data? { memory.read() }
    func write(_ value: Data) {
      writes.withLock { $0 += 1 }
      memory.write(value)
    }
  }

  @Test("The secure store is written for a change of the file only") func rarely() throws {
    let secure = CountingStore()
    let storage = SealedStorage(FileStorage(path: "d/state", files: MemoryDisk()), by: secure)
    try storage.append(Data("[]".utf8))
    let writes = secure.writes.copy
    for _ in 0..<3 { try storage.change { _ in nil } }
    #expect(secure.writes.copy == writes)
    try storage.append(Data("[]".utf8))
    #expect(secure.writes.copy > writes)
  }

  @Test("A record without a code is its own content, however it begins and however long it is")
  func withoutCode() {
    let exact = String(repeating: "x", count: 32)
    let spaced = #"[{"feature":"story","note":"four stories"}]"#
    #expect(spaced.dropFirst(32).first == " ")
    for text in [#"{"fact of a later version":"which is longer than a code"}"#, "[]", #"{"removals":1}"#, exact, exact + "x", "", spaced] {
      let (code, content) = SealedStorage.parts(of: Data(text.utf8))
      #expect(code == nil && content == Data(text.utf8))
    }
  }

  @Test("A file is broken until it is written again, however often it is looked at") func staysBroken() throws {
    let disk = MemoryDisk()
    let storage = SealedStorage(FileStorage(path: "d/state", files: disk), by: MemorySecureStore())
    try storage.append(Data("[1]".utf8))
    try FileStorage(path: "d/state", files: disk).append(Data("[2]".utf8))
    var lost: [Bool] = []
    for _ in 0..<2 {
      try storage.change {
        lost.append($0.isLost)
        return nil
      }
    }
    try storage.change { _ in .replace([Data("[1]".utf8)]) }
    try storage.change {
      lost.append($0.isLost)
      return nil
    }
    #expect(lost == [true, true, false])
  }

  /// A customer's device: its file, and its private secure store.
  private struct Device {
    let disk: MemoryDisk
    let secure = MemorySecureStore()
    let time = TestTime()
    let store = ScriptedStore { $0.read = nil }

    init(_ bytes: [UInt8]? = nil) {
      disk = MemoryDisk()
      if let bytes { disk.put(bytes, at: "d/state") }
    }

    func storage() -> SealedStorage { SealedStorage(FileStorage(path: "d/state", files: disk), by: secure) }
    func launch(_ log: EventLog = EventLog()) throws -> Monetizer {
      try TestShop.monetizer(store, storage: storage(), time: time, catalog: Catalog(json: Data(SealTests.text.utf8)), log: log)
    }
    var bytes: [UInt8] { (try? disk.read("d/state")) ?? [] }
    var lines: [String] { String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init) }
    func put(_ lines: [String]) { disk.put(Array((lines.joined(separator: "\n") + "\n").utf8), at: "d/state") }
  }

  /// A forged line by a person who knows the checksum and not the key.
  private func forged(_ fact: Fact, like line: String? = nil) throws -> String {
    let code = line.map { String($0.dropFirst(9).prefix(33)) } ?? ""
    let record = Data(code.utf8) + (try Journal.record([fact]))
    return "\(Checksum.hex([UInt8](record))) \(String(decoding: record, as: UTF8.self))"
  }

  /// Three of five stories are used, and a gift was made.
  private func used() async throws -> Device {
    let device = Device()
    let monetizer = try device.launch()
    for number in 0..<3 { try await monetizer.spend("story", key: "\(number)") }
    return device
  }

  private func expectNoticed(_ device: Device, _ row: Comment) async throws {
    let log = EventLog()
    let monetizer = try device.launch(log)
    #expect(log.count(.stateDamaged) == 1, row)
    #expect(!monetizer.allows("story") && !monetizer.allows("extra"), row)
    #expect(device.disk.names.contains("d/state.damaged-1"), row)
    // It stays so after a relaunch, until the period is over, and the trusted facts are sealed again.
    await monetizer.settled()
    #expect(try device.launch().allows("story") == false, row)
    device.time.advance(32 * 86400)
    #expect(try device.launch().allows("story"), row)
    #expect(try device.storage().load().damaged == nil, row)
  }

  @Test("An untouched file is trusted by every later launch and by another process, through folding and crashes") func untouched()
    async throws
  {
    let device = try await used()
    let (first, second) = (try device.launch(), try device.launch())
    try await first.spend("story", key: "first")
    try await second.spend("story", key: "second")
    #expect(first.decision(for: "story").used == 4 || first.decision(for: "story").used == 5)
    let log = EventLog()
    let third = try device.launch(log)
    #expect(third.decision(for: "story").used == 5 && log.names.isEmpty)
    #expect(device.lines.dropFirst().allSatisfy { $0.dropFirst(41).first == " " })
  }

  @Test("A forged gift is noticed and opens nothing, with a copied code or without one") func gift() async throws {
    for copies in [true, false] {
      let device = try await used()
      let gift = Fact.grant(ComplimentaryGrant(id: "mine", entitlements: ["gift"], from: RandomFacts.start))
      device.put(device.lines + [try forged(gift, like: copies ? device.lines.last : nil)])
      try await expectNoticed(device, "copies: \(copies)")
    }
  }

  @Test("A gift of the app is trusted, also when a later line is broken") func realGift() async throws {
    let device = try await used()
    await (try device.launch()).give(["gift"], id: "real")
    #expect(try device.launch().allows("extra"))
    device.put(device.lines + [try forged(.time(TimeSeen(latest: RandomFacts.start)))])
    #expect(try device.launch().allows("extra") && device.launch().allows("story") == false)
  }

  @Test("A forged purchase is noticed: it is unknown until the store's answer, which denies it") func purchase()
    async throws
  {
    let device = try await used()
    device.put(device.lines + [try forged(.transaction(TestShop.transaction("forged", "pack")))])
    let monetizer = try device.launch()
    #expect(monetizer.decision(for: "extra").reason == .unknown)
    device.store.change { $0.read = StoreAnswer(transactions: []) }
    await monetizer.start()
    #expect(!monetizer.allows("extra"))
  }

  @Test("A real purchase in a file whose seal is broken comes back with the store's answer") func realPurchase() async throws {
    let device = Device()
    let transaction = TestShop.transaction("1", "pack")
    device.store.change { $0.read = StoreAnswer(transactions: [SignedTransaction(transaction)]) }
    let first = try device.launch()
    await first.start()
    #expect(first.allows("extra"))
    device.store.change { $0.read = nil }
    #expect(try device.launch().allows("extra"), "What the store can confirm is believed from the file.")
    device.put(device.lines + [try forged(.time(TimeSeen(latest: RandomFacts.start)))])
    let second = try device.launch()
    #expect(second.decision(for: "extra").reason == .unknown)
    device.store.change { $0.read = StoreAnswer(transactions: [SignedTransaction(transaction)]) }
    await second.refresh()
    #expect(second.allows("extra"))
    #expect(try device.launch().allows("extra"))
  }

  @Test("Forged credits are noticed and give nothing") func credits() async throws {
    let device = try await used()
    device.put(device.lines + [try forged(.transaction(TestShop.transaction("forged", "coin")))])
    #expect(try device.launch().allows("story") == false)
  }

  @Test("Removed, changed and reordered uses are noticed") func middle() async throws {
    for change in 0..<3 {
      let device = try await used()
      var lines = device.lines
      if change == 0 { lines.remove(at: 2) }
      if change == 1 { lines.swapAt(2, 3) }
      if change == 2, let use = Journal.load(device.storage()).state.usage.uses.first {
        lines[2] = try forged(.use(use.released), like: lines[2])
      }
      device.put(lines)
      try await expectNoticed(device, "change \(change)")
    }
  }

  @Test("Lines cut off the end are noticed, for any number") func cut() async throws {
    for count in 1...2 {
      let device = try await used()
      device.put(device.lines.dropLast(count))
      try await expectNoticed(device, "\(count) lines")
    }
  }

  @Test("Lines removed from the beginning are noticed, also when the code of the last of them is moved into the next line") func beginning()
    async throws
  {
    for first in 2..<(try await used().lines.count) {
      let device = try await used()
      let lines = device.lines
      let (code, before) = (lines[first].dropFirst(9).prefix(32), lines[first - 1].dropFirst(9).prefix(32))
      let record = "\(code) \(before)\(lines[first].dropFirst(42))"
      device.put([lines[0], "\(Checksum.hex(Array(record.utf8))) \(record)"] + lines[(first + 1)...])
      try await expectNoticed(device, "all lines before \(first)")
    }
  }

  @Test("A restored older file is noticed, and so are one of another device and one without seals") func others() async throws {
    let device = try await used()
    let old = device.bytes
    try await (try device.launch()).spend("story", key: "fourth")
    device.disk.put(old, at: "d/state")
    try await expectNoticed(device, "an older one")

    let (mine, other) = (try await used(), try await used())
    mine.disk.put(other.bytes, at: "d/state")
    try await expectNoticed(mine, "another device's")

    let bare = try await used()
    bare.put([bare.lines[0], try forged(.time(TimeSeen(latest: RandomFacts.start)))])
    try await expectNoticed(bare, "without seals")
  }

  @Test("A deleted file is a fresh start, as after a reinstallation: only surviving facts are kept") func deleted() async throws {
    let device = try await used()
    let fresh = Device([])
    #expect(try fresh.launch().decision(for: "story").remaining == 5)
    device.disk.put([], at: "d/state")
    let log = EventLog()
    let monetizer = try device.launch(log)
    #expect(monetizer.decision(for: "story").remaining == 5 && log.names.isEmpty)
    try await monetizer.spend("story")
    #expect(try device.launch().decision(for: "story").used == 1)
  }

  @Test("A file from before the seal is trusted once, and sealed with the first record") func upgrade() async throws {
    let device = Device()
    let before = try TestShop.monetizer(
      storage: FileStorage(path: "d/state", files: device.disk), catalog: Catalog(json: Data(Self.text.utf8)))
    try await before.spend("story", key: "old")
    try await (try device.launch()).spend("story", key: "new")
    #expect(device.lines.dropFirst().allSatisfy { $0.dropFirst(41).first == " " })
    let log = EventLog()
    #expect(try device.launch(log).decision(for: "story").used == 2 && log.names.isEmpty)
  }

  @Test("Two processes that seal a file, or write one with a broken seal anew, lose nothing of each other", arguments: [false, true])
  func together(isBroken: Bool) async throws {
    let device = isBroken ? try await used() : Device()
    if isBroken {
      device.put(device.lines + [try forged(.time(TimeSeen(latest: RandomFacts.start)))])
    } else {
      try FileStorage(path: "d/state", files: device.disk).append(Journal.record([.wallet(WalletEntry(id: "old", earned: 1))]))
    }
    let (first, second) = (try device.launch(), try device.launch())
    // A process of an earlier version, which seals nothing.
    if !isBroken { try FileStorage(path: "d/state", files: device.disk).append(Journal.record([.wallet(WalletEntry(id: "p", earned: 2))])) }
    for (number, monetizer) in [first, second, first, second].enumerated() {
      await monetizer.as(.customer).earn(4 << number, for: "\(number)")
    }
    let log = EventLog()
    #expect(try device.launch(log).as(.customer).coins == (isBroken ? 60 : 63) && log.names.isEmpty)
    await first.refresh()
    #expect(first.as(.customer).coins == (isBroken ? 60 : 63))
    #expect(device.lines.dropFirst().allSatisfy { $0.dropFirst(41).first == " " })
  }

  @Test("What a later version wrote stays when a file that was broken meanwhile is written anew") func laterVersion() async throws {
    let device = try await used()
    let strange = Data("[{\"fromTheFuture\":{}}]".utf8)
    try device.storage().change { _ in .append(strange) }
    let monetizer = try device.launch()
    device.put(device.lines + [try forged(.time(TimeSeen(latest: RandomFacts.start)))])
    await monetizer.as(.customer).earn(1, for: "a")
    let loaded = try device.storage().load()
    #expect(loaded.damaged == nil && loaded.records.contains(strange))
  }

  private final class Closable: SecureStore {
    let inner = MemorySecureStore()
    let isClosed = Locked(false)
    func read() throws(StorageError) -> Data? {
      if isClosed.copy { throw StorageError("The device is locked.") }
      return inner.read()
    }
    func write(_ value: Data) throws(StorageError) { inner.write(value) }
  }

  @Test("A change that needs a key that cannot be read fails, and changes nothing") func unreadableKey() throws {
    let (disk, secure) = (MemoryDisk(), Closable())
    let storage = SealedStorage(FileStorage(path: "d/state", files: disk), by: secure)
    try storage.append(Data("[1]".utf8))
    secure.isClosed.set(true)
    #expect(throws: StorageError.self) { try storage.replace(with: [Data("[2]".utf8)]) }
    secure.isClosed.set(false)
    #expect(try storage.load().records == [Data("[1]".utf8)])
  }

  /// A store whose process ends as soon as the file has a record.
  private struct EndingStore: SecureStore {
    let disk: MemoryDisk
    let memory = MemorySecureStore()
    func read() -> Data? { memory.read() }
    func write(_ value: Data) throws(StorageError) {
      if (try? disk.read("d/state"))??.isEmpty == false { throw StorageError("The process has ended.") }
      memory.write(value)
    }
  }

  @Test("The key is kept before the first record that it seals, so that a process that ends right after the record loses nothing")
  func keyFirst() throws {
    let disk = MemoryDisk()
    let secure = EndingStore(disk: disk)
    func storage() -> SealedStorage { SealedStorage(FileStorage(path: "d/state", files: disk), by: secure) }
    let gift = ComplimentaryGrant(id: "g", entitlements: ["gift"], from: RandomFacts.start)
    try storage().append(Journal.record([.grant(gift)]))
    let loaded = Journal.load(storage())
    #expect(!loaded.isDamaged && loaded.state.grants.count == 1)
  }

  @Test("An unreadable secure store closes metered features, and nothing for good") func locked() async throws {
    let (disk, secure) = (MemoryDisk(), Closable())
    func launch() throws -> Monetizer {
      try TestShop.monetizer(
        storage: SealedStorage(FileStorage(path: "d/state", files: disk), by: secure), catalog: Catalog(json: Data(Self.text.utf8)))
    }
    try await (try launch()).spend("story", key: "a")
    secure.isClosed.set(true)
    let monetizer = try launch()
    #expect(!monetizer.allows("story"))
    secure.isClosed.set(false)
    await monetizer.refresh()
    #expect(monetizer.decision(for: "story").used == 1)
  }

  @Test("Every byte of a sealed file flipped, cut and inserted: noticed or harmless") func everyByte() async throws {
    let device = Device()
    try await (try device.launch()).spend("story", key: "1")
    await (try device.launch()).give(["gift"], id: "real")
    let (bytes, facts) = (device.bytes, Set(Journal.load(device.storage()).state.facts))
    var (noticed, harmless) = (0, 0)
    let firstEnd = bytes[StateFileContent.header.utf8.count...].firstIndex(of: UInt8(ascii: "\n")) ?? 0
    for index in bytes.indices {
      var variants = [UInt8(1), 0x20, 0x80].map { bit in
        var copy = bytes
        copy[index] ^= bit
        return copy
      }
      for byte in [UInt8(ascii: "\n"), bytes[index]] {
        variants.append(Array(bytes[..<index]) + [byte] + bytes[index...])
      }
      variants.append(Array(bytes[..<index] + bytes[(index + 1)...]))
      // Cut to less than a record, it is a fresh start, as if it had been deleted.
      if index > firstEnd { variants.append(Array(bytes[..<index])) }
      for variant in variants {
        device.disk.put(variant, at: "d/state")
        let loaded = Journal.load(device.storage())
        if loaded.isDamaged {
          noticed += 1
        } else if Set(loaded.state.facts) == facts {
          harmless += 1
        } else {
          Issue.record("index \(index): neither noticed nor harmless")
        }
      }
    }
    #expect(noticed > 10 * harmless)
    print("\(bytes.count) bytes flipped, cut and inserted: \(noticed) changes noticed, \(harmless) harmless, 0 others")
  }

  @Test("A record added to a file whose seal is broken, without reading it first, leaves a copy of the file as it was") func unread() throws
  {
    let (disk, secure) = (MemoryDisk(), MemorySecureStore())
    func storage() -> SealedStorage { SealedStorage(FileStorage(path: "d/state", files: disk), by: secure) }
    try storage().append(Data(#"[{"note":1}]"#.utf8))
    let key = MemorySecureStore()
    let other = SealedStorage(FileStorage(path: "d/state", files: disk), by: key)
    _ = try other.load()
    try other.append(Data(#"[{"note":2}]"#.utf8))
    let broken = try disk.read("d/state")
    try storage().append(Data(#"[{"note":3}]"#.utf8))
    #expect(try (1...2).contains { try disk.read("d/state.damaged-\($0)") == broken })
  }

  @Test(
    "A record added to a file whose seal another process has broken stays with the trusted ones, and what was forged is only in the copy",
    arguments: [true, false])
  func addedToBroken(isSameReader: Bool) throws {
    let (disk, secure) = (MemoryDisk(), MemorySecureStore())
    func storage() -> SealedStorage { SealedStorage(FileStorage(path: "d/state", files: disk), by: secure) }
    let first = storage()
    for record in ["[1]", "[2]"] { try first.append(Data(record.utf8)) }
    try FileStorage(path: "d/state", files: disk).append(Data("[3]".utf8))
    let broken = try disk.read("d/state")
    try (isSameReader ? first : storage()).append(Data("[4]".utf8))
    #expect(try storage().load() == StoredRecords(records: ["[1]", "[2]", "[4]"].map { Data($0.utf8) }))
    #expect(try disk.read("d/state.damaged-1") == broken)
  }

  @Test("The first record seals a file from before the seal, with all that it has") func addedToUnsealed() throws {
    let (disk, secure) = (MemoryDisk(), MemorySecureStore())
    try FileStorage(path: "d/state", files: disk).append(Data("[1]".utf8))
    func storage() -> SealedStorage { SealedStorage(FileStorage(path: "d/state", files: disk), by: secure) }
    try storage().append(Data("[2]".utf8))
    #expect(try storage().load() == StoredRecords(records: [Data("[1]".utf8), Data("[2]".utf8)]))
    #expect(try disk.read("d/state.damaged-1") == nil)
  }

  /// A store whose next value is an earlier one.
  private final class LateStore: SecureStore {
    let memory = MemorySecureStore()
    let next = Locked<Data?>(nil)
    func read() -> Data? { next.replace(with: nil) ?? memory.read() }
    func write(_ value: Data) { memory.write(value) }
  }

  @Test("A file that another process replaces during a read is not broken") func meanwhile() throws {
    let (disk, secure) = (MemoryDisk(), LateStore())
    func storage() -> SealedStorage { SealedStorage(FileStorage(path: "d/state", files: disk), by: secure) }
    try storage().append(Data("[1]".utf8))
    let before = secure.memory.read()
    try storage().replace(with: [Data("[2]".utf8)])
    try storage().append(Data("[3]".utf8))
    secure.next.set(before)
    #expect(try storage().load() == StoredRecords(records: [Data("[2]".utf8), Data("[3]".utf8)]))
  }

  @Test(
    "A gift that is inserted between two sealed records is not believed, with a code or without one",
    arguments: ["", "0123456789abcdef0123456789abcdef "])
  func inserted(code: String) throws {
    let (disk, secure) = (MemoryDisk(), MemorySecureStore())
    func storage() -> SealedStorage { SealedStorage(FileStorage(path: "d/state", files: disk), by: secure) }
    for id in ["a", "b"] { try storage().append(Journal.record([.wallet(WalletEntry(id: id, earned: 1))])) }
    let bytes = try #require(try disk.read("d/state"))
    let gift = ComplimentaryGrant(id: "forged", entitlements: ["gift"], from: RandomFacts.start)
    let forged = try StateFileContent.line(Data(code.utf8) + Journal.record([.grant(gift)]))
    let second = try #require(bytes.dropLast().lastIndex(of: UInt8(ascii: "\n"))) + 1
    disk.put(Array(bytes[..<second]) + forged + bytes[second...], at: "d/state")
    let loaded = Journal.load(storage())
    #expect(loaded.isDamaged && loaded.state.grants.isEmpty && loaded.state.wallet.count == 2)
  }

  @Test("No tool removes facts from a sealed file, because it has no key") func removal() throws {
    let disk = MemoryDisk()
    let file = FileStorage(path: "d/state", files: disk)
    try SealedStorage(file, by: MemorySecureStore()).append(Journal.record([.wallet(WalletEntry(id: "a", earned: 1))]))
    let bytes = try #require(try disk.read("d/state"))
    let removed = try StoredState(bytes).remove(from: FileStorage(path: "d/state", files: disk), leaving: { _ in [] }, { _ in true })
    #expect(try removed == nil && disk.read("d/state") == bytes)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// The parts of the state that survive a reinstallation.
@Suite(.timeLimit(.minutes(30)))
struct SecureStorageTests {
  private static let json = """
    { "schemaVersion": 1, "app": { "id": "test.secure", "name": "Secure" },
      "features": { "story": { "allowance": "count", "survivesReinstall": true }, "other": { "allowance": "count" } },
      "freeTier": { "grants": { "story": 2, "other": 2 } } }
    """

  private func launch(
    _ storage: any StateStorage, secure: (any StateStorage)?, time: TestTime = TestTime()
  ) throws -> Monetizer {
    try Monetizer(catalog: Catalog(json: Data(Self.json.utf8))) {
      $0.storage = storage
      $0.secureStorage = secure
      $0.time = time
      $0.startsByItself = false
    }
  }

  private final class LockedKeychain: StateStorage {
    func load() throws(StorageError) -> StoredRecords { throw StorageError("The device is locked.") }
    func append(_ record: Data) throws(StorageError) { throw StorageError("The device is locked.") }
    func replace(with records: [Data]) throws(StorageError) { throw StorageError("The device is locked.") }
  }

  @Test("DOZZI-12, DEF-D8, AMB-37: uses that survive a reinstallation still count after it, and the others do not")
  func reinstall() async throws {
    let secure = MemoryStorage()
    let first = try launch(.memory, secure: secure)
    try await first.spend("story", key: "a")
    try await first.spend("other")
    let second = try launch(.memory, secure: secure)
    #expect(second.decision(for: "story").remaining == 1)
    #expect(second.decision(for: "other").remaining == 2)
    try await second.spend("story", key: "a")
    #expect(second.decision(for: "story").remaining == 1)
    try await second.spend("story")
    #expect(try launch(.memory, secure: secure).decision(for: "story").isAllowed == false)
    #expect(try launch(.memory, secure: nil).decision(for: "story").remaining == 2)
  }

  @Test("AMB-37: only necessary facts go to the secure storage: no use of another feature, and no time alone")
  func onlyWhatIsNeeded() async throws {
    let secure = MemoryStorage()
    let monetizer = try launch(.memory, secure: secure)
    try await monetizer.spend("other")
    await monetizer.access.limit("other", to: .count(1))
    #expect(secure.load().records.isEmpty)
    await monetizer.access.limit("story", to: .count(1))
    #expect(secure.load().records.count == 1)
    #expect(try launch(.memory, secure: secure).decision(for: "story").limit == 1)
  }

  @Test("A time that is written with such a fact survives as well: a clock that is set back gains nothing by a reinstallation")
  func timeSurvives() async throws {
    let (secure, time) = (MemoryStorage(), TestTime())
    let first = try launch(.memory, secure: secure, time: time)
    time.advance(86400)
    try await first.spend("story")
    await first.written()
    #expect(try launch(.memory, secure: secure).now == RandomFacts.start + 86400)
  }

  @Test("AMB-37: each side gets the other's facts with the next written fact; a launch writes nothing")
  func exchange() async throws {
    let (storage, secure) = (MemoryStorage(), MemoryStorage())
    try await launch(storage, secure: nil).spend("story", key: "before the app had a secure storage")
    let second = try launch(storage, secure: secure)
    #expect(second.decision(for: "story").remaining == 1)
    #expect(secure.load().records.isEmpty)
    try await second.spend("other")
    #expect(try launch(.memory, secure: secure).decision(for: "story").remaining == 1)
    let fresh = MemoryStorage()
    try await launch(fresh, secure: secure).spend("other")
    #expect(try launch(fresh, secure: nil).decision(for: "story").remaining == 1)
  }

  @Test("AMB-37: failed work before a reinstallation costs nothing after it")
  func releasedUses() async throws {
    struct Failed: Error {}
    let secure = MemoryStorage()
    let first = try launch(.memory, secure: secure)
    await #expect(throws: Failed.self) { try await first.withSpending("story") { throw Failed() } }
    _ = try await first.reserve(AccessRequest("story"))
    #expect(try launch(.memory, secure: secure).decision(for: "story").remaining == 2)
  }

  @Test("XC-13: a damaged state closes metered features, except those that the secure storage covers")
  func damagedState() async throws {
    let disk = MemoryDisk()
    let storage = FileStorage(path: "d/state", files: disk)
    let secure = MemoryStorage()
    try await launch(storage, secure: secure).spend("story")
    var bytes = try #require(try disk.read("d/state"))
    bytes[bytes.count / 2] ^= 1
    disk.put(bytes, at: "d/state")
    let again = try launch(FileStorage(path: "d/state", files: disk), secure: secure)
    #expect(again.decision(for: "story").remaining == 1)
    #expect(again.decision(for: "other").isAllowed == false)
  }

  @Test("AMB-37: while the secure storage is unreadable, a new installation grants nothing metered; one with known uses continues")
  func locked() async throws {
    let storage = MemoryStorage()
    let secure = MemoryStorage()
    #expect(try launch(storage, secure: LockedKeychain()).decision(for: "story").isAllowed == false)
    #expect(storage.load().records.isEmpty)
    try await launch(storage, secure: secure).spend("story")
    let known = try launch(storage, secure: LockedKeychain())
    #expect(known.decision(for: "story").remaining == 1)
    // The keychain refuses it; it still counts, and is stored there at the next launch.
    try await known.spend("story")
    try await launch(storage, secure: secure).spend("other")
    #expect(try launch(.memory, secure: secure).decision(for: "story").isAllowed == false)
  }

  @Test("AMB-37: a secure storage that was unreadable at the start is read later, and what it closed opens") func readLater() async throws {
    let secure = RefusingStorage(alsoReading: true)
    try await launch(.memory, secure: secure).spend("story")
    secure.isRefusing = true
    let monetizer = try launch(.memory, secure: secure)
    #expect(!monetizer.allows("story"))
    secure.isRefusing = false
    await monetizer.refresh()
    #expect(monetizer.decision(for: "story").remaining == 1)
  }

  @Test("AMB-37: what is closed while the secure storage is unreadable is not closed in a file that is compacted meanwhile")
  func passing() async throws {
    let disk = MemoryDisk()
    func file() -> FileStorage { FileStorage(path: "d/state", files: disk) }
    let locked = try launch(file(), secure: LockedKeychain())
    for number in 0..<380 { await locked.as(.customer).earn(1, for: "\(number)") }
    await locked.written()
    #expect(try file().load().records.count < 380)
    #expect(locked.decision(for: "story").isAllowed == false)
    let later = try launch(file(), secure: MemoryStorage())
    #expect(later.as(.customer).coins == 380 && later.decision(for: "story").remaining == 2)
  }

  @Test("AMB-37: a feature's earlier name also survives a reinstallation") func earlierName() async throws {
    let secure = MemoryStorage()
    try await launch(.memory, secure: secure).spend("story")
    let renamed = Self.json.replacingOccurrences(of: #""story": {"#, with: #""tale": { "aliases": ["story"],"#)
      .replacingOccurrences(of: #""story": 2"#, with: #""tale": 2"#)
    let next = try Monetizer(catalog: Catalog(json: Data(renamed.utf8))) {
      ($0.secureStorage, $0.time, $0.startsByItself) = (secure, TestTime(), false)
    }
    #expect(next.decision(for: "tale").remaining == 1)
  }

  @Test("A locked keychain does not matter to a catalog that keeps nothing there: the state is not damaged") func unneeded() async throws {
    let log = EventLog()
    let monetizer = try TestShop.monetizer(log: log) { $0.secureStorage = LockedKeychain() }
    try await monetizer.spend("trial")
    await monetizer.settled()
    #expect(monetizer.decision(for: "trial").remaining == 2 && log.count(.stateDamaged) == 0)
  }

  @Test("What a later version wrote into the secure storage stays there when it is shortened") func laterVersion() async throws {
    let (storage, secure) = (MemoryStorage(), MemoryStorage())
    let later = Data(#"[{"fact of a later version":1}]"#.utf8)
    secure.append(later)
    let monetizer = try launch(storage, secure: secure)
    try await monetizer.spend("story")
    let before = secure.load().records.count
    for number in 0..<600 { await monetizer.as(.customer).earn(1, for: "\(number)") }
    await monetizer.written()
    #expect(storage.load().records.count < 500 && secure.load().records.count <= before)
    #expect(secure.load().records.contains(later))
    #expect(try launch(.memory, secure: secure).decision(for: "story").remaining == 1)
  }

  @Test("While both storages are damaged, the secure one learns that its uses are unknown, and only of those") func bothDamaged()
    async throws
  {
    let secure = DamagedStorage()
    let monetizer = try launch(DamagedStorage(), secure: secure)
    await monetizer.access.earn(1, for: "a")
    let later = try launch(.memory, secure: secure)
    #expect(later.decision(for: "story").isAllowed == false && later.decision(for: "other").remaining == 2)
  }
}

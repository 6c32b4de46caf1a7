// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// The law of `StateStorage`: after a crash at any step, the records are those before the call or those after it.
@Suite(.timeLimit(.minutes(30)))
struct FileStorageTests {
  private enum Call: Sendable {
    case append(String)
    case replace([String])
    case load
  }
  private let calls: [Call] = [
    .append("one"), .append("two two"), .replace(["short"]), .append("three"), .load, .append("four"), .replace(["a", "b"]),
    .append("five"),
  ]

  private func data(_ text: String) -> Data { Data(text.utf8) }

  /// Runs calls until one fails. Returns the records that were durable before, and the possible ones besides.
  private func run(_ calls: [Call], on storage: some StateStorage, from start: [Data] = []) -> (durable: [Data], possible: [Data]) {
    var records = start
    for call in calls {
      var next = records
      do {
        switch call {
        case .append(let text):
          next.append(data(text))
          try storage.append(data(text))
        case .replace(let texts):
          next = texts.map(data)
          try storage.replace(with: next)
        case .load: _ = try storage.load()
        }
      } catch { return (records, next) }
      records = next
    }
    return (records, records)
  }

  /// Every step, every torn write, every way to lose unsynced content; and the next process crashes, too.
  private func violation(_ make: (MemoryDisk) -> any StateStorage) throws -> Violation? {
    let whole = MemoryDisk()
    _ = run(calls, on: make(whole))
    for step in 1...(whole.steps + 1) {
      for torn in 0...4 {
        let disk = MemoryDisk(crashAt: step, torn: torn)
        let (durable, possible) = run(calls, on: make(disk))
        for (loses, quarters) in [(false, 0), (true, 0), (true, 1), (true, 2), (true, 3), (true, 4)] {
          let after = disk.afterCrash(losesUnsynced: loses, keeping: quarters)
          let second = make(after)
          let found = try second.load()
          let place = "step \(step), torn \(torn)/4, \(loses ? "power cut keeping \(quarters)/4" : "killed")"
          if found.damaged != nil { return Violation("\(place): said to be damaged") }
          if found.records != durable && found.records != possible { return Violation("\(place): \(found.records.count) records") }
          // The records that the next process reports as durable survive an immediate power cut.
          let (more, _) = run([.append("next")], on: second, from: found.records)
          let last = try make(after.afterCrash(losesUnsynced: true)).load()
          if last.records != more || more.count != found.records.count + 1 {
            return Violation("\(place): the next process's record is lost")
          }
        }
      }
    }
    return nil
  }

  @Test("Law of StateStorage: a crash at any step, torn anywhere, leaves the old or the new records")
  func crashes() throws {
    #expect(try violation { FileStorage(path: "d/state", files: $0) }?.description == nil)
  }

  @Test("The crash test notices a storage that does not sync, one that does not sync names, and one that overwrites in place")
  func crashesAreSensitive() throws {
    struct Careless: FileSystem {
      let disk: MemoryDisk
      var syncs = true
      var syncsNames = true
      var renames = true
      func read(_ path: String, from offset: Int) throws -> [UInt8]? { try disk.read(path, from: offset) }
      func write(_ bytes: [UInt8], to path: String) throws { try disk.write(bytes, to: renames ? path : "d/state") }
      func append(_ bytes: [UInt8], to path: String) throws { try disk.append(bytes, to: path) }
      func truncate(_ path: String, to length: Int) throws { try disk.truncate(path, to: length) }
      func sync(_ path: String) throws { if syncs { try disk.sync(renames ? path : "d/state") } }
      func rename(_ path: String, to other: String) throws { if renames { try disk.rename(path, to: other) } }
      func syncFolder(of path: String) throws { if syncsNames { try disk.syncFolder(of: path) } }
    }
    #expect(try violation { FileStorage(path: "d/state", files: Careless(disk: $0, syncs: false)) } != nil)
    #expect(try violation { FileStorage(path: "d/state", files: Careless(disk: $0, syncsNames: false)) } != nil)
    #expect(try violation { FileStorage(path: "d/state", files: Careless(disk: $0, renames: false)) } != nil)
  }

  @Test("A disk that refuses at any one step loses nothing that was reported as durable") func refusals() throws {
    let whole = MemoryDisk()
    _ = run(calls, on: FileStorage(path: "d/state", files: whole))
    for step in 1...whole.steps {
      let disk = MemoryDisk()
      disk.fail(atStep: [step])
      let storage = FileStorage(path: "d/state", files: disk)
      var records: [[Data]] = [[]]
      for call in calls {
        let (durable, possible) = run([call], on: storage, from: [])
        switch call {
        case .load: continue
        case .append: records = durable.isEmpty ? records + records.map { $0 + possible } : records.map { $0 + durable }
        case .replace: records = durable == possible ? [durable] : records + [possible]
        }
        let found = try FileStorage(path: "d/state", files: disk.afterCrash(losesUnsynced: !durable.isEmpty)).load()
        #expect(found.damaged == nil)
        #expect(records.contains(found.records), "step \(step)")
        records = [found.records]
        // The same process continues with the remaining content.
        if try storage.load().records != found.records { records = [try storage.load().records] }
      }
    }
  }

  @Test("A torn end is dropped at every length; damage inside is set aside, and the good lines are read") func damage() throws {
    let disk = MemoryDisk()
    _ = run([.append("first"), .append("second")], on: FileStorage(path: "d/state", files: disk))
    let bytes = try #require(try disk.read("d/state"))
    for length in 0...bytes.count {
      let torn = MemoryDisk()
      torn.put(Array(bytes.prefix(length)), at: "d/state")
      let found = try FileStorage(path: "d/state", files: torn).load()
      #expect(found.damaged == nil)
      #expect([[], [data("first")], [data("first"), data("second")]].contains(found.records))
    }
    for index in 0..<bytes.count {
      for value in [bytes[index] ^ 1, 0, 0x0A, bytes[index] ^ 0x80] where value != bytes[index] {
        var broken = bytes
        broken[index] = value
        let damaged = MemoryDisk()
        damaged.put(broken, at: "d/state")
        guard let found = try? FileStorage(path: "d/state", files: damaged).load() else { continue }
        for record in found.records { #expect(record == data("first") || record == data("second")) }
        // A wrong byte at its end damages the last line, and tears nothing off.
        if index == bytes.count - 1 { #expect(found.damaged != nil && found.records == [data("first"), data("second")]) }
        guard let aside = found.damaged else { continue }
        #expect(try damaged.read(aside) == broken)
        // A second load reports the same, with the same copy; a record replaces the file and keeps the copy.
        let again = FileStorage(path: "d/state", files: damaged)
        #expect(try again.load().damaged == aside)
        try again.append(data("new"))
        let after = try FileStorage(path: "d/state", files: damaged.afterCrash(losesUnsynced: true)).load()
        #expect(after.damaged == nil && after.records == found.records + [data("new")])
        #expect(try damaged.afterCrash(losesUnsynced: true).read(aside) == broken)
      }
    }
  }

  @Test("A file of a later version is refused and not changed", arguments: ["2", "9", "10", "123"]) func laterVersion(version: String)
    throws
  {
    let disk = MemoryDisk()
    let bytes = Array("monetize-state \(version)\nsomething new\n".utf8)
    disk.put(bytes, at: "d/state")
    let storage = FileStorage(path: "d/state", files: disk)
    let error = StorageError("The state file is from a later version of Monetize and is left as it is. Update the app.")
    #expect(throws: error) { try storage.load() }
    #expect(throws: error) { try storage.append(Data("x".utf8)) }
    #expect(try disk.read("d/state") == bytes)
    #expect(disk.names == ["d/state"])
  }

  @Test("On the real disk: appended, replaced, reopened, torn, damaged, deleted") func realDisk() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("state")
    func open() throws -> StoredRecords { try FileStorage(url).load() }
    #expect(try open() == StoredRecords())
    let expected = run(calls, on: FileStorage(url)).durable
    #expect(try open().records == expected)
    var bytes = try Data(contentsOf: url)
    try bytes.dropLast(2).write(to: url)
    #expect(try open().records == Array(expected.dropLast()))
    bytes[20] ^= 0xFF
    try bytes.write(to: url)
    let damaged = try open()
    #expect(damaged.damaged == url.path + ".damaged-1")
    #expect(try Data(contentsOf: folder.appendingPathComponent("state.damaged-1")) == bytes)
    try FileStorage(url).append(data("new"))
    #expect(try open() == StoredRecords(records: damaged.records + [data("new")]))
    try FileManager.default.removeItem(at: url)
    #expect(try open() == StoredRecords())
    // A folder is created where none is, but not in place of a file.
    try FileStorage(folder.appendingPathComponent("no/such/folder")).append(Data())
    #expect(throws: StorageError.self) { try FileStorage(folder.appendingPathComponent("no/such/folder/state")).append(Data()) }
  }

  @Test("Facts of every type survive writing and reading") func factsRoundTrip() throws {
    for seed in Seed.run(200) {
      let world = try RandomWorld(seed: seed)
      let record = try Journal.record(world.facts)
      #expect(try JSONDecoder().decode([Fact].self, from: record) == world.facts, "MONETIZE_SEED=\(seed)")
      let loaded = Journal.load(MemoryStorage(world.facts.map { (try? Journal.record([$0])) ?? Data() }))
      #expect(loaded.foreign == [], "MONETIZE_SEED=\(seed)")
      // Limits and gifts dated in a corrected future get a new date.
      #expect(loaded.state == CustomerState(Fact.forgiven(world.facts)), "MONETIZE_SEED=\(seed)")
    }
  }

  @Test("A key that a later version added to a fact of any sort stays, byte for byte, and this version applies the rest") func laterKeys()
    async throws
  {
    var known: [String: Fact] = [:]
    for seed in 1...30 { for fact in try RandomWorld(seed: UInt64(seed)).facts { known[fact.name] = fact } }
    #expect(known.count >= 10)
    var texts = try known.values.map { fact in
      let text = String(decoding: try Journal.record([fact]), as: UTF8.self)
      return "\(text.prefix { $0 != ":" }):{\"zzz\":[{\"deep\":1}],\(text.drop { $0 != ":" }.dropFirst(2))"
    }
    let use = Use(key: "k", feature: "trial", source: "s", date: RandomFacts.start, day: 20_514, zone: "UTC")
    let packed = String(decoding: try #require(try Journal.packed([.use(use)]).first), as: UTF8.self)
    texts += [packed.replacingOccurrences(of: "\"like\":{", with: "\"like\":{\"zzz\":1,")]
    texts += [#"[{"note":2,\#(String(decoding: try Journal.record([.use(use)]), as: UTF8.self).dropFirst(2))"#]
    let storage = MemoryStorage(texts.map { Data($0.utf8) })
    let state = Journal.load(storage).state
    #expect(state.usage.uses.contains(use))
    let monetizer = try TestShop.monetizer(storage: storage)
    for number in 0..<600 { await monetizer.as(.customer).earn(1, for: "later\(number)") }
    await monetizer.written()
    let records = storage.load().records
    #expect(records.count < 600)
    for text in texts { #expect(records.contains(Data(text.utf8)), "\(text)") }
    #expect(Journal.load(storage).state.usage.uses.contains(use))
  }

  @Test("A file that is damaged at the start is shortened again from the first record on") func compactionAfterDamage() async throws {
    let disk = MemoryDisk()
    try FileStorage(path: "d/state", files: disk).append(Journal.record([.wallet(WalletEntry(id: "a", earned: 1))]))
    try disk.append(Array("damage\n".utf8), to: "d/state")
    let monetizer = try TestShop.monetizer(storage: FileStorage(path: "d/state", files: disk))
    for number in 0..<600 { await monetizer.as(.customer).earn(1, for: "\(number)") }
    await monetizer.written()
    let storage = FileStorage(path: "d/state", files: disk)
    #expect(try storage.load().records.count < 600)
    #expect(Journal.load(storage).state.wallet == monetizer.state.wallet && monetizer.as(.customer).coins == 601)
  }

  @Test("H7: a header without any record and with another digit is damage, not a later version") func headerAlone() async throws {
    let disk = MemoryDisk()
    disk.put(Array("monetize-state 3\n".utf8), at: "d/state")
    let monetizer = try TestShop.monetizer(storage: FileStorage(path: "d/state", files: disk))
    await monetizer.as(.customer).earn(1, for: "a")
    let found = try FileStorage(path: "d/state", files: disk).load()
    #expect(found.damaged == nil && found.records.count >= 1 && disk.names.contains("d/state.damaged-1"))
  }

  @Test("Durable before finish: the names of created folders are synced in their own folders before the first record returns")
  func folders()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (real, opened, synced) = (SystemCalls(), Locked<[Int32: String]>([:]), Locked<[String]>([]))
    var calls = real
    calls.open = { path, flags in
      let file = real.open(path, flags)
      opened.withLock { $0[file] = path }
      return file
    }
    calls.sync = { file in
      synced.withLock { $0.append(opened.copy[file] ?? "") }
      return real.sync(file)
    }
    let path = folder.path + "/a/b/c/state"
    let storage = FileStorage(path: path, files: SystemFiles(calls: calls))
    try storage.append(data("one"))
    #expect(synced.copy == [folder.path, folder.path + "/a", folder.path + "/a/b", path, folder.path + "/a/b/c"])
    synced.set([])
    try storage.append(data("two"))
    #expect(synced.copy == [path], "the name is known already")
  }

  private final class CountingStorage: StateStorage {
    let inner = MemoryStorage(), replaced = Locked(0)
    func load() throws(StorageError) -> StoredRecords { inner.load() }
    func append(_ record: Data) throws(StorageError) { inner.append(record) }
    func replace(with records: [Data]) throws(StorageError) {
      replaced.withLock { $0 += 1 }
      inner.replace(with: records)
    }
  }

  @Test("A file is shortened once in some hundred records, and not at each record after that") func shortenedSeldom() async throws {
    let storage = CountingStorage()
    let monetizer = try TestShop.monetizer(storage: storage)
    for number in 0..<400 {
      await monetizer.record(
        [Use(key: "\(number)", feature: "trial", source: "server", date: RandomFacts.start, day: 20_513, zone: "GMT")])
    }
    #expect((1...2).contains(storage.replaced.copy))
  }

  @Test("A deleted file gets all known facts back, even if the disk refuses the first attempt") func deletedAndRefused() async throws {
    let disk = MemoryDisk()
    func open() throws -> Monetizer { try TestShop.monetizer(storage: FileStorage(path: "d/state", files: disk)) }
    let monetizer = try open()
    await monetizer.as(.customer).earn(5, for: "a")
    await monetizer.written()
    try disk.rename("d/state", to: "d/elsewhere")
    disk.fail(atStep: [disk.steps + 1])
    for id in ["b", "c"] {
      await monetizer.as(.customer).earn(1, for: id)
      await monetizer.written()
    }
    #expect(try open().as(.customer).coins == 7)
  }

  @Test("The first record of a file has each fact once: of a new file, and of one whose earlier facts were deleted") func onceEach()
    async throws
  {
    let disk = MemoryDisk()
    let monetizer = try TestShop.monetizer(storage: FileStorage(path: "d/state", files: disk))
    for id in ["a", "b"] {
      await monetizer.as(.customer).earn(1, for: id)
      await monetizer.written()
      let loaded = Journal.load(FileStorage(path: "d/state", files: disk))
      #expect(loaded.records == 1 && loaded.facts == loaded.state.facts.count && loaded.facts > 0)
      try disk.rename("d/state", to: "d/\(id)")
    }
  }

  @Test("What another process adds to a damaged file stays when a record replaces the file") func addedToDamage() throws {
    let disk = MemoryDisk()
    let (other, storage) = (FileStorage(path: "d/state", files: disk), FileStorage(path: "d/state", files: disk))
    for text in ["one", "two"] { try other.append(data(text)) }
    var bytes = try #require(try disk.read("d/state"))
    bytes[20] ^= 0xFF
    try disk.write(bytes, to: "d/state")
    #expect(try storage.load().records == [data("two")])
    try other.append(data("three"))
    try storage.append(data("four"))
    #expect(try other.load() == StoredRecords(records: ["two", "three", "four"].map(data)))
  }

  @Test("A system that reads and writes only a few bytes at a time loses none") func fewBytes() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (real, path) = (SystemCalls(), folder.path + "/file")
    var calls = real
    calls.write = { real.write($0, $1, min($2, 3)) }
    calls.read = { real.read($0, $1, min($2, 5), $3) }
    let (files, bytes) = (SystemFiles(calls: calls), Array(0...99) as [UInt8])
    try files.append(bytes, to: path)
    #expect(try files.read(path, from: 0) == bytes && files.read(path, from: 7) == Array(bytes[7...]))
    // The file grows while it is read.
    let grown = Locked(false)
    calls.read = { file, buffer, count, offset in
      if !grown.copy {
        grown.set(true)
        try? SystemFiles().append(bytes, to: path)
      }
      return real.read(file, buffer, count, offset)
    }
    #expect(try SystemFiles(calls: calls).read(path, from: 0) == bytes + bytes)
  }

  @Test("A reservation of a run of which nothing is known lasts for ten minutes; of one that is known, until it ends") func unknownRuns() {
    let use = Use(key: "k", feature: "f", date: RandomFacts.start, day: 1, zone: "UTC", status: .reserved, run: "run")
    func hasEnded(_ isActive: Bool?, after seconds: Double) -> Bool {
      OtherRuns(isActive: isActive).hasEnded(use, at: RandomFacts.start + seconds)
    }
    #expect([0, 599, 600].map { hasEnded(nil, after: $0) } == [false, false, true])
    #expect(!hasEnded(true, after: 9999) && hasEnded(false, after: 0) && MemoryStorage().hasEnded(use, at: RandomFacts.start))
  }

  private struct OtherRuns: SharedStorage {
    var isActive: Bool?
    func load() throws(StorageError) -> StoredRecords { StoredRecords(records: []) }
    func append(_ record: Data) throws(StorageError) {}
    func replace(with records: [Data]) throws(StorageError) {}
    func opened() -> Self { self }
    func change(_ body: (_ news: StorageNews) -> StorageChange?) throws(StorageError) {}
    func begin(_ run: String) throws(StorageError) -> Cancellation { Cancellation {} }
    func isRunActive(_ run: String) -> Bool? { isActive }
  }

  @Test("Every new file is protected and kept out of backups as the app asks, once") func protection() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for isBackedUp in [true, false] {
      let told = Locked<[String]>([])
      var calls = SystemCalls()
      calls.protect = { path, isIncluded in
        #expect(isIncluded == isBackedUp)
        told.withLock { $0.append(URL(fileURLWithPath: path).lastPathComponent) }
      }
      let path = folder.path + "/\(isBackedUp)"
      let storage = FileStorage(path: path, files: SystemFiles(calls: calls, isBackedUp: isBackedUp))
      try storage.append(data("one"))
      try storage.append(data("two"))
      try storage.replace(with: [data("three")])
      let run = try storage.begin("run")
      try Data("damage\n".utf8).write(to: URL(fileURLWithPath: path))
      _ = try storage.load()
      run.cancel()
      let names = ["lock", "", "new", "run-\(Checksum.hex(Array("run".utf8)))", "damaged-1"]
      #expect(told.copy == names.map { $0.isEmpty ? "\(isBackedUp)" : "\(isBackedUp).\($0)" })
    }
  }

  @Test("A value that cannot be read is kept before another replaces it") func unreadableValue() throws {
    for replaces in [true, false] {
      let (value, aside) = (MemorySecureStore(), MemorySecureStore())
      let storage = SecureStateStorage(value, aside: aside, name: "the item")
      try storage.append(data("one"))
      try storage.append(data("two"))
      #expect(try storage.load() == StoredRecords(records: [data("one"), data("two")]) && aside.read() == nil)
      value.write(data("damage"))
      #expect(try storage.load().damaged == "the item")
      if replaces { try storage.replace(with: [data("three")]) } else { try storage.append(data("three")) }
      #expect(try storage.load() == StoredRecords(records: [data("three")]) && aside.read() == data("damage"))
    }
  }

  @Test("A long file is shortened without a change of content; records of a later version are kept") func compaction() async throws {
    let later = ["[{\"fromTheFuture\":{}}]", "{\"later\":1}"].map { Data($0.utf8) }
    let storage = MemoryStorage(later)
    for number in 0..<600 { storage.append(try Journal.record([.time(TimeSeen(latest: RandomFacts.start + Double(number)))])) }
    let state = Journal.load(storage).state
    try await TestShop.monetizer(storage: storage).written()
    #expect(storage.load().records.count == 3 && Set(storage.load().records).isSuperset(of: later))
    #expect(Journal.load(storage).state == state)
    #expect(state.time[0]?.latest == RandomFacts.start + 599)
  }

  @Test("A running app's file stays short: a year of uses is folded, a retry within 7 days counts nothing, and each use counts")
  func aLongLife() async throws {
    let (disk, time) = (MemoryDisk(), TestTime())
    let text = TestShop.json().replacingOccurrences(of: "\"trial\": 3 }", with: "\"trial\": 5000 }")
    let catalog = try Catalog(json: Data(text.utf8))
    func open() throws -> Monetizer {
      try TestShop.monetizer(ScriptedStore(), storage: FileStorage(path: "d/state", files: disk), time: time, catalog: catalog)
    }
    var monetizer = try open()
    let count = 1500
    for number in 0..<count {
      try await monetizer.spend("trial", key: "\(number)")
      time.advance(6 * 3600)
      if number % 400 == 399 { monetizer = try open() }
    }
    try await monetizer.spend("trial", key: "\(count - 20)")
    await monetizer.written()
    #expect(try open().decision(for: "trial").used == count)
    let state = try open().state
    #expect(state.usage.uses.count < 350 && state.usage.uses.contains { $0.key == "\(count - 28)" })
    #expect(try disk.read("d/state")?.count ?? 0 < 150_000)
    #expect(Journal.load(FileStorage(path: "d/state", files: disk)).state == state)
    try await monetizer.spend("trial", key: "0")
    #expect(monetizer.decision(for: "trial").used == count + 1)
  }

  @Test("XC-04: a widget's answers from the file alone equal the app's, and it writes nothing") func widget() async throws {
    let (disk, time) = (MemoryDisk(), TestTime())
    let store = ScriptedStore {
      $0.read = StoreAnswer(transactions: [SignedTransaction(TestShop.transaction("1", "month"))], date: time.now)
    }
    let catalog = try TestShop.catalog()
    let monetizer = try TestShop.monetizer(store, storage: FileStorage(path: "d/state", files: disk), time: time, catalog: catalog)
    await monetizer.start()
    try await monetizer.spend("story")
    await monetizer.written()
    let (bytes, names, steps) = (try disk.read("d/state"), disk.names, disk.steps)
    func widget(at now: Date) throws -> Snapshot {
      try Snapshot(storedIn: FileStorage(path: "d/state", files: disk), catalog: catalog, at: now)
    }
    for feature in catalog.features {
      #expect(try widget(at: time.now).decision(for: AccessRequest(feature.id)) == monetizer.decision(for: feature.id))
    }
    // A renewing plan that ended after the last answer is not known to continue, and a clock set back resets nothing.
    #expect(try widget(at: time.now + 40 * 86400).decision(for: AccessRequest("extra")).isAllowed == false)
    #expect(try widget(at: time.now - 40 * 86400).decision(for: AccessRequest("story")).remaining == 2)
    #expect(try disk.read("d/state") == bytes && disk.names == names && disk.steps == steps)
    disk.put([1, 2, 3], at: "d/state")
    #expect(throws: StorageError.self) { try widget(at: time.now) }
  }

  @Test("A widget counts what a running app has reserved, and not what a process that has ended had reserved") func reserved()
    async throws
  {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).appendingPathComponent("state")
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let (catalog, time) = (try TestShop.catalog(), TestTime())
    let monetizer = try TestShop.monetizer(storage: .file(url), time: time, catalog: catalog)
    let running = try await monetizer.reserve(AccessRequest("trial"))
    let ended = Use(key: "ended", feature: "trial", date: time.now - 3600, day: 20_513, zone: "UTC", status: .reserved, run: "ended")
    try FileStorage(url).append(Journal.record([.use(ended)]))
    #expect(try Snapshot(storedIn: FileStorage(url), catalog: catalog, at: time.now).decision(for: "trial").remaining == 2)
    await monetizer.commit(running)
  }
}

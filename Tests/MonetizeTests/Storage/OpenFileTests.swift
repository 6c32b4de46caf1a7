// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// A state file stays open between records, and nothing is lost when that file cannot be used any more.
@Suite(.timeLimit(.minutes(30)))
struct OpenFileTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("monetize-\(UUID().uuidString)").path
  private var path: String { folder + "/state" }
  private func data(_ text: String) -> Data { Data(text.utf8) }

  @Test("A record opens no file but the lock: one write and one sync of the file that is open") func oneRecord() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let done = Locked<[String]>([])
    let real = SystemCalls()
    var calls = real
    calls.open = { path, flags in
      done.withLock { $0.append("open \(URL(fileURLWithPath: path).lastPathComponent)") }
      return real.open(path, flags)
    }
    calls.write = { file, bytes, count in
      done.withLock { $0.append("write") }
      return real.write(file, bytes, count)
    }
    calls.sync = { file in
      done.withLock { $0.append("sync") }
      return real.sync(file)
    }
    let storage = FileStorage(path: path, files: SystemFiles(calls: calls))
    try storage.append(data("one"))
    done.set([])
    try storage.append(data("two"))
    #expect(done.copy == ["open state.lock", "write", "sync"])
    #expect(try FileStorage(path: path, files: SystemFiles()).load().records == [data("one"), data("two")])
  }

  @Test("A copy of a damaged file is written and synced, and so is its folder") func setAside() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileStorage(path: path, files: SystemFiles()).append(data("one"))
    let done = Locked<[String]>([])
    let real = SystemCalls()
    var calls = real
    calls.open = { path, flags in
      done.withLock {
        $0.append("open \(URL(fileURLWithPath: path).lastPathComponent.replacingOccurrences(of: "monetize-", with: "folder "))")
      }
      return real.open(path, flags)
    }
    calls.sync = { file in
      done.withLock { $0.append("sync") }
      return real.sync(file)
    }
    let aside = try FileStorage(path: path, files: SystemFiles(calls: calls)).setAside()
    #expect(aside == path + ".damaged-1")
    let steps = done.copy.map { $0.hasPrefix("open folder") ? "open folder" : $0 }
    #expect(steps.suffix(4) == ["open state.damaged-1", "sync", "open folder", "sync"], "\(steps)")
  }

  @Test("A file whose descriptor stays unusable is opened again for the next record") func unusable() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let real = SystemCalls()
    let broken = Locked<Set<Int32>>([])
    var calls = real
    calls.write = { file, bytes, count in
      if !broken.copy.contains(file) { return real.write(file, bytes, count) }
      errno = EBADF
      return -1
    }
    calls.open = { path, flags in
      let file = real.open(path, flags)
      broken.withLock { _ = $0.remove(file) }
      return file
    }
    let storage = FileStorage(path: path, files: SystemFiles(calls: calls))
    try storage.append(data("one"))
    broken.set(Set(0..<1024))
    #expect(throws: StorageError.self) { try storage.append(data("lost")) }
    try storage.append(data("two"))
    #expect(try storage.load() == StoredRecords(records: [data("one"), data("two")]))
  }

  @Test("A write of no bytes is a failure, and is not tried without end") func nothingWritten() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let real = SystemCalls()
    let empty = Locked(0)
    var calls = real
    calls.write = { file, bytes, count in
      let isEmpty = empty.withLock { left in
        defer { left = max(0, left - 1) }
        return left > 0
      }
      return isEmpty ? 0 : real.write(file, bytes, count)
    }
    let storage = FileStorage(path: path, files: SystemFiles(calls: calls))
    try storage.append(data("one"))
    empty.set(2)
    #expect(throws: StorageError.self) { try storage.append(data("lost")) }
    empty.set(0)
    try storage.append(data("two"))
    #expect(try storage.load() == StoredRecords(records: [data("one"), data("two")]))
  }

  @Test("A file that can only be read is loaded, and a record is refused with the system's error until it can be written")
  func readOnly() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileStorage(path: path, files: SystemFiles()).append(data("one"))
    let (real, isReadOnly, state) = (SystemCalls(), Locked(true), path)
    var calls = real
    calls.open = { path, flags in
      if isReadOnly.copy, path == state, flags & (O_RDWR | O_WRONLY) != 0 {
        errno = EACCES
        return -1
      }
      return real.open(path, flags)
    }
    let storage = FileStorage(path: path, files: SystemFiles(calls: calls))
    #expect(try storage.load().records == [data("one")])
    let error = #expect(throws: StorageError.self) { try storage.append(data("refused")) }
    #expect(error?.description.contains("error \(EACCES)") == true, "\(String(describing: error))")
    isReadOnly.set(false)
    try storage.append(data("two"))
    #expect(try storage.load().records == [data("one"), data("two")])
  }

  @Test("A file that another process replaced or removed is not written through the old descriptor", arguments: [true, false])
  func replaced(isRemoved: Bool) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (mine, other) = (FileStorage(path: path, files: SystemFiles()), FileStorage(path: path, files: SystemFiles()))
    try mine.append(data("one"))
    if isRemoved { try FileManager.default.removeItem(atPath: path) } else { try other.replace(with: [data("theirs")]) }
    try mine.append(data("two"))
    #expect(try other.load().records == (isRemoved ? [] : [data("theirs")]) + [data("two")])
  }

  @Test("A file that cannot be read is an error with the system's number, not a file without records") func unreadable() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileStorage(path: path, files: SystemFiles()).append(data("one"))
    var calls = SystemCalls()
    calls.read = { _, _, _, _ in
      errno = EIO
      return -1
    }
    let error = #expect(throws: StorageError.self) { try FileStorage(path: path, files: SystemFiles(calls: calls)).load() }
    #expect(error?.description.contains("error \(EIO)") == true, "\(String(describing: error))")
  }

  @Test("A record that could not be made durable is cut off again, so that another process adds nothing to it") func notDurable() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (real, fails) = (SystemCalls(), Locked(false))
    var calls = real
    calls.sync = { file in
      if !fails.copy { return real.sync(file) }
      errno = EIO
      return -1
    }
    let storage = FileStorage(path: path, files: SystemFiles(calls: calls))
    try storage.append(data("one"))
    let before = FileManager.default.contents(atPath: path)
    fails.set(true)
    #expect(throws: StorageError.self) { try storage.append(data("lost")) }
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  @Test("A line with another byte between its checksum and its record is damaged") func separator() throws {
    var bytes = StateFileContent.bytes(of: [data("[1]"), data("[2]")])
    #expect(try StateFileContent(bytes).isIntact)
    bytes[StateFileContent.header.utf8.count + 8] = UInt8(ascii: "_")
    let content = try StateFileContent(bytes)
    #expect(content.damage.map(\.line) == [2] && content.records == [data("[2]")])
  }

  @Test("A first line that is no header is one damaged line, whether it can be read as a record or not") func noHeader() throws {
    let second = StateFileContent.bytes(of: [data("[2]")]).dropFirst(StateFileContent.header.utf8.count)
    for first in [Array("no header\n".utf8), Array(second)] {
      let content = try StateFileContent(first + second)
      #expect(content.damage == [StateFileContent.Damage(line: 1, offset: 0)])
      #expect(content.records.last == data("[2]"))
    }
  }

  @Test("A record that is added to a file with a torn last line, without reading it first, replaces that line") func tornLine() throws {
    let disk = MemoryDisk()
    try FileStorage(path: "d/state", files: disk).append(data("first"))
    try disk.append(Array("8c2f01aa torn".utf8), to: "d/state")
    try FileStorage(path: "d/state", files: disk).append(data("second"))
    #expect(try FileStorage(path: "d/state", files: disk).load() == StoredRecords(records: [data("first"), data("second")]))
  }

  @Test("The damage of a file is recorded at the launch that finds it, and is reported once") func recordedDamage() async throws {
    let disk = MemoryDisk()
    func file() -> FileStorage { FileStorage(path: "d/state", files: disk) }
    try file().append(Journal.record([.wallet(WalletEntry(id: "a", earned: 1))]))
    try disk.append(Array("damage\n".utf8), to: "d/state")
    let monetizer = try TestShop.monetizer(storage: file())
    for task in monetizer.writing.copy { await task.value }
    #expect(try file().load().damaged == nil)
    let log = EventLog()
    let again = try TestShop.monetizer(storage: file(), log: log)
    #expect(!again.allows("trial") && again.as(.customer).coins == 1 && log.count(.stateDamaged) == 0)
  }
}

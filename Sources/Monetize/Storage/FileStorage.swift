// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Keeps records in one file: a header line, then one line per record with a checksum. Only whole lines with a correct checksum are valid.
///
/// ```
/// monetize-state 1
/// 8c2f01aa [{"transaction":{…}}]
/// ```
///
/// A crash can only tear the last line, which then has no line end. Its writer never reported it as durable, so it is dropped. Any other
/// damage copies the whole file to `name.damaged-1`, which is never deleted. The valid lines replace the file when the next record is
/// added. Until then every load reports the damage again, so that a crash cannot hide it.
public final class FileStorage: SharedStorage {
  package let path: String
  private let files: any FileSystem
  private struct Known: Sendable {
    /// The file that was last read or written, which stays open: its inode number cannot be reused.
    var file: OpenFile?
    var length = 0
    /// The valid records of a damaged file that has not been replaced yet.
    var rescued: [Data]?
    /// Whether this process has made the file's name durable. A name that another process created may be lost in a power cut.
    var isNamed = false
  }
  private let known = Locked(Known())

  /// Makes a storage in a file. The file and its folder are created when a record is written. Several storages, in any number of processes,
  /// may share the file, and any number of monetizers a storage: each write holds an advisory lock on `name.lock` and first reads the records
  /// that others have added. A link stands for its target.
  ///
  /// On iOS, tvOS, watchOS and visionOS the file can be read after the first unlock following a restart, even while the device is locked.
  /// - Parameters:
  ///   - url: The file.
  ///   - isBackedUp: Whether a backup of an Apple device has the file and the copies of a damaged one. Otherwise a new device begins with
  ///     only the purchases that the store lists and the facts that the sync brings. Applies to a file when it is created or shortened.
  public convenience init(_ url: URL, isBackedUp: Bool = true) {
    self.init(path: Self.target(of: url.path), files: SystemFiles(isBackedUp: isBackedUp))
  }

  /// The target of a link. Replacing the link itself would leave the old content in its target.
  private static func target(of path: String) -> String {
    var path = path
    // The system follows at most 32 links.
    for _ in 0..<32 {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
      path = target.hasPrefix("/") ? target : URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(target).path
    }
    return path
  }

  package init(path: String, files: any FileSystem) { (self.path, self.files) = (path, files) }

  package func opened() -> FileStorage { FileStorage(path: path, files: files) }

  /// All valid records, oldest first. Waits for a writer only if the file is damaged.
  public func load() throws(StorageError) -> StoredRecords {
    do {
      var (content, now) = try look()
      var aside: String?
      if !content.isIntact {
        // Another process may have cut and rewritten a line during the read.
        let lock = try files.lock(path)
        defer { lock.cancel() }
        (content, now) = try look()
        if !content.isIntact { aside = try setAside(content, &now) }
      }
      known.withLock { $0 = now }
      return StoredRecords(records: content.records, damaged: aside)
    } catch { throw storageError(error) }
  }

  /// Adds a record: one write and one sync; the first one also syncs the folder.
  public func append(_ record: Data) throws(StorageError) { try change { _ in .append(record) } }

  /// Writes a new file next to the old one, and renames it over the old one once it is durable.
  public func replace(with records: [Data]) throws(StorageError) { try change { _ in .replace(records) } }

  package func change(_ body: (_ news: StorageNews) -> StorageChange?) throws(StorageError) { try change(body) {} }

  /// - Parameter then: Called after the change, before other processes can write.
  func change(_ body: (_ news: StorageNews) -> StorageChange?, then: () -> Void) throws(StorageError) {
    do {
      let lock = try files.lock(path)
      defer { lock.cancel() }
      var now = known.copy
      defer { known.withLock { $0 = now } }
      let news = try catchUp(&now)
      switch body(news) {
      case .append(let record):
        if let rescued = now.rescued { try replace(with: rescued + [record], &now) } else { try append(record, &now) }
      case .replace(let records): try replace(with: records, &now)
      case nil: break
      }
      then()
    } catch { throw storageError(error) }
  }

  package func begin(_ run: String) throws(StorageError) -> Cancellation {
    do { return try files.begin(run, of: path) } catch { throw storageError(error) }
  }

  package func isRunActive(_ run: String) -> Bool? { files.isRunActive(run, of: path) }

  /// Reads the content of the file that this storage has not read yet; all of the content if the file was replaced or has become shorter.
  /// Cuts off a torn last line.
  private func catchUp(_ now: inout Known) throws -> StorageNews {
    let mark = try files.mark(path)
    if let mark, let file = now.file, mark.number == file.number, mark.size >= now.length {
      if mark.size == now.length { return StorageNews() }
      let added = StateFileContent(lines: try files.read(path, from: now.length) ?? [])
      if added.isIntact, now.rescued == nil {
        now.length += added.validLength
        if now.length < mark.size { try files.truncate(path, to: now.length) }
        return StorageNews(records: added.records)
      }
    }
    let content: StateFileContent
    (content, now) = try look()
    if !content.isIntact {
      _ = try setAside(content, &now)
    } else if content.validLength < content.bytes.count {
      try files.truncate(path, to: content.validLength)
    }
    return StorageNews(records: content.records, isWhole: true)
  }

  private func look() throws -> (StateFileContent, Known) {
    // Opened before it is read, so that a file that replaces it has another number.
    let file = try files.open(path, creating: false)
    let content = try StateFileContent(files.read(path, from: 0) ?? [])
    return (content, Known(file: file, length: content.validLength))
  }

  private func append(_ record: Data, _ now: inout Known) throws {
    let line = (now.length == 0 ? Array(StateFileContent.header.utf8) : []) + StateFileContent.line(record)
    do {
      if now.file == nil { now.file = try files.open(path, creating: true) }
      try now.file?.append(line)
      try name(&now)
    } catch {
      // Another process must not add to a line that may not be durable.
      try? files.truncate(path, to: now.length)
      // The next write opens and reads the file again, because this one may stay unusable.
      now.file = nil
      throw error
    }
    now.length += line.count
  }

  private func replace(with records: [Data], _ now: inout Known) throws {
    let content = StateFileContent.bytes(of: records)
    let fresh = path + ".new"
    try files.write(content, to: fresh)
    try files.sync(fresh)
    try files.rename(fresh, to: path)
    now = Known(file: try files.open(path, creating: false), length: content.count)
    try name(&now)
  }

  private func name(_ now: inout Known) throws {
    if now.isNamed { return }
    try files.syncFolder(of: path)
    now.isNamed = true
  }

  /// Keeps a copy of the file as it is. Returns the path of the copy.
  func setAside() throws(StorageError) -> String {
    do {
      let lock = try files.lock(path)
      defer { lock.cancel() }
      var (content, now) = try look()
      return try setAside(content, &now)
    } catch { throw storageError(error) }
  }

  /// Keeps one copy of a damaged file, however often the damage is found. The file itself stays until the next record.
  private func setAside(_ content: StateFileContent, _ now: inout Known) throws -> String {
    (now.length, now.rescued) = (content.bytes.count, content.records)
    var number = 1
    while let other = try files.read("\(path).damaged-\(number)", from: 0) {
      if other == content.bytes { return "\(path).damaged-\(number)" }
      number += 1
    }
    let aside = "\(path).damaged-\(number)"
    try files.write(content.bytes, to: aside)
    try files.sync(aside)
    try files.syncFolder(of: path)
    return aside
  }

  private func storageError(_ error: any Error) -> StorageError {
    error as? StorageError
      ?? StorageError(
        "The state file could not be used (\(path)): \(error). Check that its folder is writable and that the disk is not full.")
  }
}

extension StateStorage where Self == FileStorage {
  /// Makes a storage in a file; see ``FileStorage/init(_:isBackedUp:)``.
  public static func file(_ url: URL, isBackedUp: Bool = true) -> FileStorage { FileStorage(url, isBackedUp: isBackedUp) }
}

/// CRC-32 as in zip and PNG. Detects torn and damaged lines, but not deliberate changes.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
  }

  static func hex(_ bytes: [UInt8]) -> String {
    let digits = String(crc32(bytes[...]), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Takes a part of an array, because iterating over `Data` makes a call for each byte.
  static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    let table = table
    return bytes.withUnsafeBufferPointer { ~$0.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xff)] ^ ($0 >> 8) } }
  }
}

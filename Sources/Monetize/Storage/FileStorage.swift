// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Keeps records in one file: a header line, then a checked line a record. Nothing but whole lines with a right checksum is believed.
///
/// ```
/// monetize-state 1
/// 8c2f01aa [{"transaction":{…}}]
/// ```
///
/// A line that was torn by a crash can only be the last one, without its end, and its writer was never told that it is durable: it is dropped.
/// Damage anywhere else copies the whole file to `name.damaged-1`, never deleted. The lines whose checksum is right are believed, and take the
/// file's place together with the first record that is added: until then every load says again that the file is damaged, so that a crash
/// cannot hide it.
public final class FileStorage: SharedStorage {
  static let header = "monetize-state 1\n"

  private let path: String
  private let files: any FileSystem
  private struct Known: Sendable {
    /// The file that was read or written last. While it is held, no other file has its number.
    var file: FileHold?
    /// The length of what is believed of it.
    var length = 0
    /// What is believed of a damaged file, which is still in its place.
    var rescued: [Data]?
    /// Whether this process has made the file's name durable. What another one left may be lost with its name.
    var isNamed = false
  }
  private let known = Locked(Known())

  /// A storage in a file. The file and its folder are made when they do not exist. Any number of storages, also of other processes, may share
  /// it: each writes while it holds an advisory lock on `name.lock`, for that one write, and reads what the others have added before.
  public convenience init(_ url: URL) { self.init(path: url.path, files: SystemFiles()) }

  package init(path: String, files: any FileSystem) {
    self.path = path
    self.files = files
  }

  /// All records that can be believed, oldest first. Waits for no writer, unless the file is damaged.
  public func load() throws(StorageError) -> StoredRecords {
    do {
      var (content, now) = try look()
      var aside: String?
      if !content.isIntact {
        // Perhaps a line that was cut and written anew while it was read.
        let lock = try files.lock(path)
        defer { lock.cancel() }
        (content, now) = try look()
        if !content.isIntact { aside = try setAside(content, &now) }
      }
      known.withLock { $0 = now }
      return StoredRecords(records: content.records, damaged: aside)
    } catch { throw storageError(error) }
  }

  /// Adds a record: one write and one sync.
  public func append(_ record: Data) throws(StorageError) { try change { _ in .append(record) } }

  /// Writes a new file beside the old one, and renames it over the old one when it is durable.
  public func replace(with records: [Data]) throws(StorageError) { try change { _ in .replace(records) } }

  package func change(_ body: (_ news: StorageNews) -> StorageChange?) throws(StorageError) { try change(body) {} }

  /// - Parameter then: Called when it is done, and no other process has written since.
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

  package func goesOn(_ run: String) -> Bool? { files.goesOn(run, of: path) }

  /// What is in the file that this storage does not know. What no writer ever said to be durable is cut off.
  private func catchUp(_ now: inout Known) throws -> StorageNews {
    let mark = try files.mark(path)
    if let mark, let file = now.file, mark.number == file.number, mark.size >= now.length {
      if mark.size == now.length { return StorageNews() }
      let added = Self.lines(try files.read(path, from: now.length) ?? [])
      if added.isIntact, now.rescued == nil {
        now.length += added.believed
        if now.length < mark.size { try files.truncate(path, to: now.length) }
        return StorageNews(records: added.records)
      }
    }
    let (content, fresh) = try look()
    let isGone = now.length > 0 && content.bytes.isEmpty
    now = fresh
    if !content.isIntact {
      _ = try setAside(content, &now)
    } else if content.believed < content.bytes.count {
      try files.truncate(path, to: content.believed)
    }
    return StorageNews(records: content.records, isLost: isGone || !content.isIntact)
  }

  private func look() throws -> (Content, Known) {
    // Held before it is read: whatever takes its place meanwhile has another number.
    let file = try files.hold(path)
    let content = try Self.parse(files.read(path, from: 0) ?? [])
    return (content, Known(file: file, length: content.believed))
  }

  private func append(_ record: Data, _ now: inout Known) throws {
    let line = (now.length == 0 ? Array(Self.header.utf8) : []) + Self.line(record)
    do {
      try files.append(line, to: path)
      try files.sync(path)
      try name(&now)
      if now.file == nil { now.file = try files.hold(path) }
    } catch {
      // Another process must not build on what may never be durable.
      try? files.truncate(path, to: now.length)
      throw error
    }
    now.length += line.count
  }

  private func replace(with records: [Data], _ now: inout Known) throws {
    let content = Self.content(records)
    let fresh = path + ".new"
    try files.write(content, to: fresh)
    try files.sync(fresh)
    try files.rename(fresh, to: path)
    now = Known(file: try files.hold(path), length: content.count)
    try name(&now)
  }

  private func name(_ now: inout Known) throws {
    if now.isNamed { return }
    try files.syncFolder(of: path)
    now.isNamed = true
  }

  /// Keeps a copy of the file as it is, and says where.
  func setAside() throws(StorageError) -> String {
    do {
      let lock = try files.lock(path)
      defer { lock.cancel() }
      var (content, now) = try look()
      return try setAside(content, &now)
    } catch { throw storageError(error) }
  }

  /// Keeps a copy of what is damaged: once, however often it is found. It stays in its place until the next record.
  private func setAside(_ content: Content, _ now: inout Known) throws -> String {
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

  // MARK: Lines

  /// What a file holds, or a part of it.
  private struct Content {
    var bytes: [UInt8]
    /// The records with a right checksum.
    var records: [Data] = []
    /// How many bytes are believed where it is intact.
    var believed = 0
    /// Whether it is intact but for a torn end.
    var isIntact = true
  }

  private static func line(_ record: Data) -> [UInt8] { Array((Checksum.hex(record) + " ").utf8) + record + [UInt8(ascii: "\n")] }

  private static func content(_ records: [Data]) -> [UInt8] { records.reduce(into: Array(header.utf8)) { $0 += line($1) } }

  private static func parse(_ bytes: [UInt8]) throws -> Content {
    let header = Array(Self.header.utf8)
    // A torn header is the start of a file whose first record was never durable.
    if header.starts(with: bytes) { return Content(bytes: bytes) }
    let hasHeader = bytes.starts(with: header)
    var content = lines(bytes, from: hasHeader ? header.count : 0)
    content.isIntact = content.isIntact && hasHeader
    // A later version has other lines: where one of these can be read, only the header is damaged.
    let first = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    if content.records.isEmpty, first.hasPrefix("monetize-state "), let version = Int(first.dropFirst("monetize-state ".count)), version > 1
    {
      throw StorageError("The state file is from a later version of Monetize and is left as it is. Update the app.")
    }
    return content
  }

  private static func lines(_ bytes: [UInt8], from start: Int = 0) -> Content {
    var content = Content(bytes: bytes, believed: start)
    while let end = bytes[content.believed...].firstIndex(of: UInt8(ascii: "\n")) {
      if let record = record(in: bytes[content.believed..<end]) { content.records.append(record) } else { content.isIntact = false }
      content.believed = end + 1
    }
    // A line with all but its end was torn; one that ends in something else was whole.
    if let record = record(in: bytes[content.believed...].dropLast()) {
      content.records.append(record)
      content.isIntact = false
    }
    return content
  }

  private static func record(in line: ArraySlice<UInt8>) -> Data? {
    guard line.count > 9, line[line.startIndex + 8] == UInt8(ascii: " "), let text = String(bytes: line.prefix(8), encoding: .utf8),
      let checksum = UInt32(text, radix: 16)
    else { return nil }
    let record = Data(line.dropFirst(9))
    return Checksum.crc32(record) == checksum ? record : nil
  }
}

extension StateStorage where Self == FileStorage {
  /// A storage in a file.
  public static func file(_ url: URL) -> FileStorage { FileStorage(url) }
}

/// CRC-32 as in zip and PNG: finds torn and damaged lines; no protection against a person.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
  }

  /// The checksum as eight digits.
  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = String(crc32(bytes), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xff)] ^ ($0 >> 8) }
  }
}

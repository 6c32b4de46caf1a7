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
public final class FileStorage: StateStorage {
  static let header = "monetize-state 1\n"

  private let path: String
  private let files: any FileSystem
  private struct Known: Sendable {
    /// The length of what is believed; `nil` before the first load, and when nobody knows what a failure left behind.
    var length: Int?
    /// What is believed of a damaged file, which is still in its place.
    var rescued: [Data]?
    /// Whether this process has made the file's name durable. What another one left may be lost with its name.
    var isNamed = false
    /// Keeps others away while this storage lives.
    var lock: Cancellation?
  }

  // One lock for all work on the file.
  private let known = Locked(Known())

  /// A storage in a file. The file and its folder are made when they do not exist. While the storage lives, a second one on the same file is
  /// refused with an error, also in another process on macOS and Linux; on other systems two processes must not share a file.
  public convenience init(_ url: URL) { self.init(path: url.path, files: SystemFiles()) }

  package init(path: String, files: any FileSystem) {
    self.path = path
    self.files = files
  }

  /// All records that can be believed, oldest first.
  public func load() throws(StorageError) -> StoredRecords {
    do { return try known.withLock { try load(&$0) } } catch { throw storageError(error) }
  }

  /// Adds a record: one write and one sync.
  public func append(_ record: Data) throws(StorageError) {
    do {
      try known.withLock { known in
        let size = try files.size(of: path) ?? 0
        if known.rescued == nil, let length = known.length, length > 0, size == 0 {
          (known.length, known.isNamed) = (0, false)
          throw StorageError("The state file is gone (\(path)). All facts are written again.", isGone: true)
        }
        // The file was cut: what comes next must not be glued to a torn line.
        if let length = known.length, size != length { known.length = nil }
        if known.length == nil { _ = try load(&known) }
        if let rescued = known.rescued { return try replace(with: rescued + [record], &known) }
        let length = known.length ?? 0
        let line = (length == 0 ? Array(Self.header.utf8) : []) + Self.line(record)
        // Unless all of it is durable, the file is cut back to what is believed before the next record.
        known.length = nil
        try files.append(line, to: path)
        try files.sync(path)
        try name(&known)
        known.length = length + line.count
      }
    } catch { throw storageError(error) }
  }

  /// Writes a new file beside the old one, and renames it over the old one when it is durable.
  public func replace(with records: [Data]) throws(StorageError) {
    do { try known.withLock { try replace(with: records, &$0) } } catch { throw storageError(error) }
  }

  private func replace(with records: [Data], _ known: inout Known) throws {
    if known.lock == nil { known.lock = try files.lock(path) }
    (known.length, known.isNamed) = (nil, false)
    let content = Self.content(records)
    let fresh = path + ".new"
    try files.write(content, to: fresh)
    try files.sync(fresh)
    try files.rename(fresh, to: path)
    try name(&known)
    (known.length, known.rescued) = (content.count, nil)
  }

  private func name(_ known: inout Known) throws {
    if known.isNamed { return }
    try files.syncFolder(of: path)
    known.isNamed = true
  }

  private func load(_ known: inout Known) throws -> StoredRecords {
    if known.lock == nil { known.lock = try files.lock(path) }
    known.rescued = nil
    guard let bytes = try files.read(path), !bytes.isEmpty else {
      known.length = 0
      return StoredRecords()
    }
    let content = try Self.parse(bytes)
    guard content.isIntact else {
      let aside = try setAside(bytes)
      (known.length, known.rescued) = (bytes.count, content.records)
      return StoredRecords(records: content.records, damaged: aside)
    }
    if content.believed < bytes.count {
      try files.truncate(path, to: content.believed)
      try files.sync(path)
    }
    known.length = content.believed
    return StoredRecords(records: content.records)
  }

  /// Keeps a copy of what is damaged: once, however often it is loaded.
  private func setAside(_ bytes: [UInt8]) throws -> String {
    var number = 1
    while let other = try files.read("\(path).damaged-\(number)") {
      if other == bytes { return "\(path).damaged-\(number)" }
      number += 1
    }
    let aside = "\(path).damaged-\(number)"
    try files.write(bytes, to: aside)
    try files.sync(aside)
    try files.syncFolder(of: path)
    return aside
  }

  private func storageError(_ error: any Error) -> StorageError {
    error as? StorageError
      ?? StorageError(
        "The state file could not be used (\(path)): \(error). Check that its folder can be written and that the disk is not full.")
  }

  // MARK: Lines

  private static func line(_ record: Data) -> [UInt8] {
    let digits = String(Checksum.crc32(record), radix: 16)
    return Array((String(repeating: "0", count: 8 - digits.count) + digits + " ").utf8) + record + [UInt8(ascii: "\n")]
  }

  private static func content(_ records: [Data]) -> [UInt8] { records.reduce(into: Array(header.utf8)) { $0 += line($1) } }

  /// The records with a right checksum; how many bytes of an intact file are believed; and whether it is intact but for a torn end.
  private static func parse(_ bytes: [UInt8]) throws -> (records: [Data], believed: Int, isIntact: Bool) {
    let header = Array(Self.header.utf8)
    // A torn header is the start of a file whose first record was never durable.
    if header.starts(with: bytes) { return ([], 0, true) }
    let first = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    var records: [Data] = []
    var isIntact = bytes.starts(with: header)
    var start = isIntact ? header.count : 0
    var believed = start
    while start < bytes.count, let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if let record = record(in: bytes[start..<end]) { records.append(record) } else { isIntact = false }
      start = end + 1
      believed = start
    }
    // A later version has other lines: where one of these can be read, only the header is damaged.
    if records.isEmpty, first.hasPrefix("monetize-state "), let version = Int(first.dropFirst("monetize-state ".count)), version > 1 {
      throw StorageError("The state file is from a later version of Monetize and is left as it is. Update the app.")
    }
    return (records, believed, isIntact)
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

  static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xff)] ^ ($0 >> 8) }
  }
}

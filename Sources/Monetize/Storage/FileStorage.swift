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
/// Damage anywhere else puts the whole file aside as `name.damaged-1`, never deleted; a new file begins with the lines whose checksum is right.
public final class FileStorage: StateStorage {
  static let header = "monetize-state 1\n"

  private let path: String
  private let files: any FileSystem
  // The length of what is believed; `nil` before the first load. One lock for all work on the file.
  private let length = Locked<Int?>(nil)

  /// A storage in a file. Its folder has to exist; the file need not.
  public convenience init(_ url: URL) { self.init(path: url.path, files: SystemFiles()) }

  package init(path: String, files: any FileSystem) {
    self.path = path
    self.files = files
  }

  /// All records that can be believed, oldest first.
  public func load() throws(StorageError) -> StoredRecords {
    do { return try length.withLock { try load(&$0) } } catch { throw storageError(error) }
  }

  /// Adds a record: one write and one sync.
  public func append(_ record: Data) throws(StorageError) {
    do {
      try length.withLock { length in
        if length == nil { _ = try load(&length) }
        let known = length ?? 0
        let line = (known == 0 ? Array(Self.header.utf8) : []) + Self.line(record)
        // Unless all of it is durable, the file is cut back to what is believed before the next record.
        length = nil
        try files.append(line, to: path)
        try files.sync(path)
        if known == 0 { try files.syncFolder(of: path) }
        length = known + line.count
      }
    } catch { throw storageError(error) }
  }

  /// Writes a new file beside the old one, and renames it over the old one when it is durable.
  public func replace(with records: [Data]) throws(StorageError) {
    do {
      try length.withLock { length in
        length = nil
        let content = Self.content(records)
        let fresh = path + ".new"
        try files.write(content, to: fresh)
        try files.sync(fresh)
        try files.rename(fresh, to: path)
        try files.syncFolder(of: path)
        length = content.count
      }
    } catch { throw storageError(error) }
  }

  private func load(_ length: inout Int?) throws -> StoredRecords {
    guard let bytes = try files.read(path), !bytes.isEmpty else {
      length = 0
      return StoredRecords()
    }
    let content = try Self.parse(bytes)
    guard content.isIntact else {
      let aside = try setAside()
      length = 0
      if !content.records.isEmpty {
        try files.write(Self.content(content.records), to: path)
        try files.sync(path)
        try files.syncFolder(of: path)
        length = Self.content(content.records).count
      }
      return StoredRecords(records: content.records, damaged: aside)
    }
    if content.believed < bytes.count {
      try files.truncate(path, to: content.believed)
      try files.sync(path)
    }
    length = content.believed
    return StoredRecords(records: content.records)
  }

  private func setAside() throws -> String {
    var number = 1
    while try files.read("\(path).damaged-\(number)") != nil { number += 1 }
    let aside = "\(path).damaged-\(number)"
    try files.rename(path, to: aside)
    try files.syncFolder(of: path)
    return aside
  }

  private func storageError(_ error: any Error) -> StorageError {
    error as? StorageError ?? StorageError("The state file could not be used (\(path)): \(error). Check that its folder exists and can be written.")
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
    let family = Array("monetize-state ".utf8)
    if !bytes.starts(with: header), bytes.starts(with: family), let digit = bytes.dropFirst(family.count).first, (50...57).contains(digit) {
      throw StorageError("The state file is from a later version of Monetize and is left as it is. Update the app.")
    }
    var records: [Data] = []
    var isIntact = bytes.starts(with: header)
    var start = isIntact ? header.count : 0
    var believed = start
    while start < bytes.count, let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if let record = record(in: bytes[start..<end]) { records.append(record) } else { isIntact = false }
      start = end + 1
      believed = start
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

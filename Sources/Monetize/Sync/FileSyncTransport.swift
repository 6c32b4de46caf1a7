// SPDX-License-Identifier: Apache-2.0
public import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Exchanges records through one file that several processes of a device share, such as an app and its extension: a line a record, added at the
/// end and never changed. It grows with what is sent; when it is deleted, each process begins it anew with what it records from then on.
///
/// The file is locked for one write and never between calls.
public struct FileSyncTransport: SyncTransport {
  private let url: URL

  /// A transport through a file, which is made with the first record. Its folder exists.
  public init(_ url: URL) { self.url = url }

  /// Adds records durably: one write and one sync. Refuses none.
  public func push(_ records: [SyncRecord]) async throws(SyncError) -> [String: String] {
    try work {
      let encoder = JSONEncoder()
      var lines = try records.reduce(into: Data()) { $0 += try encoder.encode($1) + [0x0a] }
      let descriptor = open(url.path, O_RDWR | O_CREAT | O_APPEND, 0o600)
      guard descriptor >= 0 else { throw StorageError("It could not be opened (error \(errno)).") }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      while flock(descriptor, LOCK_EX) != 0 {
        guard errno == EINTR else { throw StorageError("It could not be locked (error \(errno)).") }
      }
      let end = try file.seekToEnd()
      if end > 0 { try file.seek(toOffset: end - 1) }
      // A line that a crash has torn ends here, and is skipped by readers.
      if end > 0, try file.read(upToCount: 1) != Data([0x0a]) { lines.insert(0x0a, at: 0) }
      do {
        try file.write(contentsOf: lines)
        try file.synchronize()
      } catch {
        try? file.truncate(atOffset: end)
        throw error
      }
      return [:]
    }
  }

  /// Everything after a place in the file, whole lines only. The cursor is the number of bytes before the next line.
  public func pull(after cursor: String?) async throws(SyncError) -> SyncPage {
    try work {
      guard FileManager.default.fileExists(atPath: url.path) else { return SyncPage(cursor: nil) }
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      let length = try file.seekToEnd()
      let asked = cursor.flatMap(UInt64.init) ?? 0
      // A shorter file is another one.
      let start = asked <= length ? asked : 0
      try file.seek(toOffset: start)
      let bytes = try file.readToEnd() ?? Data()
      let whole = bytes.lastIndex(of: 0x0a).map { bytes.prefix(through: $0) } ?? Data()
      let decoder = JSONDecoder()
      let records = whole.split(separator: 0x0a).compactMap { try? decoder.decode(SyncRecord.self, from: Data($0)) }
      return SyncPage(records, cursor: String(start + UInt64(whole.count)))
    }
  }

  private func work<Result>(_ body: () throws -> Result) throws(SyncError) -> Result {
    do { return try body() } catch {
      throw SyncError(.unreachable, "The shared file \(url.path) could not be used: \(error)")
    }
  }
}

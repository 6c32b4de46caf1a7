// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Exchanges records through one file that several processes of a device share, such as an app and its extension. Each record is a line,
/// added at the end and never changed. The file grows with the records sent. After it is deleted, each process starts a new one with its
/// later records.
///
/// `name.lock` is locked for each write and never between calls. Reads do not wait.
public struct FileSyncTransport: SyncTransport {
  private static let lineEnd = UInt8(ascii: "\n")
  private let path: String
  private let files: any FileSystem

  /// Makes a transport through a file, which is created with the first record. Its folder must exist.
  public init(_ url: URL) { self.init(path: url.path, files: SystemFiles()) }

  package init(path: String, files: any FileSystem) { (self.path, self.files) = (path, files) }

  /// Adds records durably: one write and one sync. Refuses none.
  public func push(_ records: [SyncRecord]) async throws(SyncError) -> [String: String] {
    try work {
      let encoder = JSONEncoder()
      var lines = try records.reduce(into: [UInt8]()) { $0 += try encoder.encode($1) + [Self.lineEnd] }
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      guard try files.mark(folder) != nil else { throw StorageError("There is no folder \(folder). Create it, or use another one.") }
      let lock = try files.lock(path)
      defer { lock.cancel() }
      let end = try files.mark(path)?.size ?? 0
      // Ends a line that a crash has torn. Readers skip it.
      if end > 0, try files.read(path, from: end - 1) != [Self.lineEnd] { lines.insert(Self.lineEnd, at: 0) }
      do {
        try files.append(lines, to: path)
        try files.sync(path)
        if end == 0 { try files.syncFolder(of: path) }
      } catch {
        try? files.truncate(path, to: end)
        throw error
      }
      return [:]
    }
  }

  /// Reads all whole lines after a position. The cursor is the number of the file and of the bytes before the next line. A file that was
  /// replaced, or that lost lines in a crash, is read from the start.
  public func pull(after cursor: String?) async throws(SyncError) -> SyncPage {
    try work {
      guard let number = try files.mark(path)?.number else { return SyncPage(cursor: nil) }
      let parts = (cursor ?? "").split(separator: " ")
      var start = parts.count == 2 && UInt64(parts[0]) == number ? Int(parts[1]) ?? 0 : 0
      // Begins with the last byte of the previous line, to verify that a line begins here.
      var bytes = start > 0 ? try files.read(path, from: start - 1) ?? [] : []
      if bytes.first == Self.lineEnd { bytes.removeFirst() } else { (start, bytes) = (0, try files.read(path, from: 0) ?? []) }
      let whole = bytes.lastIndex(of: Self.lineEnd).map { bytes.prefix(through: $0) } ?? []
      let decoder = JSONDecoder()
      let records = whole.split(separator: Self.lineEnd).compactMap { try? decoder.decode(SyncRecord.self, from: Data($0)) }
      return SyncPage(records, cursor: "\(number) \(start + whole.count)")
    }
  }

  private func work<Result>(_ body: () throws -> Result) throws(SyncError) -> Result {
    do { return try body() } catch {
      throw SyncError(.unreachable, "The shared file \(path) could not be used: \(error)")
    }
  }
}

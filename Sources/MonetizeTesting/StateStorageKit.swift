// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// Checks the requirements on every ``StateStorage``. It cannot simulate a power cut: crash your own storage in a test of your own.
public struct StateStorageKit: Sendable {
  private let open: @Sendable () -> any StateStorage

  /// Makes a kit.
  /// - Parameter open: Opens the same storage again at each call, as a relaunch would. It must be empty at first.
  public init(_ open: @escaping @Sendable () -> any StateStorage) { self.open = open }

  /// Checks every behaviour.
  public func run() -> KitReport {
    var report = KitReport(subject: "State storage \(type(of: open()))")
    let records = (0..<5).map { Data("{\"record\":\($0)}".utf8) }
    report.check("storage.empty", "A fresh install has no past.") {
      try open().load() == StoredRecords() ? nil : "A new place is not empty."
    }
    report.check("storage.order", "Facts merge in any order, but support reads a history.") {
      let storage = open()
      for record in records { try storage.append(record) }
      return try storage.load().records == records ? nil : "The records are not those appended, in order."
    }
    report.check("storage.reopen", "What was durable is there after a relaunch.") {
      try open().load().records == records ? nil : "Another opening of the place finds other records."
    }
    report.check("storage.append-after-reopen", "A relaunched app goes on where it was.") {
      try open().append(Data("last".utf8))
      return try open().load().records == records + [Data("last".utf8)] ? nil : "The record is not at the end."
    }
    report.check("storage.replace", "A compaction leaves the new records and nothing else.") {
      func write(_ storage: any StateStorage) throws {
        try storage.replace(with: [Data("one".utf8)])
        try storage.append(Data("two".utf8))
      }
      // Releases the storage before it is opened again, because it may allow only one writer.
      try write(open())
      return try open().load().records == [Data("one".utf8), Data("two".utf8)] ? nil : "Other records are there."
    }
    report.check("storage.large", "A compaction is one large record.") {
      let large = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 % 91 + 32) })
      try open().replace(with: [large])
      return try open().load().records == [large] ? nil : "Two megabytes did not come back."
    }
    report.check("storage.nothing", "An account that is deleted leaves nothing.") {
      try open().replace(with: [])
      return try open().load().records.isEmpty ? nil : "Something is left."
    }
    return report
  }
}

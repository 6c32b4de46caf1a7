// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// Checks the requirements on every `StateStorage`. It cannot simulate a power cut: let your storage crash in a test of your own.
public struct StateStorageKit: Sendable {
  private let open: @Sendable () -> any StateStorage

  /// Makes a kit.
  /// - Parameter open: Opens the same storage again at each call, as a relaunch would. It must be empty at first.
  public init(_ open: @escaping @Sendable () -> any StateStorage) { self.open = open }

  /// Checks every behaviour.
  public func run() -> KitReport {
    var report = KitReport(subject: "State storage \(type(of: open()))")
    let records = (0..<5).map { Data("{\"record\":\($0)}".utf8) }
    report.check("storage.empty", "A new storage has no records.") {
      try open().load() == StoredRecords() ? nil : "The new storage is not empty."
    }
    report.check("storage.order", "Records keep their order, which support relies on.") {
      let storage = open()
      for record in records { try storage.append(record) }
      return try storage.load().records == records ? nil : "The records differ from the appended ones, or their order does."
    }
    report.check("storage.reopen", "Durable records are there after a relaunch.") {
      try open().load().records == records ? nil : "Opening the storage again returns other records."
    }
    report.check("storage.append-after-reopen", "A relaunched app appends after its earlier records.") {
      try open().append(Data("last".utf8))
      return try open().load().records == records + [Data("last".utf8)] ? nil : "The record is not at the end."
    }
    report.check("storage.replace", "A compaction leaves only the new records.") {
      func write(_ storage: any StateStorage) throws {
        try storage.replace(with: [Data("one".utf8)])
        try storage.append(Data("two".utf8))
      }
      // Releases the storage before it is opened again, because it may allow only one writer.
      try write(open())
      return try open().load().records == [Data("one".utf8), Data("two".utf8)] ? nil : "The storage holds other records."
    }
    report.check("storage.large", "A compaction can write one large record.") {
      let large = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 % 91 + 32) })
      try open().replace(with: [large])
      return try open().load().records == [large] ? nil : "A record of two megabytes was not returned."
    }
    report.check("storage.nothing", "A deleted account leaves no records.") {
      try open().replace(with: [])
      return try open().load().records.isEmpty ? nil : "Records are left."
    }
    return report
  }
}

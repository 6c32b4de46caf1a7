// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A storage of facts: a list of records that grows, and is sometimes replaced by a shorter one with the same meaning.
///
/// **Law.** When `append` or `replace` has returned, the records survive a crash or a power cut. When a call did not return, the next
/// `load` finds either the records before the call or those after it, never a mixture. `StateStorageKit` in `MonetizeTesting` checks this
/// for any storage.
public protocol StateStorage: Sendable {
  /// All records, oldest first.
  func load() throws(StorageError) -> StoredRecords
  /// Adds a record durably.
  func append(_ record: Data) throws(StorageError)
  /// Replaces all records, durably and atomically.
  func replace(with records: [Data]) throws(StorageError)
}

/// The content of a storage.
public struct StoredRecords: Sendable, Hashable {
  /// The records, oldest first.
  public var records: [Data]
  /// The place of a copy of damaged content, if any. The records do not include that content.
  public var damaged: String?
  /// How many of the records, from the first, were written with the key of a seal that is broken; `nil` when the seal is not broken.
  package var sealed: Int?

  /// Makes a list of records.
  public init(records: [Data] = [], damaged: String? = nil) { (self.records, self.damaged) = (records, damaged) }
}

/// An error of a storage.
public struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened, and how to fix it.
  public let description: String

  /// Makes an error from a sentence.
  public init(_ description: String) { self.description = description }
}

/// A storage that several processes write, one change at a time.
package protocol SharedStorage: StateStorage {
  /// The same content, with a reading position of its own. Each reader of the content has one, so that none of them takes news from another.
  func opened() -> Self
  /// Changes the records while no other process writes. `news` holds the changes by others since this reader last read or wrote.
  func change(_ body: (_ news: StorageNews) -> StorageChange?) throws(StorageError)
  /// Marks a run of the app as active, until the result is released or the process ends.
  func begin(_ run: String) throws(StorageError) -> Cancellation
  /// Whether the run that made reservations is active; `nil` when that cannot be determined.
  func isRunActive(_ run: String) -> Bool?
}

/// The stored content that this process has not seen.
package struct StorageNews: Sendable {
  /// The records that other processes have added; all valid records if the file is another one, shorter, or damaged.
  package var records: [Data] = []
  /// Whether `records` are all that is stored, so that known facts may be missing and have to be written again.
  package var isWhole = false
  /// Whether the stored records are not to be trusted, so that all known facts have to replace them.
  package var isLost = false
}

package enum StorageChange: Sendable {
  case append(Data)
  case replace([Data])
}

extension StateStorage {
  /// The same content for one more reader.
  var forReader: any StateStorage { (self as? any SharedStorage)?.opened() ?? self }

  /// Changes the records of any storage. One that is not shared has no other writer.
  func changing(_ body: (_ news: StorageNews) -> StorageChange?) throws(StorageError) {
    if let shared = self as? any SharedStorage { return try shared.change(body) }
    switch body(StorageNews()) {
    case .append(let record): try append(record)
    case .replace(let records): try replace(with: records)
    case nil: break
    }
  }

  /// Whether the run that made a reservation has ended. When that cannot be determined, the run counts as ended ten minutes after the
  /// reservation.
  func hasEnded(_ use: Use, at now: Date) -> Bool {
    guard let shared = self as? any SharedStorage else { return true }
    return shared.isRunActive(use.run).map { !$0 } ?? (use.date + 600 <= now)
  }
}

/// Keeps records in memory: for tests, previews, guests and demos.
public final class MemoryStorage: StateStorage {
  private let records: Locked<[Data]>

  /// Makes a storage with these records.
  public init(_ records: [Data] = []) { self.records = Locked(records) }

  /// All records, oldest first.
  public func load() -> StoredRecords { StoredRecords(records: records.copy) }
  /// Adds a record.
  public func append(_ record: Data) { records.withLock { $0.append(record) } }
  /// Replaces all records.
  public func replace(with records: [Data]) { self.records.set(records) }
}

extension StateStorage where Self == MemoryStorage {
  /// Makes a storage in memory.
  public static var memory: MemoryStorage { MemoryStorage() }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Where facts are kept: a list of records that only grows, and is sometimes replaced by a shorter one that says the same.
///
/// **Law.** When `append` or `replace` has returned, the records are there after a crash or a power cut; when one of them did not return, the
/// next `load` finds either the records before the call or those after it, never something in between. `StateStorageKit` in
/// `MonetizeTesting` checks that for any storage.
public protocol StateStorage: Sendable {
  /// All records, oldest first.
  func load() throws(StorageError) -> StoredRecords
  /// Adds a record durably.
  func append(_ record: Data) throws(StorageError)
  /// Puts these records in the place of all others, durably and at once.
  func replace(with records: [Data]) throws(StorageError)
}

/// What a storage held.
public struct StoredRecords: Sendable, Hashable {
  /// The records, oldest first.
  public var records: [Data]
  /// Where something that could not be believed was put aside, if that happened. Its content is in no record.
  public var damaged: String?
  /// How many of the records, from the first, were written with the key of a seal that is broken; `nil` where none is.
  package var sealed: Int?

  /// Makes a list of records.
  public init(records: [Data] = [], damaged: String? = nil) {
    self.records = records
    self.damaged = damaged
  }
}

/// Why a storage could not do something.
public struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened and what to do.
  public let description: String

  /// Makes an error from a sentence.
  public init(_ description: String) { self.description = description }
}

/// A storage that several processes write, one change at a time.
package protocol SharedStorage: StateStorage {
  /// Changes what is stored while no other process does, given what others have written since this storage was last read or written.
  func change(_ body: (_ news: StorageNews) -> StorageChange?) throws(StorageError)
  /// Marks a run of the app as going on, until the result is released or the process ends.
  func begin(_ run: String) throws(StorageError) -> Cancellation
  /// Whether a run goes on that has reservations; `nil` where that cannot be known.
  func goesOn(_ run: String) -> Bool?
}

/// What a storage holds that this process did not know.
package struct StorageNews: Sendable {
  /// What other processes have added; all records where the file was replaced.
  package var records: [Data] = []
  /// Whether something that was stored is lost, so that everything that is known has to be written again.
  package var isLost = false
}

/// What becomes of the records.
package enum StorageChange: Sendable {
  case append(Data)
  case replace([Data])
}

extension StateStorage {
  /// The same for any storage: one that is not shared has no other writer.
  func changing(_ body: (_ news: StorageNews) -> StorageChange?) throws(StorageError) {
    if let shared = self as? any SharedStorage { return try shared.change(body) }
    switch body(StorageNews()) {
    case .append(let record): try append(record)
    case .replace(let records): try replace(with: records)
    case nil: break
    }
  }

  /// Whether the run that made a reservation is over, at that time. Where that cannot be known, ten minutes after it was made.
  func hasEnded(_ use: Use, at now: Date) -> Bool {
    guard let shared = self as? any SharedStorage else { return true }
    return shared.goesOn(use.run).map { !$0 } ?? (use.date + 600 <= now)
  }
}

/// Keeps records while it lives: for tests, previews, guests and demos.
public final class MemoryStorage: StateStorage {
  private let records: Locked<[Data]>

  /// Makes a storage with these records.
  public init(_ records: [Data] = []) { self.records = Locked(records) }

  /// All records, oldest first.
  public func load() -> StoredRecords { StoredRecords(records: records.copy) }
  /// Adds a record.
  public func append(_ record: Data) { records.withLock { $0.append(record) } }
  /// Puts these records in the place of all others.
  public func replace(with records: [Data]) { self.records.set(records) }
}

extension StateStorage where Self == MemoryStorage {
  /// A storage that lives as long as the monetizer.
  public static var memory: MemoryStorage { MemoryStorage() }
}

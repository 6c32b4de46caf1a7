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
  /// Whether all that was stored is gone, so that everything is written again.
  let isGone: Bool

  /// Makes an error from a sentence.
  public init(_ description: String) { self.init(description, isGone: false) }

  init(_ description: String, isGone: Bool) { (self.description, self.isGone) = (description, isGone) }
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
  public func replace(with records: [Data]) { self.records.withLock { $0 = records } }
}

extension StateStorage where Self == MemoryStorage {
  /// A storage that lives as long as the monetizer.
  public static var memory: MemoryStorage { MemoryStorage() }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Keeps records in one secure value, for `secureStorage`, which holds few facts. A value that cannot be read, because it is damaged or
/// from a later version, is kept in another place before it is replaced.
public final class SecureStateStorage: StateStorage {
  private let value: any SecureStore
  private let aside: any SecureStore
  private let name: String
  private let lock = Locked(())

  /// Makes a storage.
  /// - Parameters:
  ///   - value: The value.
  ///   - aside: The place of the last value that could not be read.
  ///   - name: The name of the value in reports.
  public init(_ value: any SecureStore, aside: any SecureStore, name: String) {
    (self.value, self.aside, self.name) = (value, aside, name)
  }

  /// All records, oldest first.
  public func load() throws(StorageError) -> StoredRecords {
    guard let data = try value.read() else { return StoredRecords() }
    guard let records = Self.records(data) else { return StoredRecords(damaged: name) }
    return StoredRecords(records: records)
  }

  /// Adds a record. Replaces the value: O(all records).
  public func append(_ record: Data) throws(StorageError) { try change { $0 + [record] } }

  /// Replaces all records.
  public func replace(with records: [Data]) throws(StorageError) { try change { _ in records } }

  private func change(_ body: ([Data]) -> [Data]) throws(StorageError) {
    do {
      try lock.withLock { _ in
        let known = try value.read()
        let records = known.map(Self.records) ?? []
        if let known, records == nil { try aside.write(known) }
        try value.write(JSONEncoder().encode(body(records ?? [])))
      }
    } catch { throw error as? StorageError ?? StorageError("\(error)") }
  }

  private static func records(_ data: Data) -> [Data]? { try? JSONDecoder().decode([Data].self, from: data) }
}

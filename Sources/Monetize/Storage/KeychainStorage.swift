// SPDX-License-Identifier: Apache-2.0
#if canImport(Security)
  public import Foundation
  import Security

  /// Keeps records in one item of the keychain, where a reinstallation of the app does not reach: for `secureStorage`, which holds few facts.
  ///
  /// The item stays on this device, is part of no backup that is restored on another one, and can be read from the first unlocking after a
  /// start on.
  public final class KeychainStorage: StateStorage {
    private let service: String
    private let lock = Locked(0)

    /// A storage in the item of a service, such as the app's bundle id.
    public init(service: String) { self.service = service }

    /// All records, oldest first.
    public func load() throws(StorageError) -> StoredRecords {
      var query = item
      (query[kSecReturnData], query[kSecMatchLimit]) = (true, kSecMatchLimitOne)
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return StoredRecords() }
      guard status == errSecSuccess, let data = found as? Data else { throw error(status, "read") }
      guard let records = try? JSONDecoder().decode([Data].self, from: data) else {
        return StoredRecords(damaged: "the keychain's item of \(service)")
      }
      return StoredRecords(records: records)
    }

    /// Adds a record.
    public func append(_ record: Data) throws(StorageError) {
      do { try lock.withLock { _ in try write(load().records + [record]) } } catch { throw storageError(error) }
    }

    /// Puts these records in the place of all others.
    public func replace(with records: [Data]) throws(StorageError) {
      do { try lock.withLock { _ in try write(records) } } catch { throw storageError(error) }
    }

    private var item: [CFString: Any] {
      [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "monetize-state",
        kSecUseDataProtectionKeychain: true,
      ]
    }

    private func write(_ records: [Data]) throws {
      let data = try JSONEncoder().encode(records)
      let change: [CFString: Any] = [
        kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      var status = SecItemUpdate(item as CFDictionary, change as CFDictionary)
      if status == errSecItemNotFound { status = SecItemAdd(item.merging(change) { $1 } as CFDictionary, nil) }
      guard status == errSecSuccess else { throw error(status, "written") }
    }

    private func error(_ status: OSStatus, _ what: String) -> StorageError {
      StorageError(
        "The keychain could not be \(what) (status \(status)). Try again when the device is unlocked, and check its entitlements.")
    }

    private func storageError(_ error: any Error) -> StorageError { error as? StorageError ?? StorageError("\(error)") }
  }

  extension StateStorage where Self == KeychainStorage {
    /// A storage in the keychain of this device.
    public static func keychain(service: String) -> KeychainStorage { KeychainStorage(service: service) }
  }
#endif

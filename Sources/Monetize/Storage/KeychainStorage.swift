// SPDX-License-Identifier: Apache-2.0
#if canImport(Security)
  public import Foundation
  import Security

  /// One item of the keychain. It stays on this device and can be read after the first unlock following a restart.
  struct KeychainItem: Sendable {
    let service: String
    let account: String
    /// The group of apps and extensions that share it; `nil` for this program's own.
    var accessGroup: String?

    private var query: [CFString: Any] {
      var query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account, kSecUseDataProtectionKeychain: true,
      ]
      if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
      return query
    }

    func read() throws(StorageError) -> Data? {
      var query = query
      (query[kSecReturnData], query[kSecMatchLimit]) = (true, kSecMatchLimitOne)
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess, let data = found as? Data else { throw error(status, "read") }
      return data
    }

    func write(_ data: Data) throws(StorageError) {
      let change: [CFString: Any] = [
        kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      var status = SecItemUpdate(query as CFDictionary, change as CFDictionary)
      if status == errSecItemNotFound { status = SecItemAdd(query.merging(change) { $1 } as CFDictionary, nil) }
      // Another program of the group has added it meanwhile.
      if status == errSecDuplicateItem { status = SecItemUpdate(query as CFDictionary, change as CFDictionary) }
      guard status == errSecSuccess else { throw error(status, "written") }
    }

    private func error(_ status: OSStatus, _ what: String) -> StorageError {
      StorageError(
        "The keychain could not be \(what) (status \(status)). Try again when the device is unlocked, and check its entitlements.")
    }
  }

  /// Keeps records in one item of the keychain, which survives a reinstallation of the app. For `secureStorage`, which holds few facts.
  ///
  /// The item stays on this device, is in no backup that is restored on another device, and can be read after the first unlock following a
  /// restart.
  public final class KeychainStorage: StateStorage {
    private let value: StoredValue

    /// Makes a storage in the item of a service, such as the app's bundle id.
    public init(service: String) {
      value = StoredValue(
        KeychainItem(service: service, account: "monetize-state"),
        aside: KeychainItem(service: service, account: "monetize-state-damaged"), name: "the keychain's item of \(service)")
    }

    /// All records, oldest first.
    public func load() throws(StorageError) -> StoredRecords { try value.load() }
    /// Adds a record.
    public func append(_ record: Data) throws(StorageError) { try value.append(record) }
    /// Replaces all records.
    public func replace(with records: [Data]) throws(StorageError) { try value.replace(with: records) }
  }

  extension KeychainItem: SecureStore {}

  /// Keeps the key of a sealed state file in the keychain of this device.
  ///
  /// ```swift
  /// $0.storage = .file(stateURL, sealedBy: .keychain(service: bundleID))
  /// ```
  ///
  /// An extension has a keychain of its own. If it reads the file as well, both need the same service and access group. Without its key the
  /// file counts as damaged there, and a key that the extension makes itself would damage it for the app.
  public struct KeychainSecureStore: SecureStore {
    private let item: KeychainItem

    /// Makes a store in the item of a service, such as the app's bundle id.
    /// - Parameters:
    ///   - service: The service.
    ///   - accessGroup: The group of apps and extensions that share the key. On iOS the id of an app group is one. Default: this program
    ///     alone.
    public init(service: String, accessGroup: String? = nil) {
      item = KeychainItem(service: service, account: "monetize-seal", accessGroup: accessGroup)
    }

    /// The value; `nil` when none was written.
    public func read() throws(StorageError) -> Data? { try item.read() }
    /// Replaces the value.
    public func write(_ value: Data) throws(StorageError) { try item.write(value) }
  }

  extension StateStorage where Self == KeychainStorage {
    /// A storage in the keychain of this device.
    public static func keychain(service: String) -> KeychainStorage { KeychainStorage(service: service) }
  }

  extension SecureStore where Self == KeychainSecureStore {
    /// The keychain of this device.
    /// - Parameters:
    ///   - service: The service.
    ///   - accessGroup: The group of apps and extensions that share the key. Default: this program alone.
    public static func keychain(service: String, accessGroup: String? = nil) -> KeychainSecureStore {
      KeychainSecureStore(service: service, accessGroup: accessGroup)
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0
#if canImport(Security)
  public import Foundation
  import Security

  /// One item of the keychain, such as the key of a sealed state file. It stays on this device and can be read after the first unlock
  /// following a restart.
  ///
  /// ```swift
  /// $0.storage = .file(stateURL, sealedBy: .keychain(service: bundleID))
  /// ```
  ///
  /// An extension has a keychain of its own. If it reads the file as well, both need the same service and access group. Without the app's
  /// key, the file counts as damaged in the extension, and a key that the extension makes would damage the file for the app.
  public struct KeychainSecureStore: SecureStore {
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

    /// The value; `nil` when none was written.
    public func read() throws(StorageError) -> Data? {
      var query = query
      (query[kSecReturnData], query[kSecMatchLimit]) = (true, kSecMatchLimitOne)
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess, let data = found as? Data else { throw error(status, "read") }
      return data
    }

    /// Replaces the value.
    public func write(_ data: Data) throws(StorageError) {
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

  extension StateStorage where Self == SecureStateStorage {
    /// Keeps records in one item of the keychain, which survives a reinstallation of the app. For `secureStorage`, which holds few facts.
    ///
    /// The item stays on this device, is in no backup that is restored on another device, and can be read after the first unlock following
    /// a restart.
    /// - Parameter service: The service of the item, such as the app's bundle id.
    public static func keychain(service: String) -> SecureStateStorage {
      SecureStateStorage(
        KeychainSecureStore(service: service, account: "monetize-state"),
        aside: KeychainSecureStore(service: service, account: "monetize-state-damaged"), name: "the keychain's item of \(service)")
    }
  }

  extension SecureStore where Self == KeychainSecureStore {
    /// Keeps the key of a sealed state file in the keychain of this device.
    /// - Parameters:
    ///   - service: The service of the item, such as the app's bundle id.
    ///   - accessGroup: The group of apps and extensions that share the key. On iOS the id of an app group is one. Default: this program
    ///     alone.
    public static func keychain(service: String, accessGroup: String? = nil) -> KeychainSecureStore {
      KeychainSecureStore(service: service, account: "monetize-seal", accessGroup: accessGroup)
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// An app's account as a UUID, for stores that keep nothing else of it. StoreKit: `appAccountToken`.
///
/// An account that is a UUID is its own token. Any other account becomes the first 16 bytes of the SHA-256 of `monetize.account:` and the
/// account in UTF-8, with the version 8 and the variant of RFC 9562. A server can compute the same token. The account cannot be computed from it.
public struct AppAccountToken: Sendable, Hashable, CustomStringConvertible {
  /// The token.
  public let uuid: UUID

  /// Makes the token of an account. O(length).
  public init(_ account: String) {
    if let uuid = UUID(uuidString: account) {
      self.uuid = uuid
      return
    }
    var bytes = Array(SHA256.hash("monetize.account:\(account)".utf8).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// The token as text, in capitals.
  public var description: String { uuid.uuidString }
}

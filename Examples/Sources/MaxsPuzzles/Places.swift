// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The storage of the hub: the session is secret, preferences are plain, and play is durable, separate for the guest and each account.
public struct Places: Sendable {
  /// The session: the keychain.
  public let secure: any SecretPlace
  /// The players' preferences: the user defaults.
  public let preferences: any PreferencePlace
  /// The records of an account's family, or of the guest (`nil`), and the outbox: files.
  public let durable: @Sendable (String?) -> any StateStorage

  /// Combines the storage.
  public init(
    secure: any SecretPlace, preferences: any PreferencePlace, durable: @escaping @Sendable (String?) -> any StateStorage
  ) {
    (self.secure, self.preferences, self.durable) = (secure, preferences, durable)
  }
}

/// The proof of identity for the server. It cannot be encoded, is no preference, and prints nothing.
public struct SessionToken: Sendable, CustomStringConvertible, CustomReflectable {
  let secret: String

  /// Wraps the server's value.
  public init(_ secret: String) { self.secret = secret }

  /// Shows nothing of the secret.
  public var description: String { "a session" }
  /// Shows nothing of the secret.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Reads the secret, to send it, or to store it in a ``SecretPlace``.
  public func reveal<Result>(_ body: (String) throws -> Result) rethrows -> Result { try body(secret) }
}

/// Stores the session out of reach of backups and other apps.
public protocol SecretPlace: Sendable {
  /// The session; `nil` when no account is signed in. Throws when it could not be read, which is different.
  func session() throws -> SessionToken?
  /// Replaces the session; `nil` signs out.
  func keep(_ session: SessionToken?) throws
}

/// The values of a preference: a Boolean, a number, a preset. Not a text, so it can hold no secret and no child's name.
public protocol PreferenceValue: Sendable {}
extension Bool: PreferenceValue {}
extension Int: PreferenceValue {}
extension Preset: PreferenceValue {}

/// Stores a player's preferences.
public protocol PreferencePlace: Sendable {
  /// The stored value; `nil` when there is none.
  func value<Value: PreferenceValue>(_ name: String, as type: Value.Type) -> Value?
  /// Stores a value.
  func set(_ name: String, to value: (any PreferenceValue)?)
}

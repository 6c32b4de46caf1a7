// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// Where the hub keeps what: the session secretly, preferences plainly, and what was played durably, the guest's and each account's apart.
public struct Places: Sendable {
  /// The session: the keychain.
  public let secure: any SecretPlace
  /// What a player has set: the user defaults.
  public let preferences: any PreferencePlace
  /// What was played by an account's family, or by the guest (`nil`), and what waits to be sent: files.
  public let durable: @Sendable (String?) -> any StateStorage

  /// Puts the places together.
  public init(
    secure: any SecretPlace, preferences: any PreferencePlace, durable: @escaping @Sendable (String?) -> any StateStorage
  ) {
    (self.secure, self.preferences, self.durable) = (secure, preferences, durable)
  }
}

/// What proves to the server who is signed in. It cannot be encoded, is no preference, and shows nothing when it is printed.
public struct SessionToken: Sendable, CustomStringConvertible, CustomReflectable {
  let secret: String

  /// Wraps what the server sent.
  public init(_ secret: String) { self.secret = secret }

  /// Nothing of the secret.
  public var description: String { "a session" }
  /// Nothing of the secret.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Lets the secret be sent, and kept by a ``SecretPlace``.
  public func reveal<Result>(_ body: (String) throws -> Result) rethrows -> Result { try body(secret) }
}

/// Keeps the session where no backup and no other app reads it.
public protocol SecretPlace: Sendable {
  /// The session; `nil` when nobody is signed in. Throws when it could not be read: that is not the same.
  func session() throws -> SessionToken?
  /// Puts a session in the place of the one before; `nil` signs out.
  func keep(_ session: SessionToken?) throws
}

/// What may be a preference: yes or no, a number, a preset. No text, so that no secret and no name of a child comes there.
public protocol PreferenceValue: Sendable {}
extension Bool: PreferenceValue {}
extension Int: PreferenceValue {}
extension Preset: PreferenceValue {}

/// Keeps what a player has set.
public protocol PreferencePlace: Sendable {
  /// What was set; `nil` when nothing was.
  func value<Value: PreferenceValue>(_ name: String, as type: Value.Type) -> Value?
  /// Sets it.
  func set(_ name: String, to value: (any PreferenceValue)?)
}

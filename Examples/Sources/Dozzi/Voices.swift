// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The voices that a customer has, and the one to read with now.
public struct Voices: Sendable, Hashable {
  /// A quality of voice, by its name in the catalog.
  public enum Quality: String, Sendable, Hashable, CaseIterable {
    /// Those of the device.
    case basic
    /// Those of a service.
    case premium
  }

  /// What a story is read with.
  public enum Voice: Sendable, Hashable {
    /// A voice of the device: always there.
    case device
    /// A voice of the service.
    case service
  }

  /// What the customer has. Offline it stays what it is.
  public let quality: Quality

  /// Reads the voices from a snapshot.
  public init(_ snapshot: Snapshot) { quality = snapshot.decision(for: .voices).level.flatMap(Quality.init) ?? .basic }

  /// The voice to read with: where the service cannot be reached the device reads, without an error.
  public func voice(serviceIsReachable: Bool) -> Voice { quality == .premium && serviceIsReachable ? .service : .device }
}

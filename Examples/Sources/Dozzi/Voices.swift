// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The voices of a customer, and the one to use now.
public struct Voices: Sendable, Hashable {
  /// A quality of voice; the raw value is its name in the catalog.
  public enum Quality: String, Sendable, Hashable, CaseIterable {
    /// The voices of the device.
    case basic
    /// The voices of a service.
    case premium
  }

  /// The voice that reads a story.
  public enum Voice: Sendable, Hashable {
    /// A voice of the device, always available.
    case device
    /// A voice of the service.
    case service
  }

  /// The customer's quality of voice, the same offline.
  public let quality: Quality

  /// Reads the voices from a snapshot.
  public init(_ snapshot: Snapshot) { quality = snapshot.decision(for: .voices).level.flatMap(Quality.init) ?? .basic }

  /// The voice to use: without the service, the device's voice and no error.
  public func voice(serviceIsReachable: Bool) -> Voice { quality == .premium && serviceIsReachable ? .service : .device }
}

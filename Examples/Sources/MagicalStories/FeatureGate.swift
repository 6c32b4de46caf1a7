// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// A premium feature behind a lock: the lock's text, and the effect of a tap.
public struct FeatureGate: Sendable {
  /// The feature.
  public let feature: FeatureID
  private let monetizer: Monetizer
  private let fallback: (@Sendable () -> Void)?

  /// Makes a gate.
  /// - Parameter fallback: Replaces the paywall after a tap on the lock.
  public init(_ feature: FeatureID, for monetizer: Monetizer, fallback: (@Sendable () -> Void)? = nil) {
    self.feature = feature
    self.monetizer = monetizer
    self.fallback = fallback
  }

  /// What a view shows now.
  public var access: FeatureAccess { monetizer.access(to: feature) }

  /// The text on the lock: the feature's own.
  public var message: String {
    let known = monetizer.catalog.feature(feature)
    return known?.unlockMessage ?? known?.title ?? feature.rawValue
  }

  /// Handles a tap on the lock or the feature.
  /// - Returns: The result of the tap; `nil` when the fallback was called instead.
  public func tap() async -> Monetizer.Opening? {
    if let fallback, case .offer = access {
      fallback()
      return nil
    }
    return await monetizer.open(AccessRequest(feature))
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// A premium feature with a lock in front of it: the lock's words, and what a tap on it does.
public struct FeatureGate: Sendable {
  /// The feature.
  public let feature: FeatureID
  private let monetizer: Monetizer
  private let fallback: (@Sendable () -> Void)?

  /// Makes a gate.
  /// - Parameter fallback: What a tap on the lock does instead of leading to the paywall.
  public init(_ feature: FeatureID, for monetizer: Monetizer, fallback: (@Sendable () -> Void)? = nil) {
    self.feature = feature
    self.monetizer = monetizer
    self.fallback = fallback
  }

  /// What a view shows now.
  public var access: FeatureAccess { monetizer.access(to: feature) }

  /// The words on the lock: the feature's own.
  public var message: String {
    let known = monetizer.catalog.feature(feature)
    return known?.unlockMessage ?? known?.title ?? feature.rawValue
  }

  /// The lock, or the feature, was tapped.
  /// - Returns: what the tap led to; `nil` when the fallback was called instead.
  public func tap() async -> Monetizer.Opening? {
    if let fallback, case .offer = access {
      fallback()
      return nil
    }
    return await monetizer.open(AccessRequest(feature))
  }
}

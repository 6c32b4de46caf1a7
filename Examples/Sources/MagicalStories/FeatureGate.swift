// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// What stands in the place of a premium feature, and what a tap on it does.
public struct FeatureGate: Sendable {
  /// What a view shows.
  public enum Appearance: Sendable, Hashable {
    /// The feature itself.
    case content
    /// A lock with the feature's own words.
    case locked(message: String)
    /// Neither a lock nor the feature: nobody knows yet, or a purchase waits.
    case waiting(Reason)
  }

  /// What a tap led to.
  public enum Tap: Sendable, Hashable {
    /// The feature itself.
    case content
    /// Show this paywall; the pass is good for one purchase from it.
    case paywall(Paywall, GatePass?)
    /// The gate's fallback was called instead of a paywall.
    case fellBack
    /// Nobody passed the parental gate: show nothing.
    case gateFailed
    /// Closed for now, or for good: say why.
    case denied(Reason)
  }

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
  public var appearance: Appearance {
    let decision = monetizer.decision(for: feature)
    if decision.isAllowed { return .content }
    if decision.placement == nil && decision.buyingHelps { return .waiting(decision.reason) }
    let known = monetizer.catalog.feature(feature)
    return .locked(message: known?.unlockMessage ?? known?.title ?? feature.rawValue)
  }

  /// The lock, or the feature, was tapped.
  public func tap() async -> Tap {
    if let fallback, case .locked = appearance {
      fallback()
      return .fellBack
    }
    return switch await monetizer.open(AccessRequest(feature)) {
    case .content: .content
    case .paywall(let paywall, let pass): .paywall(paywall, pass)
    case .gateFailed: .gateFailed
    case .denied(let decision): .denied(decision.reason)
    }
  }
}

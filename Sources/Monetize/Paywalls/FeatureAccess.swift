// SPDX-License-Identifier: Apache-2.0

/// The view to show in place of a feature. A closed enum, so that a switch handles every case.
///
/// ```swift
/// switch monetizer.access(to: "aiInsights") {
/// case .open: InsightsView()
/// case .offer(let paywall, _): UpgradePrompt(paywall)
/// case .waiting: ProgressView()
/// case .closed(let decision): Text(decision.text(for: feature))
/// }
/// ```
public enum FeatureAccess: Sendable, Hashable {
  /// The feature itself.
  case open(Decision)
  /// A lock or a prompt that leads to this paywall: a purchase opens the feature. Handle a tap with ``AccessControl/open(_:)``, which presents
  /// the parental gate first.
  case offer(Paywall, Decision)
  /// Neither the feature nor a paywall: the store has not answered (`unknown`), cannot be reached (`storeUnreachable`), or a purchase
  /// waits for approval (`pending`). The decision has the reason.
  case waiting(Decision)
  /// The reason why the feature is closed: a purchase does not help.
  case closed(Decision)

  /// Whether the feature itself is shown.
  public var isOpen: Bool { decision.isAllowed }
  /// The decision behind this value.
  public var decision: Decision {
    switch self {
    case .open(let decision), .offer(_, let decision), .waiting(let decision), .closed(let decision): decision
    }
  }
  /// The paywall that opens the feature; `nil` if it is open, or no purchase helps.
  public var paywall: Paywall? { if case .offer(let paywall, _) = self { paywall } else { nil } }
}

extension Snapshot {
  /// Returns what to show in place of a feature, or of one of its items. O(products that offer it).
  public func access(to feature: FeatureID, item: ItemPath? = nil) -> FeatureAccess { access(to: AccessRequest(feature, item: item)) }

  /// Returns what to show in place of the requested feature.
  public func access(to request: AccessRequest) -> FeatureAccess {
    let decision = decision(for: request)
    if decision.isAllowed { return .open(decision) }
    if decision.reason.isWaiting { return .waiting(decision) }
    return paywall(for: decision, request: request).map { .offer($0, decision) } ?? .closed(decision)
  }
}

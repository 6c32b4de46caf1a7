// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// What the app asks about Pro, on the phone and on the watch. Nothing here is stored: every answer is the monetizer's, at this moment.
public struct HeatlabPro: Sendable {
  /// Who answers, sells and remembers.
  public let monetizer: Monetizer

  /// Makes it from the app's monetizer.
  public init(_ monetizer: Monetizer) { self.monetizer = monetizer }

  /// Where this person stands with Pro.
  public var status: ProStatus { ProStatus(monetizer.snapshot) }

  /// Whether this person is Pro: for views that only want a badge. What is behind a gate asks ``gate(_:)``, which can also wait.
  public var isPro: Bool { status.isPro }

  /// What to show in the place of a feature.
  public func gate(_ feature: FeatureID) -> ProGate { ProGate(AccessRequest(feature), in: monetizer.snapshot) }

  /// What to show in the place of a comparison.
  public func gate(_ comparison: PeriodComparison) -> ProGate { gate(comparison.feature) }

  /// Settings > Subscription as it is now.
  public var settings: SubscriptionSettings { SubscriptionSettings(monetizer.snapshot) }
}

/// Two periods side by side. The catalog knows them as one feature with three more names.
public enum PeriodComparison: String, Sendable, Hashable, CaseIterable {
  /// This week and the last.
  case weekOverWeek = "comparison.wow"
  /// This month and the last.
  case monthOverMonth = "comparison.mom"
  /// This year and the last.
  case yearOverYear = "comparison.yoy"

  /// What to ask for.
  public var feature: FeatureID { FeatureID(rawValue) }
}

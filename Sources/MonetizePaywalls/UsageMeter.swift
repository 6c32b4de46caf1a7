// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The used part of a limit, for an indicator beside a feature.
public struct UsageMeter: Sendable, Hashable {
  /// The feature.
  public let feature: FeatureID
  /// The indicator's text, such as `Stories this month: 1/3`.
  public let text: String
  /// The amount left as a text, such as `2 stories remaining`.
  public let remainingText: String
  /// The number of uses in the current period.
  public let used: Int
  /// The maximum number of uses in the current period.
  public let limit: Int
  /// The used share, from 0 to 1.
  public let progress: Double
  /// When the period ends; `nil` for a limit without a period.
  public let resetsAt: Date?
}

extension Snapshot {
  /// The indicator of a counted feature; `nil` without a limit, such as for a subscriber, while a subscription that would give more may have
  /// renewed, and for a feature that is not counted.
  public func meter(of feature: FeatureID) -> UsageMeter? {
    let decision = decision(for: feature)
    guard let known = catalog.feature(feature), let limit = decision.limit, let used = decision.used, let remaining = decision.remaining,
      !mayGiveMore(than: decision, for: feature)
    else { return nil }
    let language = catalog.language
    func amount(_ number: Int) -> String { known.shape.words(for: number, in: language) ?? "\(number)" }
    return UsageMeter(
      feature: known.id,
      text: language.text(.usageMeter, ["name": known.title, "used": amount(used), "limit": amount(limit)]),
      remainingText: language.text(.usageRemaining, ["count": known.words(for: remaining, in: language)]), used: used,
      limit: limit,
      progress: limit > 0 ? min(1, Double(used) / Double(limit)) : 1, resetsAt: decision.resetsAt)
  }

  /// The amount left of a feature with a unit, as a text: `2 stories remaining`, `Unlimited stories`; `nil` for any other feature.
  public func remainingText(of feature: FeatureID) -> String? {
    if let meter = meter(of: feature) { return meter.remainingText }
    guard let unit = catalog.feature(feature)?.unit, case let decision = decision(for: feature), decision.isAllowed, decision.limit == nil
    else { return nil }
    return catalog.language.text(.usageUnlimited, ["name": unit.plural(in: catalog.language)])
  }
}

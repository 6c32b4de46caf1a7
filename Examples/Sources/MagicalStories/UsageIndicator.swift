// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// "Stories this month: 1/3" with a bar. There is none for those who have no limit.
public struct UsageIndicator: Sendable, Hashable {
  /// The words.
  public let text: String
  /// How full the bar is, from 0 to 1.
  public let progress: Double

  /// The indicator of a snapshot; `nil` where nothing counts down.
  public init?(_ snapshot: Snapshot) {
    let decision = snapshot.decision(for: .story)
    guard let feature = snapshot.catalog.feature(.story), let used = decision.used, let limit = decision.limit, limit > 0 else {
      return nil
    }
    text = "\(feature.title): \(used)/\(limit)"
    progress = min(1, Double(used) / Double(limit))
  }
}

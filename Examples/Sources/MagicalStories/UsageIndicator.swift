// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// "Stories this month: 1/3" with a bar. Absent without a limit.
public struct UsageIndicator: Sendable, Hashable {
  /// The text.
  public let text: String
  /// The fill level of the bar, from 0 to 1.
  public let progress: Double

  /// The indicator of a snapshot; `nil` without a limit.
  public init?(_ snapshot: Snapshot) {
    let decision = snapshot.decision(for: .story)
    guard let feature = snapshot.catalog.feature(.story), let used = decision.used, let limit = decision.limit, limit > 0 else {
      return nil
    }
    text = "\(feature.title): \(used)/\(limit)"
    progress = min(1, Double(used) / Double(limit))
  }
}

// SPDX-License-Identifier: Apache-2.0

extension Snapshot {
  /// The features whose limit was reached in an earlier snapshot, and that a new period allows again. Excludes features that were bought or
  /// given meanwhile: they have no limit, or their period has not ended. Excludes parts too, because a part has the limit of its whole.
  /// O(features).
  func resets(since before: Snapshot) -> [FeatureID] {
    zip(before.rows, rows).enumerated().compactMap { index, rows in
      let (before, now) = (rows.0.decision, rows.1.decision)
      guard before.reason == .limitReached, let end = before.resetsAt, end <= date, now.isAllowed, now.limit != nil else { return nil }
      return catalog.features[index].id
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A moment that happens once for each customer, after a number of uses: the catalog's `milestones`.
///
/// ```json
/// "milestones": { "rating": { "feature": "workoutTracking", "uses": 5, "action": "requestReview" } }
/// ```
public struct Milestone: Sendable, Hashable {
  /// The name.
  public let id: String
  /// The feature whose uses are counted.
  public let feature: FeatureID
  /// The number of uses, 1 or more.
  public let uses: Int
  /// The app's action, such as `requestReview`. An open set.
  public let action: String
}

extension CatalogReader {
  func readMilestones(_ value: JSONValue?, _ draft: CatalogDraft) -> [CatalogDraft.Placed<Milestone>] {
    reader.members(value, "an object from names to milestones").compactMap { member in
      guard let fields = reader.object(member.value, "a milestone") else { return nil }
      let (feature, uses) = (fields.required("feature", as: FeatureID.self), fields.required("uses", as: Int.self))
      let action = fields.required("action", as: String.self)
      // A gift for a review breaks the store's rules, but no rule of this file. `monetize lint` reports it.
      for gift in ["grants", "entitlements"] { fields.value(gift).map(reader.markRead) }
      if let uses, uses < 1, let place = fields.value("uses") {
        reader.report("bad-value", at: place, "A milestone is reached after 1 use or more, not \(uses).")
      }
      if feature == nil || uses == nil || action == nil { reader.markRepaired(member.value) }
      let own = draft.ownName(of: feature ?? "")
      return .init(value: Milestone(id: member.key, feature: own, uses: uses ?? 1, action: action ?? ""), source: member.value)
    }
  }
}

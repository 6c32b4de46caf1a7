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
    reader.objects(value, "an object from names to milestones", "a milestone").map { name, fields in
      let milestone = Milestone(
        id: name, feature: draft.ownName(of: fields.required("feature", or: "")), uses: fields.required("uses", or: 1),
        action: fields.required("action", or: ""))
      // A gift for a review breaks the store's rules, but no rule of this file. `monetize lint` reports it.
      for gift in ["grants", "entitlements"] { fields.value(gift).map(reader.markRead) }
      if milestone.uses < 1 {
        reader.report("bad-value", at: fields.value.at("uses"), "A milestone is reached after 1 use or more, not \(milestone.uses).")
      }
      return .init(value: milestone, source: fields.value)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A milestone must count the uses of a declared feature, or it is never reached.
enum KnownMilestones: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    let sources = (draft.root["milestones"] ?? draft.root).membersByKey
    for milestone in draft.milestones {
      guard let source = sources[milestone.id] else { continue }
      draft.isDeclared(milestone.feature.rawValue, .feature, at: source.at("feature"))
    }
  }
}

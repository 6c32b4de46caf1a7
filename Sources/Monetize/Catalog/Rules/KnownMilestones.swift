// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A milestone must count the uses of a declared feature, or it is never reached.
enum KnownMilestones: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    for milestone in draft.milestones {
      draft.isDeclared(milestone.value.feature.rawValue, .feature, at: milestone.source.at("feature"))
    }
  }
}

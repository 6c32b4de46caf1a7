// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// The App Store has grace periods of 3, 16 and 28 days (app-store-rules E.1).
enum KnownGracePeriods: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    guard let period = draft.catalog.billing?.gracePeriod else { return }
    draft.require(
      [3, 16, 28].contains(period.fixedSeconds.map { $0 / 86400 }), "grace-period", at: draft.root.at("billing", "gracePeriod"),
      "The App Store has grace periods of 3, 16 and 28 days. Write P3D, P16D or P28D, or remove it.")
  }
}

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// The App Store has grace periods of 3, 16 and 28 days (app-store-rules E.1).
enum KnownGracePeriods: CatalogRule {
  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    let days = draft.billing?.gracePeriod?.fixedSeconds.map { $0 / 86400 }
    return [
      CatalogFinding(
        unless: draft.billing?.gracePeriod == nil || [3, 16, 28].contains(days), "grace-period",
        at: draft.root.at("billing", "gracePeriod"),
        "The App Store has grace periods of 3, 16 and 28 days. Write P3D, P16D or P28D, or remove it.")
    ].compactMap { $0 }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// The free tier has no purchase, so an amount that is counted from one would never start again there: a limit for a lifetime that the
/// file calls a period.
enum AnchoredFreeTier: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    // This claim forbids every period, and reports each.
    if draft.catalog.claims.contains("noPeriods") { return }
    let purchase = Date(timeIntervalSinceReferenceDate: 0)
    let free = [(grants: draft.catalog.freeTier, owner: draft.root["freeTier"])]
    for grant in draft.declaredAmounts(where: { $0.anchored(at: [purchase]) != $0 }, in: free) {
      draft.reader.report(
        "anchored-free-tier", at: grant.member,
        "The limit of \"\(grant.feature.value.id)\" is counted from a purchase, which the free tier does not have. Write an own period here, such "
          + "as { \"limit\": 3, \"per\": \"month\" }, or \"lifetime\".")
    }
  }
}

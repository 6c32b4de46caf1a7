// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// The free tier must not have an amount that is counted from a purchase. There is no purchase, so the count would never start again: the
/// period in the file would be a lifetime.
enum AnchoredFreeTier: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    // The claim forbids every period, and its rule reports each.
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

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Checks the claim `noPeriods`: time alone never changes access. Reads `changesWithTime` of each grant and product kind, which covers an
/// app's own types, and the `per` of each feature. Names play no role.
enum KeptNoPeriods: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    guard draft.catalog.claims.contains("noPeriods") else { return }
    func report(_ period: JSONMember?, or member: JSONMember?, _ why: String) {
      guard let place = period ?? member else { return }
      draft.reader.report(
        "claim.noPeriods", at: place,
        "The file claims that access never depends on time, but \(period == nil ? why : "this is a period"). Remove it or the claim.")
    }
    for product in draft.products where product.value.kind.changesWithTime {
      report(product.source.member("period"), or: product.source.member("kind"), "time begins or ends \"\(product.value.id)\"")
    }
    let counted = draft.features.compactMap { $0.source.member("per") }.filter { $0.value.string != "lifetime" }
    for period in counted { report(period, or: nil, "") }
    for grant in draft.declaredAmounts(where: \.changesWithTime) {
      let own = grant.member.value.member("per")
      // A change caused by the feature's own period is reported at the feature.
      if own == nil, let period = grant.feature.source.member("per"), counted.contains(period) { continue }
      report(own, or: grant.member, "time changes what this grants")
    }
  }
}

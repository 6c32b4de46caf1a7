// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// The claim `noPeriods`: time never changes what is open. A grant and a kind of product say themselves whether time changes them, so that
/// those of an app are held to it as well; a feature says it with `per`. What any of them is called says nothing.
enum KeptNoPeriods: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    guard draft.claims.contains("noPeriods") else { return }
    func report(_ period: JSONMember?, or member: JSONMember?, _ why: String) {
      guard let place = period ?? member else { return }
      draft.reader.report(
        "claim.noPeriods", at: place,
        "The file claims that time never changes what is open, and \(period == nil ? why : "this is a period"). Remove it, or the claim.")
    }
    for product in draft.products where product.value.kind.changesWithTime {
      report(product.source.member("period"), or: product.source.member("kind"), "time begins or ends \"\(product.value.id)\"")
    }
    let counted = draft.features.compactMap { $0.source.member("per") }.filter { $0.value.string != "lifetime" }
    for period in counted { report(period, or: nil, "") }
    for grant in draft.written(where: \.changesWithTime) {
      let own = grant.member.value.member("per")
      // What a feature's own period changes is reported at the feature.
      if own == nil, let period = grant.feature.source.member("per"), counted.contains(period) { continue }
      report(own, or: grant.member, "time changes what this grants")
    }
  }
}

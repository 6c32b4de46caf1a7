// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Every entry of `claims` must be a known claim, and the rest of the file must satisfy it. ``KeptNoPeriods`` checks `noPeriods`.
enum KeptClaims: CatalogRule {
  private static let known = ["noSubscriptions", "noRecurringCharges", "noPeriods", "noAds", "noDataShared"]

  static func check(_ draft: CatalogDraft) {
    for (index, claim) in draft.catalog.claims.enumerated() {
      let source = draft.root.at("claims", index)
      switch claim {
      case "noSubscriptions", "noRecurringCharges":
        for product in draft.products where type(of: product.value.kind).renews {
          draft.reader.report(
            .init(rawValue: "claim.\(claim)"), at: product.source.at("kind"),
            "The file claims \"\(claim)\", but \"\(product.value.id)\" renews by itself. Remove the product or the claim.")
        }
      case "noPeriods": break
      case "noAds", "noDataShared":
        draft.reader.report(.note, "not-yet-read", at: source, "The claim \"\(claim)\" is not yet checked by this version.")
      default: draft.reader.reportUnknown("claim", claim, among: known, at: source, or: "Known names: \(known.joined(separator: ", ")).")
      }
    }
  }
}

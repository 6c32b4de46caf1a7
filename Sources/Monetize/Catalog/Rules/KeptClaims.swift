// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A promise in `claims` is a known one, and kept by the rest of the file. ``KeptNoPeriods`` keeps `noPeriods`.
enum KeptClaims: CatalogRule {
  private static let known = ["noSubscriptions", "noRecurringCharges", "noPeriods", "noAds", "noDataShared"]

  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    draft.claims.enumerated().flatMap { index, claim -> [CatalogFinding] in
      let source = draft.root.at("claims", index)
      switch claim {
      case "noSubscriptions", "noRecurringCharges":
        return draft.products.filter { type(of: $0.value.kind).renews }.map { product in
          CatalogFinding(
            .init(rawValue: "claim.\(claim)"), at: product.source.at("kind"),
            "The file claims \"\(claim)\", and \"\(product.value.id)\" renews by itself. Remove the product, or the claim.")
        }
      case "noPeriods": return []
      case "noAds", "noDataShared":
        return [CatalogFinding(.note, "not-yet-read", at: source, "The claim \"\(claim)\" is not yet checked by this version.")]
      default:
        let fix = didYouMean(closestMatch(to: claim, in: known), or: "Known are \(known.joined(separator: ", ")).")
        return [CatalogFinding("unknown-claim", at: source, "There is no claim \"\(claim)\"." + fix)]
      }
    }
  }
}

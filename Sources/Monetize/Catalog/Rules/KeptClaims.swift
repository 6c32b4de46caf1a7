// SPDX-License-Identifier: Apache-2.0

/// A promise in `claims` is kept by the rest of the file.
enum KeptClaims: CatalogRule {
  private static let known = ["noSubscriptions", "noRecurringCharges", "noPeriods", "noAds", "noDataShared"]

  static func check(_ draft: CatalogDraft, _ reader: JSONReader) {
    for (place, claim) in draft.claims.enumerated() {
      guard let source = draft.root["claims"]?.elements.dropFirst(place).first else { continue }
      switch claim {
      case "noSubscriptions", "noRecurringCharges":
        for product in draft.products where product.value.storeType == .autoRenewable {
          reader.report(
            .error, .init(rawValue: "claim.\(claim)"), at: product.source["kind"] ?? product.source,
            "The file claims \"\(claim)\", and \"\(product.value.id)\" renews by itself. Remove the product, or the claim.")
        }
      case "noPeriods": KeptNoPeriods.check(draft, reader)
      case "noAds", "noDataShared":
        reader.report(.note, "not-yet-read", at: source, "The claim \"\(claim)\" is not yet checked by this version.")
      default:
        let fix = didYouMean(closestMatch(to: claim, in: known), or: "Known are \(known.joined(separator: ", ")).")
        reader.report(.error, "unknown-claim", at: source, "There is no claim \"\(claim)\"." + fix)
      }
    }
  }
}

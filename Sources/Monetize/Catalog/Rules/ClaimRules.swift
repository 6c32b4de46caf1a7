// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension CatalogDraft {
  /// Every entry of `claims` must be a known claim, and the rest of the file must satisfy it.
  func checkClaims() {
    let known = ["noSubscriptions", "noRecurringCharges", "noPeriods", "noAds", "noDataShared"]
    for (index, claim) in catalog.claims.enumerated() {
      let source = root.at("claims", index)
      switch claim {
      case "noSubscriptions", "noRecurringCharges":
        for product in products where type(of: product.value.kind).renews {
          reader.report(
            .init(rawValue: "claim.\(claim)"), at: product.source.at("kind"),
            "The file claims \"\(claim)\", but \"\(product.value.id)\" renews by itself. Remove the product or the claim.")
        }
      case "noPeriods": break
      case "noAds", "noDataShared":
        let contradiction = claim == "noAds" ? ads : sharedData
        require(
          contradiction == nil, .init(rawValue: "claim.\(claim)"), at: source,
          "The file claims \"\(claim)\", but \(contradiction ?? ""). Remove the claim or the contradiction.")
      default: reader.reportUnknown("claim", claim, among: known, at: source, or: "Known names: \(known.joined(separator: ", ")).")
      }
    }
    if catalog.claims.contains("noPeriods") { checkNoPeriods() }
  }

  /// The ads that the app shows; `nil` for none.
  private var ads: String? {
    root["privacy"]?["ads"]?.string.flatMap { $0 == "none" ? nil : "\"privacy\" declares ads (\"\($0)\")" }
  }

  /// The data that leaves the device; `nil` for none.
  private var sharedData: String? {
    let collected = root["privacy"]?["collected"]?.elements.compactMap(\.string) ?? []
    if !collected.isEmpty { return "\"privacy\" declares collected data (\(collected.joined(separator: ", ")))" }
    let sinks = catalog.events?.sinks ?? []
    return sinks.isSubset(of: [.local]) ? nil : "\"events\" names a sink that is not on the device"
  }

  /// Checks the claim `noPeriods`: time alone never changes access. Reads `changesWithTime` of each grant and product kind, which covers an
  /// app's own types, and the `per` of each feature. Names play no role.
  private func checkNoPeriods() {
    func report(_ period: JSONMember?, or member: JSONMember?, _ why: String) {
      guard let place = period ?? member else { return }
      reader.report(
        "claim.noPeriods", at: place,
        "The file claims that access never depends on time, but \(period == nil ? why : "this is a period"). Remove it or the claim.")
    }
    for product in products where product.value.kind.changesWithTime {
      report(product.source.member("period"), or: product.source.member("kind"), "time begins or ends \"\(product.value.id)\"")
    }
    let counted = features.compactMap { $0.source.member("per") }.filter { $0.value.string != "lifetime" }
    for period in counted { report(period, or: nil, "") }
    for grant in declaredAmounts(where: \.changesWithTime) {
      let own = grant.member.value.member("per")
      // A change caused by the feature's own period is reported at the feature.
      if own == nil, let period = grant.feature.source.member("per"), counted.contains(period) { continue }
      report(own, or: grant.member, "time changes what this grants")
    }
  }
}

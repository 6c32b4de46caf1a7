// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A paywall offers products that exist, selects one that it offers, and its benefits are about features that exist. A feature leads to a
/// placement that the file has.
enum PaywallReferences: CatalogRule {
  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    let products = draft.root.declared("products")
    let features = draft.root.declared("features")?.union(draft.features.flatMap { $0.value.aliases.map(\.rawValue) })
    let paywalls = draft.paywalls.sorted { $0.key < $1.key }.flatMap { placement, paywall -> [CatalogFinding?] in
      let source = draft.root.at("paywalls", placement.rawValue)
      let offered = paywall.products ?? draft.paywalls[.default]?.products
      let preselected = paywall.preselected.map { id -> CatalogFinding? in
        unknown(id.rawValue, "product", products, at: source.at("preselected"))
          ?? CatalogFinding(
            unless: offered?.contains(id) ?? true, "preselected-not-offered", at: source.at("preselected"),
            "This paywall selects \"\(id)\" and does not offer it. Add it to \"products\", or select another one.")
      }
      return [preselected ?? nil]
        + (paywall.products ?? []).enumerated().map { unknown($1.rawValue, "product", products, at: source.at("products", $0)) }
        + (paywall.benefits ?? []).enumerated().flatMap { index, benefit in
          (benefit.features ?? []).enumerated().map {
            unknown($1.rawValue, "feature", features, at: source.at("benefits", index, "features", $0))
          }
        }
    }
    // An app without paywalls in its file makes its own of each placement.
    let usual = [PlacementID.default, .usageLimitReached, .featureRestricted].map(\.rawValue)
    let placements = draft.paywalls.isEmpty ? nil : draft.root.declared("paywalls")?.union(usual)
    let led = draft.features.map { feature in
      feature.value.placement.flatMap { unknown($0.rawValue, "placement", placements, at: feature.source.at("placement")) }
    }
    return (paywalls + led).compactMap { $0 }
  }

  private static func unknown(_ id: String, _ what: String, _ known: Set<String>?, at source: @autoclosure () -> JSONValue)
    -> CatalogFinding?
  {
    guard let known, !known.contains(id) else { return nil }
    let section = what == "placement" ? "paywalls" : "\(what)s"
    let fix = didYouMean(closestMatch(to: id, in: known.sorted()), or: "Declare it under \"\(section)\".")
    return CatalogFinding(.init(rawValue: "unknown-\(what)"), at: source(), "There is no \(what) \"\(id)\"." + fix)
  }
}

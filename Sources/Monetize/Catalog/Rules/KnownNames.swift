// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Roles and the actions of paywalls are open sets: an app may have its own. A name that differs from a known one by a single slip (a letter
/// missing, added, replaced, two swapped, or the case) is a misspelt one.
enum KnownNames: CatalogRule {
  private static let roles = [Member.Role.customer, .parent, .child, .guest, .demo].map(\.rawValue)
  private static let actions = [PaywallAction.purchase, .upgrade, .restore, .manage, .dismiss].map(\.rawValue)

  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    let ofFeatures = draft.features.flatMap { feature in
      (feature.source["roles"] == nil ? [] : feature.value.roles ?? []).enumerated().map {
        misspelt($1.rawValue, "role", roles, at: feature.source.at("roles", $0))
      }
    }
    let ofPaywalls = draft.paywalls.flatMap { placement, paywall in
      let source = draft.root.at("paywalls", placement.rawValue)
      return (paywall.actions ?? []).enumerated().map { misspelt($1.rawValue, "action", actions, at: source.at("actions", $0)) }
        + (paywall.labels ?? [:]).keys.map { misspelt($0, "action", actions, at: source.at("labels", $0)) }
    }
    return (ofFeatures + ofPaywalls).compactMap { $0 }
  }

  private static func misspelt(_ name: String, _ what: String, _ known: [String], at source: @autoclosure () -> JSONValue)
    -> CatalogFinding?
  {
    guard !known.contains(name), let meant = closestMatch(to: name, in: known, within: 1) else { return nil }
    return CatalogFinding(
      .init(rawValue: "unknown-\(what)"), at: source(), "There is no \(what) \"\(name)\". Did you mean \"\(meant)\"?")
  }
}

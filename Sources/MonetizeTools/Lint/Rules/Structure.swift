// SPDX-License-Identifier: Apache-2.0
import Monetize

/// Declared things must be reachable, and plans must fit the store's rules.
extension LintRule {
  static let structure = [entitlementUnused, featureOutOfReach, featureNotOnSale, severalGroups, sameButLevel, accepted]

  private static let entitlementUnused = LintRule(
    "entitlement-unused", .warning, source: "Docs/Guides/Lint.md", sections: ["products", "entitlements"]
  ) { subject in
    let given = Set(subject.catalog.products.flatMap(\.entitlements))
    return (subject.root["entitlements"]?.members ?? []).filter { !given.contains(EntitlementID($0.key)) }.map {
      LintMistake(
        at: $0.place,
        "No product gives the entitlement \"\($0.key)\". Name it in a product, or remove it; accept this if only gifts give it.")
    }
  }

  /// A part whose minimum exceeds every grant of its whole.
  private static let featureOutOfReach = LintRule(
    "feature-out-of-reach", .warning, source: "Docs/Guides/Lint.md", sections: ["products", "entitlements", "freeTier", "features"]
  ) { subject in
    let catalog = subject.catalog
    let most = joined(catalog, [catalog.freeTier] + catalog.entitlements.map(\.grants) + catalog.products.map(\.grants))
    return subject.features.compactMap { feature, place in
      guard let part = feature.part, let granted = most[part.whole], !granted.gives(atLeast: part.atLeast) else { return nil }
      return LintMistake(
        at: place.at("atLeast"),
        "No grant of \"\(part.whole)\" is large enough for \"\(feature.id)\". Lower \"atLeast\", or grant more.")
    }
  }

  private static let featureNotOnSale = LintRule(
    "feature-not-on-sale", .warning, source: "Docs/Guides/Lint.md", sections: ["products", "entitlements", "freeTier", "features"]
  ) { subject in
    let catalog = subject.catalog
    let given = Set(catalog.products.flatMap(\.entitlements))
    let gifts = catalog.entitlements.filter { !given.contains($0.id) }.map(\.grants)
    let open = [catalog.freeTier] + gifts
    var sold: [FeatureID: Bool] = [:]
    for product in catalog.products {
      for feature in Array(product.grants.keys) + product.credits.keys { sold[feature] = sold[feature] == true || product.isOnSale }
    }
    let unsold = Set(sold.filter { !$0.value }.keys).subtracting(open.flatMap(\.keys))
    // A part is unsold if only larger grants than those on sale open it.
    let now = joined(catalog, open + catalog.products.filter(\.isOnSale).map(\.grants))
    let ever = joined(catalog, open + catalog.products.map(\.grants))
    return subject.features.filter { feature, _ in
      guard let part = feature.part else { return unsold.contains(feature.id) }
      guard !unsold.contains(part.whole), ever[part.whole]?.gives(atLeast: part.atLeast) == true else { return false }
      return now[part.whole]?.gives(atLeast: part.atLeast) != true
    }.map {
      LintMistake(
        at: $0.place,
        "Only products that are no longer sold open \"\($0.feature.id)\", so new customers cannot get it. Sell one, or accept this.")
    }
  }

  /// The joined grants of each feature that has parts.
  private static func joined(_ catalog: Catalog, _ all: [[FeatureID: Granted]]) -> [FeatureID: Granted] {
    let wholes = Set(catalog.features.compactMap(\.part?.whole))
    return all.reduce(into: [:]) { most, grants in
      most.merge(grants.filter { wholes.contains($0.key) }) { $0.joined(with: $1) }
    }
  }

  private static let severalGroups = LintRule(
    "plans-in-several-groups", .warning, source: "App Review guideline 3.1.2(b)", sections: ["products", "entitlements", "features"]
  ) { subject in
    var groups: [EntitlementID: String] = [:]
    var groupsByGrants: [[FeatureID: Granted]: String] = [:]
    return subject.onSale.compactMap { product, place in
      guard let group = product.subscription?.group else { return nil }
      var others: [(what: String, group: String)] = []
      for entitlement in product.entitlements {
        others.append(("\"\(entitlement)\"", groups[entitlement, default: group]))
        groups[entitlement] = groups[entitlement] ?? group
      }
      others.append(("What this plan gives", groupsByGrants[product.grants, default: group]))
      groupsByGrants[product.grants] = others.last?.group
      return others.first { $0.group != group }.map { what, first in
        LintMistake(
          at: place.at("group"),
          "\(what) is already sold in the group \"\(first)\", so a customer can pay for it twice. Put both plans in one group.")
      }
    }
  }

  private static let sameButLevel = LintRule(
    "plans-differ-in-level-only", .warning, source: "App Store Connect Help, subscription groups and levels",
    sections: ["products", "entitlements", "features"]
  ) { subject in
    struct Plan: Hashable {
      let group: String
      let grants: [FeatureID: Granted]
    }
    var levels: [Plan: Int] = [:]
    return subject.onSale.compactMap { product, place in
      guard let terms = product.subscription else { return nil }
      let plan = Plan(group: terms.group, grants: product.grants)
      let level = levels[plan, default: terms.level]
      levels[plan] = level
      if level == terms.level { return nil }
      return LintMistake(
        at: place.at("level"),
        "This plan gives the same as one on level \(level) of its group, but a change between them counts as an upgrade or a downgrade. "
          + "Write \"level\": \(level).")
    }
  }

  private static let accepted = LintRule("lint-accept-reason", source: "Docs/Guides/Lint.md", sections: []) { subject in
    (subject.root["lint"]?["accept"]?.elements ?? []).filter { $0["reason"]?.string?.allSatisfy(\.isWhitespace) == true }.map {
      LintMistake(at: $0.at("reason"), "An accepted finding needs a reason for the next reader. Write it.")
    }
  }
}

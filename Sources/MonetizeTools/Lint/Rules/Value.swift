// SPDX-License-Identifier: Apache-2.0
import Monetize

/// Products must be worth buying.
extension LintRule {
  static let value = [unlocksNothing, freeTierAsGood, ongoingValue, benefitWithoutFeature, forcedReview, levelsAllEqual]

  private static let unlocksNothing = LintRule(
    "unlocks-nothing", source: "App Review guideline 3.1.1", sections: ["entitlements", "features", "collections", "releases"]
  ) { subject in
    var value = ProductValue(subject.catalog)
    let useless = subject.onSale.filter { !value.opensSomething($0.product) }
    // If all products are useless, the free tier is the problem.
    if useless.count == subject.onSale.count { return [] }
    return useless.map {
      LintMistake(
        at: $0.place,
        "\"\($0.product.id)\" gives nothing now that the free tier does not. Grant more, or write \"onSale\": false.")
    }
  }

  private static let freeTierAsGood = LintRule(
    "free-tier-as-good", source: "App Review guideline 3.1.1",
    sections: ["products", "entitlements", "freeTier", "features", "collections", "releases"]
  ) { subject in
    var value = ProductValue(subject.catalog)
    guard !subject.onSale.isEmpty, !subject.onSale.contains(where: { value.opensSomething($0.product) }) else { return [] }
    return [
      LintMistake(
        at: subject.root.at("freeTier", "grants"),
        "The free tier gives as much now as all products together, so buying adds nothing. Grant less here, or more in the products.")
    ]
  }

  private static let ongoingValue = LintRule(
    "3.1.2-ongoing-value", .warning, source: "App Review guideline 3.1.2(a)", sections: ["products", "entitlements", "features"]
  ) { subject in
    subject.onSale.compactMap { product, place in
      guard type(of: product.kind).renews, !product.grants.isEmpty,
        product.grants.keys.allSatisfy({ subject.catalog.feature($0).map { type(of: $0.shape).isAboutItems } ?? false })
      else { return nil }
      return LintMistake(
        at: place,
        "\"\(product.id)\" renews, but opens only one-time content. Sell it as \"nonConsumable\", or grant something continuous.")
    }
  }

  private static let benefitWithoutFeature = LintRule(
    "benefit-without-feature", source: "App Review guideline 2.3.1", sections: []
  ) { subject in
    subject.paywalls.flatMap { $0.place["benefits"]?.elements ?? [] }.filter { ($0["features"]?.elements ?? []).isEmpty }.map {
      LintMistake(
        at: $0.at("features"),
        "The benefit \"\($0["title"]?.string ?? "")\" names no feature, so its promise cannot be checked. Add one under \"features\"."
      )
    }
  }

  private static let forcedReview = LintRule("forced-review", source: "App Review guideline 3.2.2(x)", sections: []) { subject in
    let forced = (subject.root["milestones"]?.members ?? []).filter { milestone in
      ["requestReview", "share", "rate"].contains(milestone.place["action"]?.string)
        && (milestone.place["grants"] != nil || milestone.place["entitlements"] != nil)
    }
    return forced.map {
      LintMistake(
        at: $0.place.at("action"),
        "The store forbids rewards for a rating or for sharing. Remove what \"\($0.key)\" grants, or the action.")
    }
  }

  private static let levelsAllEqual = LintRule(
    "levels-all-equal", .warning, source: "Docs/Guides/Lint.md", sections: ["products", "entitlements", "freeTier", "features"]
  ) { subject in
    var granted: [FeatureID: Set<Granted>] = [:]
    let all = [subject.catalog.freeTier] + subject.catalog.entitlements.map(\.grants) + subject.catalog.products.map(\.grants)
    for (feature, amount) in all.joined() { granted[feature, default: []].insert(amount) }
    return subject.features.compactMap { feature, place in
      guard !feature.shape.levels.isEmpty, feature.part == nil, granted[feature.id]?.count == 1,
        subject.catalog.freeTier[feature.id] != nil
      else { return nil }
      return LintMistake(
        at: place,
        "Everything that grants \"\(feature.id)\" grants the same level, so the others are unreachable. Grant another one, or "
          + "remove the levels.")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// In one subscription group a higher level (a smaller number) gives at least what a lower one gives, and equal levels give the same.
/// Otherwise an upgrade, which ends the lower plan, would take something away from somebody who paid more.
enum GroupLevels: CatalogRule {
  private typealias Plan = CatalogDraft.Placed<CatalogProduct>

  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    // What a plan gives is not known where its grants, or those of its entitlements, could not be read.
    let broken = Set(draft.entitlements.filter { draft.isBroken($0.source) }.map(\.value.id))
    let plans = draft.products.filter { broken.isDisjoint(with: $0.value.entitlements) && !draft.isBroken($0.source) }
    return Dictionary(grouping: plans) { $0.value.subscription?.group ?? "" }.flatMap { group, plans -> [CatalogFinding] in
      if group.isEmpty { return [] }
      // Neighbours in level order are enough: "gives at least" is transitive.
      let ordered = plans.map { (level: $0.value.subscription?.level ?? 0, plan: $0) }.sorted { $0.level < $1.level }
      return zip(ordered, ordered.dropFirst()).flatMap { higher, lower in
        let isSame = higher.level == lower.level
        return [compare(higher.plan, lower.plan, isSame), isSame ? compare(lower.plan, higher.plan, isSame) : nil].compactMap { $0 }
      }
    }
  }

  private static func compare(_ poorer: Plan, _ richer: Plan, _ isSame: Bool) -> CatalogFinding? {
    firstMissing(in: poorer.value, of: richer.value).map { feature in
      CatalogFinding(
        "group-levels", at: poorer.source.at("level"),
        "\"\(poorer.value.id)\" gives less of \"\(feature)\" than \"\(richer.value.id)\", which is on \(isSame ? "the same" : "a lower") level of "
          + "the group. Grant it at least as much, or change the levels (1 is the highest).")
    }
  }

  private static func firstMissing(in product: CatalogProduct, of other: CatalogProduct) -> FeatureID? {
    other.grants.filter { feature, theirs in !(product.grants[feature]?.gives(atLeast: theirs) ?? false) }.keys.min()
  }
}

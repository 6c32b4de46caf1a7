// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// In a subscription group, a higher level (a smaller number) must grant at least as much as a lower one, and equal levels the same.
/// Otherwise an upgrade, which ends the lower plan, would take something away from a customer who paid more.
enum GroupLevels: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    // The grants of a plan are unknown when they, or those of its entitlements, could not be read.
    let broken = Set(draft.entitlements.filter { draft.isBroken($0.source) }.map(\.value.id))
    let plans = draft.products.compactMap { plan in
      plan.value.subscription.map { (group: $0.group, level: $0.level, plan: plan) }
    }
    for (group, plans) in Dictionary(grouping: plans, by: { $0.group }) where plans.count > 1 && !group.isEmpty {
      let known = plans.filter {
        GrantingProducts.isGranting($0.plan) && broken.isDisjoint(with: $0.plan.value.entitlements) && !draft.isBroken($0.plan.source)
      }
      // Comparing neighbours in level order is enough, because "grants at least" is transitive.
      let ordered = known.sorted { $0.level < $1.level }
      for (higher, lower) in zip(ordered, ordered.dropFirst()) {
        let isSame = higher.level == lower.level
        for (poorer, richer) in isSame ? [(higher.plan, lower.plan), (lower.plan, higher.plan)] : [(higher.plan, lower.plan)] {
          guard let feature = firstMissing(in: poorer.value, of: richer.value) else { continue }
          draft.reader.report(
            "group-levels", at: poorer.source.at("level"),
            "\"\(poorer.value.id)\" gives less of \"\(feature)\" than \"\(richer.value.id)\", which is on \(isSame ? "the same" : "a lower") level of "
              + "the group. Grant it at least as much, or change the levels (1 is the highest).")
        }
      }
    }
  }

  private static func firstMissing(in product: CatalogProduct, of other: CatalogProduct) -> FeatureID? {
    other.grants.filter { feature, theirs in !(product.grants[feature]?.gives(atLeast: theirs) ?? false) }.keys.min()
  }
}

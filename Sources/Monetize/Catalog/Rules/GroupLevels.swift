// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// In one subscription group a higher level (a smaller number) gives at least what a lower one gives, and equal levels give the same.
/// Otherwise an upgrade, which ends the lower plan, would take something away from somebody who paid more.
enum GroupLevels: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    // What a plan gives is not known where its grants, or those of its entitlements, could not be read.
    let broken = Set(draft.entitlements.filter { draft.isBroken($0.source) }.map(\.value.id))
    let plans = draft.products.compactMap { plan in
      plan.value.subscription.map { (group: $0.group, level: $0.level, plan: plan) }
    }.filter { !$0.group.isEmpty && broken.isDisjoint(with: $0.plan.value.entitlements) && !draft.isBroken($0.plan.source) }
    for plans in Dictionary(grouping: plans, by: \.group).values {
      // Neighbours in level order are enough: "gives at least" is transitive.
      let ordered = plans.sorted { $0.level < $1.level }
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

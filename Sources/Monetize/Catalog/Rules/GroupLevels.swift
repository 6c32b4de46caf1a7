// SPDX-License-Identifier: Apache-2.0

/// In one subscription group a higher level (a smaller number) gives at least what a lower one gives, and equal levels give the same.
/// Otherwise an upgrade, which ends the lower plan, would take something away from somebody who paid more.
enum GroupLevels: CatalogRule {
  static func check(_ draft: CatalogDraft, _ reader: JSONReader) {
    let groups = draft.products.map { $0.value.subscription?.group ?? "" }
    let sizes = groups.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    let crowded = zip(groups, draft.products).filter { !$0.0.isEmpty && sizes[$0.0, default: 0] > 1 }
    for products in Dictionary(grouping: crowded, by: \.0).values {
      // Neighbours in level order are enough: "gives at least" is transitive.
      let ordered = products.map { (level: $0.1.value.subscription?.level ?? 0, product: $0.1) }.sorted { $0.level < $1.level }
      for ((level, higher), (next, lower)) in zip(ordered, ordered.dropFirst()) {
        let same = level == next
        if let missing = firstMissing(in: higher.value, of: lower.value) { report(missing, higher, lower, same) }
        if same, let missing = firstMissing(in: lower.value, of: higher.value) { report(missing, lower, higher, same) }
      }
    }

    func report(
      _ feature: FeatureID, _ poorer: CatalogDraft.Placed<CatalogProduct>, _ richer: CatalogDraft.Placed<CatalogProduct>, _ same: Bool
    ) {
      reader.report(
        .error, "group-levels", at: poorer.source["level"] ?? poorer.source,
        "\"\(poorer.value.id)\" gives less of \"\(feature)\" than \"\(richer.value.id)\", which is on \(same ? "the same" : "a lower") level of "
          + "the group. Grant it at least as much, or change the levels (1 is the highest).")
    }
  }

  private static func firstMissing(in product: CatalogProduct, of other: CatalogProduct) -> FeatureID? {
    other.grants.keys.sorted().first { feature in
      guard let theirs = other.grants[feature] else { return false }
      guard let own = product.grants[feature] else { return true }
      return !own.gives(atLeast: theirs)
    }
  }
}

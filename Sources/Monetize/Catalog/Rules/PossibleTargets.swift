// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Some figure must be able to meet a target.
enum PossibleTargets: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    for (name, target) in draft.targets {
      guard let low = target.low, let high = target.high, target.isStrict ? low >= high : low > high else { continue }
      draft.reader.report(
        "impossible-target", at: draft.root.at("targets", name),
        "No figure is at least \(low) and at most \(high). Write a lower bound that is below the upper one.")
    }
  }
}

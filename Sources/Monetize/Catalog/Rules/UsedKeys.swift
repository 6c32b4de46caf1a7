// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Reports a key of a feature that its allowance does not use, because the key would have no effect.
enum UsedKeys: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    for feature in draft.features {
      let shape = type(of: feature.value.shape)
      // An app's own shapes may use any key. A part has the shape of its whole.
      guard AllowanceShapes.standard[shape.name] == shape, feature.source["of"] == nil, !draft.isBroken(feature.source) else { continue }
      func check(_ key: String, _ isUsed: Bool, _ why: String) {
        draft.require(
          isUsed, "unused-key", at: feature.source.at(key),
          "\"\(key)\" has no effect here, because the allowance \"\(shape.name)\" \(why). Remove it, or change the allowance.")
      }
      check("in", feature.value.collections == nil || shape.isAboutItems, "is not about items")
      check("unit", feature.value.unit == nil || shape.hasAmounts, "has no number")
      check("survivesReinstall", !feature.value.survivesReinstall || shape.isMetered, "counts no uses")
    }
  }
}

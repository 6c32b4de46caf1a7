// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A key of a feature that its allowance has no use for would change nothing, and was written to change something.
enum UsedKeys: CatalogRule {
  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    draft.features.flatMap { feature -> [CatalogFinding?] in
      let shape = type(of: feature.value.shape)
      // An app's own shapes may have a use for any key; a part has the shape of its whole.
      guard AllowanceShapes.standard[shape.name] == shape, feature.source["of"] == nil, !draft.isBroken(feature.source) else { return [] }
      func unused(_ key: String, _ isUsed: Bool, _ why: String) -> CatalogFinding? {
        CatalogFinding(
          unless: isUsed, "unused-key", at: feature.source.at(key),
          "\"\(key)\" means nothing here, because the allowance \"\(shape.name)\" \(why). Remove it, or change the allowance.")
      }
      return [
        unused("in", feature.value.collections == nil || shape.isAboutItems, "is not about items"),
        unused("unit", feature.value.unit == nil || shape.name != AccessShape.name, "has no number"),
        unused("survivesReinstall", !feature.value.survivesReinstall || shape.isMetered, "counts no uses"),
      ]
    }.compactMap { $0 }
  }
}

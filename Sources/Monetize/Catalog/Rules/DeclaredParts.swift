// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// When a file declares the parts of all items, every collection must have the same parts in the same order.
enum DeclaredParts: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    for collection in draft.collections {
      let parts = collection.value.parts
      guard let declared = draft.parts, parts != declared else { continue }
      let unknown = parts.enumerated().filter { !declared.contains($1) && !draft.retired.contains($1) }
      for (index, part) in unknown {
        let place = collection.source.at("parts", index)
        draft.reader.reportUnknown("part", part, among: declared, at: place, or: "Declare it under \"parts\" of the file.")
      }
      draft.require(
        !unknown.isEmpty || parts.contains(where: draft.retired.contains), "other-parts", at: collection.source.at("parts"),
        "All collections must have the parts \(declared.joined(separator: ", ")), in this order. Write them all, or remove \"parts\" "
          + "here.")
    }
  }
}

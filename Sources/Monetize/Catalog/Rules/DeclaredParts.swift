// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Where a file declares the parts of all items, no collection has others: neither fewer, nor more, nor the same in another order.
enum DeclaredParts: CatalogRule {
  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    guard let declared = draft.parts else { return [] }
    return draft.collections.flatMap { collection -> [CatalogFinding] in
      let parts = collection.value.parts
      let unknown = parts.enumerated().filter { !declared.contains($1) && !draft.retired.contains($1) }.map { index, part in
        CatalogFinding(
          "unknown-part", at: collection.source.at("parts", index),
          "There is no part \"\(part)\"." + didYouMean(closestMatch(to: part, in: declared), or: "Declare it under \"parts\" of the file."))
      }
      guard unknown.isEmpty, parts != declared, draft.retired.allSatisfy({ !parts.contains($0) }) else { return unknown }
      return [
        CatalogFinding(
          "other-parts", at: collection.source.at("parts"),
          "The items of every collection have the parts \(declared.joined(separator: ", ")), in this order. Write them all, or remove \"parts\" "
            + "here.")
      ]
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A retired identifier must not be reused: not as a product, a feature, an alias, a collection, an item or a part.
enum RetiredIdentifiers: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    let (retired, held) = (Set(draft.retired), ["a product", "a feature", "an alias", "a collection", "an item", "a part"])
    for name in draft.names where retired.contains(name.text) && held.contains(name.what) {
      draft.reader.report(
        "retired-id", at: name.place(), "\"\(name.text)\" is retired and cannot be used as \(name.what) again. Choose another name.")
    }
  }
}

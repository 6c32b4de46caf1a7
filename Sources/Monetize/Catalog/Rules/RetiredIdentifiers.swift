// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A retired identifier must not be reused: not as a product, a feature, an alias, a collection, an item or a part, nor offered as a choice.
enum RetiredIdentifiers: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    let (retired, held) = (Set(draft.retired), ["a product", "a feature", "an alias", "a collection", "an item", "a part"])
    for name in draft.names where retired.contains(name.text) && held.contains(name.what) {
      draft.reader.report(
        "retired-id", at: name.place(), "\"\(name.text)\" is retired and cannot be used as \(name.what) again. Choose another name.")
    }
    for step in draft.onboarding {
      for (index, choice) in step.value.choices.enumerated() where retired.contains(choice) {
        draft.reader.report(
          "retired-id", at: step.source.at("choices", index), "\"\(choice)\" is retired and cannot be offered as a choice. Remove it.")
      }
    }
  }
}

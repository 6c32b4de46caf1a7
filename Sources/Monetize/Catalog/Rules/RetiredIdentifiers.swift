// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A retired identifier must not be used again, in any case: not as a name of anything, as a level, nor offered as a choice.
enum RetiredIdentifiers: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    let retired = Set(draft.retired.map { $0.lowercased() })
    if retired.isEmpty { return }
    for name in draft.names where retired.contains(name.text.lowercased()) && name.what != "the app" {
      draft.reader.report(
        "retired-id", at: name.place(), "\"\(name.text)\" is retired and cannot be used as \(name.what) again. Choose another name.")
    }
    for feature in draft.features {
      for place in feature.source["levels"]?.elements ?? [] {
        guard let level = place.string, retired.contains(level.lowercased()) else { continue }
        draft.reader.report(
          "retired-id", at: place, "\"\(level)\" is retired and cannot be used as a level again. Choose another name.")
      }
    }
    for step in draft.onboarding {
      for (index, choice) in step.value.choices.enumerated() where retired.contains(choice.lowercased()) {
        draft.reader.report(
          "retired-id", at: step.source.at("choices", index), "\"\(choice)\" is retired and cannot be offered as a choice. Remove it.")
      }
    }
  }
}

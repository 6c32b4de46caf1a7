// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// Forecasts may name only declared features and products.
enum KnownForecasts: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    guard let section = draft.root["forecast"], section.kind == .object else { return }
    for scenario in section.members {
      for (key, what) in [
        ("costPerUse", "feature"), ("uses", "feature"), ("limit", "feature"), ("mix", "product"), ("retention", "product"),
        ("price", "product"),
      ] {
        for entry in scenario.value[key]?.members ?? [] where entry.key != "$comment" {
          draft.isDeclared(entry.key, what, at: entry.value)
        }
      }
    }
  }
}

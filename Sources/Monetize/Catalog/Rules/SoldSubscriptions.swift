// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A subscription must be one that the App Store can sell: six lengths, and levels from 1 (app-store-rules E.1, E.2).
enum SoldSubscriptions: CatalogRule {
  private static let lengths = [
    Period(days: 7), Period(months: 1), Period(months: 2), Period(months: 3), Period(months: 6), Period(years: 1),
  ]

  static func check(_ draft: CatalogDraft) {
    for product in draft.products {
      guard let terms = product.value.subscription else { continue }
      draft.require(
        lengths.contains(where: terms.period.isSame), "subscription-period", at: product.source.at("period"),
        "The App Store sells no subscription for \(terms.period.words). Write P1W, P1M, P2M, P3M, P6M or P1Y.")
      draft.require(
        terms.level >= 1, "subscription-level", at: product.source.at("level"),
        "\(terms.level) is not a level: the highest level of a group is 1, and lower ones have larger numbers. Write 1 or more.")
    }
  }
}

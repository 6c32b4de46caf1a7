// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// An offer must be possible in the store, available to some customer, and worth having.
extension LintRule {
  static let offers = [notEligible, notCheaper, length, tooMany]

  private typealias Offered = (product: CatalogProduct, terms: SubscriptionTerms, offer: SubscriptionOffer, place: LintPlace)

  private static func enabled(_ subject: LintSubject) -> [Offered] {
    subject.products.flatMap { product, place -> [Offered] in
      guard let terms = product.subscription else { return [] }
      return zip(terms.offers, place["offers"]?.elements ?? []).filter(\.0.isEnabled).map { (product, terms, $0, $1) }
    }
  }

  private static let page = "App Store Connect Help, offers for auto-renewable subscriptions"

  private static let notEligible = LintRule("offer-not-eligible", source: page, sections: []) { subject in
    enabled(subject).filter { !$0.product.isOnSale }.map {
      LintMistake(
        at: $0.place,
        "\"\($0.product.id)\" is not on sale, so no customer is eligible for this offer. Write \"enabled\": false, or sell the product."
      )
    }
  }

  private static let notCheaper = LintRule("offer-not-cheaper", source: "App Review guideline 2.3.1", sections: []) { subject in
    enabled(subject).compactMap { product, terms, offer, place in
      guard let price = offer.price, let regular = product.price, price.currency == regular.currency else { return nil }
      let isOnce = offer.mode == .payUpFront
      guard let periods = isOnce ? count(of: terms.period, in: offer.period) ?? shorter(offer.period, terms.period) : 1,
        price.amount >= regular.amount * Decimal(periods)
      else {
        return nil
      }
      return LintMistake(
        at: place.at("price"),
        "This offer costs \(price)\(isOnce ? " for \(offer.period.words)" : ""), which is not below the regular price. Lower it, or remove the "
          + "offer.")
    }
  }

  /// The number of periods in a length; `nil` if it is not a whole number.
  private static func count(of period: Period, in length: Period) -> Int? {
    let (months, all) = (period.years * 12 + period.months, length.years * 12 + length.months)
    let (days, allDays) = (period.days, length.days)
    if months > 0, all > 0, days == 0, allDays == 0, all % months == 0 { return all / months }
    if days > 0, allDays > 0, months == 0, all == 0, allDays % days == 0 { return allDays / days }
    return nil
  }

  /// 1 for less than one period: it costs at most a whole one.
  private static func shorter(_ length: Period, _ period: Period) -> Int? {
    func days(_ period: Period) -> Int { (period.years * 12 + period.months) * 30 + period.days }
    return days(length) < days(period) ? 1 : nil
  }

  private static let lengths = [
    Period(days: 3), Period(days: 7), Period(days: 14), Period(months: 1), Period(months: 2), Period(months: 3), Period(months: 6),
    Period(years: 1),
  ]

  private static let length = LintRule("offer-length", source: page, sections: []) { subject in
    enabled(subject).compactMap { _, terms, offer, place in
      if offer.mode == .payAsYouGo {
        // The plan's period may be one that the store does not sell.
        if offer.period.isSame(as: terms.period) || !lengths.contains(where: terms.period.isSame) { return nil }
        return LintMistake(
          at: place.at("period"),
          "A pay-as-you-go offer is paid in each period of the plan, which is \(terms.period.words) long. Write \"\(terms.period)\", and the number of "
            + "periods under \"periods\".")
      }
      if lengths.contains(where: offer.period.isSame) { return nil }
      return LintMistake(
        at: place.at("period"), "The App Store has no offer of \(offer.period.words). Write P3D, P1W, P2W, P1M, P2M, P3M, P6M or P1Y.")
    }
  }

  private static let tooMany = LintRule(
    "offers-too-many", source: "App Store Connect Help, promotional offers: 10 a subscription", sections: []
  ) { subject in
    subject.products.compactMap { product, place in
      let running = (product.subscription?.offers ?? []).filter { $0.type == .promotional && $0.isEnabled }.count
      guard running > 10 else { return nil }
      return LintMistake(
        at: place.at("offers"),
        "A subscription has at most 10 enabled promotional offers, but this one has \(running). Disable \(running - 10).")
    }
  }
}

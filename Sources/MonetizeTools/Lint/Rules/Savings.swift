// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A saving or a free time that a text names must be one that the plans give.
extension LintRule {
  static let otherSaving = LintRule("saving-in-text", source: "App Review guideline 2.3.1", sections: ["products"]) { subject in
    guard let savings = Savings(in: subject) else { return [] }
    return subject.englishTexts.flatMap { text -> [LintMistake] in
      let words = SavingWords(text.text)
      let percents = words.percents.filter { $0 > savings.percent }.map {
        "names a saving of \($0) %, but the plans save at most \(savings.percent) %"
      }
      let months = words.freeMonths.filter { $0 > savings.months && !savings.freeMonths.contains($0) }.map {
        "promises \($0) months free, but the plans save the price of at most \(savings.months)"
      }
      return (percents + months).map {
        LintMistake(
          at: text.place, "\"\(text.text)\" \($0). Remove the number: the paywall computes the saving from the store's prices.")
      }
    }
  }

  static let bestValue: [Wording.Phrase] = ["best value", "best price", "best deal", "cheapest", "lowest price"]

  static let otherBadge = LintRule("badge-in-text", source: "App Review guideline 2.3.1", sections: ["products"]) { subject in
    let plans = subject.onSale.map(\.product).filter { $0.subscription != nil }
    return subject.englishTexts.filter { $0.key == "badges" && Wording($0.text).asserts(bestValue) != nil }.compactMap { text in
      guard let own = plans.first(where: { $0.id.rawValue == text.name }) else { return nil }
      let better = plans.first { plan in
        guard plan.price?.currency == own.price?.currency, let price = own.pricePerDay, let other = plan.pricePerDay else { return false }
        return other < price && plan.gives(allOf: own)
      }
      return better.map {
        LintMistake(
          at: text.place,
          "\"\(text.text)\" is not true: \($0.name) gives as much and costs less for the same time. Reword it, or move it there.")
      }
    }
  }

  static let otherTrial = LintRule("trial-in-text", source: "App Review guideline 2.3.1", sections: ["products", "freeTier"]) { subject in
    let offers = subject.onSale.flatMap { $0.product.subscription?.offers ?? [] }.filter { $0.mode == .freeTrial && $0.isEnabled }
    let trials = offers.map(\.period) + subject.onSale.filter { isFree($0.product) }.compactMap { $0.product.kind.length }
    // Without a trial, another rule finds the promise.
    guard let known = trials.first else { return [] }
    let free = (subject.root["freeTier"]?["grants"]?.members ?? []).compactMap { $0.place.string.flatMap { Period($0) } }
    let lengths = trials + free
    // Another rule checks the name of a trial that is a product of its own.
    let texts = subject.englishTexts.filter { text in
      text.key != "name" || text.product.flatMap { subject.productsByIndex[$0] }.map(isFree) != true
    }
    return texts.flatMap { text in
      SavingWords(text.text).freeLengths.filter { length in !lengths.contains { $0.isAbout(length) } }.map {
        LintMistake(
          at: text.place,
          "\"\(text.text)\" promises \($0.words) free, but the offer is \(known.words). Correct one of them, or remove the number.")
      }
    }
  }
}

extension CatalogProduct {
  /// The price of a plan for an average day; `nil` without a price.
  fileprivate var pricePerDay: Double? {
    guard let price, let days = subscription?.period.averageDays, days > 0 else { return nil }
    return NSDecimalNumber(decimal: price.amount).doubleValue / days
  }
}

extension Period {
  /// Whether both are the same length, where 30 or 31 days are a month.
  func isAbout(_ other: Period) -> Bool {
    let months = years * 12 + months
    return isSame(as: other) || other.months == 0 && days == 0 && months > 0 && (months * 30...months * 31).contains(other.days)
  }
}

/// What the plans on sale save.
private struct Savings {
  /// The largest saving in whole percent, rounded down.
  private(set) var percent = 0
  /// The largest number of whole months of the dearer plan that a plan of a year saves.
  private(set) var months = 0
  /// The lengths of free offers, in months.
  private(set) var freeMonths: Set<Int> = []

  /// `nil` where the prices of the plans are not known or cannot be compared.
  init?(in subject: LintSubject) {
    let plans = subject.onSale.compactMap { product, _ in product.subscription.map { (product: product, terms: $0) } }
    let prices = plans.compactMap { plan in
      (plan.product.price?.amount).map { (amount: NSDecimalNumber(decimal: $0).doubleValue, days: plan.terms.period.averageDays) }
    }
    guard !plans.isEmpty, prices.count == plans.count, Set(plans.map { $0.product.price?.currency }).count == 1 else { return nil }
    for one in prices {
      for other in prices where one.days > 0 && other.amount > 0 && other.days > 0 {
        let full = other.amount / other.days * one.days
        percent = max(percent, Self.whole((full - one.amount) / full * 100))
        guard one.days > 360, other.days < 32, other.days > 28 else { continue }
        months = max(months, Self.whole((full - one.amount) / other.amount))
      }
    }
    for plan in plans {
      for offer in plan.terms.offers where offer.isEnabled {
        switch offer.mode {
        // A price for a time of its own.
        case .payUpFront: return nil
        case .freeTrial: freeMonths.insert(offer.period.years * 12 + offer.period.months)
        case .payAsYouGo:
          guard let price = offer.price, let regular = plan.product.price, regular.amount > 0 else { return nil }
          let share = NSDecimalNumber(decimal: price.amount / regular.amount).doubleValue
          percent = max(percent, Self.whole((1 - share) * 100))
        }
      }
    }
  }

  /// The whole number below a saving, from 0 to 1,000,000: prices may be a cent and a billion. The tolerance is for rounded quotients.
  private static func whole(_ saving: Double) -> Int { Int(min(max(saving, 0), 1_000_000) + 1e-6) }
}

extension Period {
  /// The length in days of a year of 365 days with twelve equal months.
  fileprivate var averageDays: Double { Double(years * 12 + months) * 365 / 12 + Double(days) }
}

/// The savings and free times that a text names.
private struct SavingWords {
  private let words: [String]

  init(_ text: String) {
    words = text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "%" }.map(String.init)
  }

  private func word(_ index: Int) -> String { words.indices.contains(index) ? words[index] : "" }

  /// Percentages within three words of one about saving.
  var percents: [Int] {
    words.indices.compactMap { index in
      let number = words[index].hasSuffix("%") ? Int(words[index].dropLast()) : nil
      let spelt = ["%", "percent"].contains(word(index + 1)) ? Int(words[index]) : nil
      guard let percent = number ?? spelt else { return nil }
      let near = (index - 3...index + 3).map(word)
      return near.contains { $0.hasPrefix("sav") || ["off", "cheaper", "discount"].contains($0) } ? percent : nil
    }
  }

  /// The numbers of "2 months free".
  var freeMonths: [Int] {
    words.indices.compactMap { index in
      guard word(index + 1).hasPrefix("month"), word(index + 2) == "free", word(index + 3) != "trial" else { return nil }
      return Int(words[index])
    }
  }

  /// The lengths of "7 days free", "a 7-day free trial", "free for 7 days" and "trial of 7 days".
  var freeLengths: [Period] {
    words.indices.compactMap { index in
      guard let number = Int(words[index]), number > 0, let length = Self.length(number, word(index + 1)) else { return nil }
      let (before, after) = ([word(index - 2), word(index - 1)], [word(index + 2), word(index + 3)])
      let isTrial = after[0] == "trial" || after == ["free", "trial"]
      let isFree = after[0] == "free" && length.months == 0
      return isTrial || isFree || before == ["free", "for"] || before == ["trial", "of"] ? length : nil
    }
  }

  private static func length(_ number: Int, _ unit: String) -> Period? {
    switch unit {
    case "day", "days": Period(days: number)
    case "week", "weeks": Period(weeks: number)
    case "month", "months": Period(months: number)
    default: nil
    }
  }
}

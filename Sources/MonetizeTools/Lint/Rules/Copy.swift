// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Texts for customers must be true of the products.
extension LintRule {
  static let copy = [recurring, priceInText, otherSaving, otherBadge, otherTrial, otherLimit, emptyText, socialProof, titleMissing]

  private static let always: [Wording.Phrase] = ["subscri*", "renew*", "recurring", "cancel any*", "cancel at any*"]
  private static let trials: [Wording.Phrase] = ["trial*"]
  private static let periods: [Wording.Phrase] = [
    "per week", "per month", "per year", "a week", "a month", "a year", "every week", "every month", "every year",
    "each week", "each month", "each year", "weekly", "monthly",
    "yearly", "annual*",
  ]

  /// For an app that sells no subscriptions, and in texts of a product that does not renew.
  private static let recurring = LintRule(
    "copy.recurring-in-one-time", source: "App Review guideline 3.1.2(c)", sections: ["products", "features"]
  ) { subject in
    guard !subject.products.isEmpty else { return [] }
    // A limit that resets each month may mention it.
    let counts = subject.features.contains { $0.place["per"] != nil && $0.place["per"]?.string != "lifetime" }
    let hasTrial = subject.onSale.contains { isFree($0.product) }
    let phrases = always + (hasTrial ? [] : trials) + (counts ? [] : periods)
    return subject.englishTexts.filter { !$0.isLegal }.compactMap { text in
      let product = text.product.flatMap { subject.productsByIndex[$0] }
      guard product.map({ !type(of: $0.kind).renews && !isFree($0) }) ?? !subject.sellsSubscriptions,
        let found = Wording(text.text).asserts(phrases)
      else { return nil }
      return LintMistake(
        at: text.place,
        "\"\(text.text)\" mentions a subscription (\(found.filter { $0 != "*" })…), but this is bought once. Reword it."
      )
    }
  }

  private static let priceInText = LintRule("price-in-text", source: "App Review guideline 2.3.1", sections: []) {
    subject in
    subject.texts.filter { PriceWords.areIn($0.text) }.map {
      LintMistake(
        at: $0.place,
        "\"\($0.text)\" contains a price, which differs between countries and can change. Write {price}, or remove it.")
    }
  }

  private static let emptyText = LintRule("text-empty", source: "Human Interface Guidelines: VoiceOver", sections: []) { subject in
    subject.texts.filter { !$0.isLegal && $0.text.allSatisfy(\.isWhitespace) }.map {
      LintMistake(at: $0.place, "This text is empty, so a screen reader cannot read it. Write it, or remove \"\($0.name)\".")
    }
  }

  private static let titleMissing = LintRule(
    "title-missing", .warning, source: "Docs/Guides/Lint.md", sections: []
  ) { subject in
    subject.features.filter { $0.place["title"] == nil }.map {
      LintMistake(
        at: $0.place, "\"\($0.feature.id)\" has no title, so screens, documents and VoiceOver show its id. Add \"title\".")
    }
  }

  private static let others: [Wording.Phrase] = [
    "thousands", "millions", "hundreds", "everyone's", "best", "award-winning", "most popular", "number one", "loved by", "trusted by",
  ]

  private static let socialProof = LintRule("social-proof", .warning, source: "App Review guideline 2.3.1", sections: []) {
    subject in
    let stated = subject.paywalls.compactMap { $0.place["socialProof"] }.filter { ($0["evidence"]?.string ?? "").isEmpty }
    let proofs = Set(subject.paywalls.compactMap { $0.place["socialProof"]?["text"]?.value.offset })
    let claimed = subject.englishTexts.filter { text in
      // A badge compares the plans, which another rule checks.
      let isAboutPlans = text.key == "badges" && Wording(text.text).asserts(bestValue) != nil
      return !proofs.contains(text.place.value.offset) && text.product == nil && !isAboutPlans && Wording(text.text).asserts(others) != nil
    }
    let mend = "Write it as \"socialProof\" with its \"evidence\", or remove it."
    return stated.map { LintMistake(at: $0, "A statement about other customers has no evidence. Add \"evidence\", or remove it.") }
      + claimed.map { LintMistake(at: $0.place, "\"\($0.text)\" is a statement about other customers without evidence. \(mend)") }
  }

  /// In an app without subscriptions, a free trial is a free product of its own.
  static func isFree(_ product: CatalogProduct) -> Bool { product.storeType == .nonConsumable && product.price?.amount == 0 }
}

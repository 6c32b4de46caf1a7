// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Monetize

/// Limits of App Store Connect for a product.
extension LintRule {
  static let listings = [
    nameTooLong, nameTooShort, descriptionTooLong, referenceNameTooLong, idNotAccepted, idTooLong, trialName, trialPeriod, priceMissing,
  ]

  private static let page = "App Store Connect Help, In-App Purchase information"

  private static let nameTooLong = tooLong(
    "iap-name-too-long", 35, "An in-app purchase's name", source: "\(page): 35 characters (30 before 2025)"
  ) { $0.productTexts("name") }
  private static let descriptionTooLong = tooLong(
    "iap-description-too-long", 55, "An in-app purchase's description", source: "\(page): 55 characters (45 before 2025)"
  ) { $0.productTexts("description") }
  private static let referenceNameTooLong = tooLong(
    "iap-reference-name-too-long", 64, "A reference name", source: "\(page): 64 characters"
  ) { subject in subject.products.compactMap { product in product.product.referenceName.map { (product.place.at("referenceName"), $0) } } }
  private static let idTooLong = tooLong("iap-id-too-long", 100, "A product id", source: "\(page): 100 characters") { subject in
    subject.products.map { ($0.place.at("id"), $0.product.id.rawValue) }
  }

  private static func tooLong(
    _ code: Diagnostic.Code, _ limit: Int, _ what: String, source: String,
    _ texts: @escaping @Sendable (LintSubject) -> [(place: LintPlace, text: String)]
  ) -> LintRule {
    LintRule(code, source: source, sections: []) { subject in
      texts(subject).filter { $0.text.count > limit }.map { place, text in
        LintMistake(
          at: place,
          "\(what) has at most \(limit) characters, but this one has \(text.count). Shorten it by \(text.count - limit).")
      }
    }
  }

  private static let nameTooShort = LintRule("iap-name-too-short", source: "\(page): at least 2 characters", sections: []) { subject in
    // Another rule reports an empty name.
    subject.productTexts("name").filter { $0.text.count == 1 }.map {
      LintMistake(at: $0.place, "An in-app purchase's name has at least 2 characters. Write a longer one.")
    }
  }

  private static let idNotAccepted = LintRule(
    "iap-id", source: "\(page): letters, numbers, hyphens, periods and underscores", sections: []
  ) { subject in
    subject.products.compactMap { product, place in
      let isAccepted = { (scalar: Unicode.Scalar) in
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-._".unicodeScalars.contains(scalar))
      }
      guard let wrong = product.id.rawValue.unicodeScalars.first(where: { !isAccepted($0) }) else { return nil }
      let name = String(wrong.value, radix: 16, uppercase: true)
      return LintMistake(
        at: place.at("id"),
        "App Store Connect does not accept \"\(wrong)\" (U+\(String(repeating: "0", count: max(0, 4 - name.count)) + name)) in a product id. Use "
          + "Latin letters, digits, hyphens, periods and underscores.")
    }
  }

  private static let trialName = LintRule("trial-name", source: "App Review guideline 3.1.1", sections: []) { subject in
    subject.onSale.compactMap { product, place in
      guard isFree(product), product.kind.changesWithTime else { return nil }
      let length = product.kind.length
      if let name = TrialName(product.name), length?.isAbout(name.length) ?? true { return nil }
      return LintMistake(
        at: place.at("name"),
        "A free product is a free trial, and its name must state its length. Write a name such as \"\(length.flatMap(days) ?? 14)-day Trial\", or "
          + "add a price.")
    }
  }

  private static let trialPeriod = LintRule("trial-period", source: "App Review guideline 3.1.1", sections: []) { subject in
    subject.onSale.filter { isFree($0.product) && !$0.product.kind.changesWithTime }.map {
      let length = TrialName($0.product.name)?.length ?? Period(days: 14)
      return LintMistake(
        at: $0.place,
        "A free product is a free trial, but this one never ends. Add \"period\": \"\(length)\", or a price; what is free for ever is a grant of "
          + "\"freeTier\".")
    }
  }

  private static let priceMissing = LintRule("price-missing", .warning, source: "Docs/Guides/Catalog.md, products", sections: []) {
    subject in
    subject.onSale.filter { $0.product.price == nil && $0.product.storeType != .none }.map {
      LintMistake(
        at: $0.place,
        "\($0.product.id) has no price, so that previews, forecasts and simulations of it show none. Add \"price\": { \"amount\": …, "
          + "\"currency\": … }.")
    }
  }

  /// A length in days; `nil` for one of hours.
  private static func days(_ period: Period) -> Int? {
    let days = (period.years * 12 + period.months) * 30 + period.days
    return days > 0 && period.seconds == 0 ? days : nil
  }

  /// Compares the catalog's reference prices with another list, such as ``StoreKitFile/prices``. Prices in another currency are skipped.
  ///
  /// - Parameters:
  ///   - prices: The prices of the other list, by product. Products that it lacks are skipped.
  ///   - name: The list's name in messages, such as its file's name.
  public static func prices(match prices: [ProductID: Money], in name: String) -> LintRule {
    LintRule("price-mismatch", source: "App Review guideline 2.3.1", sections: []) { subject in
      subject.products.compactMap { product, place in
        guard let other = prices[product.id], let price = product.price, price.currency == other.currency, price != other else {
          return nil
        }
        return LintMistake(
          at: place.at("price", "amount"),
          "\(product.id) costs \(price) here and \(other) in \(name). Write the same price in both.")
      }
    }
  }
}

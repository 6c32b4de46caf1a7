// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The vocabulary of the file, for reading, writing and messages.
enum StoreKitWords {
  /// The types of products by their value of `type`, with the key of their list.
  static let types: [(word: String, type: StoreProductType, list: String)] = [
    ("Consumable", .consumable, "products"), ("NonConsumable", .nonConsumable, "products"),
    ("NonRenewingSubscription", .nonRenewing, "nonRenewingSubscriptions"), ("RecurringSubscription", .autoRenewable, "subscriptions"),
  ]

  /// The type that a word of another vocabulary means, such as `Auto-Renewable Subscription`.
  static func meant(by word: String) -> (word: String, type: StoreProductType, list: String)? {
    let letters = word.lowercased().filter(\.isLetter)
    let parts: [(String, StoreProductType)] = [
      ("nonrenew", .nonRenewing), ("auto", .autoRenewable), ("recurring", .autoRenewable), ("subscription", .autoRenewable),
      ("nonconsumable", .nonConsumable), ("consumable", .consumable),
    ]
    guard let type = parts.first(where: { letters.contains($0.0) })?.1 else { return nil }
    return types.first { $0.type == type }
  }

  static func word(for type: StoreProductType) -> String? { types.first { $0.type == type }?.word }

  /// The payment modes of offers. StoreKit's case is `freeTrial`, and the file's value is `free`.
  static let modes: [(word: String, mode: SubscriptionOffer.Mode)] = [
    ("free", .freeTrial), ("payAsYouGo", .payAsYouGo), ("payUpFront", .payUpFront),
  ]
  static func word(for mode: SubscriptionOffer.Mode) -> String { modes.first { $0.mode == mode }?.word ?? mode.rawValue }

  /// The lists of offers with an id, the key of the id, and the first version with the list.
  static let offerLists: [(key: String, type: SubscriptionOffer.OfferType, id: String, since: StoreKitFile.Version)] = [
    ("adHocOffers", .promotional, "offerID", .init(major: 1, minor: 0)), ("codeOffers", .code, "referenceName", .init(major: 1, minor: 2)),
    ("winbackOffers", .winBack, "offerID", .init(major: 4, minor: 0)),
  ]

  /// A price in the file. Xcode writes a comma where its user's language does.
  static func price(_ text: String) -> Decimal? {
    let isLocal = !text.contains(".") && text.filter { $0 == "," }.count == 1
    return Money.amount(isLocal ? String(text.map { $0 == "," ? "." : $0 }) : text)
  }

  /// The periods that Xcode offers for a subscription.
  static let periods = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

  /// The period that the App Store sells and whose length is nearest, for a period that it does not sell.
  static func sold(_ period: Period) -> Period {
    let all = periods.compactMap(Period.init)
    let length = days(period)
    return all.first(where: period.isSame) ?? all.min { abs(days($0) - length) < abs(days($1) - length) } ?? period
  }

  private static func days(_ period: Period) -> Double {
    Double(period.years) * 365 + Double(period.months) * 30 + Double(period.days) + Double(period.seconds) / 86_400
  }

  /// A length in Xcode's form: whole weeks and years if possible, `P1W` and not `P7D`, `P1Y` and not `P12M`.
  static func text(_ period: Period) -> String {
    let months = period.years * 12 + period.months
    if months > 0, period.days == 0, period.seconds == 0 { return months % 12 == 0 ? "P\(months / 12)Y" : "P\(months)M" }
    if months == 0, period.days > 0, period.days % 7 == 0, period.seconds == 0 { return "P\(period.days / 7)W" }
    return period.description
  }
}

/// Xcode's internal ids: eight capital hexadecimal digits, derived from names, so that a second export is the same.
enum StoreKitIdentifiers {
  static func identifier(of name: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    let digits = String(UInt32(truncatingIfNeeded: hash ^ hash >> 32), radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

extension StoreKitCheck {
  /// Keys of other vocabularies that occur in files written by hand, with the file's own key.
  private static let inventions = [
    "id": "productID", "identifier": "internalID", "familySharable": "familyShareable", "price": "displayPrice", "name": "referenceName",
    "subscriptionPeriod": "recurringSubscriptionPeriod", "winBackOffers": "winbackOffers", "promotionalOffers": "adHocOffers",
    "offerCodes": "codeOffers", "subscriptionPrice": "displayPrice",
  ]
  private static let productKeys = ["type", "productID", "referenceName", "displayPrice", "familyShareable", "internalID", "localizations"]
  private static let subscriptionKeys = [
    "subscriptionGroupID", "groupNumber", "recurringSubscriptionPeriod", "introductoryOffer", "introductoryOffers", "adHocOffers",
    "codeOffers",
    "winbackOffers", "billingPlans",
  ]

  mutating func product(_ value: JSONValue, _ list: String) {
    guard isObject(value, "a product") else { return }
    common(value, Self.productKeys)
    type(value, in: list)
    if let period = value["recurringSubscriptionPeriod"] {
      reader.report(
        .warning, "not-read", at: period,
        "Only a subscription in a group has a period in this file. Remove it; the app defines how long this lasts.")
    }
  }

  mutating func checkSubscription(_ value: JSONValue, group: String?) {
    guard isObject(value, "a subscription") else { return }
    common(value, Self.productKeys + Self.subscriptionKeys)
    type(value, in: "subscriptions")
    if let own = need(value, "subscriptionGroupID", .text, "the \"id\" of its group"), let group, own.string != group {
      reader.report(.warning, "wrong-group", at: own, "The group around it has the id \(quoted(group)). Write that.")
    }
    if let level = need(value, "groupNumber", .number, "1 for the highest level"), (level.int ?? 1) < 1 {
      reader.report(.warning, "wrong-level", at: level, "The highest level is 1, and lower ones have larger numbers. Write 1 or more.")
    }
    let period = need(value, "recurringSubscriptionPeriod", .text, "such as \"P1M\"").flatMap(subscriptionPeriod)
    if let offer = expect(value, "introductoryOffer", .object) { self.offer(offer, .introductory, period) }
    for offer in list(value, "introductoryOffers") { self.offer(offer, .introductory, period) }
    for kind in StoreKitWords.offerLists {
      var ids: Set<String> = []
      for offer in list(value, kind.key) {
        self.offer(offer, kind.type, period)
        guard let id = offer[kind.id], let text = id.string, !ids.insert(text).inserted else { continue }
        reader.report(
          .warning, "repeated-offer", at: id, "This product already has an offer \(quoted(text)). Rename one of them.")
      }
    }
  }

  private mutating func common(_ value: JSONValue, _ known: [String]) {
    guessKeys(value, known, inventions: Self.inventions.filter { value[$0.value] == nil })
    if let id = need(value, "productID", .text, "the id in App Store Connect"), let text = id.string {
      if text.allSatisfy(\.isWhitespace) {
        reader.report(.warning, "empty-id", at: id, "The product's id is empty. Write the id in App Store Connect.")
      }
      if let first = productIDs[text] {
        reader.report(
          .warning, "repeated-product", at: id,
          "Line \(first.line) already has a product \(quoted(text)), and Xcode may refuse the file. Remove one, or rename it.")
      }
      productIDs[text] = productIDs[text] ?? id.position
    }
    _ = need(value, "referenceName", .text, "a name for the developer")
    if let price = need(value, "displayPrice", .text, "such as \"4.99\"") { self.price(price) }
    _ = expectUsual(value, "familyShareable", .truth, "true or false")
    if let id = need(value, "internalID", .text, "eight hexadecimal digits such as \"6D2F1A0B\"") { internalID(id) }
    localizations(value, isNeeded: true)
  }

  private mutating func type(_ value: JSONValue, in list: String) {
    let allowed = StoreKitWords.types.filter { $0.list == list }.map(\.word)
    guard let type = need(value, "type", .text, "\"\(allowed[0])\""), let word = type.string, !allowed.contains(word) else { return }
    let meant = StoreKitWords.meant(by: word)
    let mend =
      switch meant {
      case let meant? where meant.list == "subscriptions" && list != "subscriptions":
        "It belongs in the \"subscriptions\" of a group in \"subscriptionGroups\", with the type \"\(meant.word)\"."
      case let meant? where meant.list != list: "It belongs in \"\(meant.list)\", with the type \"\(meant.word)\"."
      case let meant?: "Write \"\(meant.word)\"."
      case nil: "Write \(allowed.map { "\"\($0)\"" }.joined(separator: " or "))."
      }
    reader.report("wrong-type-word", at: type, "\(quoted(word)) is not allowed here. \(mend)")
  }

  func price(_ value: JSONValue) {
    guard let text = value.string, Money.amount(text).map({ $0 < 0 }) ?? true else { return }
    let isLocal = StoreKitWords.price(text).map { $0 >= 0 } ?? false
    reader.report(
      .warning, "wrong-price", at: value,
      "\(quoted(text)) is not a price\(isLocal ? " on each Mac" : ""), and Xcode may refuse the file. Write a decimal with a point and without a currency, such as \"4.99\"."
    )
  }

  private func subscriptionPeriod(_ value: JSONValue) -> Period? {
    guard let text = value.string else { return nil }
    guard let period = Period(text), !period.isZero else {
      reader.report("wrong-period", at: value, "\(quoted(text)) is not a length of time. Write P1W, P1M, P2M, P3M, P6M or P1Y.")
      return nil
    }
    if !StoreKitWords.periods.contains(text) {
      let word = StoreKitWords.text(period)
      let isSold = StoreKitWords.periods.contains(word)
      reader.report(
        .warning, "wrong-period", at: value,
        isSold
          ? "Xcode writes \(quoted(text)) as \"\(word)\". Write that."
          : "The App Store sells no subscription for \(text). Write P1W, P1M, P2M, P3M, P6M or P1Y.")
      return isSold ? period : nil
    }
    return period
  }
}

// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeJSON

extension StoreKitCheck {
  private static let offerKeys = [
    "internalID", "paymentMode", "subscriptionPeriod", "numberOfPeriods", "displayPrice", "offerID", "referenceName", "eligibility",
    "isStackable",
    "isEligible", "priority", "billingPlanType",
  ]

  private static let inventions = [
    "id": "offerID", "mode": "paymentMode", "offerMode": "paymentMode", "period": "subscriptionPeriod", "duration": "subscriptionPeriod",
  ]

  mutating func offer(_ value: JSONValue, _ type: SubscriptionOffer.OfferType, _ productPeriod: Period?) {
    guard isObject(value, "an offer") else { return }
    guessKeys(
      value, Self.offerKeys,
      inventions: Self.inventions.filter { value[$0.value] == nil })
    if let id = need(value, "internalID", .text, "eight hexadecimal digits such as \"6D2F1A0B\""), value["billingPlanType"] == nil {
      internalID(id)
    }
    offerID(value, type)
    let mode = need(value, "paymentMode", .text, "\"free\", \"payAsYouGo\" or \"payUpFront\"").flatMap(self.mode)
    let period = need(value, "subscriptionPeriod", .text, "such as \"P1W\"").flatMap { self.period($0) }
    let number = expect(value, "numberOfPeriods", .number)
    if let number, (number.int ?? 1) < 1 {
      reader.report(.warning, "wrong-number", at: number, "An offer lasts at least one period. Write 1 or more.")
    }
    if let mode { length(value, mode, period, number, productPeriod) }
    if let mode, mode != .freeTrial {
      if let price = need(value, "displayPrice", .text, "the offer's price, such as \"0.99\"") { self.price(price) }
    } else {
      _ = expect(value, "displayPrice", .text)
    }
    _ = expect(value, "isStackable", .truth)
    _ = expect(value, "isEligible", .truth)
    for who in list(value, "eligibility") where !["new", "existing", "expired"].contains(who.string ?? "") {
      reader.report(
        "wrong-eligibility", at: who, "Eligible are \"new\", \"existing\" and \"expired\" customers, not \(who.shortDescription).")
    }
  }

  private mutating func offerID(_ value: JSONValue, _ type: SubscriptionOffer.OfferType) {
    guard let key = StoreKitWords.offerLists.first(where: { $0.type == type })?.id else { return }
    if let id = need(value, key, .text, "the offer's name in code"), id.string?.isEmpty == true {
      reader.report(.warning, "empty-offer-id", at: id, "The offer's name in code is empty. Write one.")
    }
  }

  private func mode(_ value: JSONValue) -> SubscriptionOffer.Mode? {
    guard let word = value.string else { return nil }
    if let mode = StoreKitWords.modes.first(where: { $0.word == word })?.mode { return mode }
    let guess = word == "freeTrial" ? "free" : closestMatch(to: word, in: StoreKitWords.modes.map(\.word))
    let mend = guess.map { "Write \"\($0)\"." } ?? "Write \"free\", \"payAsYouGo\" or \"payUpFront\"."
    let why = word == "freeTrial" ? " (it is StoreKit's name in code)" : ""
    reader.report(
      "wrong-mode", at: value, "\(quoted(word)) is not a payment mode of this file\(why), so Xcode drops the whole file. \(mend)"
    )
    return nil
  }

  private func period(_ value: JSONValue) -> Period? {
    guard let text = value.string else { return nil }
    if let period = Period(text), !period.isZero { return period }
    reader.report("wrong-period", at: value, "\(quoted(text)) is not a length of time. Write one such as P3D, P1W or P1M.")
    return nil
  }

  /// A pay-as-you-go offer has the product's own period and their number; any other offer has its whole length as the period.
  private func length(_ value: JSONValue, _ mode: SubscriptionOffer.Mode, _ period: Period?, _ number: JSONValue?, _ product: Period?) {
    if mode == .payAsYouGo, let period, let product, !period.isSame(as: product), let site = value["subscriptionPeriod"] {
      reader.report(
        .warning, "offer-length", at: site,
        "A pay-as-you-go offer is paid in each period of the product, \(StoreKitWords.text(product)). Write that, and their number in "
          + "\"numberOfPeriods\"."
      )
    }
    if mode != .payAsYouGo, let number, let count = number.int, count > 1 {
      reader.report(
        .warning, "offer-length", at: number, "This offer is one length, in \"subscriptionPeriod\". Write 1, and the whole length there.")
    }
  }
}

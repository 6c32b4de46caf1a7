// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// An offer must be one that the App Store can make. It needs a length, a price unless it is a free trial, and an id unless it is
/// introductory (app-store-rules E.3, storekit-format 3.5).
enum SoldOffers: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    for product in draft.products {
      var hasIntroduction = false
      for (offer, source) in product.offers {
        let isIntroduction = offer.type == .introductory && offer.isEnabled && draft.isKnown(source, "type")
        check(offer, at: source, draft)
        draft.require(
          !(hasIntroduction && isIntroduction), "second-introductory-offer", at: source,
          "\"\(product.value.id)\" already has an introductory offer, and only one is possible. Remove one, or write \"enabled\": false.")
        hasIntroduction = hasIntroduction || isIntroduction
      }
      let named = product.offers.filter { $0.offer.id?.isEmpty == false }
      draft.unique(
        named.compactMap(\.offer.id), { "\"\(product.value.id)\" already has an offer \"\($0)\". Rename one of them." },
        at: { named[$0].source.at("id") })
    }
  }

  /// Checks each requirement whose values could be read.
  private static func check(_ offer: SubscriptionOffer, at source: JSONValue, _ draft: CatalogDraft) {
    func require(_ keys: String..., isMet: Bool, _ code: Diagnostic.Code, _ message: String) {
      guard let key = keys.last, keys.allSatisfy({ draft.isKnown(source, $0) }) else { return }
      draft.require(isMet, code, at: source.at(key), message)
    }
    let (isFree, repeats) = (offer.mode == .freeTrial, offer.mode == .payAsYouGo)
    require("period", isMet: !offer.period.isZero, "offer-period", "An offer needs a length. Write one such as P7D or P1M.")
    require(
      "mode", "periods", isMet: offer.periods.map { repeats ? $0 >= 1 : $0 == 1 } ?? true, "offer-periods",
      repeats
        ? "An offer lasts at least one period. Write 1 or more."
        : "\"periods\" is for \"payAsYouGo\"; the length of this offer is its \"period\". Remove \"periods\".")
    require(
      "type", "id", isMet: offer.type == .introductory || !(offer.id ?? "").allSatisfy(\.isWhitespace), "offer-id",
      "The store finds an offer of the type \"\(offer.type.rawValue)\" by its id. Add \"id\".")
    if let from = offer.from, let until = offer.until {
      require("from", "until", isMet: from.date < until.date, "offer-dates", "This offer ends before it begins. Write a later \"until\".")
    }
    require(
      "mode", "price", isMet: isFree ? (offer.price?.amount ?? 0) == 0 : offer.price != nil, "offer-price",
      isFree ? "A free trial costs nothing. Remove \"price\", or change \"mode\"." : "A paid offer needs a price. Add \"price\".")
  }
}

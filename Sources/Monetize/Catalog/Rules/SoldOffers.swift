// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// An offer is one that the App Store can make: it has a length, a price unless it is a free trial, and an id unless it is introductory
/// (app-store-rules E.3, storekit-format 3.5).
enum SoldOffers: CatalogRule {
  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    draft.products.flatMap { product -> [CatalogFinding?] in
      let offers = product.value.subscription?.offers ?? []
      var ids: Set<String> = []
      var hasIntroduction = false
      return offers.enumerated().flatMap { index, offer -> [CatalogFinding?] in
        let source = product.source.at("offers", index)
        let isSecond = hasIntroduction && offer.type == .introductory && offer.isEnabled
        hasIntroduction = hasIntroduction || (offer.type == .introductory && offer.isEnabled)
        let id = offer.id ?? ""
        return findings(in: offer, at: source) + [
          CatalogFinding(
            unless: !isSecond, "second-introductory-offer", at: source,
            "\"\(product.value.id)\" has an introductory offer already, and a customer gets one. Remove one, or write \"enabled\": false."),
          CatalogFinding(
            unless: id.isEmpty || ids.insert(id).inserted, "repeated-id", at: source.at("id"),
            "\"\(product.value.id)\" has an offer \"\(id)\" already. Rename one of them."),
        ]
      }
    }.compactMap { $0 }
  }

  private static func findings(in offer: SubscriptionOffer, at source: JSONValue) -> [CatalogFinding?] {
    let isFree = offer.mode == .freeTrial
    return [
      CatalogFinding(
        unless: !offer.period.isZero, "offer-period", at: source.at("period"), "An offer has a length. Write one such as P7D or P1M."),
      CatalogFinding(
        unless: offer.periods.map { offer.mode == .payAsYouGo ? $0 >= 1 : $0 == 1 } ?? true, "offer-periods", at: source.at("periods"),
        offer.mode == .payAsYouGo
          ? "An offer lasts at least one period. Write 1 or more."
          : "\"periods\" is for \"payAsYouGo\"; the length of this offer is its \"period\". Remove \"periods\"."),
      CatalogFinding(
        unless: offer.type == .introductory || !(offer.id ?? "").allSatisfy(\.isWhitespace), "offer-id", at: source.at("id"),
        "The store finds an offer of the type \"\(offer.type.rawValue)\" by its id. Add \"id\"."),
      CatalogFinding(
        unless: isFree ? (offer.price?.amount ?? 0) == 0 : offer.price != nil, "offer-price", at: source.at("price"),
        isFree ? "A free trial costs nothing. Remove \"price\", or change \"mode\"." : "This offer has to be paid for. Add \"price\"."),
    ]
  }
}

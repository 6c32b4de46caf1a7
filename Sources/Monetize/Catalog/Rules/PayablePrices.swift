// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A price must be payable in its currency: yen have no decimals, dollars two, dinars three.
enum PayablePrices: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    func check(_ price: Money?, _ source: @autoclosure () -> JSONValue) {
      if let why = price?.whyUnpayable { draft.reader.report("price-decimals", at: source().at("amount"), why) }
    }
    for product in draft.products {
      check(product.value.price, product.source.at("price"))
      for (offer, source) in product.offers {
        check(offer.price, source.at("price"))
      }
    }
  }
}

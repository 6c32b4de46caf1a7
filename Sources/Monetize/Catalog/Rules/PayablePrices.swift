// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A price can be paid in its currency: yen have no decimals, dollars two, dinars three.
enum PayablePrices: CatalogRule {
  static func findings(in draft: CatalogDraft) -> [CatalogFinding] {
    draft.products.flatMap { product -> [(price: Money?, source: JSONValue)] in
      let offers = product.value.subscription?.offers ?? []
      return [(product.value.price, product.source.at("price"))]
        + offers.enumerated().map { ($1.price, product.source.at("offers", $0, "price")) }
    }.compactMap { price, source in price?.whyUnpayable.map { CatalogFinding("price-decimals", at: source.at("amount"), $0) } }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A price can be paid in its currency: yen have no decimals, dollars two, dinars three.
enum PayablePrices: CatalogRule {
  static func check(_ draft: CatalogDraft, _ reader: JSONReader) {
    for product in draft.products {
      check(product.value.price, at: product.source["price"], reader)
      for (place, offer) in (product.value.subscription?.offers ?? []).enumerated() {
        check(offer.price, at: product.source["offers"]?.elements.dropFirst(place).first?["price"], reader)
      }
    }
  }

  private static func check(_ price: Money?, at source: JSONValue?, _ reader: JSONReader) {
    guard let why = price?.whyUnpayable, let source else { return }
    reader.report(.error, "price-decimals", at: source["amount"] ?? source, why)
  }
}

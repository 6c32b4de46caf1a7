// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeSimulator

/// Changes of products and prices.
enum ProductChanges {
  static func changes(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    new.catalog.products.flatMap { product -> [CatalogChange] in
      let name = new.words.product(product.id)
      guard let before = old.catalog.product(product.id) else {
        return [change("new-product", product.id, nil, new.words.terms(product), "\(name) is new: \(new.words.terms(product)).")]
      }
      var changes: [CatalogChange] = []
      let (was, now) = (old.words.terms(before), new.words.terms(product))
      if before.price != product.price {
        let (one, other) = (before.price?.description ?? "no price", product.price?.description ?? "no price")
        changes.append(change("price", product.id, one, other, "\(name) costs \(other) instead of \(one)."))
      }
      if before.isOnSale != product.isOnSale {
        let sentence = product.isOnSale ? "\(name) is sold again." : "\(name) is no longer sold; its owners keep it."
        changes.append(change("on-sale", product.id, "\(before.isOnSale)", "\(product.isOnSale)", sentence))
      }
      let offers = (before.subscription?.offers ?? [], product.subscription?.offers ?? [])
      if offers.0 != offers.1 {
        changes.append(change("offers", product.id, was, now, "\(name) has other offers: \(was) before, \(now) now."))
      }
      if before.subscription?.level != product.subscription?.level {
        let (one, other) = (level(before), level(product))
        changes.append(change("level", product.id, one, other, "\(name) is on level \(other) of its group instead of \(one)."))
      }
      if before.isFamilyShareable != product.isFamilyShareable {
        let sentence = "\(name) is \(product.isFamilyShareable ? "shared" : "no longer shared") with the family."
        changes.append(change("family", product.id, "\(before.isFamilyShareable)", "\(product.isFamilyShareable)", sentence))
      }
      return changes
    }
  }

  private static func level(_ product: CatalogProduct) -> String { product.subscription.map { "\($0.level)" } ?? "none" }

  private static func change(_ code: String, _ product: ProductID, _ old: String?, _ new: String?, _ sentence: String) -> CatalogChange {
    var change = CatalogChange(topic: .products, severity: .note, code: code)
    (change.products, change.path, change.old, change.new, change.sentence) = ([product], "products[\(product)]", old, new, sentence)
    return change
  }
}

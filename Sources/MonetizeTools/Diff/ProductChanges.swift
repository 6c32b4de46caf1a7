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
      if before.price != product.price {
        let (one, other) = (before.price?.description ?? "no price", product.price?.description ?? "no price")
        let verb = product.price == nil ? "has" : "costs"
        let each = product.price == nil ? "" : product.subscription.map { " \(CatalogWords.each($0.period))" } ?? ""
        let sentence = "\(name) \(verb) \(other)\(each) instead of \(before.price == nil ? "having " : "")\(one)."
        changes.append(change("price", product.id, one, other, sentence))
      }
      if before.isOnSale != product.isOnSale {
        let sentence = product.isOnSale ? "\(name) is sold again." : "\(name) is no longer sold; its owners keep it."
        changes.append(change("on-sale", product.id, "\(before.isOnSale)", "\(product.isOnSale)", sentence))
      }
      if before.subscription == nil, let was = before.kind.length, let now = product.kind.length, !was.isSame(as: now) {
        changes.append(change("length", product.id, was.words, now.words, "\(name) lasts \(now.words) instead of \(was.words)."))
      }
      changes += offers(before, product, name)
      if let was = before.subscription?.level, let now = product.subscription?.level, was != now {
        changes.append(change("level", product.id, "\(was)", "\(now)", "\(name) is on level \(now) of its group instead of \(was)."))
      }
      if before.isFamilyShareable != product.isFamilyShareable {
        let sentence = "\(name) is \(product.isFamilyShareable ? "shared" : "no longer shared") with the family."
        changes.append(change("family", product.id, "\(before.isFamilyShareable)", "\(product.isFamilyShareable)", sentence))
      }
      return changes
    }
  }

  /// The products that an arm of an experiment sells instead of others.
  static func variants(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    new.catalog.products.compactMap { product in
      guard let base = product.variantOf, product.isOffered, old.catalog.product(product.id)?.isOffered == false else { return nil }
      let before = old.catalog.products.first { $0.isOffered && ($0.id == base || $0.variantOf == base) }
      let instead = before.map { " instead of \(old.words.product($0.id)) (\(old.words.terms($0)))" } ?? ""
      let sentence = "\(new.words.product(product.id)) (\(new.words.terms(product))) is sold\(instead)."
      return change("variant", product.id, before?.id.rawValue, product.id.rawValue, sentence)
    }
  }

  /// A change of each offer; one offer is known by its type and its id.
  private static func offers(_ before: CatalogProduct, _ now: CatalogProduct, _ name: String) -> [CatalogChange] {
    func texts(_ product: CatalogProduct) -> [String: String] {
      Dictionary(grouping: product.subscription?.offers ?? []) { "\($0.type.words) offer\($0.id.map { " \"\($0)\"" } ?? "")" }
        .mapValues { $0.map(\.words).joined(separator: " or ") }
    }
    let (olds, news) = (texts(before), texts(now))
    return Set(olds.keys).union(news.keys).sorted().filter { olds[$0] != news[$0] }.map { offer in
      let (old, new) = (olds[offer], news[offer])
      return change("offers", now.id, old, new, "The \(offer) of \(name): \(old ?? "none") before, \(new ?? "none") now.")
    }
  }

  private static func change(_ code: String, _ product: ProductID, _ old: String?, _ new: String?, _ sentence: String) -> CatalogChange {
    CatalogChange(
      topic: .products, severity: .note, code: code, products: [product], path: "products[\(product)]", old: old, new: new,
      sentence: sentence)
  }
}

extension SubscriptionOffer {
  /// The price, the length and the dates.
  fileprivate var words: String {
    let dates = (from.map { " from \(ISODate.text($0.date))" } ?? "") + (until.map { " until \(ISODate.text($0.date))" } ?? "")
    return isEnabled ? CatalogWords.terms(self) + dates : "turned off (\(CatalogWords.terms(self) + dates))"
  }
}

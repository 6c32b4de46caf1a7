// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeJSON
import MonetizeSimulator

/// What may never change once it was sold or used: ids, and what a product is.
enum IdentityChanges {
  static func changes(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    reused(old, new) + kinds(old, new) + removed(old, new)
  }

  private static func error(_ code: String, _ path: String, _ sentence: String, product: ProductID? = nil) -> CatalogChange {
    var change = CatalogChange(topic: .identity, severity: .error, code: code)
    (change.path, change.sentence, change.products) = (path, sentence, product.map { [$0] } ?? [])
    return change
  }

  /// An id that was retired comes back, is forgotten, or means something else now.
  private static func reused(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    let retired = Set((old.root["retired"]?.elements ?? []).compactMap(\.string))
    let still = Set((new.root["retired"]?.elements ?? []).compactMap(\.string))
    let used = Set(new.catalog.products.map(\.id.rawValue) + new.catalog.features.flatMap { [$0.id] + $0.aliases }.map(\.rawValue))
    let back = retired.subtracting(still).sorted().map { id in
      used.contains(id)
        ? error("reused-id", "retired", "\"\(id)\" is retired, and is used again. Choose another name, and keep it under \"retired\".")
        : error("forgotten-id", "retired", "\"\(id)\" is no longer under \"retired\", so that it could be used again. Keep it there.")
    }
    let moved = old.catalog.features.flatMap { feature in
      feature.aliases.compactMap { alias -> CatalogChange? in
        guard let now = new.catalog.feature(alias), now.id != feature.id, new.catalog.feature(feature.id)?.id != now.id else { return nil }
        return error(
          "reused-id", "features.\(now.id)",
          "\"\(alias)\" meant \"\(feature.id)\", and means \"\(now.id)\" now. Choose another name for it.")
      }
    }
    return back + moved
  }

  private static func kinds(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    old.catalog.products.flatMap { product -> [CatalogChange] in
      guard let now = new.catalog.product(product.id) else { return [] }
      let name = old.words.product(product.id)
      func changed(_ code: String, _ what: String, _ before: String, _ after: String) -> CatalogChange {
        var change = error(
          code, "products[\(product.id)]",
          "\(name) has another \(what): \(before) before, \(after) now. The store cannot change it; sell a new product instead.",
          product: product.id)
        (change.old, change.new) = (before, after)
        return change
      }
      if now.kindName != product.kindName { return [changed("changed-kind", "kind", product.kindName, now.kindName)] }
      guard let terms = product.subscription, let other = now.subscription else { return [] }
      return [
        terms.group == other.group ? nil : changed("changed-group", "subscription group", terms.group, other.group),
        terms.period.isSame(as: other.period) ? nil : changed("changed-period", "period", terms.period.words, other.period.words),
      ].compactMap { $0 }
    }
  }

  /// A product that is gone from the file. What its owners lose is said by the engine.
  private static func removed(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    old.catalog.products.filter { new.catalog.product($0.id) == nil }.map { product in
      error(
        "removed-product", "products[\(product.id)]",
        "\(old.words.product(product.id)) is gone, and those who bought it have nothing. Keep it with \"onSale\": false.",
        product: product.id)
    }
  }
}

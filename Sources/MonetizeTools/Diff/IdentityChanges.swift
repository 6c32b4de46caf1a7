// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeJSON
import MonetizeSimulator

/// Changes of things that must stay the same after a sale or a use: ids, and the nature of a product.
enum IdentityChanges {
  static func changes(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    app(old, new) + reused(old, new) + forgottenNames(old, new) + kinds(old, new) + removed(old, new)
  }

  private static func error(
    _ code: String, _ path: String, _ sentence: String, product: ProductID? = nil, old: String? = nil, new: String? = nil
  ) -> CatalogChange {
    CatalogChange(
      topic: .identity, severity: .error, code: code, products: product.map { [$0] } ?? [], path: path, old: old, new: new,
      sentence: sentence)
  }

  /// A purchase counts only in the app that sold it.
  private static func app(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    let (before, now) = (old.catalog.app.id, new.catalog.app.id)
    if before == now { return [] }
    return [
      error(
        "changed-app", "app.id",
        "The app's id is \"\(now)\" instead of \"\(before)\": all purchases belong to the other id, so their owners lose them. Keep the id.",
        old: before, new: now)
    ]
  }

  /// A retired id that returns, is missing, or has a new meaning.
  private static func reused(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    let retired = Set((old.root["retired"]?.elements ?? []).compactMap(\.string))
    let still = Set((new.root["retired"]?.elements ?? []).compactMap(\.string))
    let used = Set(new.catalog.products.map(\.id.rawValue) + new.catalog.features.flatMap { [$0.id] + $0.aliases }.map(\.rawValue))
    let back = retired.subtracting(still).sorted().map { id in
      used.contains(id)
        ? error(
          "reused-id", "retired", "\"\(id)\" is retired, but is used again. Choose another name, and keep the old one under \"retired\".")
        : error("forgotten-id", "retired", "\"\(id)\" is no longer under \"retired\", so it could be used again. Keep it there.")
    }
    let moved = old.catalog.features.flatMap { feature in
      ([feature.id] + feature.aliases).compactMap { alias -> CatalogChange? in
        guard let now = new.catalog.feature(alias), now.id != feature.id else { return nil }
        // A new name of the whole feature is no other feature.
        let isRenamed = new.catalog.feature(feature.id)?.id == now.id && (old.catalog.feature(now.id)?.id ?? feature.id) == feature.id
        if isRenamed { return nil }
        return error(
          "reused-id", "features.\(now.id)",
          "\"\(alias)\" meant \"\(feature.id)\" and now means \"\(now.id)\". Choose another name.")
      }
    }
    return back + moved
  }

  /// Other names of a feature that code still uses. The engine reports the loss of a feature whose own name is gone.
  private static func forgottenNames(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    old.catalog.features.flatMap { feature in
      feature.aliases.filter { new.catalog.feature($0) == nil }.compactMap { alias in
        guard let now = new.catalog.feature(feature.id)?.id else { return nil }
        return error(
          "forgotten-name", "features.\(now)",
          "\"\(alias)\" is no longer a name of \"\(now)\": an app that is already out asks with it and finds no feature. Keep it under \"aliases\"."
        )
      }
    }
  }

  private static func kinds(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    old.catalog.products.flatMap { product -> [CatalogChange] in
      guard let now = new.catalog.product(product.id) else { return [] }
      let name = old.words.product(product.id)
      func changed(_ code: String, _ what: String, _ before: String, _ after: String) -> CatalogChange {
        error(
          code, "products[\(product.id)]",
          "\(name) has another \(what): \(before) before, \(after) now. The store cannot change it; sell a new product instead.",
          product: product.id, old: before, new: after)
      }
      if now.kindName != product.kindName { return [changed("changed-kind", "kind", product.kindName, now.kindName)] }
      guard let terms = product.subscription, let other = now.subscription else { return [] }
      return [
        terms.group == other.group ? nil : changed("changed-group", "subscription group", terms.group, other.group),
        terms.period.isSame(as: other.period) ? nil : changed("changed-period", "period", terms.period.words, other.period.words),
      ].compactMap { $0 }
    }
  }

  /// Products that are missing from the new file. The engine reports the losses of their owners.
  private static func removed(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    old.catalog.products.filter { new.catalog.product($0.id) == nil }.map { product in
      error(
        "removed-product", "products[\(product.id)]",
        "\(old.words.product(product.id)) is gone, so its owners lose it. Keep it with \"onSale\": false.",
        product: product.id)
    }
  }
}

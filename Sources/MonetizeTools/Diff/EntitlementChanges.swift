// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeSimulator

/// Entitlements that the owners of a product lose by name, also where its grants stay: conditions, onboarding steps and the app's code use
/// the name.
enum EntitlementChanges {
  static func changes(_ old: DiffSide, _ new: DiffSide) -> [CatalogChange] {
    var lost: [EntitlementID: [ProductID]] = [:]
    for product in old.catalog.products {
      guard let now = new.catalog.product(product.id) else { continue }
      for entitlement in Set(product.entitlements).subtracting(now.entitlements) { lost[entitlement, default: []].append(product.id) }
    }
    return old.catalog.entitlements.compactMap { entitlement in
      guard let products = lost[entitlement.id] else { return nil }
      return CatalogChange(
        topic: .takenAway, severity: .error, code: "takes-entitlement", products: products, entitlements: [entitlement.id],
        path: "entitlements.\(entitlement.id)",
        sentence:
          "Owners of \(enumeration(products.map(old.words.product))) are no longer entitled to \(entitlement.title): a rule or an app that "
          + "asks for \"\(entitlement.id)\" finds nothing.")
    }
  }
}

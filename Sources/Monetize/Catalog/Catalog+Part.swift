// SPDX-License-Identifier: Apache-2.0

extension Catalog {
  /// The catalog with only these products, features and collections. All customers get the same result. Makes `diff` of large
  /// catalogs fast: costs only the given features. Pass the whole together with each part. Never shown to customers.
  package func part(
    _ products: [CatalogProduct], features: [Feature], collections: [CatalogCollection], freeTier: [FeatureID: Granted], isMonetized: Bool
  ) -> Catalog {
    var part = Catalog(from: source)
    // A product may grant thousands of others.
    part.products = products.map { product in
      func few<Amount>(_ amounts: [FeatureID: Amount]) -> [FeatureID: Amount] {
        Dictionary(features.compactMap { feature in amounts[feature.id].map { (feature.id, $0) } }) { first, _ in first }
      }
      var product = product
      product.grants = few(product.grants)
      product.credits = few(product.credits)
      product.entitlements = []
      return product
    }
    (part.app, part.features, part.collections, part.releases, part.isMonetized) = (app, features, collections, releases, isMonetized)
    (part.freeTier, part.freeTierKind) = (freeTier, freeTierKind)
    part.index = CatalogIndex(part)
    return part
  }

  /// An entitlement that was given without a purchase, in the form of a product that is not for sale.
  package func gift(of entitlement: Entitlement) -> CatalogProduct {
    CatalogProduct(
      id: ProductID("gift of \(entitlement.id)"), kindName: NonConsumable.name, kind: NonConsumable(), name: entitlement.title,
      entitlements: [entitlement.id], grants: entitlement.grants)
  }
}

// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension Catalog {
  /// The catalog with only these products, features and collections. All customers get the same result. Makes `diff` of large
  /// catalogs fast: costs only the given features. Pass the whole together with each part. Never shown to customers.
  package func part(
    _ products: [CatalogProduct], features: [Feature], collections: [CatalogCollection], freeTier: [FeatureID: Granted], isMonetized: Bool
  ) -> Catalog {
    guard let nothing = try? JSONDocument(parsing: "{}").root else { return self }
    func placed<Value>(_ values: [Value]) -> [CatalogDraft.Placed<Value>] { values.map { .init(value: $0, source: nothing) } }
    let draft = CatalogDraft(nothing, JSONReader(nothing.document))
    // A product may grant thousands of others.
    let kept = products.map { product in
      func few<Amount>(_ amounts: [FeatureID: Amount]) -> [FeatureID: Amount] {
        Dictionary(features.compactMap { feature in amounts[feature.id].map { (feature.id, $0) } }) { first, _ in first }
      }
      return CatalogProduct(
        id: product.id, kindName: product.kindName, kind: product.kind, name: product.name, description: nil, referenceName: nil,
        price: nil, entitlements: [], grants: few(product.grants), credits: few(product.credits), isOnSale: product.isOnSale,
        variantOf: product.variantOf, isOffered: product.isOffered, isFamilyShareable: product.isFamilyShareable)
    }
    (draft.products, draft.features, draft.collections) = (placed(kept), placed(features), placed(collections))
    (draft.freeTier, draft.freeTierKind, draft.releases, draft.isMonetized) = (freeTier, freeTierKind, releases, isMonetized)
    return Catalog(draft: draft, app: app, source: source)
  }

  /// An entitlement that was given without a purchase, in the form of a product that is not for sale.
  package func gift(of entitlement: Entitlement) -> CatalogProduct {
    CatalogProduct(
      id: ProductID("gift of \(entitlement.id)"), kindName: NonConsumable.name, kind: NonConsumable(), name: entitlement.title,
      description: nil, referenceName: nil, price: nil, entitlements: [entitlement.id], grants: entitlement.grants, credits: [:],
      isOnSale: false, variantOf: nil, isOffered: false, isFamilyShareable: false)
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The access of each kind of customer to each feature: of the free tier, then of the owners of each product.
public struct AccessTable: Sendable {
  /// One kind of customer.
  public struct Column: Sendable {
    /// Products that grant the same, any of which the customer has; for the free tier the tips, which grant nothing.
    public let products: [CatalogProduct]
    /// The access to each feature, in the catalog's order.
    public let cells: [FeatureCell]
  }

  /// The free tier, then kinds of customers in the order of the catalog's products.
  public let columns: [Column]
  /// The number of kinds of customers without a column.
  public let hidden: Int

  /// Makes the table. O(products + columns × (features + items of those that open items)).
  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - most: The maximum number of columns beside that of the free tier.
  public init(of catalog: Catalog, most: Int) {
    let groups = Self.groups(catalog.products)
    columns = ([catalog.products.filter(\.isTip)] + groups.prefix(most)).map { products in
      let bought = products.prefix(1).map {
        Fact.transaction(StoreTransaction(id: "1", productID: $0.id, purchaseDate: CatalogDocument.date))
      }
      let snapshot = Snapshot(of: CustomerState(bought), catalog: catalog, at: CatalogDocument.date)
      return Column(products: products, cells: catalog.features.map { FeatureCell($0, snapshot) })
    }
    hidden = groups.count - (columns.count - 1)
  }

  private struct Gifts: Hashable {
    let kind: String
    let grants: [FeatureID: Granted]
    let credits: [FeatureID: Int]
  }

  /// Groups products that grant the same, in the order of the catalog, without the tips. O(products).
  private static func groups(_ products: [CatalogProduct]) -> [[CatalogProduct]] {
    let groups = Dictionary(grouping: products.indices.filter { !products[$0].isTip }) { index in
      Gifts(kind: products[index].kindName, grants: products[index].grants, credits: products[index].credits)
    }
    return groups.values.sorted { $0[0] < $1[0] }.map { $0.map { products[$0] } }
  }
}

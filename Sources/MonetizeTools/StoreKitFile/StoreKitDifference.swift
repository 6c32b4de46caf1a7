// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// One thing that a catalog and a `.storekit` file state differently.
public struct StoreKitDifference: Sendable, Hashable, CustomStringConvertible {
  /// What differs. An open set: `not-in-file`, `not-in-catalog`, `type-mismatch`, `group-mismatch`, `name-mismatch`,
  /// `description-mismatch`, `reference-name-mismatch`, `price-mismatch`, `family-mismatch`, `level-mismatch`, `period-mismatch`,
  /// `offer-mismatch`, `privacy-mismatch`.
  public let code: String
  /// The product; `nil` for what concerns the whole file.
  public let product: ProductID?
  /// The offer, where it is about one: its id, or `introductory`.
  public let offer: String?
  /// What the catalog states; `nil` for nothing.
  public let catalog: String?
  /// What the file states; `nil` for nothing.
  public let file: String?

  /// `price-mismatch com.example.monthly 4.99 4.98`: code, product, offer, the catalog's word, the file's word.
  public var description: String {
    ([code, product?.rawValue, offer, catalog ?? "–", file ?? "–"] as [String?]).compactMap { $0 }.joined(separator: " ")
  }
}

extension StoreKitFile {
  /// Writes what a catalog states into the file, and nothing else: only what differs is changed. Products, offers and texts that the catalog
  /// does not state stay as they are; what is new gets ids derived from names, so that a second update changes nothing. The version is raised
  /// when something new needs it, and never lowered. O(size of both).
  /// - Returns: What differed. All of it is the catalog's way now but `not-in-catalog`.
  @discardableResult
  public mutating func update(from catalog: Catalog) -> [StoreKitDifference] {
    var update = StoreKitUpdate(self, catalog)
    update.run()
    tree = update.tree
    return update.differences
  }

  /// What a catalog and the file state differently, in the catalog's order. O(size of both).
  public func differences(from catalog: Catalog) -> [StoreKitDifference] {
    var copy = self
    return copy.update(from: catalog)
  }
}

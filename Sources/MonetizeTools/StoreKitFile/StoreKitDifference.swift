// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// One difference between a catalog and a `.storekit` file.
public struct StoreKitDifference: Sendable, Hashable, CustomStringConvertible {
  /// The kind of difference. An open set: `not-in-file`, `not-in-catalog`, `type-mismatch`, `group-mismatch`, `name-mismatch`,
  /// `description-mismatch`, `reference-name-mismatch`, `price-mismatch`, `family-mismatch`, `level-mismatch`, `period-mismatch`,
  /// `offer-mismatch`, `privacy-mismatch`.
  public let code: String
  /// The product; `nil` for a difference of the whole file.
  public let product: ProductID?
  /// The offer, if it concerns one: its id, or `introductory`.
  public let offer: String?
  /// The catalog's value; `nil` for none.
  public let catalog: String?
  /// The file's value; `nil` for none.
  public let file: String?
  /// The language of a text that is not in the file's own language.
  public internal(set) var language: Language?

  /// Code, product, offer or language, the catalog's value and the file's value: `price-mismatch com.example.monthly 4.99 4.98`.
  public var description: String {
    let words = [code, product?.rawValue, offer ?? language?.rawValue, catalog ?? "–", file ?? "–"] as [String?]
    return words.compactMap { $0 }.joined(separator: " ")
  }

  /// What ``StoreKitFile/update(from:)`` did about it: `com.example.monthly: price 4.98 becomes 4.99`.
  public var change: String {
    let name = product?.rawValue ?? "the file"
    switch code {
    case "not-in-file": return "\(name): added"
    case "not-in-catalog": return "\(name): not in the catalog, left as it is"
    default:
      let what = code.hasSuffix("-mismatch") ? code.dropLast("-mismatch".count).split(separator: "-").joined(separator: " ") : code
      let part = offer.map { " \"\($0)\"" } ?? language.map { " in \"\($0)\"" } ?? ""
      return "\(name): \(what)\(part) \(file ?? "–") becomes \(catalog ?? "–")"
    }
  }
}

extension StoreKitFile {
  /// Writes a catalog's values into the file, and changes nothing else. Prices in another currency than the file's are left alone.
  /// Products, offers and texts that the catalog does not have stay; new ones get ids derived from names, so that a second update changes
  /// nothing. The version is raised if something new needs it, and never lowered. O(size of both).
  /// - Returns: The differences before. Only `not-in-catalog` remain.
  @discardableResult
  public mutating func update(from catalog: Catalog) -> [StoreKitDifference] { update(from: catalog, StoreKitTexts(catalog)) }

  /// Does the same, and also writes the names and descriptions of products in other languages: Xcode shows a product in the language of the
  /// device. What a table does not translate stays as it is in the file.
  /// - Throws: `CatalogError` when the texts of a table do not fit the catalog.
  @discardableResult
  public mutating func update(from catalog: Catalog, texts: [CatalogStrings]) throws(CatalogError) -> [StoreKitDifference] {
    update(from: catalog, try StoreKitTexts(catalog, texts))
  }

  private mutating func update(from catalog: Catalog, _ texts: StoreKitTexts) -> [StoreKitDifference] {
    var update = StoreKitUpdate(self, catalog, texts)
    update.run()
    tree = update.tree
    return update.differences
  }

  /// The differences between a catalog and the file, in the catalog's order. O(size of both).
  public func differences(from catalog: Catalog) -> [StoreKitDifference] {
    var copy = self
    return copy.update(from: catalog)
  }

  /// The differences, with those of texts in other languages.
  /// - Throws: `CatalogError` when the texts of a table do not fit the catalog.
  public func differences(from catalog: Catalog, texts: [CatalogStrings]) throws(CatalogError) -> [StoreKitDifference] {
    var copy = self
    return try copy.update(from: catalog, texts: texts)
  }

  /// The notes about a comparison with a catalog: amounts in another currency are neither compared nor written.
  public func notes(on catalog: Catalog) -> [String] {
    let file = selling(catalog)
    guard let foreign = catalog.products.lazy.compactMap(\.price).first(where: { !file.hasCurrency($0) })?.currency else { return [] }
    return [
      "Prices in \(foreign) are not compared and not written, because the file has \(file.currency), the currency of its storefront "
        + "\(storefront). If its prices are in \(foreign), write --currency \(foreign)."
    ]
  }

  /// The file with the currency of a catalog, if it is new: Xcode shows the prices of a file in the currency of its storefront.
  func selling(_ catalog: Catalog) -> StoreKitFile {
    guard !isRead, givenCurrency == nil, let currency = catalog.products.lazy.compactMap(\.price?.currency).first else { return self }
    var file = self
    file.givenCurrency = currency
    if currency != knownCurrency, let storefront = StoreKitStorefronts.storefront(with: currency) {
      var settings = tree["settings"] ?? .object([])
      settings["_storefront"] = .text(storefront)
      file.tree["settings"] = settings
    }
    return file
  }
}

// SPDX-License-Identifier: Apache-2.0
import Monetize

/// The names and descriptions of a catalog's products: in its own language, and in those of its tables.
struct StoreKitTexts {
  /// The catalog's own language, then those of the tables.
  let languages: [Language]
  private let products: [Language: [ProductID: CatalogProduct]]
  /// The paths of the texts without a translation.
  private var missing: [Language: Set<String>] = [:]

  /// - Throws: `CatalogError` when the texts of a table do not fit the catalog.
  init(_ catalog: Catalog, _ tables: [CatalogStrings]) throws(CatalogError) {
    var catalogs = [catalog.language: catalog]
    for table in tables where table.language != catalog.language {
      catalogs[table.language] = try catalog.localized(by: table)
      missing[table.language] = Set(catalog.textsMissing(in: table))
    }
    languages = [catalog.language] + tables.map(\.language).filter { $0 != catalog.language }
    products = catalogs.mapValues { Dictionary($0.products.map { ($0.id, $0) }) { first, _ in first } }
  }

  /// Only the catalog's own texts.
  init(_ catalog: Catalog) {
    (languages, products) = ([catalog.language], [catalog.language: Dictionary(catalog.products.map { ($0.id, $0) }) { first, _ in first }])
  }

  /// The language of a file's locale; `nil` when the catalog has no texts in it. `de_AT` is German.
  func language(_ locale: String?) -> Language? { locale.flatMap { Language.match([Language($0)], in: languages) } }

  /// A product in a language. What is not translated is in the catalog's own.
  func product(_ id: ProductID, in language: Language) -> CatalogProduct? { products[language]?[id] }

  /// The translated texts of a product, with the file's keys: its name, then its description.
  func translations(of id: ProductID, in language: Language) -> [(key: String, code: String, text: String)] {
    guard let product = products[language]?[id] else { return [] }
    return [("displayName", "name", product.name as String?), ("description", "description", product.description)].compactMap {
      key, name, text in
      let isMissing = missing[language]?.contains("products.\(id).\(name)") == true
      return isMissing ? nil : text.map { (key, name + "-mismatch", $0) }
    }
  }
}

extension Language {
  /// The locale of a new localization: with an underscore, and with the region that the App Store needs for some languages.
  var storeLocale: String {
    ["en": "en_US", "es": "es_ES", "pt": "pt_BR"][rawValue] ?? rawValue.map { $0 == "-" ? "_" : String($0) }.joined()
  }
}

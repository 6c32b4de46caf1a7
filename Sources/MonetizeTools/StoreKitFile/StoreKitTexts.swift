// SPDX-License-Identifier: Apache-2.0
import Monetize

/// The names and descriptions of a catalog's products: in its own language, and in those of its tables.
struct StoreKitTexts {
  /// The catalog's own language, then those of the tables.
  let languages: [Language]
  private let products: [Language: [ProductID: CatalogProduct]]
  /// The texts of each table.
  private var translated: [Language: Set<[String]>] = [:]
  /// The languages of locales that were asked for.
  private var known: [String: Language?] = [:]

  /// - Throws: `CatalogError` when the texts of a table do not fit the catalog.
  init(_ catalog: Catalog, _ tables: [CatalogStrings]) throws(CatalogError) {
    var catalogs = [catalog.language: catalog]
    for table in tables where table.language != catalog.language {
      catalogs[table.language] = try catalog.localized(by: table)
      translated[table.language] = Set(table.paths)
    }
    languages = [catalog.language] + tables.map(\.language).filter { $0 != catalog.language }
    products = catalogs.mapValues { Dictionary($0.products.map { ($0.id, $0) }) { first, _ in first } }
  }

  /// Only the catalog's own texts.
  init(_ catalog: Catalog) {
    (languages, products) = ([catalog.language], [catalog.language: Dictionary(catalog.products.map { ($0.id, $0) }) { first, _ in first }])
  }

  /// The language of a localization; `nil` when the catalog has no texts in it. `de_AT` is German.
  mutating func language(_ localization: StoreKitTree) -> Language? {
    guard let locale = localization["locale"]?.string else { return nil }
    if let language = known[locale] { return language }
    let language = Language.match([Language(locale)], in: languages)
    known[locale] = .some(language)
    return language
  }

  /// The translated texts of a product, with the file's keys: its name, then its description.
  func translations(of id: ProductID, in language: Language) -> [(key: String, code: String, text: String)] {
    guard let product = products[language]?[id] else { return [] }
    let texts = [
      ("displayName", "name-mismatch", "name", product.name as String?),
      ("description", "description-mismatch", "description", product.description),
    ]
    return texts.compactMap { key, code, name, text in
      let isThere = translated[language]?.contains(["products", id.rawValue, name]) ?? true
      return isThere ? text.map { (key, code, $0) } : nil
    }
  }
}

extension Language {
  /// The index of its localization among several, of which each has a language: that of exactly this locale, or else the preferred one, or
  /// else the first. One with a name comes before one without.
  /// - Parameter isNamed: Whether only one with a name counts.
  func index(in localizations: [StoreKitTree], _ languages: [Language?], _ preferred: Int?, isNamed: Bool = false) -> Int? {
    let all = localizations.indices.filter { languages[$0] == self }
    let named = all.filter { localizations[$0]["displayName"]?.text != nil }
    let indices = named.isEmpty && !isNamed ? all : named
    return indices.first { [rawValue, storeLocale].contains(localizations[$0]["locale"]?.string ?? "") }
      ?? preferred.flatMap { indices.contains($0) ? $0 : nil } ?? indices.first
  }

  /// The locale of a new localization: with an underscore, and with the region that the App Store needs for some languages.
  var storeLocale: String {
    ["en": "en_US", "es": "es_ES", "pt": "pt_BR"][rawValue] ?? rawValue.map { $0 == "-" ? "_" : String($0) }.joined()
  }
}

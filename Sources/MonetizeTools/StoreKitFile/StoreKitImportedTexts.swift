// SPDX-License-Identifier: Apache-2.0
import Monetize

/// The texts of a file's products by language: that of the catalog, and a table for each other one.
struct StoreKitImportedTexts {
  /// The language of the catalog's own texts.
  let language: Language
  private let file: StoreKitFile
  /// The language of each locale in the file.
  private let languages: [String: Language]

  init(_ file: StoreKitFile, _ nodes: [StoreKitTree]) {
    self.file = file
    let all = nodes.flatMap { $0["localizations"]?.elements ?? [] }
    let locales = Set(all.compactMap { $0["locale"]?.string })
    let own = Self.mainLocale(file, nodes)
    language = Self.language(own, isWhole: false) ?? .english
    // Without a name, a localization becomes no table that another could be confused with.
    let named = Set(all.filter { $0["displayName"]?.text != nil }.compactMap { $0["locale"]?.string })
    let alike = Dictionary(grouping: named) { Language($0).base }
    languages = locales.reduce(into: [own: language]) { languages, locale in
      if locale == own { return }
      languages[locale] = Self.language(locale, isWhole: (alike[Language(locale).base]?.count ?? 1) > 1)
    }
  }

  /// The index of the localization that has a product's texts for the catalog: in its language, or else in the file's.
  func index(of node: StoreKitTree) -> Int? {
    let (all, found, preferred) = (node["localizations"]?.elements ?? [], languages(of: node), file.localization(of: node))
    // A text in no language is the catalog's.
    let isFree = preferred.map { (found[$0] ?? language) == language } ?? false
    return language.index(in: all, found, preferred, isNamed: true) ?? (isFree ? preferred : nil)
      ?? language.index(in: all, found, preferred) ?? preferred
  }

  /// The tables, in the order of the file.
  /// - Parameters:
  ///   - read: The products with the catalog's texts.
  ///   - titled: The features that have the name of a product.
  /// - Complexity: O(size of the file).
  func tables(
    _ read: [(product: StoreKitFile.Product, node: StoreKitTree)], _ titled: [ProductID: String]
  ) -> [(language: Language, table: StoreKitTree)] {
    var order: [Language] = []
    var (products, features): ([Language: [StoreKitTree.Member]], [Language: [StoreKitTree.Member]]) = ([:], [:])
    for (product, node) in read {
      var seen: Set<Language> = [language]
      for (element, language) in zip(node["localizations"]?.elements ?? [], languages(of: node)) {
        guard let language, seen.insert(language).inserted else { continue }
        func text(_ key: String) -> StoreKitTree? { element[key]?.text.map(StoreKitTree.text) }
        // A table has only texts that the catalog has.
        let description = product.description == nil ? nil : text("description")
        let texts = StoreKitTree.members(["name": text("displayName"), "description": description])
        if texts.members.isEmpty { continue }
        if products[language] == nil { order.append(language) }
        products[language, default: []].append(.init(key: product.id.rawValue, value: texts))
        guard let feature = titled[product.id], let name = text("displayName") else { continue }
        features[language, default: []].append(.init(key: feature, value: .members(["title": name])))
      }
    }
    return order.map { language in
      (
        language,
        .members([
          "language": .text(language.rawValue), "features": features[language].map(StoreKitTree.object),
          "products": products[language].map(StoreKitTree.object),
        ])
      )
    }
  }

  private func languages(of node: StoreKitTree) -> [Language?] {
    (node["localizations"]?.elements ?? []).map { $0["locale"]?.string.flatMap { languages[$0] } }
  }

  /// The locale that the file is tested in, if a product's name is in its language; otherwise English, or that of the first product.
  private static func mainLocale(_ file: StoreKitFile, _ nodes: [StoreKitTree]) -> String {
    let named = nodes.compactMap { file.locale(of: $0) }.filter { language($0, isWhole: false) != nil }
    let wanted = [file.locale, Language.english.storeLocale].map { Language($0).base }
    return wanted.lazy.compactMap { base in named.first { Language($0).base == base } }.first ?? named.first ?? Language.english.storeLocale
  }

  /// The language of a locale, without its region unless it is whole. Chinese keeps its script. `nil` for another text.
  private static func language(_ locale: String, isWhole: Bool) -> Language? {
    let whole = Language(locale.map { $0 == "_" ? "-" : String($0) }.joined())
    let language = isWhole || whole.base == "zh" ? whole : Language(whole.base)
    return language.isCode ? language : nil
  }
}

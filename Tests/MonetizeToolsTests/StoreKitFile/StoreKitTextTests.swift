// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@testable import MonetizeTools

@Suite("StoreKit files: names in several languages")
struct StoreKitTextTests {
  private static func catalog(_ language: String = "en") throws -> Catalog {
    try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "a", "name": "A", "language": "\#(language)" }, "features": { "f": {} },
          "products": [
            { "kind": "nonConsumable", "id": "a.p", "name": "Pack", "description": "All", "price": { "amount": "1.00", "currency": "USD" },
              "grants": { "f": true } },
            { "kind": "nonConsumable", "id": "a.q", "name": "More", "price": { "amount": "2.00", "currency": "USD" },
              "grants": { "f": true } }] }
        """#.utf8))
  }

  private static func table(_ language: String, _ products: String) throws -> CatalogStrings {
    try CatalogStrings(json: Data(#"{ "language": "\#(language)", "products": \#(products) }"#.utf8))
  }

  private static let german = #"{ "a.p": { "name": "Paket", "description": "Alles" } }"#

  /// Of each product, its localizations as `locale name/description`.
  private static func texts(_ file: StoreKitFile) throws -> [[String]] {
    let root = try #require(try JSONSerialization.jsonObject(with: Data(file.text.utf8)) as? [String: Any])
    return (root["products"] as? [[String: Any]] ?? []).map { product in
      (product["localizations"] as? [[String: String]] ?? []).map {
        "\($0["locale"] ?? "–") \($0["displayName"] ?? "–")/\($0["description"] ?? "–")"
      }
    }
  }

  /// A file with one product and these localizations.
  private static func file(_ localizations: String, locale: String? = nil) throws -> StoreKitFile {
    let settings = locale.map { #""settings": { "_locale": "\#($0)" }, "# } ?? ""
    return try StoreKitFile(
      Data(
        #"""
        { "identifier": "00000001", \#(settings)"version": { "major": 3, "minor": 0 }, "subscriptionGroups": [], "products": [
          { "type": "NonConsumable", "productID": "a.p", "referenceName": "Pack", "displayPrice": "1.00", "familyShareable": false,
            "internalID": "00000002", "localizations": [\#(localizations)] }] }
        """#.utf8))
  }

  @Test("A new file has the names of each table that translates them, in the locales of the App Store")
  func newFile() throws {
    var file = StoreKitFile(appID: "a")
    let tables = [try Self.table("de", Self.german), try Self.table("pt", #"{ "a.q": { "name": "Mais" } }"#)]
    try file.update(from: Self.catalog(), texts: tables)
    #expect(try Self.texts(file) == [["en_US Pack/All", "de Paket/Alles"], ["en_US More/", "pt_BR Mais/"]])
    #expect(try file.differences(from: Self.catalog(), texts: tables).isEmpty)
  }

  @Test(
    "A first localization is in the catalog's own language",
    arguments: [("de", "de"), ("zh-Hans", "zh_Hans"), ("en", "en_US"), ("es", "es_ES")])
  func ownLanguage(_ language: String, _ locale: String) throws {
    var file = StoreKitFile(appID: "a")
    file.update(from: try Self.catalog(language))
    #expect(try Self.texts(file) == [["\(locale) Pack/All"], ["\(locale) More/"]])
  }

  @Test("A file has the names of the language that it is tested in first: a translated name never stands in another language's place")
  func fileLanguage() throws {
    var file = try Self.file(#"{ "locale": "de_DE", "displayName": "Alt", "description": "Alles" }"#, locale: "de_DE")
    let changes = try file.update(from: Self.catalog(), texts: [Self.table("de", Self.german)]).filter { $0.product == "a.p" }
    #expect(try Self.texts(file)[0] == ["de_DE Paket/Alles"], "a file in German alone stays so")
    #expect(changes.map(\.description) == ["name-mismatch a.p de Paket Alt"])
    var both = try Self.file(#"{ "locale": "de", "displayName": "Paket" }, { "locale": "en_GB", "displayName": "Old" }"#, locale: "de_DE")
    let others = try both.update(from: Self.catalog(), texts: [Self.table("de", Self.german)]).filter { $0.product == "a.p" }
    #expect(try Self.texts(both)[0] == ["de Paket/Alles", "en_GB Pack/All"])
    #expect(
      others.map(\.description) == [
        "name-mismatch a.p Pack Old", "description-mismatch a.p All –", "description-mismatch a.p de Alles –",
      ])
    #expect(others[2].change == "a.p: description in \"de\" – becomes Alles")
  }

  @Test("What a table does not translate stays, and so do the other languages of a file")
  func untranslated() throws {
    let before = """
      { "locale": "en_US", "displayName": "Pack", "description": "All" }, { "locale": "de", "displayName": "Paket", "description": "Selbst" },
      { "locale": "fr", "displayName": "Paquet", "description": "" }
      """
    var file = try Self.file(before)
    let changes = try file.update(from: Self.catalog(), texts: [Self.table("de", #"{ "a.p": { "name": "Kiste" } }"#)])
    #expect(try Self.texts(file)[0] == ["en_US Pack/All", "de Kiste/Selbst", "fr Paquet/"])
    #expect(changes.filter { $0.product == "a.p" }.map(\.description) == ["name-mismatch a.p de Kiste Paket"])
  }

  @Test("A second update changes nothing, whatever languages the file, its settings, the catalog and the tables have")
  func again() throws {
    let codes = ["en_US", "de", "de_AT", "ja_JP", "fr"]
    for number in 0..<400 {
      var random = SplitMix64(seed: UInt64(number))
      let kept = codes.filter { _ in random.next() % 2 == 0 }.shuffled(using: &random)
      let elements = kept.map { #"{ "locale": "\#($0)", "displayName": "\#($0)", "description": "" }"# }.joined(separator: ", ")
      var file = try Self.file(elements, locale: random.next() % 2 == 0 ? codes.randomElement(using: &random) : nil)
      let catalog = try Self.catalog(["en", "de", "pt-BR"].randomElement(using: &random)!)
      let tables = try ["de", "ja", "en"].filter { _ in random.next() % 2 == 0 }.map { try Self.table($0, Self.german) }
      try file.update(from: catalog, texts: tables)
      let text = file.text
      let rest = try file.differences(from: catalog, texts: tables)
      var same = try StoreKitFile(Data(text.utf8))
      try same.update(from: catalog, texts: tables)
      #expect(rest.isEmpty && same.text == text, "\(number): \(kept), \(rest)")
      // No language has two localizations that were not there.
      let locales = try Self.texts(file)[0].map { String($0.prefix { $0 != " " }) }
      #expect(Set(locales).count == locales.count, "\(number): \(locales)")
    }
  }

  @Test("An import makes a table of each other language, and the catalog has the language of the file")
  func imported() throws {
    let all = """
      { "locale": "ja_JP", "displayName": "パック", "description": "すべて" }, { "locale": "en_US", "displayName": "Pack", "description": "All" },
      { "locale": "zh_Hans", "displayName": "包", "description": "" }, { "locale": "pt_BR", "displayName": "Pacote", "description": "" },
      { "locale": "pt_PT", "displayName": "Conjunto", "description": "" }, { "locale": "no locale", "displayName": "X", "description": "" }
      """
    let japanese = try Self.file(all, locale: "ja_JP").imported(appName: "App")
    #expect(try Catalog(json: Data(japanese.json.utf8)).language == .japanese)
    #expect(japanese.tables.map(\.language) == ["en", "zh-Hans", "pt-BR", "pt-PT"])
    let english = try Self.file(all).imported(appName: "App")
    #expect(try Catalog(json: Data(english.json.utf8)).language == .english && !english.json.contains("language"))
    #expect(english.tables.map(\.language) == ["ja", "zh-Hans", "pt-BR", "pt-PT"])
    #expect(
      english.tables[0].json == """
        {
          "language": "ja",
          "features": {
            "pack": {
              "title": "パック"
            }
          },
          "products": {
            "a.p": {
              "name": "パック",
              "description": "すべて"
            }
          }
        }

        """, "\(english.tables[0].json)")
    let german = try Self.file(#"{ "locale": "de", "displayName": "Paket", "description": "" }"#).imported(appName: "App")
    #expect(try Catalog(json: Data(german.json.utf8)).language == .german && german.tables.isEmpty)
  }

  @Test("An export with the tables of an import changes nothing, whatever languages each product has", arguments: LawSeeds.run(20))
  func importAndExport(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) &* 77_003)
    let codes = ["en_US", "en_GB", "de", "de_AT", "ja_JP", "fr", "zh_Hans", "zh_Hant", "pt_BR", "", "x y"]
    for _ in 0..<20 {
      let products = (0..<Int.random(in: 1...4, using: &random)).map { number -> String in
        let elements = codes.filter { _ in random.next() % 3 == 0 }.shuffled(using: &random).map { code in
          // Xcode makes localizations without texts, and none with a description alone.
          let name = random.next() % 4 == 0 ? "" : "\(code) \(number)"
          return
            #"{ "locale": "\#(code)", "displayName": "\#(name)", "description": "\#(name.isEmpty || random.next() % 2 == 0 ? "" : "about")" }"#
        }
        return #"""
          { "type": "NonConsumable", "productID": "a.p\#(number)", "referenceName": "P \#(number)", "displayPrice": "1.00",
            "familyShareable": false, "internalID": "0000000\#(number)", "localizations": [\#(elements.joined(separator: ", "))] }
          """#
      }
      let locale = random.next() % 2 == 0 ? #""_locale": "\#(codes.randomElement(using: &random)!)""# : ""
      let text = #"""
        { "identifier": "00000009", "settings": { \#(locale) }, "version": { "major": 3, "minor": 0 }, "subscriptionGroups": [],
          "products": [\#(products.joined(separator: ", "))] }
        """#
      var file = try StoreKitFile(Data(text.utf8))
      let made = file.imported(appName: "App")
      let catalog = try Catalog(json: Data(made.json.utf8))
      let tables = try made.tables.map { try CatalogStrings(json: Data($0.json.utf8), of: catalog, file: "\($0.language).json") }
      let changes = try file.update(from: catalog, texts: tables)
      #expect(changes.isEmpty && file.text == text, "seed \(seed): \(changes)\n\(text)\n\(made.json)\n\(made.tables)")
    }
  }
}

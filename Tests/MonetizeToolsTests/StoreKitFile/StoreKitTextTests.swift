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
    #expect(try Self.texts(file)[0] == ["de_DE Paket/Alles", "en_US Pack/All"])
    #expect(
      changes.map(\.description) == [
        "name-mismatch a.p Paket Alt", "name-mismatch a.p en Pack –", "description-mismatch a.p en All –",
      ])
    #expect(changes[1].change == "a.p: name in \"en\" – becomes Pack")
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
}

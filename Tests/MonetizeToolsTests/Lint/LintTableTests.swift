// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

@Suite("Lint: the tables of texts beside a catalog", .timeLimit(.minutes(30)))
struct LintTableTests {
  private static let german = """
    { "language": "de",
      "features": { "story": { "title": "Geschichten" } },
      "products": { "pack.denny": { "name": "Denny" } },
      "collections": { "denny": { "title": "Denny" } },
      "paywalls": { "default": { "headline": "Alles von {collection}", "trust": { "No subscriptions • No ads": "Kein Abo • Keine Werbung" } } } }
    """

  /// The report on a catalog beside one table, a German one unless named otherwise.
  private static func report(_ table: String, _ patch: String = "{}", language: String = "de") throws -> LintReport {
    let catalog = try ToolFixtures.patched(ToolFixtures.text("lint/packs.json"), patch)
    let tables = [(name: "strings/packs/\(language).json", json: Data(table.utf8))]
    return Lint().report(on: [LintFile(name: "packs.json", json: Data(catalog.utf8), tables: tables)])
  }

  @Test("The tables beside the shipped catalogs are found and complete", arguments: ToolFixtures.shipped)
  func shipped(name: String) throws {
    let path = ToolFixtures.products.appendingPathComponent("\(name).json").path
    let tables = LintFile.tables(besideCatalog: path)
    #expect(tables.map { $0.components(separatedBy: "Products/").last } == ["strings/\(name)/de.json", "strings/\(name)/ja.json"])
    let file = LintFile(
      name: name, json: Data(try ToolFixtures.shipped(name).utf8),
      tables: try tables.map { (name: $0, json: try Data(contentsOf: URL(fileURLWithPath: $0))) })
    #expect(Lint().report(on: [file]).text == "Nothing found in \(name).\n")
  }

  @Test("A complete table has no finding") func complete() throws {
    #expect(try Self.report(Self.german).text == "Nothing found in packs.json.\n")
  }

  @Test("A table whose language is not that of its file's name is an error at the language") func language() throws {
    let report = try Self.report(try ToolFixtures.replacing("\"de\"", "\"fr\"", in: Self.german))
    let found = report.files.flatMap { file in file.findings.map { $0.diagnostic.rendered(file: file.name) } }
    #expect(
      found == [
        #"strings/packs/de.json:1:15: error: The texts are in "fr", but the file is named "de". Correct one of them. [bad-value] at language"#
      ])
    #expect(report.status == .no)
  }

  @Test(
    "In a language that the framework does not have, a table without the framework's own texts is one warning; with them it is complete")
  func framework() throws {
    let french = try ToolFixtures.replacing("\"de\"", "\"fr\"", in: Self.german)
    let found = try Self.report(french, language: "fr").files.flatMap { file in
      file.findings.map { $0.diagnostic.rendered(file: file.name) }
    }
    #expect(
      found == [
        "packs.json:1:1: warning: strings/packs/fr.json lacks 107 of the framework's own texts, such as \"Buy\", which stay in English. "
          + "Add them under \"framework\"; `monetize generate texts` prints them all. [text-missing]"
      ])
    let whole = try TranslationTable(of: Catalog(json: Data(ToolFixtures.text("lint/packs.json").utf8)), continuing: Data(french.utf8)).text
    #expect(try Self.report(whole, language: "fr").text == "Nothing found in packs.json.\n")
    let wrong = try ToolFixtures.replacing("\"Restore Purchases\"", "\"{price}\"", in: whole)
    #expect(
      try Self.report(wrong, language: "fr").text.contains(
        "This text has none. Remove it. [unknown-placeholder] at framework.buttonRestore"))
  }

  @Test("A catalog in a language that the framework does not have needs a table with the framework's own texts, and no other")
  func ownLanguage() throws {
    func found(_ code: String, _ tables: [(name: String, json: Data)] = []) throws -> [String] {
      let catalog = try ToolFixtures.patched(ToolFixtures.text("lint/packs.json"), "{ \"app\": { \"language\": \"\(code)\" } }")
      return Lint().report(on: [LintFile(name: "packs.json", json: Data(catalog.utf8), tables: tables)]).files
        .flatMap { file in file.findings.map { "\($0.diagnostic.code) \($0.diagnostic.path)" } }
    }
    #expect(try found("de").isEmpty && found("en-GB").isEmpty)
    #expect(try found("fr") == ["text-missing app.language"])
    let catalog = try Catalog(json: Data(ToolFixtures.text("lint/packs.json").utf8))
    let table = Data(try TranslationTable(of: catalog, in: "fr").text.utf8)
    #expect(try found("fr", [(name: "strings/packs/fr.json", json: table)]).isEmpty)
  }

  @Test("A text that a table lacks is a warning at the text, with its keys in the table") func missing() throws {
    let table = try ToolFixtures.replacing("\"No subscriptions • No ads\": \"Kein Abo • Keine Werbung\"", "", in: Self.german)
    let report = try Self.report(table.replacingOccurrences(of: "\"title\": \"Geschichten\"", with: ""))
    #expect(
      report.text == """
        packs.json:5:33: warning: strings/packs/de.json has no text for this one. Add "features.story.title" to it. [text-missing] at features.story.title
            from Docs/Guides/Lint.md
        packs.json:19:17: warning: strings/packs/de.json has no text for this one. Add "paywalls.default.trust.No subscriptions • No ads" to it. \
        [text-missing] at paywalls.default.trust[0]
            from Docs/Guides/Lint.md
        2 warnings in packs.json.

        """)
    #expect(report.status == .fine)
  }

  @Test("A text that an arm changes needs one in each language of the tables, which is checked as the arm's own")
  func arms() throws {
    let change = #""id": "warm", "weight": 1, "set": { "paywalls": { "default": { "headline": "All of them" } } }"#
    func found(_ texts: String, _ more: String = "") throws -> [String] {
      let arm = #"{ \#(change), "texts": \#(texts) }"#
      let patch = #"{ "experiments": { "e": { \#(more) "arms": [{ "id": "old", "weight": 0 }, \#(arm)] } } }"#
      return try Self.report(Self.german, patch).files.flatMap { file in
        file.findings.map { "\($0.diagnostic.code) \($0.diagnostic.path): \($0.diagnostic.message)" }
      }
    }
    func table(_ language: String, _ headline: String) -> String {
      #"{ "\#(language)": { "paywalls": { "default": { "headline": "\#(headline)" } } } }"#
    }
    let missing =
      "text-missing experiments.e.arms[1].set.paywalls.default.headline: The arm changes this text, but not in \"de\". "
      + "Add \"texts.de.paywalls.default.headline\" to the arm."
    #expect(try found("null") == [missing] && found(table("fr", "Toutes")) == [missing])
    #expect(try found("null", #""stopped": "warm","#) == [missing] && found("null", #""stopped": "old","#) == [])
    #expect(try found(table("de", "Alle")) == [])
    // A table in the catalog's own language needs none.
    let own = try Self.report(#"{ "language": "en" }"#, #"{ "experiments": { "e": { "arms": [{ \#(change) }] } } }"#, language: "en")
    #expect(own.text == "Nothing found in packs.json.\n")
    #expect(
      try found(table("de", "Nur 2,99 €")) == [
        "price-in-text experiments.e.arms[1].set: With the arm \"warm\", at texts.de.paywalls.default.headline: \"Nur 2,99 €\" contains a price, "
          + "which differs between countries and can change. Write {price}, or remove it."
      ])
  }

  @Test("A missing text is accepted in the catalog like any other finding") func accepted() throws {
    let table = try ToolFixtures.replacing("\"headline\": \"Alles von {collection}\", ", "", in: Self.german)
    let accept = #"{ "code": "text-missing", "at": "paywalls.default.headline", "reason": "The headline is a picture." }"#
    #expect(try Self.report(table, "{ \"lint\": { \"accept\": [\(accept)] } }").text == "1 accepted in packs.json.\n")
  }

  @Test("An unknown text, a translation that breaks a rule, a table without a language and text that is no JSON are errors of the table")
  func wrong() throws {
    let tables = [
      try ToolFixtures.replacing("\"story\": {", "\"storry\": {", in: Self.german),
      try ToolFixtures.replacing("{collection}", "{kollektion}", in: Self.german), "{}", "{ \"language\": }",
    ]
    let found = try tables.map { table in
      let file = try #require(try Self.report(table).files.dropFirst().first)
      return file.findings.map { $0.diagnostic.rendered(file: file.name) }
    }
    #expect(
      found == [
        [
          #"strings/packs/de.json:2:38: error: The catalog has no text "features.storry.title". Did you mean "features.story.title"? [unknown-text] at features.storry.title"#
        ],
        [
          #"strings/packs/de.json: error: There is no placeholder "kollektion". Did you mean "collection"? [unknown-placeholder] at paywalls.default.headline"#
        ],
        [#"strings/packs/de.json:1:1: error: A table of texts needs its language. Add "language", such as "de". [missing-key]"#],
        [#"strings/packs/de.json:1:15: error: Expected a value here, but found "}". Add the value. [json-syntax]"#],
      ])
    #expect(try Self.report("{}").status == .no)
  }

  @Test(
    "A translation that breaks a review rule is reported in the table; a rule about English words only in English",
    arguments: [
      (
        #""name": "Denny""#, #""name": "Denny und alle seine Freunde im Walde""#,
        "3:41: error: An in-app purchase's name has at most 35 characters, but this one has 37. Shorten it by 2. [iap-name-too-long] at products[\"pack.denny\"].name"
      ),
      (
        "Alles von {collection}", "Nur 2,99 €",
        "5:42: error: \"Nur 2,99 €\" contains a price, which differs between countries and can change. Write {price}, or remove it. [price-in-text] at paywalls.default.headline"
      ),
      (
        #""title": "Geschichten""#, #""title": " ""#,
        "2:37: error: This text is empty, so a screen reader cannot read it. Write it, or remove \"title\". [text-empty] at features.story.title"
      ),
      ("Alles von {collection}", "A subscription per month", nil),
      (
        #""title": "Geschichten""#, #""title": 3"#,
        "2:37: error: Expected a text here, but found the number 3. Write it in quotes. [type-mismatch] at features.story.title"
      ),
    ] as [(String, String, String?)])
  func rules(old: String, new: String, message: String?) throws {
    let report = try Self.report(try ToolFixtures.replacing(old, new, in: Self.german))
    let found = report.files.flatMap { file in file.findings.map { $0.diagnostic.rendered(file: file.name) } }
    #expect(found == (message.map { ["strings/packs/de.json:\($0)"] } ?? []))
  }

  @Test("An English table has the rules about English words as well") func english() throws {
    let table = Self.german.replacingOccurrences(of: "\"de\"", with: "\"en-GB\"").replacingOccurrences(
      of: "Alles von", with: "Subscribe to")
    #expect(try Self.report(table, language: "en-GB").files.flatMap(\.findings).map(\.diagnostic.code) == ["copy.recurring-in-one-time"])
  }

  @Test("No table is expected beside a catalog that has none") func none() {
    #expect(LintFile.tables(besideCatalog: "/nowhere/app.json") == [] && LintFile.tables(besideCatalog: "app") == [])
  }

  @Test("A key that a table has twice is a mistake, as in a catalog") func repeated() throws {
    let table = try ToolFixtures.replacing("\"name\": \"Denny\"", "\"name\": \"Denny\", \"name\": \"Dennis\"", in: Self.german)
    let found = try Self.report(table).files.flatMap(\.findings).map { "\($0.diagnostic.code) \($0.diagnostic.path)" }
    #expect(found == ["repeated-key products[\"pack.denny\"].name"])
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

@Suite("Texts of a catalog in other languages")
struct CatalogStringsTests {
  private func catalog() throws -> Catalog {
    try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "app", "name": "App" },
          "features": {
            "story": { "title": "Stories this month", "allowance": "count", "per": "month", "unit": { "one": "story", "other": "stories" },
                       "description": "{limit} {unit} per {period}" },
            "themes": { "unlockMessage": "Create themes" } },
          "freeTier": { "grants": { "story": 3 } },
          "products": [{ "kind": "nonConsumable", "id": "pack", "name": "Pack", "grants": { "story": "unlimited", "themes": true } }],
          "paywalls": { "default": { "headline": "{unlockMessage}", "labels": { "dismiss": "Not now" }, "trust": ["No ads", "Cancel anytime"],
            "benefits": [{ "title": "Unlimited", "description": "As many as you like", "features": ["story"] }] } } }
        """.utf8))
  }

  private func strings(_ json: String) throws -> CatalogStrings { try CatalogStrings(json: Data(json.utf8)) }

  private let german = """
    { "$comment": "for the tests", "language": "de",
      "features": {
        "story": { "title": "Geschichten diesen Monat", "unit": { "one": "Geschichte", "other": "Geschichten" },
                   "description": "{limit} {unit} pro {period}" },
        "themes": { "unlockMessage": "Themen \\"selbst\\" gestalten" } },
      "products": { "pack": { "name": "Paket" } },
      "paywalls": { "default": { "labels": { "dismiss": "Jetzt nicht" }, "trust": { "Cancel anytime": "Jederzeit kündbar" },
        "benefits": { "Unlimited": { "title": "Unbegrenzt", "description": "So viele du willst" } } } } }
    """

  @Test("Every text of the table appears in the catalog, with the language's words in the placeholders; missing texts stay")
  func localizes() throws {
    let catalog = try catalog().localized(by: strings(german))
    let snapshot = Snapshot(of: CustomerState(), catalog: catalog, at: Date(timeIntervalSince1970: 1_772_366_400))
    #expect(catalog.language == .german)
    #expect(snapshot.description(of: "story") == "3 Geschichten pro Monat")
    #expect(catalog.product("pack")?.name == "Paket")
    let paywall = try #require(catalog.paywall(.default))
    #expect(paywall.labels == ["dismiss": "Jetzt nicht"])
    #expect(paywall.trust == ["No ads", "Jederzeit kündbar"])
    #expect(paywall.benefits?.first?.title == "Unbegrenzt" && paywall.benefits?.first?.features == ["story"])
    #expect(catalog.feature("themes")?.unlockMessage == "Themen \"selbst\" gestalten")
  }

  @Test("A feature whose id is also a key of texts has its own texts translated, and no others", arguments: ["unit", "labels"])
  func idsLikeKeys(id: String) throws {
    let json = """
      { "schemaVersion": 1, "app": { "id": "app", "name": "App" },
        "features": { "\(id)": { "title": "Units", "allowance": "count", "per": "month" } }, "freeTier": { "grants": { "\(id)": 3 } } }
      """
    let catalog = try Catalog(json: Data(json.utf8))
    let german = try strings(#"{ "language": "de", "features": { "\#(id)": { "title": "Einheiten" } } }"#)
    #expect(catalog.textsMissing(in: german).filter { $0.hasPrefix("features") } == [])
    #expect(try catalog.localized(by: german).feature(FeatureID(id))?.title == "Einheiten")
  }

  @Test("A table may have more forms of a noun than the catalog; the table of another language keeps to those that it has")
  func nouns() throws {
    let russian = """
      { "language": "ru", "features": { "story": { "description": "{limit} {unit}",
        "unit": { "one": "история", "few": "истории", "many": "историй", "other": "истории" } } } }
      """
    let catalog = try catalog().localized(by: strings(russian))
    let story = try #require(catalog.feature("story"))
    #expect([1, 2, 5, 21].map { story.words(for: $0, in: catalog.language) } == ["1 история", "2 истории", "5 историй", "21 история"])
    #expect(story.unit?.plural(in: catalog.language) == "историй", "without a number, as in unlimited stories")
    #expect(catalog.textsMissing(in: try strings(russian)).contains { $0.contains("unit") } == false)
    let half = try strings(russian.replacingOccurrences(of: #""many": "историй", "#, with: ""))
    #expect(catalog.textsMissing(in: half).contains("features.story.unit.many"))
    #expect(try self.catalog().localized(by: half).feature("story")?.words(for: 5, in: "ru") == "5 истории")
    // A language without a singular needs none.
    #expect(
      try self.catalog().textsMissing(in: strings(#"{ "language": "ja" }"#)).filter { $0.contains("unit") } == ["features.story.unit.other"]
    )
  }

  @Test("A feature may have the name of a key for texts: amounts are no texts") func namesOfKeys() throws {
    let json = """
      { "schemaVersion": 1, "app": { "id": "app", "name": "App" },
        "features": { "text": { "title": "Text", "allowance": "count", "per": "month" }, "unit": { "title": "Unit" } },
        "freeTier": { "grants": { "text": "unlimited", "unit": true } } }
      """
    let missing = try Catalog(json: Data(json.utf8)).textsMissing(in: strings(#"{ "language": "de" }"#))
    #expect(missing == ["features.text.title", "features.unit.title"])
  }

  @Test("The same facts have the same decisions in every language")
  func decidesAlike() throws {
    let plain = try catalog()
    let translated = try plain.localized(by: strings(german))
    for feature in plain.features.map(\.id) {
      let date = Date(timeIntervalSince1970: 1_772_366_400)
      let decisions = [plain, translated].map { Snapshot(of: CustomerState(), catalog: $0, at: date).decision(for: feature) }
      #expect(decisions[0] == decisions[1])
    }
  }

  @Test("The missing texts of a table are listed by their paths; a complete table lacks none")
  func missing() throws {
    #expect(try catalog().textsMissing(in: strings(german)) == ["paywalls.default.headline", "paywalls.default.trust.No ads"])
  }

  @Test("A text that the catalog does not have is a mistake with its place, and nothing is localized")
  func unknown() throws {
    let table = try strings(
      #"{ "language": "de", "features": { "story": { "titel": "x" } }, "paywalls": { "default": { "trust": { "0": "x" } } } }"#)
    let error = #expect(throws: CatalogError.self) { try self.catalog().localized(by: table) }
    #expect(error?.diagnostics.map(\.code) == ["unknown-text", "unknown-text"])
    #expect(error?.diagnostics.first?.message == "The catalog has no text \"features.story.titel\". Did you mean \"features.story.title\"?")
  }

  @Test("A translation obeys the rules of the catalog: a placeholder without a value is refused")
  func rules() throws {
    let table =
      #"{ "language": "de", "features": { "themes": { "unlockMessage": "{prise}" } },"#
      // A text before it on its line has another length.
      + #" "paywalls": { "default": { "labels": { "dismiss": "Vielleicht später" }, "trust": { "Cancel anytime": "Mit {prize}" } } } }"#
    let error = #expect(throws: CatalogError.self) { try self.catalog().localized(by: strings(table)) }
    // At the places of the translations, also in a list whose texts identify its elements.
    let columns = ["\"{prise}", "\"Mit"].compactMap {
      table.range(of: $0).map { table.distance(from: table.startIndex, to: $0.lowerBound) + 1 }
    }
    #expect(error?.diagnostics.map { $0.position?.column } == columns && columns.count == 2)
  }

  @Test("A later overlay keeps the language")
  func overlay() throws {
    let patch = try Overlay(json: Data(#"{ "id": "five", "patch": { "freeTier": { "grants": { "story": 5 } } } }"#.utf8))
    let catalog = try catalog().localized(by: strings(german)).applying(patch)
    let snapshot = Snapshot(of: CustomerState(), catalog: catalog, at: Date(timeIntervalSince1970: 1_772_366_400))
    #expect(snapshot.description(of: "story") == "5 Geschichten pro Monat")
  }

  @Test("A text that an overlay or an arm changes has no translation, and one that it removes is gone; all others keep theirs")
  func changedTexts() throws {
    let patch =
      #"{ "paywalls": { "default": { "labels": { "dismiss": "Later" }, "headline": null, "trust": ["No ads", "Cancel today", "Cancel anytime"] } } }"#
    let overlay = try Overlay(json: Data(#"{ "id": "x", "patch": \#(patch) }"#.utf8))
    func check(_ catalog: Catalog) throws {
      let paywall = try #require(catalog.paywall(.default))
      #expect(catalog.language == .german && paywall.labels == ["dismiss": "Later"] && paywall.headline == nil)
      #expect(paywall.trust == ["No ads", "Cancel today", "Jederzeit kündbar"] && paywall.benefits?.first?.title == "Unbegrenzt")
      #expect(catalog.feature("story")?.title == "Geschichten diesen Monat")
    }
    let table = try strings(german.replacingOccurrences(of: #""labels""#, with: #""headline": "Alles", "labels""#))
    try check(catalog().localized(by: table).applying(overlay))
    try check(catalog().applying(overlay).localized(by: table))
    let arms = #""experiments": { "e": { "arms": [{ "id": "a", "weight": 1, "set": \#(patch) }] } }, "paywalls""#
    let tested = try Catalog(json: Data(catalog().text.replacingOccurrences(of: #""paywalls""#, with: arms).utf8)).localized(by: table)
    try check(tested.applying(arms: tested.experiments.flatMap(\.arms)))
  }

  @Test(
    "A table without a language, or with invalid JSON, is refused with its place",
    arguments: ["{}", "{ \"language\": \"\" }", "{ \"language\": \"german\" }", "{ "])
  func refused(json: String) {
    #expect(throws: CatalogError.self) { try self.strings(json) }
  }

  @Test("A key that occurs twice in one object of a table is refused with its place") func repeated() throws {
    do throws(CatalogError) {
      _ = try CatalogStrings(
        json: Data(#"{ "language": "de", "paywalls": { "default": { "headline": "eins", "headline": "zwei" } } }"#.utf8))
      Issue.record("The table was read")
    } catch {
      #expect(
        error.diagnostics.map { "\($0.code.rawValue) \($0.path) \($0.position?.description ?? "")" } == [
          "repeated-key paywalls.default.headline 1:68"
        ])
    }
  }

  @Test("A catalog in another language than English has it in its app; a table overrules it, and serves other languages")
  func ownLanguage() throws {
    let json = """
      { "schemaVersion": 1, "app": { "id": "app", "name": "App", "language": "ru" },
        "features": { "story": { "title": "Истории", "allowance": "count", "per": "month",
          "unit": { "one": "история", "few": "истории", "many": "историй", "other": "истории" }, "description": "{limit} {unit}" } },
        "freeTier": { "grants": { "story": 5 } } }
      """
    let catalog = try Catalog(json: Data(json.utf8))
    let date = Date(timeIntervalSince1970: 1_772_366_400)
    func description(_ catalog: Catalog) -> String? { Snapshot(of: CustomerState(), catalog: catalog, at: date).description(of: "story") }
    #expect(catalog.language == "ru" && description(catalog) == "5 историй")
    let english = try catalog.localized(
      by: strings(
        #"{ "language": "en", "features": { "story": { "unit": { "one": "story", "other": "stories" } } } }"#))
    #expect(english.language == .english && description(english) == "5 stories")
    let nowhere = FileManager.default.temporaryDirectory.appendingPathComponent("monetize-no-texts")
    #expect(try catalog.localized(in: nowhere, for: ["de", "ru-RU"]).language == "ru")
    // A table in the catalog's own language may change a few of its texts.
    #expect(try catalog.textsMissing(in: strings(#"{ "language": "ru" }"#)).allSatisfy { $0.hasPrefix("framework.") })
    #expect(try self.catalog().textsMissing(in: strings(#"{ "language": "en-GB" }"#)) == [])
    // The extra forms of the catalog are not demanded of a language without them.
    #expect(try catalog.textsMissing(in: strings(#"{ "language": "de" }"#)).contains("features.story.unit.few") == false)
  }

  @Test(
    "A preferred language is served by itself, or without its region and script; the next one follows",
    arguments: [
      ("de-AT", "de"), ("de", "de"), ("DE_at", "de"), ("zh-Hans-CN", "zh-Hans"), ("zh-Hant-TW", nil), ("pt-BR", "pt-BR"), ("pt", nil),
      ("pt-PT", nil), ("fr-CA de-CH", "de"), ("fr en-US", "en"), ("", nil), ("en de", "en"),
    ] as [(String, Language?)])
  func matching(preferred: String, expected: Language?) {
    let languages = preferred.split(separator: " ").map { Language(String($0)) }
    #expect(Language.match(languages, in: ["en", "de", "zh-Hans", "pt-BR"]) == expected)
  }

  @Test("A folder of tables has the catalog in the customer's language; without a table the catalog stays as it is")
  func folder() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("monetize-texts-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let catalog = try catalog()
    #expect(try catalog.localized(in: folder, for: ["de"]).language == .english, "no folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func write(_ text: String, _ name: String) throws { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    try write(german, "de.json")
    try write("remarks", "README.md")
    let localized = try catalog.localized(in: folder, for: ["fr", "de-AT", "en"])
    #expect(localized.language == .german && localized.feature("story")?.title == "Geschichten diesen Monat")
    for languages in [["en-US", "de"], ["fr"], []] as [[Language]] {
      #expect(try catalog.localized(in: folder, for: languages).feature("story")?.title == "Stories this month", "\(languages)")
    }
    // A table for the catalog's own language changes some of its texts.
    try write(#"{ "language": "en", "products": { "pack": { "name": "The Pack" } } }"#, "en.json")
    #expect(try catalog.localized(in: folder, for: ["en-GB"]).product("pack")?.name == "The Pack")
    try write(#"{ "language": "de" }"#, "ja.json")
    #expect(throws: CatalogError.self) { try catalog.localized(in: folder, for: ["ja"]) }
    try write(#"{ "language": "es", "features": { "storry": { "title": "x" } } }"#, "es.json")
    #expect(throws: CatalogError.self) { try catalog.localized(in: folder, for: ["es"]) }
  }

  @Test("Lengths of time have words in English, German and Japanese; any other language uses the English ones")
  func lengths() {
    let week = Period(days: 7)
    let mixed = Period(months: 1, days: 2)
    #expect([Language.english, .german, .japanese, "fr"].map { week.words(in: $0) } == ["7 days", "7 Tage", "7日間", "7 days"])
    #expect([Language.english, .german, .japanese].map { week.each(in: $0) } == ["week", "Woche", "週"])
    #expect([Language.english, .german, .japanese].map { mixed.words(in: $0) } == ["1 month 2 days", "1 Monat 2 Tage", "1か月2日間"])
    let long = Period(months: 18)
    #expect([Language.english, .german, .japanese].map { long.words(in: $0) } == ["1 year 6 months", "1 Jahr 6 Monate", "1年6か月"])
    #expect(Period(months: 12).each(in: .english) == "year" && Period(years: 1, days: 3).words(in: .japanese) == "1年3日間")
    #expect(
      Period(days: 84).words(in: .german, inWeeks: true) == "12 Wochen" && Period(days: 85).words(in: .german, inWeeks: true) == "85 Tage")
    #expect(Period(fixed: 90_000).words == "1 day 1 hour" && Period(fixed: 0).words(in: .german) == "keine Zeit")
    #expect(Period(months: 3).each(in: .german) == "3 Monate" && Period(years: 1).each(in: .japanese) == "年")
    #expect(Language("ar-EG").isRightToLeft && !Language.german.isRightToLeft)
  }

  @Test("A language is named by its code, in parts of one to eight letters or digits")
  func languageCodes() {
    for code in ["de", "pt-BR", "zh-Hant-TW", "yue", "de-1996"] { #expect(Language(code).isCode, "\(code)") }
    for name in ["", "-", "d", "German", "de-", "-de", "de--AT", "de_AT", "12", "de-ÄT", "de-abcdefghi"] {
      #expect(!Language(name).isCode, "\(name)")
    }
  }

  @Test("An amount is no text, also of a feature that is named like one") func amounts() throws {
    let text = #"""
      { "features": { "text": { "title": "Large print", "allowance": "level", "levels": ["small", "large"] } },
        "freeTier": { "title": "Free", "grants": { "text": "small" } },
        "products": [{ "id": "p", "name": "Pro", "grants": { "text": "large" } }] }
      """#
    let sites = CatalogTexts(in: try JSONDocument(parsing: text).root).sites
    #expect(Set(sites.map { $0.path.joined(separator: ".") }) == ["features.text.title", "freeTier.title", "products.p.name"])
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// The framework's own texts, and an app's texts in place of them.
struct FrameworkTextTests {
  private static func strings(_ framework: String, language: String = "fr") throws(CatalogError) -> CatalogStrings {
    try CatalogStrings(json: Data("{ \"language\": \"\(language)\",\n  \"framework\": \(framework) }".utf8))
  }

  @Test(
    "Each language of the framework has the texts that it needs, with the placeholders of the English ones", arguments: ["en", "de", "ja"])
  func complete(code: String) throws {
    let texts = try #require(FrameworkText.own[code])
    let needed = Set(FrameworkText.needed(in: Language(code)))
    // Japanese has no singular, and repeats its one form.
    #expect(needed.isSubset(of: texts.keys) && Set(texts.keys) == Set(FrameworkText.needed(in: .english)))
    for (name, text) in texts {
      #expect(Set(Placeholder.names(in: text)) == Set(Placeholder.names(in: FrameworkText.english[name] ?? "")), "\(name)")
    }
  }

  @Test("A table's texts replace the framework's, and only these; a region has the framework's texts of its language")
  func replaces() throws {
    let french = try Self.strings(#"{ "$comment": "x", "buttonRestore": "Restaurer", "dayOne": "jour", "dayOther": "jours" }"#).language
    #expect(french.text(.buttonRestore) == "Restaurer" && french.text(.buttonBuy) == "Buy")
    #expect([0, 1, 2].map { Period(days: $0).words(in: french) } == ["no time", "1 jour", "2 jours"])
    #expect(Period(months: 2).words(in: french) == "2 months")
    let austrian = try Self.strings(#"{ "buttonBuy": "Erwerben" }"#, language: "de-AT").language
    #expect(austrian.text(.buttonBuy) == "Erwerben" && austrian.text(.buttonRestore) == "Käufe wiederherstellen")
    #expect(austrian == "de-AT" && Set([austrian, "de-AT"]).count == 1, "equal codes are equal")
    #expect(try JSONEncoder().encode([austrian]) == Data(#"["de-AT"]"#.utf8))
  }

  @Test("The catalog has the texts of its table, also after an overlay")
  func catalog() throws {
    let json =
      #"{ "schemaVersion": 1, "app": { "id": "app", "name": "App" }, "features": { "a": {} }, "freeTier": { "grants": { "a": true } } }"#
    let catalog = try Catalog(json: Data(json.utf8)).localized(by: Self.strings(#"{ "lengthUnlimited": "illimité" }"#))
    #expect(catalog.language.text(.lengthUnlimited) == "illimité")
    let overlay = try Overlay(json: Data(#"{ "id": "x", "patch": {} }"#.utf8))
    #expect(try catalog.applying(overlay).language.text(.lengthUnlimited) == "illimité")
  }

  @Test(
    "A mistake in the section has its place and its fix",
    arguments: [
      (#"{ "buttonRestor": "x" }"#, #"2:18 There is no text "buttonRestor". Did you mean "buttonRestore"?"#),
      (#"{ "zzz": "x" }"#, #"2:18 There is no text "zzz". Docs/Guides/Framework-texts.md lists all names."#),
      (#"{ "buttonBuy": 1 }"#, "2:31 Expected a text here, but found the number 1. Write it in quotes."),
      (#"{ "lengthSpace": "", "dayMany": "" }"#, #"2:48 This text is empty. Write it, or remove "dayMany"."#),
      ("[]", "2:16 Expected an object of texts here, but found an array. Write it in braces: { … }."),
      (#"{ "priceCadence": "par {perriod}" }"#, #"2:34 There is no placeholder "perriod". Did you mean "period"?"#),
      (#"{ "buttonBuy": "{price}" }"#, #"2:31 There is no placeholder "price". This text has none. Remove it."#),
      (
        #"{ "priceRecurring": "{price} par mois" }"#,
        #"2:36 This text needs {period}, as in "{price} per {period}". Add it."#
      ),
      (#"{ "buttonBuy": "a", "buttonBuy": "b" }"#, #"2:36 The key "buttonBuy" appears twice in this object. Remove one of them."#),
    ])
  func mistakes(section: String, message: String) {
    do throws(CatalogError) {
      _ = try Self.strings(section)
      Issue.record("The table was read")
    } catch {
      #expect(error.diagnostics.map { "\($0.position?.description ?? "") \($0.message)" } == [message])
    }
  }

  @Test("The guide lists each text with its English words; RECORD_SNAPSHOTS=1 records them, and fails") func guide() throws {
    let url = SourceRuleTests.root.appendingPathComponent("Docs/Guides/Framework-texts.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    let start = try #require(text.range(of: "<!-- made: texts -->\n"))
    let end = try #require(text.range(of: "<!-- end -->"))
    let rows = FrameworkText.needed(in: .english).map { name in
      let words = Language.english.text(name).replacingOccurrences(of: " ", with: Language.english.text(name) == " " ? "(a space)" : " ")
      return "| `\(name.rawValue)` | \(words) |\n"
    }
    let made = text.replacingCharacters(
      in: start.upperBound..<end.lowerBound, with: "| Name | English |\n|---|---|\n\(rows.joined())")
    guard made != text else { return }
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil { try made.write(to: url, atomically: true, encoding: .utf8) }
    Issue.record("The guide differs from the texts.")
  }

  @Test("A language that the framework has lacks none of its texts; any other lacks those that its table does not have")
  func missing() throws {
    #expect(try Self.strings("{}", language: "de-CH").frameworkTextsMissing.isEmpty)
    let russian = try Self.strings(#"{ "buttonBuy": "Купить" }"#, language: "ru").frameworkTextsMissing
    #expect(!russian.contains(.buttonBuy) && russian.contains(.buttonRestore) && russian.contains(.dayFew) && !russian.contains(.dayTwo))
    #expect(try !Self.strings("{}", language: "zh").frameworkTextsMissing.contains(.dayOne), "no singular")
  }
}

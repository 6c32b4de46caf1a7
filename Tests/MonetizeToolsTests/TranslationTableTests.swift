// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

/// `monetize generate texts`: a table to translate.
struct TranslationTableTests {
  private static let json = """
    {
      "schemaVersion": 1, "app": { "id": "app", "name": "App" },
      "features": { "story": { "title": "Stories", "allowance": "count", "unit": { "one": "story", "other": "stories" } } },
      "freeTier": { "grants": { "story": 3 } },
      "products": [{ "kind": "nonConsumable", "id": "pack", "name": "Pack", "grants": { "story": "unlimited" } }],
      "paywalls": { "default": { "headline": "More", "trust": ["No ads", "No ads"] } }
    }
    """
  private func catalog() throws -> Catalog { try Catalog(json: Data(Self.json.utf8)) }

  @Test(
    "A new table has each text once, in the words of the catalog, and fits the catalog: it lacks nothing", arguments: ["de", "fr", "ru"])
  func fresh(code: String) throws {
    let table = try TranslationTable(of: catalog(), in: Language(code))
    let strings = try CatalogStrings(json: Data(table.text.utf8))
    #expect(try catalog().textsMissing(in: strings) == [])
    #expect(try catalog().localized(by: strings).feature("story")?.title == "Stories")
    #expect([1, 3, 5].map { Period(days: $0).words(in: strings.language) }.allSatisfy { $0.contains(code == "de" ? "Tag" : "day") })
    #expect(table.count == table.untranslated.count && table.untranslated.contains("features.story.unit.few") == (code == "ru"))
    #expect(table.untranslated.contains("framework.buttonRestore") == (code != "de"), "the framework has German")
  }

  @Test("A table that exists keeps its content and its order, with remarks; the missing texts are added")
  func continued() throws {
    let table = """
      { "$comment": "by hand", "language": "de", "paywalls": { "default": { "headline": "Mehr" } },
        "framework": { "buttonBuy": "Erwerben" }, "features": { "story": { "$comment": "s", "title": "Geschichten" } } }
      """
    let report = try TranslationTable(of: catalog(), continuing: Data(table.utf8))
    #expect(
      report.text == """
        {
          "$comment": "by hand",
          "language": "de",
          "paywalls": {
            "default": {
              "headline": "Mehr",
              "trust": {
                "No ads": "No ads"
              }
            }
          },
          "framework": {
            "buttonBuy": "Erwerben"
          },
          "features": {
            "story": {
              "$comment": "s",
              "title": "Geschichten",
              "unit": {
                "one": "story",
                "other": "stories"
              }
            }
          },
          "products": {
            "pack": {
              "name": "Pack"
            }
          }
        }

        """)
    #expect(report.untranslated.count == 5 && report.summary(of: "de.json") == "de.json: 5 of 7 texts have the words of the original\n")
    let again = try TranslationTable(of: catalog(), continuing: Data(report.text.utf8))
    #expect(again.text == report.text)
  }

  @Test("A table that does not fit the catalog stays as it is, with its mistakes; another language is refused")
  func refused() throws {
    let table = Data(#"{ "language": "de", "features": { "storry": { "title": "x" } } }"#.utf8)
    #expect(throws: CatalogError.self) { try TranslationTable(of: self.catalog(), continuing: table) }
    let german = Data(#"{ "language": "de" }"#.utf8)
    #expect(throws: ToolProblem.self) { try TranslationTable.of(self.catalog(), in: "fr", at: "de.json", existing: german) }
    for name in [nil, "french", "texts.fr"] {
      #expect(throws: ToolProblem.self) { try TranslationTable.of(self.catalog(), in: name, at: nil, existing: nil) }
    }
    #expect(try TranslationTable.of(catalog(), in: nil, at: "strings/app/fr.json", existing: nil).language == "fr")
  }
}

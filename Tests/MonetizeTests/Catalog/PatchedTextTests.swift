// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Decision 113: an overlay or an arm brings the texts that it changes in other languages.
@Suite("Texts of overlays and arms in other languages")
struct PatchedTextTests {
  private func catalog(_ more: String = "") throws -> Catalog {
    try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "app", "name": "App" },
          "features": { "story": { "title": "Stories", "allowance": "count", "per": "month" } },
          "freeTier": { "title": "Free", "grants": { "story": 3 } },
          "products": [{ "kind": "nonConsumable", "id": "pack", "name": "Pack", "grants": { "story": "unlimited" } }],
          \(more) "paywalls": { "default": { "headline": "Read on", "subtitle": "As you like", "trust": ["No ads", "Pay once"] } } }
        """.utf8))
  }

  private func table(_ language: String) throws -> CatalogStrings {
    try CatalogStrings(
      json: Data(
        """
        { "language": "\(language)", "freeTier": { "title": "Gratis" },
          "paywalls": { "default": { "headline": "Lies weiter", "subtitle": "Wie du willst", "trust": { "No ads": "Keine Werbung" } } } }
        """.utf8))
  }

  private func overlay(_ content: String) throws -> Overlay { try Overlay(json: Data("{ \"id\": \"x\", \(content) }".utf8)) }
  private func patch(_ paywall: String) -> String { #""patch": { "paywalls": { "default": { \#(paywall) } } }"# }
  private func texts(_ language: String, _ paywall: String) -> String {
    #""\#(language)": { "paywalls": { "default": { \#(paywall) } } }"#
  }

  /// The headline in a language after overlays, which is the same whether the catalog is localized before or after them.
  private func headline(_ language: String, _ overlays: [String]) throws -> String? {
    let overlays = try overlays.map(overlay)
    let first = try overlays.reduce(catalog().localized(by: table(language))) { try $0.applying($1) }
    let last = try overlays.reduce(catalog()) { try $0.applying($1) }.localized(by: table(language))
    #expect(first.paywall(.default) == last.paywall(.default))
    return first.paywall(.default)?.headline
  }

  @Test("A changed text has the overlay's translation in a language that it has, and the words of the patch in any other")
  func languages() throws {
    let german = texts("de", #""headline": "Noch eine?""#)
    let both = #"\#(patch(#""headline": "One more?""#)), "texts": { \#(german), \#(texts("de-AT", #""headline": "Eine noch?""#)) }"#
    #expect(try headline("de", [both]) == "Noch eine?")
    #expect(try headline("de-AT", [both]) == "Eine noch?")
    #expect(try headline("de-CH", [both]) == "Noch eine?", "the language without its region")
    #expect(try headline("fr", [both]) == "One more?")
    #expect(try catalog().applying(overlay(both)).paywall(.default)?.headline == "One more?")
    let localized = try catalog().localized(by: table("de")).applying(overlay(both))
    #expect(localized.paywall(.default)?.subtitle == "Wie du willst" && localized.freeTierTitle == "Gratis", "other texts stay translated")
  }

  @Test("A translation belongs to the words that its overlay left: a later change of the text drops it, a later translation replaces it")
  func later() throws {
    let first = #"\#(patch(#""headline": "One more?""#)), "texts": { \#(texts("de", #""headline": "Noch eine?""#)) }"#
    let again = patch(#""headline": "Two more?""#)
    #expect(try headline("de", [first, again]) == "Two more?")
    #expect(try headline("de", [first, patch(#""subtitle": "Today""#)]) == "Noch eine?")
    #expect(try headline("de", [first, again, patch(#""headline": "One more?""#)]) == "Noch eine?", "the words are back")
    #expect(try headline("de", [first, patch(#""headline": "Read on""#)]) == "Lies weiter", "the words of the file")
    #expect(try headline("de", [patch(#""headline": null"#), first]) == "Noch eine?")
    #expect(try headline("de", [first, patch(#""headline": null"#)]) == nil)
    // Texts without a patch correct a translation.
    #expect(try headline("de", [#""texts": { \#(texts("de", #""headline": "Weiterlesen""#)) }"#]) == "Weiterlesen")
    #expect(try headline("de", [first, #""texts": { \#(texts("de", #""headline": "Eine noch?""#)) }"#]) == "Eine noch?")
    #expect(try headline("fr", [#""texts": { \#(texts("de", #""headline": "Weiterlesen""#)) }"#]) == "Lies weiter")
  }

  @Test("Elements of lists are named by their text, steps of the onboarding by their id") func lists() throws {
    let change = """
      "patch": { "freeTier": { "title": "Trial" }, "onboarding": [{ "id": "hi", "title": "Hi" }],
        "paywalls": { "default": { "trust": ["Pay once", "No ads", "Yours"] } } },
      "texts": { "de": { "freeTier": { "title": "Probe" }, "onboarding": { "hi": { "title": "Hallo" } },
        "paywalls": { "default": { "trust": { "Yours": "Deins", "Pay once": "Einmal zahlen" } } } } }
      """
    let changed = try catalog().localized(by: table("de")).applying(overlay(change))
    #expect(changed.paywall(.default)?.trust == ["Einmal zahlen", "Keine Werbung", "Deins"])
    #expect(changed.freeTierTitle == "Probe" && changed.onboarding.map(\.title) == ["Hallo"])
  }

  @Test("An arm brings its texts as an overlay does, and an overlay applies over it") func arms() throws {
    let arm = """
      { "id": "warm", "weight": 1, "set": { "paywalls": { "default": { "headline": "One more?" } } },
        "texts": { \(texts("de", #""headline": "Noch eine?""#)) } }
      """
    let catalog = try catalog(#""experiments": { "e": { "arms": [\#(arm)] } },"#).localized(by: table("de"))
    let arms = catalog.experiments.flatMap(\.arms)
    #expect(try catalog.applying(arms: arms).paywall(.default)?.headline == "Noch eine?")
    let overlay = try overlay(patch(#""headline": "Two more?""#))
    #expect(try catalog.applying(arms: arms, then: [overlay]).paywall(.default)?.headline == "Two more?")
    #expect(try catalog.applying(overlay).applying(arms: arms).paywall(.default)?.headline == "Noch eine?")
  }

  @Test(
    "A mistake in a text is one of the overlay, with its place, in every language of the customer",
    arguments: [
      (#""de": { "paywalls": { "default": { "headlin": "x" } } }"#, "unknown-text texts.de.paywalls.default.headlin 2:58"),
      (#""de": { "paywalls": { "default": { "headline": "{prise}" } } }"#, "unknown-placeholder texts.de.paywalls.default.headline 2:59"),
      (#""de": { "paywalls": { "default": { "trust": { "Ours": "Unser" } } } }"#, "unknown-text texts.de.paywalls.default.trust.Ours 2:66"),
      (#""de": { "paywalls": { "default": { "headline": 5 } } }"#, "type-mismatch texts.de.paywalls.default.headline 2:59"),
      (#""de": { "paywalls": { "default": { "trust": ["x"] } } }"#, "type-mismatch texts.de.paywalls.default.trust 2:56"),
      (#""de": { "features": { "story": { "title": "x" } } }"#, "overlay-key texts.de.features 2:20"),
      (#""de": { "framework": { "buttonRestore": "x" } }"#, "overlay-key texts.de.framework 2:20"),
      (#""german": { }"#, "bad-value texts.german 2:22"), (#""de": "x""#, "type-mismatch texts.de 2:18"),
    ])
  func mistakes(texts: String, expected: String) throws {
    let json = "{ \"id\": \"x\", \"patch\": {},\n\"texts\": { \(texts) } }"
    for catalog in [try catalog(), try catalog().localized(by: table("de"))] {
      let error = #expect(throws: CatalogError.self) { try catalog.applying(Overlay(json: Data(json.utf8))) }
      #expect(error?.diagnostics.map { "\($0.code.rawValue) \($0.path) \($0.position?.description ?? "")" } == [expected])
    }
    let arm = "{ \"id\": \"a\", \"weight\": 1, \"texts\": { \(texts) } }"
    #expect(throws: CatalogError.self) { try self.catalog(#""experiments": { "e": { "arms": [\#(arm)] } },"#) }
  }

  @Test("Overlays differ by their texts; an overlay with neither a patch nor texts is refused") func equality() throws {
    let made = try ["Noch eine?", "Noch eine?", "Weiter"].map { text in
      try overlay(#""patch": {}, "texts": { \#(texts("de", "\"headline\": \"\(text)\"")) }"#)
    }
    #expect(made[0] == made[1] && made[0] != made[2] && Set(made).count == 2)
    for content in [#""percent": 5"#, #""texts": {}"#, #""texts": null"#] {
      let error = #expect(throws: CatalogError.self) { try self.overlay(content) }
      #expect(error?.diagnostics.map(\.code) == ["missing-key"])
    }
    // A misspelt key is one mistake.
    for key in ["text", "pach"] {
      let error = #expect(throws: CatalogError.self) { try self.overlay("\"\(key)\": {}") }
      #expect(error?.diagnostics.map { "\($0.code.rawValue) \($0.path)" } == ["unknown-key \(key)"])
    }
  }

  @Test("Two experiments with common customers cannot translate one text") func separation() throws {
    func experiment(_ id: String, _ key: String) -> String {
      #""\#(id)": { "arms": [{ "id": "a", "weight": 1, "texts": { \#(texts("de", "\"\(key)\": \"\(id)\"")) } }] }"#
    }
    #expect(try catalog("\"experiments\": { \(experiment("x", "headline")), \(experiment("y", "subtitle")) },").experiments.count == 2)
    let error = #expect(throws: CatalogError.self) {
      try self.catalog("\"experiments\": { \(experiment("x", "headline")), \(experiment("y", "headline")) },")
    }
    #expect(error?.diagnostics.map(\.code) == ["experiment-path"])
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Rules about systems, shops, modules and other names of a feature: code and path.
@Suite(.timeLimit(.minutes(30)))
struct MoreRuleTests {
  private func findings(_ body: String, app: String = "") -> [String] {
    Catalog.reading(Data("{ \"schemaVersion\": 1, \"app\": { \"id\": \"t\", \"name\": \"T\"\(app) },\n\(body) }".utf8)).diagnostics
      .map { "\($0.severity) \($0.code) \($0.path)" }
  }

  @Test(
    "PUZZ-30: an app is for iOS 15 and later",
    arguments: [("14.0", "minimum-os"), ("9", "minimum-os"), ("16.x", "bad-value"), ("", "bad-value"), ("16.0.0.1", "bad-value")])
  func tooOld(text: String, code: String) {
    #expect(findings(#""products": []"#, app: ", \"minimumOS\": \"\(text)\"") == ["error \(code) app.minimumOS"])
  }

  @Test("PUZZ-30: newer ones are fine", arguments: ["15", "15.0", "16.0", "26.0", "17.4.1"]) func fine(text: String) {
    #expect(findings(#""products": []"#, app: ", \"minimumOS\": \"\(text)\"") == [])
  }

  @Test("A part names a feature that exists") func references() {
    let part = #""features": { "story": { "allowance": "count" }, "chapter": { "of": "stroy", "atLeast": 1 } }, "products": []"#
    #expect(findings(part).contains { $0.hasPrefix("error unknown-feature features.chapter") })
  }

  @Test("A limit that only an entitlement gives fills a placeholder") func entitlementLimit() {
    let features = #""features": { "f": { "allowance": "count", "description": "{limit} stories" } }, "#
    let pro = #""entitlements": { "pro": { "title": "Pro", "grants": { "f": 3 } } }, "#
    let product = #""products": [{ "kind": "nonConsumable", "id": "p", "name": "P", "entitlements": ["pro"] }]"#
    #expect(findings(features + pro + product) == [])
    let unlimited = pro.replacingOccurrences(of: "3", with: #""unlimited""#)
    #expect(findings(features + unlimited + product) == [])
    // An entitlement that is only given away has amounts as well.
    #expect(!findings(features + pro + #""products": []"#).contains { $0.contains("placeholder") })
  }

  @Test("A file with a feature of a release says which releases are out, even none") func noReleases() {
    let feature = #""features": { "f": { "release": "v2" }, "p": { "of": "f", "atLeast": true } }, "freeTier": { "grants": { "f": true } }"#
    #expect(findings(feature) == ["warning no-releases features.f.release"])
    let two = feature.replacingOccurrences(of: #""p": {"#, with: #""g": { "release": "v3" }, "p": {"#)
      .replacingOccurrences(of: #""f": true"#, with: #""f": true, "g": true"#)
    #expect(findings(two) == ["warning no-releases features.f.release"])
    #expect(findings(#""releases": [], "# + feature).isEmpty && findings(#""releases": ["v1"], "# + feature).isEmpty)
  }

  @Test("Without a schema version, nothing else is reported: the rules of the file are unknown") func withoutVersion() {
    for json in [#"{ "features": 5, "colour": "red" }"#, #"{ "schemaVersion": "1", "colour": "red" }"#] {
      let codes = Catalog.reading(Data(json.utf8)).diagnostics.map(\.code)
      #expect(codes == [json.contains("schema") ? "type-mismatch" : "missing-key"])
    }
  }

  @Test("A grant names only collections that its feature is about") func otherCollection() {
    let collections = #""collections": { "a": { "title": "A", "items": 3 }, "b": { "title": "B", "items": 3 } }, "#
    let grant = #", "freeTier": { "grants": { "f": { "b": 2 } } }"#
    let feature = { (list: String) in #""features": { "f": { "allowance": "items", "in": \#(list) } }"# }
    #expect(findings(collections + feature(#"["a"]"#) + grant) == ["error unknown-collection freeTier.grants.f.b"])
    #expect(findings(collections + feature(#"["a", "b"]"#) + grant).isEmpty)
    let own = #", "freeTier": { "grants": { "f": { "a": 2 } } }"#
    #expect(findings(collections + feature(#"["a", "aa"]"#) + own) == ["error unknown-collection features.f.in[1]"])
    let misspelt = #", "freeTier": { "grants": { "f": { "$comment": "none yet", "aa": 0, "a": 2 } } }"#
    #expect(findings(collections + feature(#"["a", "b"]"#) + misspelt) == ["error unknown-collection freeTier.grants.f.aa"])
    let closed = misspelt.replacingOccurrences(of: #", "a": 2"#, with: "")
    #expect(findings(collections + feature(#"["a", "b"]"#) + closed) == ["error unknown-collection freeTier.grants.f.aa"])
  }

  @Test("Of a paywall whose list of products cannot be read, nothing is known of what it offers") func unreadableOffers() {
    let products = ["a", "b"].map { #"{ "kind": "nonConsumable", "id": "\#($0)", "name": "N", "grants": { "f": true } }"# }
    let rest = #""features": { "f": {} }, "products": [\#(products.joined(separator: ", "))], "paywalls": "#
    let paywalls = { (list: String) in
      #"{ "default": { "headline": "A", "products": ["a"] }, "x": { "products": \#(list), "preselected": "b" } }"#
    }
    #expect(findings(rest + paywalls("5")) == ["error type-mismatch paywalls.x.products"])
    #expect(findings(rest + paywalls(#"["a"]"#)) == ["error preselected-not-offered paywalls.x.preselected"])
    #expect(findings(rest + paywalls(#"["b"]"#)).isEmpty)
    // A mistake elsewhere in the paywall leaves its list known.
    #expect(
      findings(rest + paywalls(#"["a"], "headline": 5"#))
        == ["error type-mismatch paywalls.x.headline", "error preselected-not-offered paywalls.x.preselected"])
    // The same for the list of the default paywall, whose key may be misspelt.
    let usual = { (members: String) in rest + #"{ "default": { \#(members) }, "x": { "preselected": "b" } }"# }
    #expect(findings(usual(#""prodcts": ["a"]"#)) == ["error unknown-key paywalls.default.prodcts"])
    #expect(findings(usual(#""products": 5"#)) == ["error type-mismatch paywalls.default.products"])
    #expect(
      findings(usual(#""products": ["a"], "headline": 5"#))
        == ["error type-mismatch paywalls.default.headline", "error preselected-not-offered paywalls.x.preselected"])
  }

  @Test("An allowance that is no name is one mistake") func unnamedAllowance() {
    #expect(
      findings(#""features": { "f": { "allowance": 5, "per": "month" } }, "freeTier": { "grants": { "f": 3 } }"#) == [
        "error type-mismatch features.f.allowance"
      ])
  }

  @Test(
    "A claim about ads or data is kept by the rest of the file",
    arguments: [
      ("", []), (#", "privacy": { "ads": "none", "collected": [] }, "events": { "sinks": ["local"] }"#, []),
      (#", "privacy": { "ads": "contextual" }"#, ["error claim.noAds claims[0]"]),
      (#", "privacy": { "collected": ["appUsage"] }"#, ["error claim.noDataShared claims[1]"]),
      (#", "events": { "sinks": ["local", "firstParty"] }"#, ["error claim.noDataShared claims[1]"]),
      (#", "events": { "sinks": ["local", "local"] }"#, []), (#", "events": { "sinks": [] }"#, []),
    ])
  func keptClaims(rest: String, expected: [String]) {
    let body = #""claims": ["noAds", "noDataShared", "noSubscriptions"], "features": { "f": {} }, "freeTier": { "grants": { "f": true } }"#
    #expect(findings(body + rest).filter { !$0.hasPrefix("note") } == expected)
  }

  @Test("Of an app with a mistake nothing is kept for the tools, and the rest of the file is") func unreadableApp() throws {
    let text = #"{ "schemaVersion": 1, "app": { "id": "t", "name": 5 }, "features": { "f": {} } }"#
    let partial = try #require(Catalog.reading(Data(text.utf8)).partial)
    #expect(partial.app == .unreadable && partial.features.map(\.id) == ["f"])
  }

  @Test("PUZZ-33: an item without coins in a shop is a warning; a price of 0 is not; outside of a shop no price is needed") func shop() {
    let collections =
      #""collections": { "a": { "title": "A", "items": ["x", { "id": "y", "coins": 0 }, { "id": "z", "coins": 3 }] }, "b": { "title": "B", "items": 9 } },"#
    let feature = #""features": { "shop": { "allowance": "coins", "in": ["a"] } }, "freeTier": { "grants": { "shop": true } }"#
    #expect(findings(collections + feature) == ["warning item-without-price collections.a.items[0]"])
    let everywhere = feature.replacingOccurrences(of: #", "in": ["a"]"#, with: "")
    #expect(
      findings(collections + everywhere)
        == ["warning item-without-price collections.a.items[0]", "warning item-without-price collections.b.items"])
  }

  @Test(
    "The price of a product or an offer has no more decimals than its currency",
    arguments: [
      ("500", "JPY", true), ("500.00", "JPY", true), ("550.5", "JPY", false), ("9.99", "USD", true), ("9.999", "USD", false),
      ("1.250", "KWD", true), ("1.2505", "KWD", false), ("100.5", "XPF", false), ("1.2345", "CLF", true),
      ("1.23456", "CLF", false),
    ]) func decimals(amount: String, currency: String, isFine: Bool)
  {
    let price = "{ \"amount\": \"\(amount)\", \"currency\": \"\(currency)\" }"
    let body = { (own: String, offer: String) in
      #""features": { "f": {} }, "products": [{ "kind": "subscription", "id": "p", "name": "P", "group": "g", "level": 1, "period": "P1M", "#
        + "\"price\": \(own), \"grants\": { \"f\": true }, "
        + "\"offers\": [{ \"type\": \"introductory\", \"mode\": \"payUpFront\", \"period\": \"P1M\", \"price\": \(offer) }] }]"
    }
    let one = "{ \"amount\": \"1\", \"currency\": \"USD\" }"
    #expect(findings(body(price, one)) == (isFine ? [] : ["error price-decimals products[0].price.amount"]))
    #expect(findings(body(one, price)) == (isFine ? [] : ["error price-decimals products[0].offers[0].price.amount"]))
  }

  @Test("PUZZ-02: an alias begins with a module, too") func modules() {
    let body =
      #""modules": [{ "id": "mazes" }], "features": { "mazes.play": { "aliases": ["maze.play", "play"] } }, "freeTier": { "grants": { "mazes.play": true } }"#
    #expect(findings(body) == [#"error unknown-module features["mazes.play"].aliases[0]"#])
  }

  @Test("A grant under an alias is checked like any other: its collections, and that it occurs once") func aliases() {
    let head =
      #""collections": { "a": { "title": "A", "items": 3 } }, "features": { "f": { "allowance": "items", "in": ["a"], "aliases": ["g"] } },"#
    #expect(findings(head + #""freeTier": { "grants": { "g": { "b": 1 } } }"#) == ["error unknown-collection freeTier.grants.g.b"])
    #expect(findings(head + #""freeTier": { "grants": { "g": { "a": 1 } } }"#) == [])
    #expect(findings(head + #""freeTier": { "grants": { "f": { "a": 1 }, "g": { "a": 2 } } }"#) == ["error repeated-id freeTier.grants.g"])
    let group =
      #""features": { "f": { "aliases": ["g"] }, "k": {} }, "products": [{ "kind": "subscription", "id": "h", "name": "H", "group": "x", "level": 1, "period": "P1M", "grants": { "k": true } },"#
      + #"{ "kind": "subscription", "id": "l", "name": "L", "group": "x", "level": 2, "period": "P1M", "grants": { "g": true } }]"#
    #expect(findings(group) == ["error group-levels products[0].level"])
  }

  @Test("An id is not empty", arguments: ["", " "]) func empty(id: String) {
    #expect(
      findings("\"features\": { \"\(id)\": {} }, \"freeTier\": { \"grants\": { \"\(id)\": true } }").contains {
        $0.hasPrefix("error empty-id")
      })
    #expect(
      findings("\"features\": { \"f\": { \"aliases\": [\"\(id)\"] } }, \"freeTier\": { \"grants\": { \"f\": true } }").contains(
        "error empty-id features.f.aliases[0]"))
    #expect(findings("\"entitlements\": { \"\(id)\": {} }").contains { $0.hasPrefix("error empty-id") })
    #expect(findings("\"paywalls\": { \"\(id)\": {} }").contains { $0.hasPrefix("error empty-id") })
    #expect(findings("\"modules\": [{ \"id\": \"\(id)\" }]") == ["error empty-id modules[0].id"])
  }

  private static func found(_ body: String) -> [String] {
    CatalogRuleTests.diagnostics(body).filter { $0.severity != .note }.map { "\($0.code) \($0.path)" }
  }

  @Test("The lowest system of an app for several devices is that of the device with the lowest", arguments: ["8.0", "7.0"])
  func devices(system: String) {
    let text =
      #"{ "schemaVersion": 1, "app": { "id": "t", "name": "T", "devices": ["iPhone", "Apple Watch"], "minimumOS": "\#(system)" } }"#
    let found = Catalog.reading(Data(text.utf8)).diagnostics.map(\.code)
    #expect(found == (system == "8.0" ? [] : ["minimum-os"]))
  }

  @Test("AMB-17: a limit of the free tier that is counted from a purchase is refused, because it would never start again")
  func anchoredFreeTier() {
    func found(_ per: String, _ free: String) -> [Diagnostic] {
      CatalogRuleTests.diagnostics(
        #""features": { "f": { "allowance": "count", "per": \#(per), "aliases": ["g"] } }, "freeTier": { "grants": { "g": \#(free) } }"#)
    }
    let anchored = #"{ "anchored": "P1M" }"#
    #expect(
      found(anchored, "3").map(\.description) == [
        "2:122: error: The limit of \"f\" is counted from a purchase, which the free tier does not have. Write an own period here, such as "
          + "{ \"limit\": 3, \"per\": \"month\" }, or \"lifetime\". [anchored-free-tier] at freeTier.grants.g"
      ])
    #expect(found("\"month\"", #"{ "limit": 3, "per": { "anchored": "P1Y" } }"#).map(\.code) == ["anchored-free-tier"])
    #expect(found(anchored, #"{ "limit": 3, "per": "month" }"#) == [])
    #expect(found(anchored, #"{ "limit": 3, "per": "lifetime" }"#) == [])
    #expect(found(anchored, "\"unlimited\"") == [])
  }

  @Test(
    "MAGIC-42: a variant is the same product at another price, of every kind",
    arguments: [
      (#""period": "P1D""#, "period"), (#""period": "P1W", "stacks": false"#, "\"stacks\""),
      (#""period": "P1W""#, "\"stacks\""),
      (#""period": "P1W", "stacks": true, "entitlements": [], "grants": { "f": true }"#, "entitlement"),
      (#""period": "P7D", "stacks": true, "grants": { "g": true }"#, "grant"),
      (#""period": "P7D", "stacks": true, "price": { "amount": "1.99", "currency": "USD" }, "onSale": false"#, ""),
    ])
  func variants(rest: String, difference: String) {
    let entitlements = rest.contains("entitlements") ? "" : #""entitlements": ["e"], "#
    let found = CatalogRuleTests.diagnostics(
      #"""
      "features": { "f": {}, "g": {} }, "freeTier": { "grants": { "g": true } }, "entitlements": { "e": { "grants": { "f": true } } }, "products": [
        { "kind": "nonRenewing", "id": "w", "name": "W", "period": "P7D", "stacks": true, "entitlements": ["e"] },
        { "kind": "nonRenewing", "id": "w.b", "name": "B", "variantOf": "w", \#(entitlements)\#(rest) }]
      """#)
    let message = "\"w.b\" is a variant of \"w\" but has another \(difference). Make it equal, or remove \"variantOf\"."
    #expect(found.map(\.message) == (difference.isEmpty ? [] : [message]))
  }

  @Test("A variant that a family shares otherwise is another product") func sharedVariant() {
    let product = #""kind": "nonConsumable", "name": "P", "grants": { "f": true }"#
    #expect(
      Self.found(
        #""features": { "f": {} }, "products": [{ \#(product), "id": "p" }, { \#(product), "id": "q", "variantOf": "p", "familyShareable": true }]"#
      ) == ["variant-differs products[1].variantOf"])
  }

  @Test("MAZE-12: a retired name is refused wherever the file declares one, in any case") func retired() {
    let body = #"""
      "retired": ["Beginner"], "collections": { "c": { "title": "C", "items": ["x", "beginner"] } },
      "features": { "f": { "allowance": "level", "levels": ["beginner", "expert"] } }, "freeTier": { "grants": { "f": "expert" } },
      "entitlements": { "beginner": { "grants": { "f": "expert" } } }, "paywalls": { "beginner": {} },
      "onboarding": [{ "id": "a", "choices": ["BEGINNER", "easy"] }]
      """#
    #expect(
      Self.found(body) == [
        "retired-id collections.c.items[1]", "retired-id features.f.levels[0]", "retired-id entitlements.beginner",
        "retired-id paywalls.beginner", "retired-id onboarding[0].choices[0]",
      ])
  }

  @Test("MAGIC-38: the pages of a step have different ids, and so have its actions") func repeatedPages() {
    let step = { (pages: String, actions: String) in
      Self.found(#""onboarding": [{ "id": "a", "pages": [\#(pages)], "actions": [\#(actions)] }]"#)
    }
    #expect(step(#"{ "id": "1" }, { "id": "2" }"#, #"{ "id": "1", "title": "A" }, { "id": "2", "title": "B" }"#) == [])
    #expect(step(#"{ "id": "1" }, { "id": "1" }"#, "") == ["repeated-id onboarding[0].pages[1].id"])
    #expect(step("", #"{ "id": "1", "title": "A" }, { "id": "1", "title": "B" }"#) == ["repeated-id onboarding[0].actions[1].id"])
  }

  @Test("MAGIC-38: a step of the onboarding leads to a later one, so that the onboarding ends", arguments: ["a", "b", "c"])
  func stepOrder(next: String) {
    let found = Self.found(#""onboarding": [{ "id": "a" }, { "id": "b", "next": "\#(next)" }, { "id": "c" }]"#)
    #expect(found == (next == "c" ? [] : ["step-order onboarding[1].next"]))
  }

  @Test("MAZE-23, HEAT-39: one typo away from a word that Monetize knows is a mistake, another word is the app's own") func words() {
    func app(_ rest: String) -> [String] {
      Catalog.reading(Data("{ \"schemaVersion\": 1, \"app\": { \"id\": \"t\", \"name\": \"T\", \(rest) } }".utf8)).diagnostics.map {
        "\($0.code) \($0.path)"
      }
    }
    #expect(app(#""domain": "helth""#) == ["unknown-domain app.domain"])
    #expect(app(#""domain": "Health""#) == ["unknown-domain app.domain"])
    #expect(app(#""devices": ["iPad", "ipda", "tricorder"]"#) == ["unknown-device app.devices[1]"])
    #expect(app(#""orientations": ["Landscape", "landscap", "landscapeLeft"]"#) == ["unknown-orientation app.orientations[1]"])
    #expect(app(#""domain": "health", "devices": ["iphone", "Apple Watch", "tv"]"#) == [])
    let parts = #""collections": { "c": { "title": "C", "items": 2, "parts": ["easy", "hard"] } }, "#
    #expect(
      Self.found(parts + #""onboarding": [{ "id": "a", "choices": ["easy", "hrad", "surprise"] }]"#) == [
        "unknown-part onboarding[0].choices[1]"
      ])
    // Parts that the catalog lists, although no collection has them.
    #expect(
      Self.found(#""parts": ["gentle", "wild"], "onboarding": [{ "id": "a", "choices": ["gentl", "wild"] }]"#) == [
        "unknown-part onboarding[0].choices[0]"
      ])
  }

  @Test("A prompt that cannot appear") func impossible() {
    #expect(Self.found(#""paywalls": { "default": { "prompt": "Hard" } }"#) == ["bad-value paywalls.default.prompt"])
    #expect(
      Self.found(#""paywalls": { "default": { "prompt": "soft", "frequency": { "every": "P0D", "atMost": 0 } } }"#) == [
        "bad-value paywalls.default.frequency.every", "bad-value paywalls.default.frequency.atMost",
      ])
    #expect(Self.found(#""paywalls": { "default": { "prompt": "hard", "frequency": { "every": "PT1H", "atMost": 1 } } }"#) == [])
  }

  @Test("A placeholder in the line above the benefits is checked, and a $comment is no text") func benefitsTitle() {
    #expect(
      Self.found(#""paywalls": { "default": { "benefitsTitle": "All {nope}" } }"#) == ["unknown-placeholder paywalls.default.benefitsTitle"]
    )
    #expect(
      Self.found(#""paywalls": { "default": { "labels": { "$comment": "About {nope}" } } }"#).filter { $0.contains("placeholder") } == [])
  }

  @Test("A unit of a level names nothing") func unitOfALevel() {
    let body =
      #""features": { "f": { "allowance": "level", "levels": ["a"], "unit": { "one": "x", "other": "y" } } }, "freeTier": { "grants": { "f": "a" } }"#
    #expect(Self.found(body) == ["unused-key features.f.unit"])
  }

  @Test("MAGIC-38: the onboarding names a feature by its own name") func teaserAlias() throws {
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": { "allowance": "count", "aliases": ["old"] } },
          "freeTier": { "grants": { "f": 1 } },
          "onboarding": [{ "id": "a", "spends": "old", "teasers": [{ "feature": "old", "text": "More" }] }] }
        """#.utf8))
    #expect(catalog.onboarding.first?.spends == "f" && catalog.onboarding.first?.teasers.map(\.feature) == ["f"])
  }

  @Test("A refused overlay of a list is at its place in the list") func overlayPlace() {
    let list = "[{ \"id\": \"one\", \"patch\": {} },\n  { \"id\": \"two\", \"percent\": 300, \"patch\": {} }]"
    #expect {
      _ = try Overlay.list(json: Data(list.utf8))
    } throws: {
      ($0 as? CatalogError)?.diagnostics.map(\.description) == [
        "2:29: error: A share must be from 0 to 100 percent. [bad-value] at [1].percent"
      ]
    }
  }

  @Test("A list of overlays is refused with the mistakes of all of them") func overlayList() {
    let list = #"[{ "id": "one", "percent": 300, "patch": {} }, 5, { "id": "two", "patch": { "products": [] }, "colour": 1 }]"#
    let error = #expect(throws: CatalogError.self) { try Overlay.list(json: Data(list.utf8)) }
    #expect(
      error?.diagnostics.map { "\($0.code) \($0.path)" } == [
        "bad-value [0].percent", "type-mismatch [1]", "overlay-key [2].patch.products", "unknown-key [2].colour",
      ])
  }

  @Test("Every key of the schema is one of a catalog: beside it, an undeclared name is a mistake") func keys() throws {
    let url = Shipped.root.appendingPathComponent("Products/schema/catalog.schema.json")
    let schema = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
    let keys = try #require(schema["properties"] as? [String: Any]).keys
    #expect(keys.count > 20)
    for key in keys where !["schemaVersion", "app", "features", "freeTier"].contains(key) {
      let found = Self.found(#""freeTier": { "grants": { "nope": true } }, "\#(key)": {}"#)
      #expect(found.contains("unknown-feature freeTier.grants.nope"), "\(key)")
    }
  }

  @Test("An app can use a catalog with mistakes in sections that only tools read", arguments: ["forecast", "targets", "lint"])
  func sectionsOfTools(section: String) throws {
    for wrong in ["3", "null", "[]", #"{ "x": { "nope": 1 }, "accept": [{}] }"#] {
      let json = #"{ "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "products": [], "\#(section)": \#(wrong) }"#
      #expect(throws: Never.self) { try Catalog(json: Data(json.utf8)) }
    }
  }
}

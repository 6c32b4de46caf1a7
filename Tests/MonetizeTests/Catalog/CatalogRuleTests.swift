// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// Each rule of a catalog with the smallest file that breaks it: code, path, position and message.
@Suite(.timeLimit(.minutes(30)))
struct CatalogRuleTests {
  struct Broken: Sendable, CustomTestStringConvertible {
    let name: String
    let body: String
    let expected: [String]
    var testDescription: String { name }
  }

  static func diagnostics(_ body: String) -> [Diagnostic] {
    Catalog.reading(Data("{ \"schemaVersion\": 1, \"app\": { \"id\": \"t\", \"name\": \"T\" },\n\(body) }".utf8)).diagnostics
  }

  static let broken: [Broken] = [
    .init(
      name: "repeated product",
      body: #""features": { "f": {} }, "products": [{ "kind": "nonConsumable", "id": "a", "name": "A", "grants": { "f": true } },"# + "\n"
        + #"{ "kind": "nonConsumable", "id": "a", "name": "B", "grants": { "f": true } }]"#,
      expected: [
        #"3:34: error: Another product already has the id "a". Remove one, or rename it. [repeated-id] at products[1].id"#
      ]),
    .init(
      name: "alias of another",
      body: #""features": { "f": { "aliases": ["g"] }, "g": {} }, "freeTier": { "grants": { "f": true, "g": true } }"#,
      expected: [
        #"2:34: error: "g" is already the name or an alias of another feature. Remove one of them. [repeated-id] at features.f.aliases[0]"#
      ]),
    .init(
      name: "repeated item and part", body: #""collections": { "c": { "title": "C", "items": ["x", "x"], "parts": ["p", "p"] } }"#,
      expected: [
        #"2:54: error: This collection already has an item "x". Rename one of them. [repeated-id] at collections.c.items[1]"#,
        #"2:75: error: This collection already has a part "p". Remove one. [repeated-id] at collections.c.parts[1]"#,
      ]),
    .init(
      name: "unknown collection",
      body:
        #""collections": { "denny": { "title": "D", "items": 2 } }, "features": { "f": { "allowance": "items" } }, "freeTier": { "grants": { "f": { "deny": 1 } } }"#,
      expected: [#"2:147: error: There is no collection "deny". Did you mean "denny"? [unknown-collection] at freeTier.grants.f.deny"#]),
    .init(
      name: "retired id", body: #""retired": ["old"], "features": { "old": {} }, "freeTier": { "grants": { "old": true } }"#,
      expected: [
        #"2:42: error: "old" is retired and cannot be used as a feature again. Choose another name. [retired-id] at features.old"#
      ]),
    .init(
      name: "group levels",
      body: #""features": { "f": {}, "h": {} }, "products": ["# + "\n"
        + #"{ "kind": "subscription", "id": "high", "name": "H", "group": "g", "level": 1, "period": "P1M", "grants": { "h": true } },"#
        + "\n"
        + #"{ "kind": "subscription", "id": "low", "name": "L", "group": "g", "level": 2, "period": "P1M", "grants": { "f": true } }]"#,
      expected: [
        #"3:77: error: "high" gives less of "f" than "low", which is on a lower level of the group. Grant it at least as much, or change the levels (1 is the highest). [group-levels] at products[0].level"#
      ]),
    .init(
      name: "unknown claim", body: #""claims": ["noSubscription"]"#,
      expected: [#"2:12: error: There is no claim "noSubscription". Did you mean "noSubscriptions"? [unknown-claim] at claims[0]"#]),
    .init(
      name: "paywall references",
      body:
        #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "paywalls": { "default": { "products": ["nope"], "benefits": [{ "title": "B", "features": ["g", "f"] }] } }"#,
      expected: [
        #"2:107: error: There is no product "nope". Declare it under "products". [unknown-product] at paywalls.default.products[0]"#,
        #"2:158: error: There is no feature "g". Declare it under "features". [unknown-feature] at paywalls.default.benefits[0].features[0]"#,
      ]),
    .init(
      name: "unreachable feature", body: #""features": { "f": {} }"#,
      expected: [
        #"2:20: warning: Nothing grants "f", so it is closed to all customers. Grant it in "freeTier" or in a product, or remove it. [unreachable-feature] at features.f"#
      ]),
    .init(
      name: "unknown module",
      body: #""modules": [{ "id": "mazes" }], "features": { "maze.play": {} }, "freeTier": { "grants": { "maze.play": true } }"#,
      expected: [#"2:60: error: There is no module "maze". Did you mean "mazes"? [unknown-module] at features["maze.play"]"#]),
    .init(
      name: "unknown entitlement",
      body:
        #""entitlements": { "premium": {} }, "products": [{ "kind": "nonConsumable", "id": "a", "name": "A", "entitlements": ["premum"] }]"#,
      expected: [
        #"2:117: error: There is no entitlement "premum". Did you mean "premium"? [unknown-entitlement] at products[0].entitlements[0]"#
      ]),
    .init(
      name: "negative amount", body: #""features": { "f": { "allowance": "count" } }, "freeTier": { "grants": { "f": -1 } }"#,
      expected: [#"2:79: error: An amount cannot be negative. Write 0 or more, or "unlimited". [bad-value] at freeTier.grants.f"#]),
    .init(
      name: "huge amount", body: #""features": { "f": { "allowance": "count" } }, "freeTier": { "grants": { "f": 1000000001 } }"#,
      expected: [#"2:79: error: An amount is at most 1000000000. Write less, or "unlimited". [bad-value] at freeTier.grants.f"#]),
    .init(
      name: "amount of a collection",
      body:
        #""collections": { "c": { "title": "C", "items": 2 } }, "features": { "f": { "allowance": "items" } }, "freeTier": { "grants": { "f": { "c": "all" } } }"#,
      expected: [
        #"2:140: error: Expected a number of items of this collection, or "unlimited", but found the string "all". [bad-value] at freeTier.grants.f.c"#
      ]),
    .init(
      name: "grant of a part",
      body:
        #""features": { "f": { "allowance": "count" }, "p": { "of": "f", "atLeast": 2 } }, "freeTier": { "grants": { "f": 1, "p": 2 } }"#,
      expected: [
        #"2:116: error: "p" is a part of "f" and opens with it. Grant an amount of "f" instead. [grant-of-part] at freeTier.grants.p"#
      ]),
  ]

  @Test("Each rule reports the mistake, its place and its fix", arguments: broken) func rule(_ broken: Broken) {
    #expect(Self.diagnostics(broken.body).map(\.description) == broken.expected)
    let isError = broken.expected.contains { $0.contains(": error: ") }
    #expect(
      (Catalog.reading(Data("{ \"schemaVersion\": 1, \"app\": { \"id\": \"t\", \"name\": \"T\" },\n\(broken.body) }".utf8)).catalog == nil)
        == isError)
  }

  @Test("All mistakes of a file at once, in the order of the file") func allAtOnce() {
    let body =
      #""claims": ["nope"], "products": [{ "kind": "nonConsumabel", "id": "a", "name": "A" }, { "kind": "nonConsumable", "id": "b" }],"#
      + "\n"
      + #""features": { "f": { "alowance": "count" } }, "freeTier": { "grants": { "g": true } }, "monetization": "maybe", "unknown": 1"#
    let found = Self.diagnostics(body)
    for code: Diagnostic.Code in ["unknown-claim", "unknown-kind", "missing-key", "unknown-key", "unknown-feature"] {
      #expect(found.contains { $0.code == code }, "\(code)")
    }
    #expect(found.filter { $0.severity == .error }.count >= 7)
    let positions = found.compactMap(\.position)
    #expect(positions == positions.sorted() && positions.count == found.count)
  }

  @Test("A file of another schema version is not checked by this version's rules") func schemaVersion() {
    for (version, fix) in [("2", "Update Monetize."), ("0", "Run `monetize migrate` on it.")] {
      let found = Catalog.reading(Data("{ \"schemaVersion\": \(version), \"whatever\": [] }".utf8)).diagnostics
      #expect(
        found.map(\.description) == [
          "1:20: error: This catalog has schema version \(version), but this version of Monetize reads 1. \(fix) [schema-version] at schemaVersion"
        ])
    }
    #expect(Catalog.reading(Data("{ }".utf8)).diagnostics.map(\.code) == ["missing-key"])
  }

  @Test(
    "Broken JSON is one diagnostic with its place",
    arguments: ["", "{", "[", "{ \"a\": 1, }", "{ \"a\" 1 }", "nul", "{ \"a\": \"\\x\" }", "1 2"])
  func brokenJSON(text: String) {
    let reading = Catalog.reading(Data(text.utf8))
    #expect(reading.catalog == nil)
    #expect(reading.diagnostics.count == 1)
    #expect(reading.diagnostics.first?.position != nil)
    #expect(throws: CatalogError.self) { try Catalog(json: Data(text.utf8)) }
  }

  @Test("Duplicate keys are reported without a crash") func repeatedKeys() {
    let bodies = [
      #""paywalls": { "a": { "products": [] }, "a": { "products": ["nope"] } }"#,
      #""paywalls": { "a": {}, "a": { "benefits": [{ "title": "T", "features": ["nope"] }] } }"#,
      #""paywalls": { "a": { "benefits": [{ "title": "T" }] }, "a": { "benefits": [{ "title": "T" }, { "title": "T", "features": ["x", "y"] }] } }"#,
      #""features": { "a": { "aliases": [] }, "a": { "aliases": ["b", "b", "a"] } }"#,
      #""collections": { "c": { "title": "C", "items": 1 }, "c": { "title": "C", "items": ["a", "a"], "parts": ["p", "p", ""] } }, "retired": ["p"]"#,
      #""claims": ["a"], "claims": ["b", "noPeriods"], "modules": [{ "id": "m" }], "modules": []"#,
    ]
    for body in bodies { #expect(Self.diagnostics(body).contains { $0.severity == .error }, "\(body)") }
  }
}

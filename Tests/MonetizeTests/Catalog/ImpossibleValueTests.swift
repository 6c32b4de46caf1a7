// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// Impossible values: each with the smallest file that has it (code, path, position, message), and a valid one beside it.
@Suite(.timeLimit(.minutes(30)))
struct ImpossibleValueTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let broken: String
    let expected: [String]
    let right: String
    var app = ""
    var rightApp = ""
    var testDescription: String { name }
  }

  private func reading(_ body: String, app: String) -> CatalogReading {
    Catalog.reading(
      Data("{ \"schemaVersion\": 1, \"app\": { \"id\": \"t\", \"name\": \"T\"\(app) }\(body.isEmpty ? "" : ",\n\(body)") }".utf8))
  }

  @Test("An impossible value is refused, with the place and the fix", arguments: rows) func refused(_ row: Row) {
    let found = reading(row.broken, app: row.app)
    #expect(found.catalog == nil)
    #expect(found.diagnostics.filter { $0.severity == .error }.map(\.description) == row.expected)
  }

  @Test("A similar valid value is accepted", arguments: rows) func accepted(_ row: Row) {
    let found = reading(row.right, app: row.rightApp)
    #expect(found.catalog != nil && found.diagnostics.filter { $0.severity == .error }.isEmpty, "\(found.diagnostics)")
  }

  @Test("D2: what follows from a mistake is not reported as well", arguments: consequences)
  func consequence(name: String, body: String, app: String, path: String) {
    #expect(reading(body, app: app.isEmpty ? "" : ", \(app)").diagnostics.filter { $0.severity == .error }.map(\.path) == [path], "\(name)")
  }

  @Test("D3: the claim noPeriods is checked by the effect of time, not by names") func names() {
    let body =
      #""claims": ["noPeriods"], "features": { "period": {}, "per": { "allowance": "count" } }, "freeTier": { "grants": { "period": true, "per": 3 } }"#
    #expect(reading(body, app: "").diagnostics == [])
  }

  @Test("A length of more seconds than 32 bits hold, an Int on an Apple Watch, is refused on every system") func lengths() {
    func broken(_ days: Int) -> [String] {
      let body = """
        "features": { "f": { "allowance": "count", "per": "P\(days)D" }, "w": { "allowance": "window" } },
        "freeTier": { "grants": { "f": 3, "w": "P\(days)D" } }
        """
      return reading(body, app: "").diagnostics.filter { $0.severity == .error }.map(\.path)
    }
    #expect(broken(24_855) == [])
    #expect(broken(24_856) == ["features.f.per", "freeTier.grants.w"])
  }

  @Test("Items after an unreadable one keep their places") func places() {
    let body = #""collections": { "a": { "title": "A", "items": [1, "x", { "id": "x" }] } }"#
    #expect(
      reading(body, app: "").diagnostics.map { "\($0.code) \($0.path)" } == [
        "type-mismatch collections.a.items[0]", "repeated-id collections.a.items[2]",
      ])
  }

  static let consequences: [(String, String, String, String)] = [
    (
      "a period in words",
      #""features": { "f": {} }, "products": [{ "kind": "subscription", "id": "month", "name": "M", "group": "g", "level": 1, "period": "monthly", "grants": { "f": true } }, { "kind": "nonConsumable", "id": "monthy", "name": "O", "grants": { "f": true } }], "paywalls": { "default": { "products": ["month"] } }"#,
      #""#, #"products[0].period"#
    ),
    ("a system as a number", #""#, #""minimumOS": 16"#, #"app.minimumOS"#),
    ("a system without its second number", #""#, #""minimumOS": "16.""#, #"app.minimumOS"#),
    (
      "an unknown period of a count",
      #""features": { "f": { "allowance": "count", "per": "weekly" }, "p": { "of": "f", "atLeast": 2 } }, "freeTier": { "grants": { "f": 3 } }, "products": [{ "kind": "consumable", "id": "x", "name": "X", "credits": { "f": 3 } }, { "kind": "nonConsumable", "id": "y", "name": "Y", "grants": { "f": 5 } }]"#,
      #""#, #"features.f.per"#
    ),
    (
      "a misspelt key of an allowance",
      #""features": { "f": { "alowance": "count", "per": "week" } }, "freeTier": { "grants": { "f": 3 } }"#, #""#, #"features.f.alowance"#
    ),
    (
      "a misspelt section",
      #""featurs": { "f": {} }, "freeTier": { "grants": { "f": true } }, "paywalls": { "default": { "benefits": [{ "title": "B", "features": ["f"] }] } }"#,
      #""#, #"featurs"#
    ),
    (
      "aliases that are no list", #""features": { "f": { "aliases": "g" } }, "freeTier": { "grants": { "g": true } }"#, #""#,
      #"features.f.aliases"#
    ),
    (
      "a product of an unknown kind",
      #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "pack", "id": "x", "name": "X" }], "paywalls": { "default": { "preselected": "x" } }"#,
      #""#, #"products[0].kind"#
    ),
    (
      "a collection that is a number",
      #""collections": { "a": 20 }, "features": { "f": { "allowance": "items", "in": ["a"] } }, "freeTier": { "grants": { "f": { "a": 3 } } }"#,
      #""#, #"collections.a"#
    ),
    (
      "an entitlement that is a list",
      #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "entitlements": { "pro": ["f"] }, "products": [{ "kind": "nonConsumable", "id": "x", "name": "X", "entitlements": ["pro"] }]"#,
      #""#, #"entitlements.pro"#
    ),
    (
      "a wrong amount of the higher plan",
      #""features": { "f": { "allowance": "count" } }, "products": [{ "kind": "subscription", "id": "a", "name": "A", "group": "g", "level": 1, "period": "P1M", "grants": { "f": -1 } }, { "kind": "subscription", "id": "b", "name": "B", "group": "g", "level": 2, "period": "P1M", "grants": { "f": 1 } }]"#,
      #""#, #"products[0].grants.f"#
    ),
    (
      "misspelt grants",
      #""features": { "f": {} }, "freeTier": { "grants": { "f": true } }, "products": [{ "kind": "nonConsumable", "id": "x", "name": "X", "grant": { "f": true } }]"#,
      #""#, #"products[0].grant"#
    ),
  ]

  static let rows = ofProducts + ofOthers
}

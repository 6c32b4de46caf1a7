// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON
import Testing

@testable import MonetizeSimulator

/// A random schedule: a scenario, step by step, as the JSON that a file would have.
struct Story: Sendable, Equatable {
  /// One step: its keys with their values as JSON.
  struct Step: Sendable, Equatable {
    var fields: [(key: String, value: String)]

    init(_ fields: [(key: String, value: String)]) { self.fields = fields }

    var text: String { "{ " + fields.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + " }" }

    static func == (a: Self, b: Self) -> Bool { a.text == b.text }
  }

  var seed: UInt64
  var steps: [Step]

  static let devices = ["phone": "ann", "tablet": "ann", "kid": "bob"]
  static let names = ["phone", "tablet", "kid"]
  /// A folder beside `Examples/Scenarios/<folder>/`, so that a printed story can be saved and run there.
  static let catalogPath = "../../../Products/maze-packs.json"

  /// The repository.
  static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }

  /// The scenario file; `ending` is the failing expectation.
  func text(
    ending: [String] = [], title: String = "A random schedule", comment: String? = nil, patch: String? = Story.patch
  ) -> String {
    let patch = patch.map { "\n  \"set\": \($0.split(separator: "\n").joined(separator: "\n  "))," } ?? ""
    let header = """
      { "title": \(JSONWriter.quoted(title)),\(comment.map { " \"$comment\": \(JSONWriter.quoted($0))," } ?? "") "catalog": "\(Self.catalogPath)", "start": "2026-03-01T12:00:00Z", "timeZone": "UTC", "seed": \(seed),
        "devices": { "phone": "ann", "tablet": "ann", "kid": "bob" },\(patch)
        "steps": [

      """
    return header + (steps.map(\.text) + ending).map { "    " + $0 }.joined(separator: ",\n") + "\n  ] }"
  }

  /// The same without the catalog's patch, which is read once for all stories.
  func scenario() throws(ScenarioError) -> Scenario { try Scenario(json: Data(text(patch: nil).utf8)) }

  /// The patch that turns a catalog with one pack into one with every kind of product.
  static let patch = """
    { "claims": null, "billing": { "gracePeriod": "P16D" },
      "collections": { "denny": { "items": 4, "parts": null } },
      "features": { "pack.open": null, "hint": { "title": "Hints", "allowance": "count" }, "gem": { "title": "Gems", "allowance": "count", "per": "week" },
                    "extras": { "title": "Extras" } },
      "freeTier": { "grants": { "pack.open": null, "hint": 2, "gem": 2, "story.play": 1 } },
      "entitlements": { "helper": { "title": "Helper", "grants": { "gem": 6, "extras": true } } },
      "products": [
        { "kind": "nonConsumable", "id": "pack", "name": "Pack", "price": { "amount": "9.99", "currency": "USD" }, "familyShareable": true,
          "grants": { "story.play": { "denny": "unlimited" } } },
        { "kind": "subscription", "id": "basic", "name": "Basic", "group": "g", "level": 2, "period": "P1M",
          "price": { "amount": "4.99", "currency": "USD" }, "grants": { "gem": 5 },
          "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" },
                     { "type": "code", "id": "basic.code", "mode": "freeTrial", "period": "P1M" }] },
        { "kind": "subscription", "id": "gold", "name": "Gold", "group": "g", "level": 1, "period": "P1M",
          "price": { "amount": "9.99", "currency": "USD" }, "familyShareable": true, "grants": { "gem": "unlimited", "hint": 4, "extras": true },
          "offers": [{ "type": "promotional", "id": "gold.stay", "mode": "payAsYouGo", "period": "P1M", "periods": 2,
                       "price": { "amount": "4.99", "currency": "USD" } },
                     { "type": "winBack", "id": "gold.back", "mode": "payUpFront", "period": "P3M", "price": { "amount": "9.99", "currency": "USD" } }] },
        { "kind": "subscription", "id": "weekly", "name": "Weekly", "group": "w", "level": 1, "period": "P7D",
          "price": { "amount": "0.99", "currency": "USD" }, "grants": { "hint": "unlimited" },
          "offers": [{ "type": "introductory", "mode": "payAsYouGo", "period": "P7D", "periods": 2, "price": { "amount": "0.49", "currency": "USD" } }] },
        { "kind": "nonRenewing", "id": "season", "name": "Two weeks", "price": { "amount": "3.99", "currency": "USD" }, "period": "P14D",
          "grants": { "gem": 8, "extras": true } },
        { "kind": "nonRenewing", "id": "more", "name": "Ten days more", "price": { "amount": "2.99", "currency": "USD" }, "period": "P10D",
          "stacks": true, "grants": { "hint": 3 } },
        { "kind": "nonConsumable", "id": "try", "name": "7-day Trial", "price": { "amount": "0", "currency": "USD" }, "period": "P7D",
          "grants": { "gem": 7, "extras": true } },
        { "kind": "consumable", "id": "jar", "name": "A jar of hints", "price": { "amount": "0.99", "currency": "USD" },
          "credits": { "hint": 3, "gem": 2 } }] }
    """

  /// The credits of one consumable, from the patch.
  static let credits: [ProductID: [FeatureID: Int]] = ["jar": ["hint": 3, "gem": 2]]
  /// The length of a pass or a trial, and whether it begins at the end of the previous one, from the patch.
  static let passes: [ProductID: (days: Int, stacks: Bool)] = ["season": (14, false), "more": (10, true), "try": (7, false)]

  /// The catalog of all stories, read once.
  struct Shelf: Sendable {
    let text: String
    let catalog: Catalog
    /// The same without a free tier.
    let paidOnly: Catalog
    /// The same with products that give nothing.
    let nothingSold: Catalog

    init() throws {
      let base = try String(contentsOf: Story.root.appendingPathComponent("Products/maze-packs.json"), encoding: .utf8)
      func patched(_ text: String, _ patch: String) throws -> String {
        try ScenarioRunner.patched(text, with: JSONDocument(parsing: patch).root)
      }
      text = try patched(base, Story.patch)
      catalog = try Catalog(json: Data(text.utf8))
      let paid = try patched(text, #"{ "freeTier": { "grants": { "hint": null, "gem": null, "story.play": null } } }"#)
      paidOnly = try Catalog(json: Data(paid.utf8))
      nothingSold = try Catalog(json: Data(patched(text, #"{ "products": [] }"#).utf8))
    }
  }
}

extension ScenarioStep {
  /// The keys that any verb may have, if the step has a verb.
  var frame: ActionFrame? { if case .act(_, let frame) = content { frame } else { nil } }

  /// The verb of the step, if it is of this type.
  func does<Verb: ScenarioVerb>(_ type: Verb.Type) -> Verb? { if case .act(let verb, _) = content { verb as? Verb } else { nil } }
}

extension ScenarioVerbs.SetWorld {
  func changes(_ name: String) -> Bool { settings.contains { $0.name == name } }
}

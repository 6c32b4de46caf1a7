// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

@Suite("Diff: the customers of an arm", .timeLimit(.minutes(30)))
struct DiffArmTests {
  private static let json = #"""
    { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "story": { "title": "Stories", "allowance": "count" } },
      "freeTier": { "grants": { "story": 3 } },
      "products": [
        { "kind": "nonConsumable", "id": "all", "name": "All", "price": { "amount": "2.99", "currency": "USD" }, "grants": { "story": 9 } },
        { "kind": "nonConsumable", "id": "all.high", "variantOf": "all", "name": "All", "price": { "amount": "4.99", "currency": "USD" },
          "grants": { "story": 9 } },
        { "kind": "nonConsumable", "id": "all.low", "variantOf": "all", "name": "All", "price": { "amount": "1.99", "currency": "USD" },
          "grants": { "story": 9 } }],
      "paywalls": { "default": { "headline": "More" } },
      "experiments": {
        "price": { "arms": [{ "id": "same", "weight": 0.4 }, { "id": "high", "weight": 0.3, "products": ["all.high"] },
          { "id": "low", "weight": 0.3, "products": ["all.low"] }] },
        "limit": { "arms": [{ "id": "five", "weight": 0.5, "set": { "freeTier": { "grants": { "story": 5 } } } },
          { "id": "one", "weight": 0.5, "set": { "freeTier": { "grants": { "story": 1 } } } }] },
        "text": { "arms": [{ "id": "warm", "weight": 1, "set": { "paywalls": { "default": { "headline": "Now" } } },
          "texts": { "de": { "paywalls": { "default": { "headline": "Jetzt" } } } } }] } } }
    """#

  private func sentences(_ arms: [String], overlays: String = "[]") throws -> [String] {
    let catalog = try Catalog(json: Data(Self.json.utf8))
    let chosen = catalog.experiments.flatMap { experiment in experiment.arms.filter { arms.contains("\(experiment.id)=\($0.id)") } }
    #expect(chosen.count == arms.count)
    return try CatalogDiff(of: catalog, arms: chosen, applying: Overlay.list(json: Data(overlays.utf8))).changes.map(\.sentence)
  }

  @Test(
    "Each arm has its changes, and the experiments themselves are none",
    arguments: [
      ([], []), (["price=same"], []),
      (["price=high"], ["all.high (4.99 USD once) is sold instead of all (2.99 USD once)."]),
      (["price=low"], ["all.low (1.99 USD once) is sold instead of all (2.99 USD once)."]),
      (["limit=five"], ["Everyone gains Stories: 3 in all before, 5 in all now."]),
      (["limit=one"], ["Everyone loses Stories: 3 in all before, 1 in all now."]),
      (
        ["text=warm"],
        [
          "The text paywalls.default.headline: “More” becomes “Now”.", "The text paywalls.default.headline in \"de\": “Jetzt” is set.",
        ]
      ),
      (
        ["price=high", "limit=five"],
        [
          "Everyone gains Stories: 3 in all before, 5 in all now.",
          "all.high (4.99 USD once) is sold instead of all (2.99 USD once).",
        ]
      ),
    ] as [([String], [String])])
  func arms(arms: [String], expected: [String]) throws { #expect(try sentences(arms) == expected) }

  @Test("An overlay applies over the arms, as in the app") func overlay() throws {
    let four = #"[{ "id": "four", "patch": { "freeTier": { "grants": { "story": 4 } } } }]"#
    #expect(try sentences(["limit=one"], overlays: four) == ["Everyone gains Stories: 3 in all before, 4 in all now."])
    #expect(
      try sentences(["price=high"], overlays: four) == [
        "Everyone gains Stories: 3 in all before, 4 in all now.", "all.high (4.99 USD once) is sold instead of all (2.99 USD once).",
      ])
  }
}

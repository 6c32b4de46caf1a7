// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

/// One edit of a small catalog, and all sentences about it.
struct DiffEdit: Sendable, CustomTestStringConvertible {
  let old: String
  let new: String
  let sentences: [String]
  var isAllowed = true

  var testDescription: String { "\(old) -> \(new)" }

  init(_ old: String, _ new: String, _ sentences: String..., isAllowed: Bool = true) {
    (self.old, self.new, self.sentences, self.isAllowed) = (old, new, sentences, isAllowed)
  }
}

@Suite("Diff: what an edit means for customers", .timeLimit(.minutes(30)))
struct DiffSentenceTests {
  private static let catalog = #"""
    { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "retired": ["lv1", "lv2"],
      "collections": { "denny": { "title": "Denny", "items": 4, "parts": ["easy", "hard"] },
        "hats": { "title": "Hats", "items": [{ "id": "hat", "coins": 40 }, { "id": "cap", "coins": 11 }] } },
      "features": { "story": { "title": "Stories", "allowance": "count", "survivesReinstall": true },
        "voices": { "title": "Voices", "allowance": "level", "levels": ["basic", "premium"] },
        "art": { "title": "Art", "aliases": ["paint"] }, "maze": { "title": "Mazes", "allowance": "items", "in": ["denny"] },
        "shop": { "title": "Shop", "allowance": "coins", "in": ["hats"] }, "log": { "title": "Log", "allowance": "window" } },
      "freeTier": { "grants": { "story": 2, "voices": "basic", "maze": 1, "shop": true, "log": "P7D" } },
      "products": [
        { "kind": "nonConsumable", "id": "all", "name": "All", "familyShareable": true, "price": { "amount": "9.99", "currency": "USD" },
          "grants": { "story": 10, "voices": "premium", "maze": "unlimited", "log": "P90D" } },
        { "kind": "nonRenewing", "id": "week", "name": "Week pass", "period": "P7D", "stacks": true,
          "price": { "amount": "0.99", "currency": "USD" }, "grants": { "voices": "premium", "art": true } },
        { "kind": "subscription", "id": "plan", "name": "Plan", "group": "g", "level": 1, "period": "P1M",
          "price": { "amount": "4.99", "currency": "USD" }, "grants": { "art": true },
          "offers": [{ "type": "promotional", "id": "back", "mode": "payUpFront", "period": "P3M",
            "price": { "amount": "9.99", "currency": "USD" } }] }
      ],
      "parentalGate": { "covers": ["purchase", "restore", "links"] }, "billing": { "gracePeriod": "P16D" } }
    """#

  private static let access: [DiffEdit] = [
    .init(
      #""period": "P7D""#, #""period": "P5D""#, "Owners of Week pass have Art for a shorter time: 7 days before, 5 days now.",
      "Owners of Week pass have Voices (level premium) for a shorter time: 7 days before, 5 days now.",
      "Week pass lasts 5 days instead of 7 days.",
      isAllowed: false),
    .init(
      #""period": "P7D""#, #""period": "P14D""#, "Owners of Week pass have Art for a longer time: 7 days before, 14 days now.",
      "Owners of Week pass have Voices (level premium) for a longer time: 7 days before, 14 days now.",
      "Week pass lasts 14 days instead of 7 days."),
    .init(
      #""stacks": true"#, #""stacks": false"#,
      "Owners of Week pass who bought it twice have Art for a shorter time: 14 days before, 7 days now.",
      "Owners of Week pass who bought it twice have Voices (level premium) for a shorter time: 14 days before, 7 days now.",
      isAllowed: false),
    .init(
      #""familyShareable": true"#, #""familyShareable": false"#,
      "Families of owners of All lose Log: the last 90 days before, the last 7 days now.",
      "Families of owners of All lose Mazes (3 items, such as denny/2, denny/3, denny/4): 4 of 4 items before, 1 of 4 items now.",
      "Families of owners of All lose Stories: 10 in all before, 2 in all now.",
      "Families of owners of All lose Voices (level premium): premium before, basic now.", "All is no longer shared with the family.",
      isAllowed: false),
    .init(#""coins": 40"#, #""coins": 80"#, "Everyone loses Shop (hats/hat)."),
    .init(
      #""parts": ["easy", "hard"] }"#, #""parts": ["easy"] }"#,
      "Owners of All lose Mazes (the part hard of every item of denny).", "Everyone loses Mazes (the part hard of every item of denny).",
      isAllowed: false),
    .init(
      #""items": 4"#, #""items": 6"#, "Owners of All gain Mazes (2 items, such as denny/5, denny/6): 4 of 4 items before, 6 of 6 items now."
    ),
    .init(
      #""levels": ["basic", "premium"]"#, #""levels": ["basic", "mid", "premium"]"#, "Owners of All and Week pass gain Voices (level mid)."),
    .init(
      #""grants": { "story": 2, "#, #""grants": { "art": true, "story": 2, "#, "Everyone gains Art: none before, yes now."),
    .init(
      #""art": { "title": "Art", "aliases": ["paint"] }, "#, #""art": { "title": "Art", "aliases": ["paint"] }, "x": { "title": "X" }, "#,
      "features.x: title “X” is added. No answer changes with it."),
    .init(
      #""art": { "title": "Art", "aliases": ["paint"] }"#, #""art": { "title": "Art" }"#,
      "\"paint\" is no longer a name of \"art\": an app that is already out asks with it and finds no feature. Keep it under \"aliases\".",
      "features.art.aliases: paint is removed.", isAllowed: false),
  ]

  @Test("Everyone gains some and owners gain more: both are said")
  func both() throws {
    let new = try ToolFixtures.replacing(
      #""grants": { "story": 10, "#, #""grants": { "story": 20, "#,
      in: ToolFixtures.replacing(#""grants": { "story": 2, "#, #""grants": { "story": 5, "#, in: Self.catalog))
    #expect(
      try DiffTests.diff(Self.catalog, new).changes.map(\.sentence) == [
        "Everyone gains Stories: 2 in all before, 5 in all now.", "Owners of All gain Stories: 10 in all before, 20 in all now.",
      ])
  }

  @Test("An edit, and all that is said about it", arguments: access + texts)
  func edit(_ edit: DiffEdit) throws {
    let diff = try DiffTests.diff(Self.catalog, try ToolFixtures.replacing(edit.old, edit.new, in: Self.catalog))
    #expect(diff.changes.map(\.sentence) == edit.sentences)
    #expect(DiffReport(diff, old: "a", new: "b").status == (edit.isAllowed ? .fine : .no))
  }

  @Test("A feature with a new name and the old one as an alias is no gain; a new feature is one")
  func renamed() throws {
    func changed(_ feature: String, _ name: String) throws -> [String] {
      let granted = Self.catalog.replacingOccurrences(of: "\"art\": true", with: "\"\(name)\": true")
      let new = try ToolFixtures.replacing(#""art": { "title": "Art", "aliases": ["paint"] }"#, feature, in: granted)
      return try DiffTests.diff(Self.catalog, new).changes.map(\.sentence).filter {
        !$0.hasPrefix("features.") && !$0.hasPrefix("products")
      }
    }
    #expect(try changed(#""draw": { "title": "Art", "aliases": ["art", "paint"] }"#, "draw") == [])
    #expect(
      try changed(#""art": { "title": "Art", "aliases": ["paint"] }, "x": { "title": "X" }"#, "art\": true, \"x") == [
        "Owners of Week pass and Plan gain X: not there before, yes now."
      ])
  }

  private static let texts: [DiffEdit] = [
    .init(
      #""survivesReinstall": true"#, #""survivesReinstall": false"#, "features.story.survivesReinstall: true becomes false."),
    .init(
      #""9.99", "currency": "USD" } }] }"#, #""7.99", "currency": "USD" } }] }"#,
      "The promotional offer \"back\" of Plan: 3 months for 9.99 USD before, 3 months for 7.99 USD now."),
    .init(
      #""mode": "payUpFront""#, #""enabled": false, "until": "2026-03-01T00:00:00Z", "mode": "payUpFront""#,
      "The promotional offer \"back\" of Plan: 3 months for 9.99 USD before, turned off, 3 months for 9.99 USD until 2026-03-01T00:00:00Z now."
    ),
    .init(
      #""id": "back", "#, #""id": "return", "#, "The promotional offer \"back\" of Plan: 3 months for 9.99 USD before, none now.",
      "The promotional offer \"return\" of Plan: none before, 3 months for 9.99 USD now."),
    .init(
      #""retired": ["lv1", "lv2"]"#, #""retired": ["lv2"]"#,
      "\"lv1\" is no longer under \"retired\", so it could be used again. Keep it there.", isAllowed: false),
    .init(#""retired": ["lv1", "lv2"]"#, #""retired": ["lv1", "lv2", "lv3"]"#, "\"lv3\" is retired."),
    .init(
      #""parentalGate": { "covers": ["purchase", "restore", "links"] }, "#, "",
      "parentalGate: covers purchase, restore and links is removed."),
    .init(#""gracePeriod": "P16D""#, #""gracePeriod": "P3D""#, "billing.gracePeriod: 16 days becomes 3 days."),
  ]
}

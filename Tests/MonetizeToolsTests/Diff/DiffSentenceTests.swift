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
      #""name": "Week pass", "period""#, #""name": "Week pass", "onSale": false, "period""#,
      "Week pass is no longer sold; its owners keep it."),
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
    .init(#""coins": 40"#, #""coins": 80"#, "Everyone loses Shop (hats/hat): 2 of 2 items before, 2 items for coins (1 open) now."),
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
      "features.x: title “X” is added. No compared answer changes with it."),
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
      "The promotional offer \"back\" of Plan: 3 months for 9.99 USD before, turned off (3 months for 9.99 USD until 2026-03-01T00:00:00Z) now."
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
      "The parental gate: covers purchase, restore and links is removed."),
    .init(#""gracePeriod": "P16D""#, #""gracePeriod": "P3D""#, "billing.gracePeriod: 16 days becomes 3 days."),
  ]

  private static let rights = #"""
    { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
      "features": { "art": { "title": "Art", "roles": ["customer", "child"] }, "share": { "title": "Share" },
        "text": { "title": "Text", "allowance": "count" },
        "log": { "title": "Log", "allowance": "window" } },
      "freeTier": { "grants": { "text": 3, "log": "P7D" } },
      "entitlements": { "pro": { "title": "Pro", "grants": { "art": true } }, "extra": { "title": "Extra", "grants": { "share": true } } },
      "products": [
        { "kind": "nonConsumable", "id": "all", "name": "All", "price": { "amount": "9.99", "currency": "USD" }, "entitlements": ["pro"],
          "grants": { "share": true } },
        { "kind": "nonConsumable", "id": "art", "name": "Art", "price": { "amount": "4.99", "currency": "USD" }, "grants": { "art": true } }
      ],
      "paywalls": { "default": { "headline": "All", "actions": ["purchase"], "benefits": [{ "title": "Art", "icon": "star" }] } },
      "onboarding": [{ "id": "one" }, { "id": "two" }] }
    """#

  private static let others: [DiffEdit] = [
    .init(
      #""extra": { "title": "Extra", "grants": { "share": true } }"#, #""extra": { "title": "Extra", "grants": {} }"#,
      "Those who were given Extra lose Share: yes before, none now.", isAllowed: false),
    .init(
      #""extra": { "title": "Extra", "grants": { "share": true } }"#,
      #""extra": { "title": "Extra", "grants": { "share": true, "art": true } }"#,
      "Those who were given Extra gain Art: none before, yes now."),
    .init(
      #""entitlements": ["pro"],"#, #""entitlements": [],"#, "Owners of All lose Art: yes before, none now.",
      "Owners of All are no longer entitled to Pro: a rule or an app that asks for \"pro\" finds nothing.", isAllowed: false),
    .init(
      #""id": "t", "name": "T""#, #""id": "u", "name": "T""#,
      "The app's id is \"u\" instead of \"t\": all purchases belong to the other id, so their owners lose them. Keep the id.",
      isAllowed: false),
    .init(
      #""text": 3"#, #""text": 5"#, "Everyone gains Text: 3 in all before, 5 in all now."),
    .init(
      #""roles": ["customer", "child"]"#, #""roles": ["customer"]"#,
      "Owners of All and Art with the role child lose Art: yes before, customer only now.", isAllowed: false),
    .init(
      #""share": { "title": "Share" }"#, #""share": { "title": "Share", "roles": ["customer"] }"#,
      "Owners of All with the role child, guest or parent lose Share: yes before, customer only now.", isAllowed: false),
    .init(
      #""share": { "title": "Share" }"#, #""share": { "title": "Share", "roles": ["parent"] }"#,
      "Owners of All with the role child, customer or guest lose Share: yes before, parent only now.", isAllowed: false),
    .init(#""price": { "amount": "4.99", "currency": "USD" }, "#, "", "Art has no price instead of 4.99 USD."),
    .init(
      #""benefits": [{ "title": "Art", "icon": "star" }]"#, #""benefits": [{ "title": "Art", "icon": "moon" }]"#,
      "The paywall default: benefits[0].icon: “star” becomes “moon”."),
    .init(
      #"{ "id": "one" }, { "id": "two" }"#, #"{ "id": "two" }, { "id": "one" }"#,
      "The order of onboarding: one and two becomes two and one."),
  ]

  @Test("Entitlements, roles, order and names: an edit, and all that is said about it", arguments: others)
  func other(_ edit: DiffEdit) throws {
    let diff = try DiffTests.diff(Self.rights, try ToolFixtures.replacing(edit.old, edit.new, in: Self.rights))
    #expect(diff.changes.map(\.sentence) == edit.sentences)
    #expect(DiffReport(diff, old: "a", new: "b").status == (edit.isAllowed ? .fine : .no))
  }

  @Test("An entitlement lost by name alone is an error: conditions and apps ask for the name")
  func lostName() throws {
    let new = try ToolFixtures.replacing(
      #""entitlements": ["pro"],"#, "",
      in: ToolFixtures.replacing(#""grants": { "share": true } },"#, #""grants": { "share": true, "art": true } },"#, in: Self.rights))
    let changes = try DiffTests.diff(Self.rights, new).changes
    #expect(changes.map(\.code) == ["takes-entitlement", "unnoticed"], "\(changes.map(\.sentence))")
    #expect(changes.first?.entitlements == ["pro"] && changes.first?.products == ["all"])
  }

  @Test("A change of access explains the values that are about its feature, and no others")
  func explained() throws {
    let new = try ToolFixtures.replacing(
      #""text": 3"#, #""text": 5"#,
      in: ToolFixtures.replacing(#""share": { "title": "Share" }"#, #""share": { "title": "Share" }, "x": {}"#, in: Self.rights))
    #expect(
      try DiffTests.diff(Self.rights, new).changes.map(\.sentence) == [
        "Everyone gains Text: 3 in all before, 5 in all now.", "features.x: an empty value is added. No compared answer changes with it.",
      ])
  }

  @Test("A feature's own name is not used again for another feature; a renamed one keeps it as an alias")
  func reusedName() throws {
    func codes(_ features: String) throws -> [String] {
      func catalog(_ features: String) -> String {
        #"{ "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { \#(features) } }"#
      }
      return try DiffTests.diff(catalog(#""export": {}, "share": {}"#), catalog(features)).changes.filter { $0.severity == .error }.map(
        \.code)
    }
    #expect(try codes(#""share": { "aliases": ["export"] }"#) == ["reused-id"])
    #expect(try codes(#""send": { "aliases": ["export"] }, "share": {}"#) == [])
  }

  @Test("The order of products is one change, with what stands elsewhere")
  func order() throws {
    func product(_ id: String) -> String { #"{ "kind": "consumable", "id": "\#(id)", "name": "P" }"# }
    let (first, second) = (product("a"), product("b"))
    func catalog(_ products: String...) -> String {
      #"{ "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "products": [\#(products.joined(separator: ", "))] }"#
    }
    let changes = try DiffTests.diff(catalog(first, second), catalog(second, first)).changes
    #expect(changes.map(\.sentence) == ["The order of products: a and b becomes b and a."])
    let removed = DiffReport(try DiffTests.diff(catalog(first, second), catalog(second)), old: "a", new: "b").text
    #expect(removed.contains("1 change from a to b, not allowed."), "\(removed)")
  }

  @Test("The products of a paywall and their order are changes with names, except for a name that two products have")
  func namesOfProducts() throws {
    func catalog(_ products: [String], _ paywall: String, nameOfYear: String = "Yearly") -> String {
      let names = ["m": "Monthly", "y": nameOfYear, "l": "Lifetime"]
      let list = products.map {
        #"{ "kind": "nonConsumable", "id": "\#($0)", "name": "\#(names[$0] ?? "")", "grants": { "export": true } }"#
      }
      return """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "export": {} },
          "products": [\(list.joined(separator: ", "))],
          "paywalls": { "default": { \(paywall) } } }
        """
    }
    func sentences(_ old: String, _ new: String) throws -> [String] { try DiffTests.diff(old, new).changes.map(\.sentence) }
    let all = ["m", "y", "l"]
    let both = #""products": ["m", "y"]"#
    #expect(
      try sentences(catalog(all, both), catalog(all, #""products": ["y", "m", "l"], "preselected": "y""#)) == [
        "The paywall default: products: Monthly and Yearly becomes Yearly, Monthly and Lifetime.",
        "The paywall default: preselected: “Yearly” is added.",
      ])
    #expect(
      try sentences(catalog(all, both), catalog(["y", "m", "l"], both)) == [
        "The order of products: Monthly and Yearly becomes Yearly and Monthly."
      ])
    #expect(
      try sentences(catalog(all, both, nameOfYear: "Lifetime"), catalog(all, #""products": ["m", "l"]"#, nameOfYear: "Lifetime")) == [
        "The paywall default: products: Monthly and y becomes Monthly and l."
      ])
    #expect(try DiffTests.diff(catalog(all, both), catalog(all, #""products": ["y"]"#)).changes.map(\.old) == ["m and y"])
  }

  @Test("What families lose is listed beside what the owners lose, unless it is the same")
  func familiesBesideOwners() throws {
    func catalog(_ edits: Int, isShared: Bool) -> String {
      #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" },
        "features": { "edit": { "title": "Edits", "allowance": "count", "per": "month" } }, "freeTier": { "grants": { "edit": 2 } },
        "products": [{ "kind": "nonConsumable", "id": "all", "name": "All", "familyShareable": \#(isShared), "grants": { "edit": \#(edits) } }] }
      """#
    }
    func losses(_ new: String) throws -> [String] {
      try DiffTests.diff(catalog(50, isShared: true), new).changes.map(\.sentence).filter { $0.contains("lose") }
    }
    #expect(
      try losses(catalog(40, isShared: false)) == [
        "Owners of All lose Edits: 50 a month before, 40 a month now.",
        "Families of owners of All lose Edits: 50 a month before, 2 a month now.",
      ])
    #expect(try losses(catalog(40, isShared: true)) == ["Owners of All lose Edits: 50 a month before, 40 a month now."])
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// One mistake gives one diagnostic: what only follows from it is not reported.
@Suite("Catalog: one mistake, one diagnostic", .timeLimit(.minutes(10)))
struct FollowOnTests {
  private static let catalog = #"""
    { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
      "features": { "story": { "title": "Stories", "allowance": "count" }, "many": { "of": "story", "atLeast": 3, "unlockMessage": "More" } },
      "freeTier": { "grants": { "story": 1 } },
      "products": [
        { "kind": "subscription", "id": "m", "name": "Monthly", "group": "g", "level": 1, "period": "P1M", "grants": { "story": 9 },
          "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }] },
        { "kind": "subscription", "id": "y", "name": "Yearly", "group": "g", "level": 1, "period": "P1Y", "grants": { "story": 9 } }],
      "onboarding": [{ "id": "first", "pages": [{ "id": "done" }] }],
      "events": { "names": { "made": { "on": "onboardingStep", "step": "first/done" } } },
      "experiments": { "cta": { "arms": [{ "id": "a", "weight": 0.5 }, { "id": "b", "weight": 0.5 }] } },
      "monetization": "on" }
    """#

  @Test("The catalog itself has no mistake") func base() { #expect(Self.diagnostics(Self.catalog) == []) }

  @Test(
    "Neither has one with a section at its bounds, or with one that only a command reads",
    arguments: [
      #""collections": { "c": { "title": "C", "items": 100000 } }"#, #""legal": { "terms": "https://example.com" }"#,
      #""milestones": { "m": { "feature": "story", "uses": 1, "action": "review" } }"#, #""extensions": { "own": 1 }"#,
      #""extensions": [1]"#,
    ]) func bounds(section: String)
  { #expect(Self.diagnostics(Self.catalog.replacingOccurrences(of: #""monetization": "on""#, with: section)) == []) }

  @Test("A part of an unknown whole is one mistake, also where it is granted") func partOfNothing() {
    let text = Self.catalog.replacingOccurrences(of: #""of": "story""#, with: #""of": "tale""#)
      .replacingOccurrences(of: #""grants": { "story": 1 }"#, with: #""grants": { "story": 1, "many": 3, "tale": 1 }"#)
    #expect(Self.diagnostics(text).map { String($0.prefix { $0 != ":" }) } == ["unknown-feature features.many.of"])
  }

  @Test("A part of a part is one mistake, and hides none about that part") func partOfAPart() {
    let text = Self.catalog.replacingOccurrences(of: #""many": {"#, with: #""most": { "of": "many" }, "many": {"#)
      .replacingOccurrences(of: #""grants": { "story": 1 }"#, with: #""grants": { "story": 1, "many": 3 }"#)
    let found = Self.diagnostics(text).map { String($0.prefix { $0 != ":" }) }
    #expect(found == ["unknown-feature features.most.of", "grant-of-part freeTier.grants.many"])
  }

  @Test("A key without an effect is reported on a part as well") func unusedKeyOfAPart() {
    let text = Self.catalog.replacingOccurrences(of: #""atLeast": 3, "#, with: #""atLeast": 3, "in": ["c"], "#)
      .replacingOccurrences(of: #""monetization": "on""#, with: #""collections": { "c": { "title": "C", "items": 2 } }"#)
    #expect(Self.diagnostics(text).map { String($0.prefix { $0 != ":" }) } == ["unused-key features.many.in"])
  }

  @Test("The amount of an unknown feature is not read: its grammar is unknown") func amountOfNothing() {
    let amount = #"{ "tale": { "length": 2, "of": ["a"] } }"#
    let text = Self.catalog.replacingOccurrences(of: #""grants": { "story": 1 }"#, with: #""grants": \#(amount)"#)
    #expect(Self.diagnostics(text).map { String($0.prefix { $0 != ":" }) } == ["unknown-feature freeTier.grants.tale"])
  }

  @Test("A product whose id cannot be read may be any product that is named elsewhere") func unreadableID() {
    let text = Self.catalog.replacingOccurrences(of: #""id": "m""#, with: #""id": 5"#)
      .replacingOccurrences(of: #""monetization": "on""#, with: #""paywalls": { "default": { "products": ["m"] } }"#)
    #expect(Self.diagnostics(text).map { String($0.prefix { $0 != ":" }) } == ["type-mismatch products[0].id"])
  }

  @Test("A section with a mistake is left out of what lint reads of the catalog", arguments: [true, false])
  func partial(isBroken: Bool) {
    let legal = "\"legal\": { \"terms\": \(isBroken ? "5" : "\"https://example.com\"") }"
    let reading = Catalog.reading(Data(Self.catalog.replacingOccurrences(of: #""monetization": "on""#, with: legal).utf8))
    #expect((reading.catalog == nil) == isBroken && reading.partial != nil)
    #expect((reading.partial?.legal == nil) == isBroken)
  }

  @Test("A section that no decision reads is noted, with the command that reads it", arguments: [#"{ "own": 1 }"#, "[1]"])
  func note(value: String) {
    let text = Self.catalog.replacingOccurrences(of: #""monetization": "on""#, with: "\"extensions\": \(value)")
    #expect(Catalog.reading(Data(text.utf8)).diagnostics.map(\.code) == ["not-yet-read"])
  }

  @Test(
    "One mistake",
    arguments: [
      (
        #""kind": "subscription", "id": "m""#, #""id": "m""#,
        [
          "missing-key products[0]: The key \"kind\" is missing. Add it to this object, as one of \"consumable\", \"nonConsumable\", \"nonRenewing\", \"subscription\"."
        ]
      ),
      (
        #""kind": "subscription", "id": "m""#, #""kid": "subscription", "id": "m""#,
        ["unknown-key products[0].kid: Unknown key \"kid\". Did you mean \"kind\"?"]
      ),
      (
        #""kind": "subscription", "id": "m""#, #""kind": 1, "id": "m""#,
        ["type-mismatch products[0].kind: Expected a string here, but found the number 1. Put it in quotes."]
      ),
      (
        #""freeTier": { "grants": { "story": 1 } }"#, #""freeTier": { "story": 1 }"#,
        ["unknown-key freeTier.story: Unknown key \"story\". \"story\" is a feature. Write it inside \"grants\"."]
      ),
      (
        #""period": "P1M", "grants": { "story": 9 }"#, #""period": "P1M", "story": 9"#,
        ["unknown-key products[0].story: Unknown key \"story\". \"story\" is a feature. Write it inside \"grants\"."]
      ),
      (
        #""monetization": "on""#, #""monetization": "on", "story": 1"#,
        ["unknown-key story: Unknown key \"story\". Remove it, or use one of the known keys"]
      ),
      (
        #""period": "P1M", "grants": { "story": 9 }"#, #""period": "P1M", "grants": { "story": 9 }, "freeTier": {}"#,
        ["unknown-key products[0].freeTier: Unknown key \"freeTier\". \"freeTier\" is a section of the catalog. Write it at the top level."]
      ),
      (
        #""monetization": "on""#, #""milestones": { "m": { "features": "story", "uses": 1, "action": "review" } }"#,
        ["unknown-key milestones.m.features: Unknown key \"features\". Did you mean \"feature\"?"]
      ),
      (#""freeTier": {"#, #""free": {"#, ["unknown-key free: Unknown key \"free\". Did you mean \"freeTier\"?"]),
      (#""name": "Monthly""#, #""namex": "Monthly""#, ["unknown-key products[0].namex: Unknown key \"namex\". Did you mean \"name\"?"]),
      (#""period": "P1Y""#, #""periodd": "P1Y""#, ["unknown-key products[1].periodd: Unknown key \"periodd\". Did you mean \"period\"?"]),
      (
        #""weight": 0.5 }, "#, #""wieght": 0.5 }, "#,
        ["unknown-key experiments.cta.arms[0].wieght: Unknown key \"wieght\". Did you mean \"weight\"?"]
      ),
      (
        #""of": "story""#, #""of": 1"#,
        ["type-mismatch features.many.of: Expected a string here, but found the number 1. Put it in quotes."]
      ),
      (
        #""kind": "subscription", "id": "m""#, #""type": "subscription", "id": "m""#,
        ["unknown-key products[0].type: Unknown key \"type\". Did you mean \"kind\"?"]
      ),
      (#""name": "Monthly""#, #""title": "Monthly""#, ["unknown-key products[0].title: Unknown key \"title\". Did you mean \"name\"?"]),
      (
        #""period": "P1Y""#, #""duration": "P1Y""#,
        ["unknown-key products[1].duration: Unknown key \"duration\". Did you mean \"period\"?"]
      ),
      (
        #""mode": "freeTrial", "#, #""mode": "freeTrial", "count": 1, "#,
        ["unknown-key products[0].offers[0].count: Unknown key \"count\". Did you mean \"periods\"?"]
      ),
      (#""of": "story""#, #""of": "stori""#, ["unknown-feature features.many.of: There is no feature \"stori\". Did you mean \"story\"?"]),
      (
        #""arms": [{ "id": "a", "weight": 0.5 }, { "id": "b", "weight": 0.5 }]"#, #""arms": {}"#,
        ["type-mismatch experiments.cta.arms: Expected an array here, but found an object. Write an array: [ … ]."]
      ),
      (
        #""name": "Monthly""#, #""name": "Monthly", "price": "2.99""#,
        [
          "type-mismatch products[0].price: Expected an object here, but found the string \"2.99\". "
            + "Write an object: { \"amount\": …, \"currency\": … }."
        ]
      ),
      (
        #""pages": [{ "id": "done" }]"#, #""pages": [3]"#,
        ["type-mismatch onboarding[0].pages[0]: Expected an object here, but found the number 3. Write an object: { … }."]
      ),
      (
        #""period": "P1Y", "grants": { "story": 9 }"#, #""period": "P1Y""#,
        [
          "grants-nothing products[1]: \"y\" grants nothing to its buyers. Add \"entitlements\" or \"grants\"; a tip is of the kind \"consumable\"."
        ]
      ),
      (
        #""period": "P1Y", "grants": { "story": 9 }"#, #""period": "P1Y", "grants": { "story": 9, "story": 9 }"#,
        ["repeated-key products[1].grants.story: The key \"story\" appears twice in this object. Remove one of them."]
      ),
      (
        #""allowance": "count" }, "many""#, #""per": "day" }, "many""#,
        ["unknown-key features.story.per: \"per\" belongs to \"count\" and \"duration\". Add \"allowance\": \"count\", or remove it."]
      ),
      (
        #""features": {"#, #""functions": {"#, ["unknown-key functions: Unknown key \"functions\". Remove it, or use one of the known keys"]
      ),
      (
        #""id": "first", "pages""#, #""pages""#,
        ["missing-key onboarding[0]: The key \"id\" is missing. Add it to this object, as a string."]
      ),
      (
        #""period": "P1Y", "grants": { "story": 9 }"#, #""grants": { "story": 9 }"#,
        [
          "missing-key products[1]: The key \"period\" is missing. Add it to this object, as a length of time such as \"P7D\", \"P1M\" or \"P1Y\"."
        ]
      ),
      (
        #""group": "g", "level": 1, "period": "P1Y""#, #""group": "g", "period": "P1Y""#,
        ["missing-key products[1]: The key \"level\" is missing. Add it to this object, as a whole number."]
      ),
      (
        #""id": "m", "name""#, #""id": " ", "name""#,
        ["empty-id products[0].id: The id of a product is empty. Write one."]
      ),
      (
        #""atLeast": 3"#, #""atLeast": true"#,
        [
          "bad-value features.many.atLeast: Expected a number of uses, { \"limit\": 3, \"per\": \"week\" }, or \"unlimited\", but found true."
        ]
      ),
      (
        #""monetization": "on""#, #""monetization": "onn""#,
        ["bad-value monetization: Expected one of \"on\", \"off\" here, but found the string \"onn\". Did you mean \"on\"?"]
      ),
      (
        #""atLeast": 3"#, #""atLesat": 3"#,
        ["unknown-key features.many.atLesat: Unknown key \"atLesat\". Did you mean \"atLeast\"?"]
      ),
      (
        #""cta": { "arms": ["#, #""cta": { "amrs": ["#, ["unknown-key experiments.cta.amrs: Unknown key \"amrs\". Did you mean \"arms\"?"]
      ),
      (
        #""allowance": "count" }, "many""#, #""allowance": null, "per": "day" }, "many""#,
        ["unknown-key features.story.per: \"per\" belongs to \"count\" and \"duration\". Add \"allowance\": \"count\", or remove it."]
      ),
      (
        #""allowance": "count" }, "many""#, #""in": [] }, "many""#,
        [
          "unknown-key features.story.in: \"in\" belongs to \"items\", \"prerequisite\" and \"coins\". Add \"allowance\": \"items\", or remove it."
        ]
      ),
      (
        #""period": "P7D" }]"#, #""period": "P7D", "from": "2026-03-01", "until": "2026-03-01" }]"#,
        ["offer-dates products[0].offers[0].until: This offer ends before it begins. Write a later \"until\"."]
      ),
      (
        #""allowance": "count" }, "many""#, #""in": [], "per": "day" }, "many""#,
        [
          "unknown-key features.story.in: \"in\" belongs to \"items\", \"prerequisite\" and \"coins\". Add \"allowance\": \"items\", or remove it."
        ]
      ),
      (
        #""period": "P1Y", "grants": { "story": 9 }"#, #""period": "P1Y", "grants": { "story": 9, "many": { "limit": 3 } }"#,
        [
          "grant-of-part products[1].grants.many: \"many\" is a part of \"story\" and opens with it. Grant an amount of \"story\" instead."
        ]
      ),
      (
        #""monetization": "on""#, #""collections": { "c": { "title": "C", "items": 100001 } }"#,
        ["bad-value collections.c.items: A collection has 1 to 100000 items, not 100001."]
      ),
      (
        #""monetization": "on""#, #""milestones": { "m": { "feature": "story", "uses": 0, "action": "review" } }"#,
        ["bad-value milestones.m.uses: A milestone is reached after 1 use or more, not 0."]
      ),
      (
        #""monetization": "on""#, #""collections": { "c": { "title": "C", "itmes": 3 } }"#,
        ["unknown-key collections.c.itmes: Unknown key \"itmes\". Did you mean \"items\"?"]
      ),
      (
        #""monetization": "on""#, #""privacy": "kids""#,
        ["type-mismatch privacy: Expected an object here, but found the string \"kids\". Write it in braces: { … }."]
      ),
    ])
  func one(old: String, new: String, found: [String]) throws {
    let text = Self.catalog.replacingOccurrences(of: old, with: new)
    #expect(text != Self.catalog)
    // A list of known keys is cut off.
    #expect(Self.diagnostics(text).map { $0.components(separatedBy: " keys: ")[0] + ($0.contains(" keys: ") ? " keys" : "") } == found)
  }

  @Test("A misspelt \"variantOf\" does not make the arm that sells the product wrong; an unknown collection does not empty a placeholder")
  func followers() {
    func codes(_ old: String, _ new: String) -> [String] {
      let catalog = #"""
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "i": { "allowance": "items" } },
          "products": [
            { "kind": "nonConsumable", "id": "p", "name": "P", "grants": { "i": { "c": "unlimited" } } },
            { "kind": "nonConsumable", "id": "q", "name": "P", "variantOf": "p", "grants": { "i": { "c": "unlimited" } } }],
          "collections": { "c": { "title": "C", "items": 3 } },
          "paywalls": { "default": { "headline": "All of {collection}", "actions": ["purchase"] } },
          "experiments": { "x": { "arms": [{ "id": "a", "weight": 0.5 }, { "id": "b", "weight": 0.5, "products": ["q"] }] } } }
        """#
      let found = Catalog.reading(Data(catalog.replacingOccurrences(of: old, with: new).utf8)).diagnostics
      return found.filter { $0.severity != .note }.map(\.code.rawValue)
    }
    #expect(codes("variantOf", "variantOf") == [])
    #expect(codes("variantOf", "variantof") == ["unknown-key"])
    #expect(codes(#""collections": { "c""#, #""collections": { "d""#) == ["unknown-collection", "unknown-collection"])
  }

  private static func diagnostics(_ text: String) -> [String] {
    Catalog.reading(Data(text.utf8)).diagnostics.filter { $0.severity != .note }.map { "\($0.code) \($0.path): \($0.message)" }
  }
}

/// Mistakes do not hide each other: two mistakes give the diagnostics of each, wherever they are.
@Suite("Catalog: two mistakes, two diagnostics", .timeLimit(.minutes(10)))
struct TwoMistakesTests {
  private static let catalog = #"""
    { "schemaVersion": 1,
      "app": { "id": "t", "name": "T", "minimumOS": "16.0", "audience": "general" },
      "legal": { "terms": "https://t.example/terms", "privacy": "https://t.example/privacy", "renewal": "Renews each {period}" },
      "billing": { "gracePeriod": "P16D" },
      "features": {
        "story": { "title": "Stories", "allowance": "count", "per": "month", "unit": { "one": "story", "other": "stories" }, "placement": "more", "unlockMessage": "More" },
        "export": { "title": "Export", "aliases": ["share"], "roles": ["parent"] } },
      "freeTier": { "title": "Free", "grants": { "story": 1, "share": true } },
      "products": [
        { "kind": "subscription", "id": "m", "name": "Monthly", "group": "g", "level": 1, "period": "P1M", "grants": { "story": 9 },
          "price": { "amount": "4.99", "currency": "USD" }, "description": "Many",
          "offers": [
            { "type": "introductory", "mode": "freeTrial", "period": "P7D" },
            { "type": "promotional", "id": "back", "mode": "payAsYouGo", "period": "P1M", "periods": 2,
              "price": { "amount": "1.99", "currency": "USD" } }] },
        { "kind": "nonRenewing", "id": "w", "name": "Week", "period": "P7D", "grants": { "story": 5 } },
        { "kind": "consumable", "id": "c", "name": "Ten", "credits": { "story": 10 } }],
      "paywalls": { "more": {
        "title": "More", "benefits": [{ "title": "A", "features": ["story"] }, { "title": "B", "features": ["export"] }],
        "products": ["m", "w"], "preselected": "m", "actions": ["purchase", "restore"], "labels": { "dismiss": "Later" },
        "trust": ["Cancel anytime"], "frequency": { "every": "P3D", "atMost": 5 } } },
      "onboarding": [{ "id": "first", "title": "Hi", "spends": "story", "next": "last" }, { "id": "last", "placement": "more" }],
      "milestones": { "five": { "feature": "story", "uses": 5, "action": "requestReview" } },
      "events": { "names": { "made": { "on": "used", "feature": "story" } } },
      "experiments": { "cta": { "arms": [{ "id": "a", "weight": 0.5 }, { "id": "b", "weight": 0.5 }], "coverage": 0.5 } } }
    """#

  /// Each makes one mistake: some in the structure, some against a rule.
  private static let mistakes: [(old: String, new: String)] = [
    (#""id": "t", "name": "T""#, #""id": "t""#), (#""16.0""#, #""9.0""#), (#""general""#, #""everyone""#),
    (#""https://t.example/terms""#, #""terms""#), (#""https://t.example/privacy""#, "7"), ("{period}", "{perod}"), ("P16D", "P5D"),
    (#""allowance": "count", "per""#, #""allowance": "count", "pr""#), (#"{ "one": "story", "other""#, #"{ "one": 1, "other""#),
    (#""placement": "more", "unlock"#, #""placement": "mor", "unlock"#), (#"["parent"]"#, #"["parnt"]"#),
    (#"["share"]"#, #"["share", "story"]"#),
    (#""Free""#, "true"), (#""level": 1"#, #""level": 0"#), (#""name": "Monthly""#, #""name": 5"#),
    (#""period": "P1M", "grants""#, #""period": "P1D", "grants""#), (#""P7D" },"#, #""P0D" },"#),
    (#""type": "promotional""#, #""type": "promo""#), (#""mode": "payAsYouGo""#, #""mode": "pay""#),
    (#""period": "P1M", "periods""#, #""period": "P0D", "periods""#),
    (#""amount": "1.99""#, #""amount": "free""#), (#""amount": "4.99""#, #""amount": "4.999""#), (#""Many""#, "[]"),
    (#"{ "story": 9 }"#, #"{ "story": -9 }"#), (#""Week""#, "null"), (#"{ "story": 5 }"#, #"{ "stori": 5 }"#),
    (#"{ "story": 10 }"#, #"{ "story": 0 }"#), (#""title": "A""#, #""titel": "A""#), (#"["story"] }, {"#, #"["stry"] }, {"#),
    (#""B", "features": ["export"]"#, #""B", "features": "export""#), (#"["m", "w"]"#, #"["m", "w", "w"]"#),
    (#""preselected": "m""#, #""preselected": "mm""#), (#""restore""#, #""restor""#), (#""dismiss""#, #""dismis""#),
    (#"["Cancel anytime"]"#, #""Cancel anytime""#), (#""every": "P3D""#, #""every": "3 days""#), (#""title": "Hi""#, #""title": 0"#),
    (#""spends": "story""#, #""spends": "stories""#), (#""next": "last""#, #""next": "lost""#),
    (#""id": "last", "placement": "more""#, #""id": "last", "placement": "moer""#),
    (#""feature": "story", "uses""#, #""feature": "strory", "uses""#),
    (#""uses": 5"#, #""uses": 0"#), (#""requestReview""#, "{}"), (#""title": "More", "benefits""#, #""title": "{prise}", "benefits""#),
    (#""on": "used""#, #""on": "usd""#),
    (#""used", "feature": "story""#, #""used", "feature": "stork""#), (#""coverage": 0.5"#, #""coverage": 5"#),
    (#""a", "weight": 0.5"#, #""a", "weight": 0.6"#), (#""id": "b", "weight""#, #""id": "a", "weight""#),
  ]

  @Test("The catalog has no mistake, and each edit makes one") func base() {
    #expect(Self.diagnostics(Self.catalog) == [])
    for mistake in Self.mistakes {
      let text = Self.catalog.replacingOccurrences(of: mistake.old, with: mistake.new)
      #expect(text != Self.catalog && Self.diagnostics(text).count == 1, "\(mistake.new): \(Self.diagnostics(text).sorted())")
    }
  }

  @Test("Every pair of mistakes gives both diagnostics and no other", arguments: mistakes.indices) func pairs(first: Int) {
    for second in Self.mistakes.indices where second > first {
      let (one, other) = (Self.mistakes[first], Self.mistakes[second])
      let changed = Self.catalog.replacingOccurrences(of: one.old, with: one.new)
      let both = changed.replacingOccurrences(of: other.old, with: other.new)
      let alone = Self.catalog.replacingOccurrences(of: other.old, with: other.new)
      // Edits of one text cannot both be made.
      guard both != changed, both.replacingOccurrences(of: one.new, with: one.old) == alone else { continue }
      let (found, expected) = (Self.diagnostics(both), Self.diagnostics(changed).union(Self.diagnostics(alone)))
      #expect(found == expected, "\(one.new) and \(other.new): \(found.symmetricDifference(expected))")
    }
  }

  private static func diagnostics(_ text: String) -> Set<String> {
    Set(Catalog.reading(Data(text.utf8)).diagnostics.filter { $0.severity != .note }.map { "\($0.code) \($0.path): \($0.message)" })
  }
}

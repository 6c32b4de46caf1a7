// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// A part asks whether an amount reaches its own (decision 51): the amount of the plan, and that of every cap.
@Suite("Parts", .timeLimit(.minutes(30)))
struct PartTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let shape: String
    let less: String
    let atLeast: String
    let more: String
    var testDescription: String { shape }
  }

  private static let samples: [Sample] =
    [
      .init(shape: #""allowance": "capacity""#, less: "1", atLeast: "2", more: "5"),
      .init(shape: #""allowance": "items", "in": ["levels"]"#, less: "1", atLeast: "2", more: "3"),
      .init(shape: #""allowance": "window""#, less: "\"P7D\"", atLeast: "\"P10D\"", more: "\"P30D\""),
      .init(shape: #""allowance": "level", "levels": ["a", "b", "c"]"#, less: "\"a\"", atLeast: "\"b\"", more: "\"c\""),
      .init(shape: #""allowance": "duration", "per": "day""#, less: "\"PT1M\"", atLeast: "\"PT10M\"", more: "\"PT1H\""),
    ]
    + [#""lifetime""#, #""day""#, #""month""#, #""P7D""#, #"{ "anchored": "P1M" }"#, #"{ "anchored": "P1Y" }"#].map {
      // The free tier has no purchase to count from.
      let less = $0.contains("anchored") ? #"{ "limit": 1, "per": "lifetime" }"# : "1"
      return .init(shape: "\"allowance\": \"count\", \"per\": \($0)", less: less, atLeast: "5", more: "10")
    }

  private func catalog(_ sample: Sample) throws -> Catalog {
    try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "collections": { "levels": { "title": "Levels", "items": 5 } },
          "features": { "f": { \(sample.shape) }, "part": { "of": "f", "atLeast": \(sample.atLeast) } },
          "freeTier": { "grants": { "f": \(sample.less) } },
          "products": [
            { "kind": "nonConsumable", "id": "p", "name": "P", "grants": { "f": \(sample.more) } },
            { "kind": "subscription", "id": "s", "name": "S", "group": "g", "level": 1, "period": "P1M", "grants": { "f": \(sample.more) } }] }
        """.utf8))
  }

  private func part(_ catalog: Catalog, _ facts: [Fact], held: Int? = nil) -> Decision {
    Snapshot(of: CustomerState(facts), catalog: catalog, at: t0).decision(for: AccessRequest("part", held: held))
  }

  private func cap(_ feature: FeatureID, _ amount: String) -> Fact {
    .cap(Cap(feature: feature, subject: .customer, amount: amount, revision: Revision(t0)))
  }

  @Test(
    "A part is open from its amount on, in its own period or a shorter one",
    arguments: [
      (#""year""#, #"{ "limit": 5, "per": "week" }"#, true), (#""year""#, #"{ "limit": 4, "per": "week" }"#, false),
      (#""week""#, #"{ "limit": 50, "per": "year" }"#, false), (#""month""#, #"{ "limit": 5, "per": { "anchored": "P1M" } }"#, true),
      (#""P7D""#, #"{ "limit": 5, "per": "week" }"#, true), (#""P7D""#, #"{ "limit": 5, "per": "P8D" }"#, false),
      (#""lifetime""#, #"{ "limit": 5, "per": "year" }"#, true), (#""year""#, #"{ "limit": 5, "per": "lifetime" }"#, false),
    ])
  func otherPeriods(_ period: String, _ amount: String, _ isOpen: Bool) throws {
    let shape = #""allowance": "count", "per": "# + period
    let catalog = try catalog(.init(shape: shape, less: "0", atLeast: "5", more: amount))
    #expect(part(catalog, [bought("p")]).isAllowed == isOpen)
  }

  @Test("A part is opened by the purchase of an amount that reaches its own, however the amount is counted", arguments: samples)
  func purchases(_ sample: Sample) throws {
    let catalog = try catalog(sample)
    let before = part(catalog, [])
    #expect(!before.isAllowed && before.unlockedBy == ["p", "s"] && before.reason == .requiresPurchase)
    #expect(part(catalog, [bought("p")]).isAllowed)
    #expect(part(catalog, [bought("s", until: t0 + 86400)]).isAllowed)
  }

  @Test("Law 11: a cap closes a part when it is below the part's amount, and leaves it open otherwise", arguments: samples)
  func caps(_ sample: Sample) throws {
    let catalog = try catalog(sample)
    for feature: FeatureID in ["f", "part"] {
      for amount in [sample.atLeast, sample.more, "\"unlimited\""] {
        #expect(part(catalog, [bought("p"), cap(feature, amount)]).isAllowed, "\(amount) for \(feature)")
      }
      for held in [nil, 0, 5] {
        let closed = part(catalog, [bought("p"), cap(feature, sample.less)], held: held)
        #expect(!closed.isAllowed && closed.reason == .parentalLimit && closed.unlockedBy.isEmpty && closed.placement == nil)
      }
      #expect(part(catalog, [cap(feature, sample.more)]).unlockedBy == ["p", "s"], "a cap that is no obstacle hides no offer")
    }
    #expect(part(catalog, [bought("p"), cap("f", sample.more), cap("part", sample.less)]).reason == .parentalLimit)
  }

  @Test("A part of a count stays open when its plan or its cap is used up: it asks about the amount") func usedUp() throws {
    let catalog = try Shipped.catalog("magical-stories")
    let facts = [used("story", 3, at: t0), cap("story", "3")]
    let snapshot = Snapshot(of: CustomerState(facts), catalog: catalog, at: t0)
    #expect(snapshot.decision(for: "story").reason == .parentalLimit)
    #expect(snapshot.allows("basicStoryGeneration") && snapshot.decision(for: "basicStoryGeneration").remaining == 0)
  }

  @Test("Premium with room for three child profiles by the parent's limit has several, and with one it has not") func profiles() throws {
    let catalog = try Shipped.catalog("magical-stories")
    let premium = bought("com.magicalstories.premium.monthly", until: t0 + 86400)
    func decide(_ amount: String) -> Decision {
      Snapshot(of: CustomerState([premium, cap("childProfiles", amount)]), catalog: catalog, at: t0).decision(for: "multipleChildProfiles")
    }
    #expect(decide("3").isAllowed && decide("2").isAllowed)
    #expect(!decide("1").isAllowed && decide("1").reason == .parentalLimit)
  }

  @Test("A feature that is not out is not available, for any role: also a part with roles of its own") func conditions() throws {
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "releases": ["v1"],
          "features": { "f": { "release": "v2" }, "part": { "of": "f", "atLeast": true, "roles": ["parent"] } },
          "freeTier": { "grants": { "f": true } } }
        """.utf8))
    let snapshot = Snapshot(of: CustomerState(), catalog: catalog, situation: Situation(member: .child("max")), at: t0)
    #expect(snapshot.decision(for: "part").reason == .notAvailable)
  }

  @Test("A cap that leaves levels to progress, or items to coins, denies them for the reason that they have without it") func progress()
    throws
  {
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
          "collections": { "levels": { "title": "L", "items": 2 }, "hats": { "title": "H", "items": [{ "id": "hat", "coins": 5 }] } },
          "features": { "play": { "allowance": "prerequisite", "requires": "previous", "in": ["levels"] },
            "shop": { "allowance": "coins", "in": ["hats"] } },
          "freeTier": { "grants": { "play": true, "shop": true } } }
        """.utf8))
    func reason(_ feature: FeatureID, _ item: ItemPath, _ amount: String) -> Reason {
      Snapshot(of: CustomerState([cap(feature, amount)]), catalog: catalog, at: t0).decision(for: feature, item: item).reason
    }
    #expect(reason("play", "levels/2", "true") == .requiresCompletion && reason("shop", "hats/hat", "true") == .insufficientCoins)
    #expect(reason("play", "levels/2", "false") == .parentalLimit && reason("shop", "hats/hat", "false") == .parentalLimit)
  }

  @Test("A part's own release and roles come before those of its whole") func ownConditions() throws {
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
          "features": { "f": { "allowance": "count", "release": "v3", "roles": ["parent"] },
            "part": { "of": "f", "atLeast": 2, "release": "v2", "roles": ["child"] }, "other": { "of": "f", "atLeast": 2 } } }
        """#.utf8))
    let (part, other) = try (#require(catalog.feature("part")), #require(catalog.feature("other")))
    #expect(part.release == "v2" && part.roles == [.child] && other.release == "v3" && other.roles == [.parent])
    let text = Snapshot(of: CustomerState(), catalog: catalog, at: t0).decision(for: "part").text(for: part)
    #expect(text == "part: comes with release v2.")
  }

  @Test("Only the products that reach a part's amount open it, wherever the file declares the part", arguments: [true, false])
  func unlockedBy(isFirst: Bool) throws {
    let features = [#""f": { "allowance": "count" }"#, #""part": { "of": "f", "atLeast": 5 }"#]
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
          "features": { \((isFirst ? features.reversed() : features).joined(separator: ", ")) }, "freeTier": { "grants": { "f": 1 } },
          "products": [
            { "kind": "nonConsumable", "id": "three", "name": "Three", "grants": { "f": 3 } },
            { "kind": "nonConsumable", "id": "nine", "name": "Nine", "grants": { "f": 9 } }] }
        """.utf8))
    #expect(part(catalog, []).unlockedBy == ["nine"])
  }
}

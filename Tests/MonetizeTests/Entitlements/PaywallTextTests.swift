// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// C5: the engine fills its values into the texts of paywalls and features.
@Suite("Texts of paywalls and features", .timeLimit(.minutes(30)))
struct PaywallTextTests {
  private func snapshot(_ catalog: Catalog, _ facts: [Fact] = []) -> Snapshot {
    Snapshot(of: CustomerState(facts), catalog: catalog, situation: Situation(store: .answered), at: t0)
  }

  private func paywall(_ snapshot: Snapshot, _ request: AccessRequest) throws -> Paywall {
    try #require(snapshot.paywall(for: snapshot.decision(for: request), request: request))
  }

  @Test("C5: a headline is the unlock message of the requested feature") func unlockMessage() throws {
    let magical = snapshot(try Shipped.catalog("magical-stories"))
    #expect(try paywall(magical, AccessRequest("growthPathCollections")).definition.headline == "Access developmental story collections")
    #expect(try paywall(magical, AccessRequest("unlimitedStoryGeneration")).definition.headline == "Create unlimited magical stories")
  }

  @Test("C5: a headline names the collection of the item; without one the text is left out") func collection() throws {
    let maze = snapshot(try Shipped.catalog("maze-packs"))
    #expect(try paywall(maze, AccessRequest("story.play", item: "denny/4")).definition.headline == "All of Denny's Stories")
    #expect(maze.paywall(at: .default)?.definition.headline == nil)
  }

  private static let notes = #"""
    { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": {
        "note": { "allowance": "count", "per": "month", "unit": { "one": "note", "other": "notes" }, "description": "{limit} {unit} per {period}" },
        "time": { "allowance": "duration", "per": "P7D", "description": "{limit} a {period}" },
        "old": { "allowance": "window", "description": "The last {limit}" },
        "some": { "of": "note", "atLeast": 1, "description": "{limit} {unit}" }, "export": {}, "sync": { "unlockMessage": "On all devices" } },
      "freeTier": { "grants": { "note": 3, "time": "PT30M", "old": "P7D" } },
      "products": [
        { "kind": "subscription", "id": "year", "name": "Y", "group": "g", "level": 1, "period": "P1Y", "grants": { "note": "unlimited", "export": true, "sync": true } },
        { "kind": "subscription", "id": "month", "name": "M", "group": "g", "level": 1, "period": "P1M", "grants": { "note": "unlimited", "export": true, "sync": true } }],
      "paywalls": {
        "default": { "headline": "Notes", "title": "{unit}", "preselected": "month", "labels": { "purchase": "Buy for {price}", "dismiss": "{ not a name }" } },
        "usageLimitReached": { "headline": "{limit} {unit} per {period}", "trust": ["{limit} free", "{limit} {unit}"],
          "benefits": [{ "title": "More than {limit}", "description": "Free: {limit}" }, { "title": "All" }] },
        "featureRestricted": { "headline": "{unlockMessage}" } },
      "legal": { "renewal": "Renews at {price} per {period}." } }
    """#

  @Test("C5: limit, unit and period are those of the decision; a text without a value is replaced by the default's") func limits() throws {
    let now = snapshot(try Catalog(json: Data(Self.notes.utf8)), [used("note", 3, at: t0)])
    let limit = try paywall(now, AccessRequest("note"))
    #expect(limit.definition.headline == "3 notes per month" && limit.definition.title == "notes")
    #expect(limit.definition.trust == ["3 free", "3 notes"])
    #expect(
      limit.definition.benefits?.map(\.title) == ["More than 3", "All"] && limit.definition.benefits?.first?.description == "Free: 3")
    #expect(limit.definition.labels == ["purchase": "Buy for {price}", "dismiss": "{ not a name }"])
    #expect(try paywall(now, AccessRequest("sync")).definition.headline == "On all devices")
    #expect(try paywall(now, AccessRequest("export")).definition.headline == "Notes")
  }

  @Test("A paywall takes each value that it lacks from the default one, and keeps its own; labels and badges are merged one by one")
  func inherited() throws {
    let json = #"""
      { "title": "X", "headline": "X", "subtitle": "X", "benefitsTitle": "X", "benefits": [{ "title": "X" }], "products": ["X"],
        "preselected": "X", "actions": ["X"], "labels": { "a": "X" }, "badges": { "a": "X" }, "purchaseLabel": "X", "trust": ["X"],
        "socialProof": { "text": "X" }, "prompt": "X", "frequency": { "atMost": 1 } }
      """#
    func definition(_ word: String, atMost: Int) throws -> PaywallDefinition {
      let text = json.replacingOccurrences(of: "\"X\"", with: "\"\(word)\"").replacingOccurrences(of: "1", with: "\(atMost)")
      return try JSONDecoder().decode(PaywallDefinition.self, from: Data(text.utf8))
    }
    let (own, base) = (try definition("own", atMost: 2), try definition("base", atMost: 3))
    #expect(Mirror(reflecting: base).children.allSatisfy { "\($0.value)" != "nil" }, "every value is set")
    #expect(own.inheriting(base) == own && PaywallDefinition().inheriting(base) == base && own.inheriting(nil) == own)
    var (one, other) = (PaywallDefinition(), base)
    (one.labels, other.labels) = (["b": "own", "c": "own"], ["a": "base", "b": "base"])
    (one.badges, other.badges) = (one.labels, other.labels)
    let merged = one.inheriting(other)
    #expect(merged.labels == ["a": "base", "b": "own", "c": "own"] && merged.badges == merged.labels)
  }

  @Test("The values of placeholders are in every text, and a text with one that has no value is left out") func everyText() throws {
    func definition(_ text: String) throws -> PaywallDefinition {
      let json = #"""
        { "title": "T", "headline": "T", "subtitle": "T", "benefitsTitle": "T", "benefits": [{ "title": "T", "description": "T" }],
          "products": ["p"], "labels": { "a": "T" }, "purchaseLabel": "T", "trust": ["T"], "socialProof": { "text": "T" } }
        """#
      return try JSONDecoder().decode(PaywallDefinition.self, from: Data(json.replacingOccurrences(of: "\"T\"", with: "\"\(text)\"").utf8))
    }
    #expect(try definition("{price} once").filled([.price: "5 €"]) == definition("5 € once"))
    let empty = try definition("{price} once").filled([:])
    #expect(empty == PaywallDefinition(benefits: [], products: ["p"], labels: [:], trust: []))
  }

  @Test("C5: the price is the store's, of the preselected product; without it the text is left out") func price() throws {
    let now = snapshot(try Catalog(json: Data(Self.notes.utf8)))
    let paywall = try paywall(now, AccessRequest("export"))
    let month = StoreProduct(
      id: "month", displayName: "M", displayPrice: "4,99 €", price: Money(amount: 5, currency: "EUR"), period: Period(months: 1))
    #expect(paywall.priced(by: [month]).definition.labels?["purchase"] == "Buy for 4,99 €")
    #expect(paywall.priced(by: []).definition.labels == ["dismiss": "{ not a name }"])
    #expect(now.catalog.legal?.renewal(of: month) == "Renews at 4,99 € per month.")
  }

  @Test("C5: a description contains the customer's own limit, for a part that of its whole") func descriptions() throws {
    let catalog = try Catalog(json: Data(Self.notes.utf8))
    #expect(
      ["note", "some", "time", "old", "export"].map { snapshot(catalog).description(of: $0) } == [
        "3 notes per month", "3 notes", "30 minutes a week", "The last 7 days", nil,
      ])
    let paid = snapshot(catalog, [bought("year", until: t0 + 86400)])
    #expect(paid.description(of: "some") == "unlimited notes" && paid.description(of: "note") == nil)
    #expect(snapshot(try Shipped.catalog("magical-stories")).description(of: "basicStoryGeneration") == "Generate 3 stories per month")
  }
}

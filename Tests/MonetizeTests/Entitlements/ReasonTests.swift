// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// There are ten reasons for a denial, each with a different meaning for people.
@Suite("Reasons", .timeLimit(.minutes(30)))
struct ReasonTests {
  private static let text = """
    { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "releases": ["v1"],
      "collections": { "levels": { "title": "Levels", "items": 2 }, "hats": { "title": "Hats", "items": [{ "id": "hat", "coins": 11 }] } },
      "features": {
        "extra": { "title": "Extra" }, "story": { "title": "Stories", "allowance": "count", "per": "month" },
        "profiles": { "title": "Profiles", "allowance": "capacity" }, "history": { "title": "History", "allowance": "window" },
        "levels": { "title": "Levels", "allowance": "prerequisite", "requires": "previous", "in": ["levels"] },
        "shop": { "title": "Shop", "allowance": "coins", "in": ["hats"] }, "board": { "title": "Board", "roles": ["parent"] },
        "later": { "title": "Later", "release": "v2" } },
      "freeTier": { "grants": { "story": 3, "profiles": 1, "history": "P7D", "levels": true, "shop": true, "board": true, "later": true } },
      "products": [{ "kind": "nonConsumable", "id": "p", "name": "P",
        "grants": { "extra": true, "story": "unlimited", "profiles": "unlimited", "history": "unlimited" } }] }
    """

  struct Case: Sendable, CustomTestStringConvertible {
    let reason: Reason
    let request: AccessRequest
    var facts: [Fact] = []
    var situation = Situation()
    let buyingHelps: Bool
    var placement: PlacementID?
    let text: String
    var testDescription: String { reason.rawValue }
  }

  static let cases: [Case] = [
    Case(
      reason: .requiresPurchase, request: AccessRequest("extra"), buyingHelps: true, placement: .featureRestricted,
      text: "Extra: opens with a purchase."),
    Case(
      reason: .limitReached, request: AccessRequest("story"), facts: [used("story", 3, at: t0)], buyingHelps: true,
      placement: .usageLimitReached, text: "Stories: all 3 are used up. The count starts again at 2026-04-01 00:00. A purchase opens more."),
    Case(
      reason: .capacity, request: AccessRequest("profiles", held: 1), buyingHelps: true, placement: .usageLimitReached,
      text: "Profiles: you already have 1 of 1. A purchase opens more."),
    Case(
      reason: .outsideWindow, request: AccessRequest("history", date: t0 - 8 * 86400), buyingHelps: true, placement: .featureRestricted,
      text: "History: nothing older than 2026-02-22 12:00 is shown. A purchase opens more."),
    Case(
      reason: .pending, request: AccessRequest("extra"),
      facts: [.pending(PendingPurchase(productID: "p", since: t0, lapses: t0 + 86400, revision: Revision(t0)))], buyingHelps: true,
      text: "Extra: a purchase waits for approval."),
    Case(
      reason: .unknown, request: AccessRequest("extra"), situation: Situation(store: .waiting), buyingHelps: true,
      text: "Extra: waiting for the store's answer."),
    Case(
      reason: .requiresCompletion, request: AccessRequest("levels", item: "levels/2"), buyingHelps: false,
      text: "Levels: complete 1 first."),
    Case(
      reason: .requiresParent, request: AccessRequest("board"), situation: Situation(member: .child("max")), buyingHelps: false,
      text: "Board: only a parent can open this."),
    Case(
      reason: .insufficientCoins, request: AccessRequest("shop", item: "hats/hat"), buyingHelps: false, text: "Shop: 0 of 11 coins."),
    Case(reason: .notAvailable, request: AccessRequest("later"), buyingHelps: false, text: "Later: comes with release v2."),
  ]

  @Test(
    "XC-12, PUZZ-34: each reason is distinct, has a text, knows whether buying helps, and leads to a paywall only if it does",
    arguments: cases)
  func reason(_ expected: Case) throws {
    let catalog = try Catalog(json: Data(Self.text.utf8))
    let snapshot = Snapshot(of: CustomerState(expected.facts), catalog: catalog, situation: expected.situation, at: t0)
    let decision = snapshot.decision(for: expected.request)
    #expect(!decision.isAllowed && decision.reason == expected.reason)
    #expect(decision.buyingHelps == expected.buyingHelps && decision.placement == expected.placement)
    #expect(decision.text(for: catalog.feature(expected.request.feature), zone: Calendar.storeCalendar.timeZone) == expected.text)
  }

  @Test("A rolling limit gets its uses back one after the other: its text promises more, and no new count")
  func rolling() throws {
    let catalog = try Catalog(
      json: Data(
        #"""
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" },
          "features": { "try": { "title": "Tries", "allowance": "count", "per": "PT4H" } }, "freeTier": { "grants": { "try": 2 } } }
        """#.utf8))
    func use(_ number: Int, _ date: Date) -> Fact {
      .use(Use(key: "\(number)", feature: "try", date: date, day: 20_513, zone: "GMT"))
    }
    let snapshot = Snapshot(of: CustomerState([use(1, t0 - 7200), use(2, t0)]), catalog: catalog, at: t0)
    let text = snapshot.decision(for: "try").text(for: catalog.feature("try"), zone: Calendar.storeCalendar.timeZone)
    #expect(text == "Tries: all 2 are used up. More is possible from 2026-03-01 14:00.")
  }

  @Test("XC-12: ten reasons have ten different texts") func ten() {
    #expect(Set(Self.cases.map(\.reason)).count == 10 && Set(Self.cases.map { $0.text.split(separator: ":").last }).count == 10)
  }

  @Test("While monetization is off, no product is named: items for coins and for progress stay closed, without a paywall") func off() throws
  {
    let everything = Self.text.replacingOccurrences(of: #""extra": true,"#, with: #""shop": "unlimited", "levels": "unlimited","#)
    let text = everything.replacingOccurrences(of: #""releases""#, with: #""monetization": "off", "releases""#)
    for (json, products) in [(everything, [ProductID("p")]), (text, [])] {
      let snapshot = Snapshot(of: CustomerState(), catalog: try Catalog(json: Data(json.utf8)), at: t0)
      for request in [AccessRequest("shop", item: "hats/hat"), AccessRequest("levels", item: "levels/2")] {
        let decision = snapshot.decision(for: request)
        #expect(!decision.isAllowed && decision.unlockedBy == products)
        #expect((snapshot.paywall(for: decision, request: request) == nil) == products.isEmpty)
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Credits that the app gives without a purchase: rewards, and uses that support gives back.
@Suite("Credits without a purchase", .timeLimit(.minutes(30)))
struct GivenCreditsTests {
  private static let json = """
    { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
      "features": { "story": { "allowance": "count", "per": "month", "aliases": ["tale"] }, "pages": { "of": "story", "atLeast": 5 },
                    "practice": { "allowance": "duration" }, "voices": {}, "slots": { "allowance": "capacity" } },
      "freeTier": { "grants": { "story": 1, "slots": 1 } },
      "products": [{ "kind": "consumable", "id": "ten", "name": "Ten", "credits": { "story": 10 } }] }
    """

  private func launch(_ storage: any StateStorage = .memory, secure: (any StateStorage)? = nil) throws -> Monetizer {
    try Monetizer(catalog: Catalog(json: Data(Self.json.utf8))) {
      ($0.storage, $0.secureStorage, $0.time, $0.startsByItself) = (storage, secure, TestTime(), false)
      $0.zone = { Calendar.storeCalendar.timeZone }
    }
  }

  @Test("They cover uses beyond the grants, once for each id, under every name of the feature, for the whole family")
  func adding() async throws {
    let monetizer = try launch()
    await monetizer.give(credits: ["tale": 2], id: "a")
    await monetizer.give(credits: ["story": 2], id: "a")
    await monetizer.give(credits: ["story": 1, "practice": 60], id: "b")
    #expect(monetizer.decision(for: "story").remaining == 4 && monetizer.decision(for: "practice").remaining == 60)
    try await monetizer.spend("story", count: 3)
    let child = monetizer.as(.child("max")).decision(for: "story")
    #expect(child.credits == 1 && child.remaining == 2, "The child's own free story, and the credit that is left.")
  }

  @Test("A feature that counts no uses ignores them, and so does a part") func others() async throws {
    let monetizer = try launch()
    await monetizer.give(credits: ["voices": 5, "slots": 5, "pages": 2, "gone": 1], id: "a")
    #expect(!monetizer.allows("voices") && monetizer.decision(for: AccessRequest("slots", held: 1)).isAllowed == false)
    #expect(!monetizer.allows("pages") && monetizer.decision(for: "story").remaining == 3, "Those of a part are those of its whole.")
    let part = Fact.grant(ComplimentaryGrant(id: "b", credits: ["pages": 9], from: RandomFacts.start))
    let state = CustomerState([part])
    let snapshot = Snapshot(of: state, catalog: try Catalog(json: Data(Self.json.utf8)), at: RandomFacts.start)
    #expect(!snapshot.allows("pages") && snapshot.decision(for: "story").remaining == 1)
  }

  @Test("Taken back, they are gone; those that were used are owed") func takenBack() async throws {
    let monetizer = try launch()
    await monetizer.give(credits: ["story": 2], id: "a")
    try await monetizer.spend("story", count: 2)
    await monetizer.takeBack(gift: "a")
    #expect(!monetizer.allows("story"))
    await monetizer.give(credits: ["story": 3], id: "b")
    #expect(monetizer.decision(for: "story").remaining == 2)
    await monetizer.give(credits: ["story": 2], id: "a")
    #expect(monetizer.decision(for: "story").remaining == 4)
  }

  @Test("They survive a reinstallation together with the uses that they covered, so that nothing is owed after it")
  func reinstalled() async throws {
    let secure = MemoryStorage()
    let first = try launch(secure: secure)
    await first.give(credits: ["story": 2], id: "a")
    try await first.spend("story", count: 2)
    await first.written()
    let again = try launch(secure: secure)
    #expect(again.decision(for: "story").remaining == 1 && again.decision(for: "story").credits == 1)
  }

  @Test("They are no purchase, so a restore finds nothing") func restored() async throws {
    let monetizer = try launch()
    await monetizer.start()
    await monetizer.give(credits: ["story": 2], id: "a")
    #expect(try await monetizer.restorePurchases() == .nothingToRestore)
  }

  @Test("A use that they cover is not paid, unless credits were bought as well") func unpaid() throws {
    let gift = Fact.grant(ComplimentaryGrant(id: "a", credits: ["story": 2], from: RandomFacts.start))
    let bought = Fact.transaction(StoreTransaction(id: "1", productID: "ten", purchaseDate: RandomFacts.start))
    let catalog = try Catalog(json: Data(Self.json.utf8))
    let use = Use(key: "k", feature: "story", date: RandomFacts.start, day: 20_513, zone: "GMT", credits: 1)
    for (facts, isPaid) in [([gift], false), ([gift, bought], true)] {
      #expect(Snapshot(of: CustomerState(facts), catalog: catalog, at: RandomFacts.start).isPaid(use) == isPaid)
    }
  }

  @Test("A gift without credits is written as before, and amounts of a damaged or foreign record are bounded") func records() throws {
    let plain = ComplimentaryGrant(id: "a", entitlements: ["pro"], from: RandomFacts.start)
    let text = String(decoding: try JSONEncoder().encode(plain), as: UTF8.self)
    #expect(!text.contains("credits"))
    #expect(try JSONDecoder().decode(ComplimentaryGrant.self, from: Data(text.utf8)) == plain)
    for (amount, credits) in [("-5", 0), ("9223372036854775807", Use.unknownAmount)] {
      let odd = text.replacingOccurrences(of: #""id":"a""#, with: #""id":"a","credits":{"story":\#(amount)}"#)
      #expect(try JSONDecoder().decode(ComplimentaryGrant.self, from: Data(odd.utf8)).credits["story"] == credits)
    }
    #expect(ComplimentaryGrant(id: "a", credits: ["story": 0], from: RandomFacts.start).credits.isEmpty)
  }
}

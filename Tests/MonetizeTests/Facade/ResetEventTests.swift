// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeTesting
import Testing

@testable import Monetize

/// The event of a limit that was used up and begins again.
@Suite("Resets", .timeLimit(.minutes(30)))
struct ResetEventTests {
  private let april = RandomFacts.start + 30.5 * 86400
  private let time = TestTime()
  private let storage = MemoryStorage()

  private func catalog(events: Bool = true) throws -> Catalog {
    try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" }\(events ? #", "events": { "sinks": ["local"] }"# : ""),
          "features": { "story": { "allowance": "count", "per": "month" }, "many": { "of": "story", "atLeast": 5 },
                        "export": { "allowance": "count" } },
          "freeTier": { "grants": { "story": 3, "export": 3 } },
          "products": [{ "kind": "nonConsumable", "id": "more", "name": "More", "grants": { "story": 5 } },
                       { "kind": "nonConsumable", "id": "all", "name": "All", "grants": { "story": "unlimited" } }] }
        """.utf8))
  }

  /// Launches with the same storage and clock. The list grows with the features whose limit began again.
  private func launch(events: Bool = true) async throws -> (monetizer: Monetizer, resets: Locked<[FeatureID]>) {
    let resets = Locked<[FeatureID]>([])
    let monetizer = try TestShop.monetizer(storage: storage, time: time, catalog: catalog(events: events)) {
      $0.onEvent = { event in if event.name == .allowanceReset, let feature = event.feature { resets.withLock { $0.append(feature) } } }
    }
    await monetizer.start()
    return (monetizer, resets)
  }

  private func useUp(_ monetizer: Monetizer, story: Int = 3) async throws {
    for _ in 0..<story { try await monetizer.spend("story") }
    for _ in 0..<3 { try await monetizer.spend("export") }
  }

  private func buy(_ product: ProductID, _ monetizer: Monetizer) async {
    await monetizer.receive(.transaction(SignedTransaction(StoreTransaction(id: "1", productID: product, purchaseDate: time.now))))
  }

  @Test("A limit that was used up begins again with its period, once, and no other feature's does") func reset() async throws {
    let (monetizer, resets) = try await launch()
    try await useUp(monetizer)
    time.advance(april.timeIntervalSince(time.now) - 1)
    #expect(resets.copy == [])
    time.advance(1)
    #expect(resets.copy == ["story"])
    time.advance(40 * 86400)
    #expect(resets.copy == ["story"])
  }

  @Test("A limit that was not used up, and an app without events, have no reset") func none() async throws {
    let (monetizer, resets) = try await launch()
    try await useUp(monetizer, story: 2)
    time.advance(40 * 86400)
    #expect(resets.copy == [])
    let (silent, none) = try await launch(events: false)
    try await silent.spend("story", count: 3)
    time.advance(40 * 86400)
    #expect(none.copy == [])
  }

  @Test("A purchase that raises or removes the limit is no reset, neither at once nor in the next period", arguments: ["more", "all"])
  func bought(product: ProductID) async throws {
    let (monetizer, resets) = try await launch()
    try await useUp(monetizer)
    await buy(product, monetizer)
    #expect(monetizer.allows("story") && resets.copy == [])
    time.advance(40 * 86400)
    #expect(resets.copy == [])
  }

  @Test("A period that began while the app was closed has one event, at the next launch") func relaunched() async throws {
    var monetizer: Monetizer? = try await launch().monetizer
    try await useUp(try #require(monetizer))
    monetizer = nil
    time.set(april - 1)
    #expect(try await launch().resets.copy == [])
    time.set(april)
    #expect(try await launch().resets.copy == ["story"])
    #expect(try await launch().resets.copy == [])
  }
}

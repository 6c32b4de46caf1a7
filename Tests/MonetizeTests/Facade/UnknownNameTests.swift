// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTesting
import Testing

@Suite("A name that the catalog does not have")
struct UnknownNameTests {
  private let reported = Reported()
  private let catalog: Catalog

  init() throws {
    catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "com.example.notes", "name": "Notes" },
          "features": { "export": {}, "note": { "allowance": "count", "aliases": ["memo"] } },
          "freeTier": { "grants": { "note": 3 } },
          "entitlements": { "pro": { "title": "Pro", "grants": { "export": true } } },
          "products": [{ "kind": "nonConsumable", "id": "unlock", "name": "Unlock", "price": { "amount": "4.99", "currency": "USD" },
                         "entitlements": ["pro"] }] }
        """.utf8))
  }

  private var monetizer: Monetizer {
    Monetizer(catalog: catalog) { [reported] in
      $0.startsByItself = false
      $0.onUnknownName = { reported.add($0) }
    }
  }

  @Test("is reported once, with a guess, and the answer is no") func feature() {
    let monetizer = monetizer
    for _ in 0..<3 { #expect(!monetizer.allows("exprot")) }
    #expect(monetizer.decision(for: "exprot").reason == .unknownFeature)
    #expect(reported.all == ["The catalog of com.example.notes has no feature \"exprot\". Did you mean \"export\"?"])
  }

  @Test("is reported in every call with a feature: asking with parameters, spending, limiting, recording, as a member")
  func everywhere() async {
    let monetizer = monetizer
    _ = monetizer.decision(for: AccessRequest("a", count: 2))
    _ = try? await monetizer.spend("b")
    await monetizer.as(.child("max")).limit("c", to: .count(1))
    _ = monetizer.as(.child("max")).allows("d")
    _ = monetizer.as(.child("max")).decision(for: "e")
    await monetizer.record([Use(key: "1", feature: "f", date: Date(timeIntervalSince1970: 0), day: 0, zone: "GMT")])
    _ = (monetizer.allows("g"), monetizer.decision(for: "h"))
    await monetizer.give(["pr0"], id: "gift")
    #expect(reported.all.map { $0.split(separator: "\"")[1] } == ["a", "b", "c", "d", "e", "f", "g", "h", "pr0"])
    #expect(reported.all.last == "The catalog of com.example.notes has no entitlement \"pr0\". Did you mean \"pro\"?")
    #expect(reported.all.first == "The catalog of com.example.notes has no feature \"a\". Known names: export, memo, note.")
  }

  @Test("is reported for a fact of the app that could not be read back: its type is missing, or has a name of Monetize")
  func facts() async {
    let monetizer = Monetizer(catalog: catalog) { [reported] in
      ($0.startsByItself, $0.facts) = (false, .standard.adding(Taken.self))
      $0.onUnknownName = { reported.add($0) }
    }
    for _ in 0..<2 {
      #expect(await monetizer.record(Taken(key: "1")) == false)
      #expect(await monetizer.record(Unregistered(key: "1")) == false)
    }
    #expect(reported.all.map { $0.split(separator: "\"")[1] } == ["use", "visit"])
  }

  private struct Taken: CustomFact {
    static let name = "use"
    var key: String
    func merged(with other: Self) -> Self { self }
  }

  private struct Unregistered: CustomFact {
    static let name = "visit"
    var key: String
    func merged(with other: Self) -> Self { self }
  }

  @Test("is not reported for names and aliases of the catalog") func known() async throws {
    let monetizer = monetizer
    _ = monetizer.allows("export")
    _ = monetizer.decision(for: AccessRequest("memo", count: 2))
    try await monetizer.spend("note")
    await monetizer.give(["pro"], id: "gift")
    #expect(reported.all.isEmpty)
  }
}

private final class Reported: @unchecked Sendable {
  // Unchecked: the lock keeps every access exclusive.
  private let lock = NSLock()
  private var sentences: [String] = []

  var all: [String] { lock.withLock { sentences } }
  func add(_ sentence: String) { lock.withLock { sentences.append(sentence) } }
}

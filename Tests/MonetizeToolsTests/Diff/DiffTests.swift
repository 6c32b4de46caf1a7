// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

@Suite("Diff", .timeLimit(.minutes(30)))
struct DiffTests {
  static func diff(_ old: String, _ new: String) throws -> CatalogDiff { try CatalogDiff(old: Data(old.utf8), new: Data(new.utf8)) }

  static func edited(_ name: String, _ edits: KeyValuePairs<String, String>) throws -> String {
    try edits.reduce(ToolFixtures.shipped(name)) { text, edit in try ToolFixtures.replacing(edit.key, edit.value, in: text) }
  }

  @Test("Equal catalogs have no differences, with any white space", arguments: ToolFixtures.shipped)
  func equal(_ name: String) throws {
    let text = try ToolFixtures.shipped(name)
    let diff = try Self.diff(text, try ToolFixtures.patched(text, "{}"))
    #expect(diff.changes == [])
    #expect(DiffReport(diff, old: "a", new: "b").text == "Nothing changes from a to b.\n")
  }

  @Test("The sentences about a change") func sentences() throws {
    let new = try Self.edited(
      "magical-stories",
      [
        "\"grants\": { \"story\": 3, \"childProfiles\": 1": "\"grants\": { \"story\": 5, \"childProfiles\": 1",
        "\"offlineReading\": true, ": "",
        "\"amount\": \"8.99\"": "\"amount\": \"9.99\"", "\"headline\": \"Unlock More Features\"": "\"headline\": \"Unlock everything\"",
        "\"actions\": [\"upgrade\", \"dismiss\"]": "\"actions\": [\"upgrade\"]",
      ])
    let report = DiffReport(try Self.diff(ToolFixtures.shipped("magical-stories"), new), old: "main", new: "the new file")
    #expect(report.status == .no)
    try ToolFixtures.expectGolden(report.text + "\n" + report.markdown + "\n" + report.json, "diff-magical-stories.txt")
  }

  @Test(
    "A limit by another period takes nothing away only if it allows as much in every use of the old one",
    arguments: [
      (#"{ "limit": 3, "per": "day" }"#, #"{ "limit": 20, "per": "week" }"#, true),
      (#"{ "limit": 3, "per": "day" }"#, #"{ "limit": 21, "per": "week" }"#, false),
      (#"{ "limit": 5, "per": "day" }"#, #"{ "limit": 154, "per": "month" }"#, true),
      (#"{ "limit": 5, "per": "day" }"#, #"{ "limit": 155, "per": "month" }"#, false),
      (#"{ "limit": 1, "per": "day" }"#, #"{ "limit": 365, "per": "year" }"#, true),
      (#"{ "limit": 1, "per": "day" }"#, #"{ "limit": 366, "per": "year" }"#, false),
      (#"{ "limit": 3, "per": "day" }"#, #"{ "limit": 20, "per": "P7D" }"#, true),
      (#"{ "limit": 3, "per": "day" }"#, #"{ "limit": 20, "per": { "anchored": "P7D" } }"#, true),
      // Seven days from noon on have a part of eight days.
      (#"{ "limit": 3, "per": "day" }"#, #"{ "limit": 24, "per": { "anchored": "P7D" } }"#, false),
      (#"{ "limit": 20, "per": "week" }"#, #"{ "limit": 20, "per": "day" }"#, false),
    ])
  func periods(old: String, new: String, isLoss: Bool) throws {
    func catalog(_ amount: String) -> String {
      #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "story": { "allowance": "count" } },
        "products": [{ "kind": "nonConsumable", "id": "pro", "name": "Pro", "grants": { "story": \#(amount) } }] }
      """#
    }
    let report = DiffReport(try Self.diff(catalog(old), catalog(new)), old: "a", new: "b")
    #expect((report.status == .no) == isLoss, "\(report.text)")
  }

  @Test(
    "A limit by another period takes from the owners of a short pass what it takes before the pass ends",
    arguments: [
      ("P7D", #"{ "limit": 3, "per": "week" }"#, true), ("P14D", #"{ "limit": 20, "per": "week" }"#, true),
      ("P14D", #"{ "limit": 21, "per": "week" }"#, false),
    ])
  func pass(lasts: String, new: String, isLoss: Bool) throws {
    func catalog(_ amount: String) -> String {
      #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "story": { "allowance": "count" } },
        "products": [{ "kind": "nonRenewing", "id": "pass", "name": "Pass", "period": "\#(lasts)", "grants": { "story": \#(amount) } }] }
      """#
    }
    let report = DiffReport(try Self.diff(catalog(#"{ "limit": 3, "per": "day" }"#), catalog(new)), old: "a", new: "b")
    #expect((report.status == .no) == isLoss, "\(report.text)")
  }

  @Test("All paywalls that are added or removed at once are one change, in both directions") func allPaywalls() throws {
    func catalog(_ more: String) -> String {
      #"{ "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": {} }, "freeTier": { "grants": { "f": true } }\#(more) }"#
    }
    let (none, one) = (catalog(""), catalog(#", "paywalls": { "default": { "headline": "H" } }"#))
    #expect(try Self.diff(none, one).changes.map(\.sentence) == ["paywalls: default is added."])
    #expect(try Self.diff(one, none).changes.map(\.sentence) == ["paywalls: default is removed."])
  }

  @Test("Monetization that is turned off opens everything to everyone, and turned on again takes it away") func off() throws {
    let (on, off) = (
      try ToolFixtures.shipped("magical-stories"),
      try ToolFixtures.patched(ToolFixtures.shipped("magical-stories"), #"{ "monetization": "off" }"#)
    )
    let (opened, closed) = (try Self.diff(on, off).changes.map(\.sentence), try Self.diff(off, on).changes.map(\.sentence))
    #expect(opened.contains("Everyone gains Stories this month: 3 stories a month before, unlimited now."), "\(opened)")
    #expect(closed.contains("Everyone loses Stories this month: unlimited before, 3 stories a month now."), "\(closed)")
    #expect(opened.contains("Nothing is for sale any more, and no paywall appears."))
    #expect(closed.contains("The products are for sale again, and paywalls appear."))
    #expect(opened.count == closed.count && !opened.contains { $0.contains("No answer changes") })
  }

  @Test("Each kind of change of a shipped file is reported, and no other") func sorts() throws {
    let changes: [(String, KeyValuePairs<String, String>)] = [
      ("heatlab", ["\"history\": \"unlimited\", \"trends\": \"unlimited\"": "\"history\": \"P90D\", \"trends\": \"unlimited\""]),
      (
        "heatlab",
        [
          "\"id\": \"com.heatlab.pro.annual\", \"name\": \"Heatlab Pro Annual\", \"group\": \"pro\"":
            "\"id\": \"com.heatlab.pro.annual\", \"name\": \"Heatlab Pro Annual\", \"group\": \"years\""
        ]
      ),
      ("heatlab", ["\"enabled\": false }] },": "\"enabled\": true }] },"]),
      ("dozzi", ["\"story\": 2": "\"story\": 1"]),
      ("dozzi", ["\"familyShareable\": false": "\"familyShareable\": true"]),
      ("dozzi", ["\"id\": \"com.dozzi.unlimited_stories\"": "\"id\": \"com.dozzi.all_stories\""]),
      ("maze-packs", ["\"items\": 20": "\"items\": 18"]),
      ("maze-packs", ["\"retired\": [\"beginner\", ": "\"retired\": ["]),
      ("maxs-puzzles", ["\"releases\": [\"v1\"]": "\"releases\": [\"v1\", \"v2\"]"]),
      ("maxs-puzzles", ["\"ads\": \"none\"": "\"ads\": \"contextual\""]),
    ]
    let text = try changes.map { name, edits in
      let diff = try Self.diff(ToolFixtures.shipped(name), Self.edited(name, edits))
      return "# \(name): \(edits.map { "\($0.key)  ->  \($0.value)" }.joined())\n" + DiffReport(diff, old: "old", new: "new").text
    }
    try ToolFixtures.expectGolden(text.joined(separator: "\n"), "diff-sorts.txt")
  }

  @Test("An invalid catalog is not compared") func unreadable() {
    #expect(throws: CatalogError.self) { try Self.diff("{}", "{}") }
  }

  // MARK: Law 10

  @Test("Random edits: each error is a decision that goes from allowed to denied, and each such decision is an error", arguments: 1...40)
  func law(_ seed: Int) throws {
    var random = Random(UInt64(seed) &* 7919 &+ 13)
    var (compared, errors) = (0, 0)
    while compared < 8 {
      let old = RandomPair.random(&random)
      let new = old.edited(&random)
      guard let before = try? Catalog(json: Data(old.text().utf8)), let after = try? Catalog(json: Data(new.text().utf8)),
        let paid = try? Catalog(json: Data(old.text(withFreeTier: false).utf8))
      else { continue }
      compared += 1
      #expect(try Self.diff(old.text(), old.text()).changes.isEmpty)
      let diff = try Self.diff(old.text(), new.text())
      let taken = diff.changes.filter { $0.topic == .takenAway }
      errors += taken.count
      for change in taken {
        for product in change.products {
          let isConfirmed = change.examples.contains { question in
            question.decision(under: before, owning: product).isAllowed && !question.decision(under: after, owning: product).isAllowed
          }
          #expect(isConfirmed, "seed \(seed): \(change.sentence)\n\(old.text())\n\(new.text())")
        }
      }
      let reported = Set(taken.flatMap { change in change.products.map { "\($0) \(change.feature?.rawValue ?? "")" } })
      for asked in RandomQuestions.denied(old, paid, after, &random) {
        #expect(reported.contains(asked), "seed \(seed): \(asked) is lost and not reported\n\(old.text())\n\(new.text())")
      }
    }
    #expect(errors > 0, "seed \(seed): nothing was lost, so that nothing was shown")
  }
}

/// Random questions of owners after random uses, with the answers of whole catalogs.
enum RandomQuestions {
  /// Product and feature of each question that the old catalog allows by a purchase alone, and the new one denies.
  static func denied(_ pair: RandomPair, _ old: Catalog, _ new: Catalog, _ random: inout some RandomNumberGenerator) -> Set<String> {
    var denied: Set<String> = []
    for product in old.products {
      for feature in Set(product.grants.keys).union(product.credits.keys).sorted() {
        for _ in 0..<12 {
          let bought = Date(timeIntervalSince1970: 1_767_225_600 + Double(Int.random(in: 0..<80_000_000, using: &random)))
          let now = bought + Double(Int.random(in: 0..<80 * 86400, using: &random))
          let uses = (0..<Int.random(in: 0...3, using: &random)).map { index -> Fact in
            let date = bought + Double(Int.random(in: 0...Int(now.timeIntervalSince(bought)), using: &random))
            let day = Int((date.timeIntervalSince1970 / 86400).rounded(.down))
            return .use(
              Use(key: "\(index)", feature: feature, amount: Int.random(in: 1...3, using: &random), date: date, day: day, zone: "GMT"))
          }
          let isShared = product.isFamilyShareable && Bool.random(using: &random)
          let purchase = StoreTransaction(
            id: "1", productID: product.id, purchaseDate: bought, ownership: isShared ? .familyShared : .purchased)
          let facts = [Fact.transaction(purchase)] + uses
          let request = AccessRequest(
            feature, item: old.feature(feature).flatMap { item($0, old, &random) },
            level: old.feature(feature)?.shape is LevelShape ? ["low", "mid", "top"].randomElement(using: &random) : nil,
            date: Bool.random(using: &random) ? now - Double(Int.random(in: 0..<60 * 86400, using: &random)) : nil,
            held: Int.random(in: 0...6, using: &random), count: [1, 1, 2, 5, 100].randomElement(using: &random) ?? 1)
          let state = CustomerState(facts)
          if Snapshot(of: state, catalog: old, at: now).decision(for: request).isAllowed,
            !Snapshot(of: state, catalog: new, at: now).decision(for: request).isAllowed
          {
            denied.insert("\(product.id) \(feature)")
          }
        }
      }
    }
    return denied
  }

  private static func item(_ feature: Feature, _ catalog: Catalog, _ random: inout some RandomNumberGenerator) -> ItemPath? {
    guard type(of: feature.shape).isAboutItems else { return nil }
    return (feature.collections?.compactMap(catalog.collection) ?? catalog.collections).flatMap(\.paths).randomElement(using: &random)
  }
}

/// A small generator with a seed that a failure prints.
struct Random: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

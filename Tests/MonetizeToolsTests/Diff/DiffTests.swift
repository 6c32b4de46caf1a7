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

  @Test("Items that an entitlement gives of every collection are compared beside a collection that its product names") func collections()
    throws
  {
    func catalog(_ items: Int) -> String {
      #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "play": { "allowance": "items" } },
        "collections": { "one": { "title": "One", "items": 3 }, "two": { "title": "Two", "items": 3 } },
        "entitlements": { "pro": { "title": "Pro", "grants": { "play": \#(items) } } },
        "products": [{ "kind": "nonConsumable", "id": "p", "name": "P", "entitlements": ["pro"],
                       "grants": { "play": { "one": "unlimited" } } }] }
      """#
    }
    let sentences = try Self.diff(catalog(2), catalog(1)).changes.map(\.sentence)
    #expect(sentences.contains("Owners of P lose play (two/2): 5 of 6 items before, 4 of 6 items now."), "\(sentences)")
  }

  @Test(
    "What a purchase gave beside the free tier, and for longer, is a loss also where the free tier still gives something",
    arguments: [
      // Several limits: three ever, and two a week after them.
      (
        #""entitlements": { "e": { "title": "E", "grants": { "story": { "limit": 2, "per": "week" } } } }, "products": [{ "entitlements": ["e"],"#,
        #""products": [{"#, #""kind": "nonConsumable", "grants": { "story": 3 } }]"#
      ),
      // Families have one of two, and no second one after three days.
      (
        #""products": [{ "familyShareable": true,"#, #""products": [{"#,
        #""kind": "nonConsumable", "grants": { "story": { "limit": 1, "per": "P3D" } } }]"#
      ),
      // Between the new end and the old one, a week has one of two.
      (
        #""products": [{ "period": "P90D","#, #""products": [{ "period": "P30D","#,
        #""kind": "nonRenewing", "grants": { "story": { "limit": 1, "per": "P3D" } } }]"#
      ),
    ]) func beside(old: String, new: String, rest: String) throws
  {
    func catalog(_ begin: String) -> String {
      #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "story": { "allowance": "count" } },
        "freeTier": { "grants": { "story": { "limit": 1, "per": "week" } } }, \#(begin) "id": "p", "name": "P", \#(rest) }
      """#
    }
    let losses = try Self.diff(catalog(old), catalog(new)).changes.filter { $0.topic == .takenAway && $0.feature == "story" }
    #expect(losses.contains { $0.products == ["p"] })
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
    #expect(opened.count == closed.count && !opened.contains { $0.contains("No compared answer changes") })
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

  @Test(
    "Random edits: each error is a decision that goes from allowed to denied, and each such decision is an error",
    arguments: LawSeeds.run(40))
  func law(_ seed: Int) throws {
    var random = Random(UInt64(seed) &* 7919 &+ 13)
    var (compared, errors) = (0, 0)
    while compared < 8 || (errors == 0 && compared < 100) {
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
      for change in taken where change.feature != nil {
        for product in change.products {
          let isConfirmed = change.examples.contains { question in
            question.decision(under: before, owning: product).isAllowed && !question.decision(under: after, owning: product).isAllowed
          }
          #expect(isConfirmed, "seed \(seed): \(change.sentence)\n\(old.text())\n\(new.text())")
        }
      }
      let reported = Set(taken.flatMap { change in change.products.map { "\($0) \(change.feature?.rawValue ?? "")" } })
      for asked in RandomQuestions.denied(old, paid, after, &random) {
        #expect(!reported.isDisjoint(with: asked), "seed \(seed): \(asked) is lost and not reported\n\(old.text())\n\(new.text())")
      }
    }
    #expect(errors > 0, "seed \(seed): nothing was lost, so that nothing was shown")
  }
}

/// Random questions of owners after random uses, with the answers of whole catalogs.
enum RandomQuestions {
  /// The products and the feature of each question that the old catalog allows by purchases alone, and the new one denies.
  static func denied(_ pair: RandomPair, _ old: Catalog, _ new: Catalog, _ random: inout some RandomNumberGenerator) -> Set<Set<String>> {
    var denied: Set<Set<String>> = []
    for product in old.products {
      for feature in old.features.filter({ product.grants[$0.part?.whole ?? $0.id] != nil || product.credits[$0.id] != nil }).map(\.id) {
        for _ in 0..<12 {
          let first = purchase("1", of: product, &random)
          let now = first.purchaseDate + Double(Int.random(in: 0..<80 * 86400, using: &random))
          let second = Int.random(in: 0..<3, using: &random) > 0 ? nil : old.products.randomElement(using: &random)
          let purchases = [first] + (second.map { [purchase("2", of: $0, from: first.purchaseDate, until: now, &random)] } ?? [])
          let facts = used(feature, since: purchases, until: now, old, &random) + played(old.feature(feature), old, &random)
          let request = request(feature, old, now, &random)
          let state = CustomerState(facts)
          if Snapshot(of: state, catalog: old, at: now).decision(for: request).isAllowed,
            !Snapshot(of: state, catalog: new, at: now).decision(for: request).isAllowed
          {
            // A loss of the whole includes its parts.
            let names = [feature] + (old.feature(feature)?.part.map { [$0.whole] } ?? [])
            denied.insert(Set(purchases.flatMap { purchase in names.map { "\(purchase.productID) \($0)" } }))
          }
        }
      }
    }
    return denied
  }

  /// A product's features of which a customer with it, and with others for ever, may do something at a random time that one with only the others
  /// may not.
  static func opened(
    _ product: CatalogProduct, besides owned: [CatalogProduct], _ catalog: Catalog, _ random: inout some RandomNumberGenerator
  )
    -> Set<FeatureID>
  {
    let features = catalog.features.filter { product.grants[$0.part?.whole ?? $0.id] != nil || product.credits[$0.id] != nil }.map(\.id)
    return Set(
      features.filter { feature in
        (0..<12).contains { _ in
          let first = purchase("1", of: product, &random)
          let now = first.purchaseDate + Double(Int.random(in: 0..<80 * 86400, using: &random))
          let others = owned.enumerated().map { index, other in
            StoreTransaction(id: TransactionID("other \(index)"), productID: other.id, purchaseDate: first.purchaseDate)
          }
          let facts =
            used(feature, since: [first] + others, until: now, catalog, &random) + played(catalog.feature(feature), catalog, &random)
          let request = request(feature, catalog, now, &random)
          func isAllowed(_ facts: [Fact]) -> Bool {
            Snapshot(of: CustomerState(facts), catalog: catalog, at: now).decision(for: request).isAllowed
          }
          return isAllowed(facts) && !isAllowed(facts.filter { $0 != .transaction(first) })
        }
      })
  }

  private static func request(
    _ feature: FeatureID, _ catalog: Catalog, _ now: Date, _ random: inout some RandomNumberGenerator
  ) -> AccessRequest {
    AccessRequest(
      feature, item: catalog.feature(feature).flatMap { item($0, catalog, &random) },
      level: catalog.feature(feature)?.shape is LevelShape ? ["low", "mid", "top"].randomElement(using: &random) : nil,
      date: Bool.random(using: &random) ? now - Double(Int.random(in: 0..<60 * 86400, using: &random)) : nil,
      held: Int.random(in: 0...6, using: &random), count: [1, 1, 2, 5, 100].randomElement(using: &random) ?? 1)
  }

  private static func purchase(
    _ id: TransactionID, of product: CatalogProduct, from start: Date = Date(timeIntervalSince1970: 1_767_225_600),
    until end: Date = Date(timeIntervalSince1970: 1_847_225_600), _ random: inout some RandomNumberGenerator
  ) -> StoreTransaction {
    let isShared = product.isFamilyShareable && Bool.random(using: &random)
    let date = start + Double(Int.random(in: 0...Int(end.timeIntervalSince(start)), using: &random))
    return StoreTransaction(id: id, productID: product.id, purchaseDate: date, ownership: isShared ? .familyShared : .purchased)
  }

  /// Coins, and completed items of the feature.
  private static func played(_ feature: Feature?, _ catalog: Catalog, _ random: inout some RandomNumberGenerator) -> [Fact] {
    guard let feature, type(of: feature.shape).isAboutItems else { return [] }
    let items = catalog.collections(of: feature).flatMap(\.paths).filter { _ in Bool.random(using: &random) }
    let coins = Int.random(in: 0...14, using: &random)
    return items.map { .completion(Completion(item: $0)) } + [.wallet(WalletEntry(id: "1", earned: coins))]
  }

  /// Purchases with uses until a time: a few of any amount, or many of all or some that the old catalog leaves.
  private static func used(
    _ feature: FeatureID, since purchases: [StoreTransaction], until now: Date, _ old: Catalog, _ random: inout some RandomNumberGenerator
  ) -> [Fact] {
    var facts = purchases.map { Fact.transaction($0) }
    guard let shape = old.feature(feature)?.shape, type(of: shape).isMetered else { return facts }
    let isEager = Int.random(in: 0..<4, using: &random) == 0
    let start = purchases[0].purchaseDate
    let span = Int(now.timeIntervalSince(start))
    let times = (0..<Int.random(in: 0...(isEager ? 40 : 3), using: &random)).map { _ in Int.random(in: 0...span, using: &random) }
    for (index, time) in times.sorted().enumerated() {
      let date = start + Double(time)
      var amount = Int.random(in: 1...3, using: &random)
      let answers = Snapshot(of: CustomerState(facts), catalog: old, at: date)
      if isEager {
        let left = answers.decision(for: AccessRequest(feature)).remaining ?? 0
        if left < 1 { continue }
        amount = Bool.random(using: &random) ? left : min(left, amount)
      }
      if let use = answers.use(of: feature, amount: amount, key: "\(index)") { facts.append(.use(use)) }
    }
    return facts
  }

  private static func item(_ feature: Feature, _ catalog: Catalog, _ random: inout some RandomNumberGenerator) -> ItemPath? {
    guard feature.part == nil, type(of: feature.shape).isAboutItems else { return nil }
    return catalog.collections(of: feature).flatMap(\.paths).randomElement(using: &random)
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

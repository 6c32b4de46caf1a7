// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// The catalog of the maze packs, literally, and edits of its text.
@Suite(.timeLimit(.minutes(30)))
struct MazePacksTests {
  static func text() throws -> String {
    try String(contentsOf: SourceRuleTests.root.appendingPathComponent("Products/maze-packs.json"), encoding: .utf8)
  }

  static let pack: ProductID = "com.example.mazes.pack.denny"
  private let now = RandomFacts.start

  private func catalog(_ edits: (String, String)...) throws -> Catalog { try Catalog(json: Data(try edited(edits).utf8)) }
  private func errors(_ edits: (String, String)...) throws -> [Diagnostic] {
    Catalog.reading(Data(try edited(edits).utf8)).diagnostics.filter { $0.severity == .error }
  }
  private func edited(_ edits: [(String, String)]) throws -> String {
    try edits.reduce(Self.text()) { text, edit in
      #expect(text.contains(edit.0))
      return text.replacingOccurrences(of: edit.0, with: edit.1)
    }
  }
  private func snapshot(_ catalog: Catalog, owning: ProductID? = nil, at date: Date? = nil) -> Snapshot {
    let facts = owning.map { [Fact.transaction(StoreTransaction(id: "1", productID: $0, purchaseDate: now))] } ?? []
    return Snapshot(of: CustomerState(facts), catalog: catalog, at: date ?? now)
  }
  private func allowed(_ snapshot: Snapshot, _ collection: String = "denny", items: Int = 20) -> Set<String> {
    let paths = (1...items).flatMap { item in ["easy", "medium", "hard"].compactMap { ItemPath("\(collection)/\(item)/\($0)") } }
    return Set(paths.filter { snapshot.decision(for: "story.play", item: $0).isAllowed }.map(\.description))
  }

  @Test("The catalog has no error and no warning") func clean() throws {
    #expect(Catalog.reading(Data(try Self.text().utf8)).diagnostics.filter { $0.severity != .note } == [])
  }

  @Test("MAZE-01: only non-consumables; a subscription breaks the claim; a retired id cannot come back") func kinds() throws {
    #expect(Set(try catalog().products.map(\.kindName)) == ["nonConsumable"])
    let subscription = """
      "products": [
        { "kind": "subscription", "id": "x", "name": "X", "group": "g", "level": 1, "period": "P1M", "grants": { "story.play": "unlimited" } },
      """
    let claim = try errors(("\"products\": [", subscription))
    #expect(claim.contains { $0.code == "claim.noSubscriptions" && $0.path == "products[0].kind" })
    let retired = try errors(("\"retired\": [", "\"retired\": [\"com.example.mazes.pack.denny\", "))
    #expect(retired.map(\.code) == ["retired-id"])
    #expect(retired.map(\.path) == ["products[0].id"])
  }

  @Test("MAZE-03: the price is exact") func price() throws {
    let price = try #require(try catalog().product(Self.pack)?.price)
    #expect(price.amountText == "9.99" && price.currency == "USD")
    #expect(Money.text(price.amount * 3) == "29.97")
    #expect(try !errors(("\"9.99\"", "9.99")).isEmpty)
  }

  @Test("MAZE-04/05/07: stories 1 to 3 at all difficulties are free, 4 to 20 need the pack, and only that") func matrix() throws {
    let catalog = try catalog()
    let free = Set((1...3).flatMap { item in ["easy", "medium", "hard"].map { "denny/\(item)/\($0)" } })
    #expect(allowed(snapshot(catalog)) == free)
    #expect(allowed(snapshot(catalog, owning: Self.pack)).count == 60)
    for item in ["denny/4", "denny/20"] {
      let decision = snapshot(catalog).decision(for: "story.play", item: ItemPath(item) ?? "denny/1")
      #expect(decision.reason == .requiresPurchase && decision.unlockedBy == [Self.pack])
    }
    for item: ItemPath in ["denny/0", "denny/21", "denny/1/expert", "other/1"] {
      #expect(snapshot(catalog, owning: Self.pack).decision(for: "story.play", item: item).reason == .unknownItem)
    }
    let late = snapshot(catalog, owning: Self.pack, at: now + 100 * 365.25 * 86400)
    #expect(late.decision(for: "story.play", item: "denny/20").reason == .owned)
    #expect(snapshot(catalog, owning: Self.pack).newlyAllowed(since: snapshot(catalog)).count == 17)
  }

  @Test("MAZE-12: old names of difficulties are refused", arguments: ["beginner", "expert", "lv1"]) func difficulties(name: String) throws {
    #expect(try catalog().collection("denny")?.parts == ["easy", "medium", "hard"])
    let errors = try errors(("\"parts\": [\"easy\",", "\"parts\": [\"\(name)\","))
    #expect(errors.map(\.code) == ["retired-id"])
    #expect(errors.map(\.path) == ["collections.denny.parts[0]"])
    let offered = try self.errors(("\"choices\": [\"easy\"", "\"choices\": [\"\(name)\""))
    #expect(offered.map(\.code) == ["retired-id"] && offered.map(\.path) == ["onboarding[0].choices[0]"], "\(offered)")
  }

  @Test("MAZE-27: a second pack is a few lines of JSON, and is sold separately") func secondPack() throws {
    let catalog = try catalog(
      (
        "\"collections\": {",
        "\"collections\": { \"otto\": { \"title\": \"Otto\", \"items\": 20, \"parts\": [\"easy\", \"medium\", \"hard\"] },"
      ),
      (
        "\"products\": [",
        "\"products\": [ { \"kind\": \"nonConsumable\", \"id\": \"otto\", \"name\": \"Otto\", \"grants\": { \"story.play\": { \"otto\": \"unlimited\" } } },"
      ))
    #expect(catalog.collections.count == 2)
    let owner = snapshot(catalog, owning: Self.pack)
    #expect(allowed(owner).count == 60 && allowed(owner, "otto").count == 9)
    #expect(owner.decision(for: "story.play", item: "otto/4").unlockedBy == ["otto"])
  }

  @Test("MAZE-30: time opens nothing, and a period in the file breaks its claim") func time() throws {
    let catalog = try catalog()
    for days in [0, 1, 30, 3650] {
      #expect(!snapshot(catalog, at: now + Double(days) * 86400).decision(for: "story.play", item: "denny/4").isAllowed)
    }
    #expect(snapshot(catalog).nextChange == nil)
    let errors = try errors(("\"features\": {", "\"features\": { \"daily\": { \"allowance\": \"count\", \"per\": \"day\" },"))
    #expect(errors.map(\.code) == ["claim.noPeriods"])
    #expect(errors.map(\.path) == ["features.daily.per"])
  }

  @Test("MAZE-32: stories added later belong to the owners of the pack only") func addedLater() throws {
    let grown = try catalog(("\"items\": 20", "\"items\": 22"))
    for item: ItemPath in ["denny/21", "denny/22"] {
      #expect(snapshot(grown, owning: Self.pack).decision(for: "story.play", item: item).isAllowed)
      #expect(!snapshot(grown).decision(for: "story.play", item: item).isAllowed)
    }
  }

  @Test("Every truncation and 5,000 damaged texts are read without a crash, and never give a catalog with an error", arguments: 0..<4)
  func damage(part: Int) throws {
    let bytes = Array(try Self.text().utf8)
    func check(_ bytes: [UInt8], _ what: String) {
      let reading = Catalog.reading(Data(bytes))
      let hasError = reading.diagnostics.contains { $0.severity == .error }
      if hasError == (reading.catalog != nil) { Issue.record("\(what): a catalog with an error, or none without") }
    }
    for length in stride(from: part, to: bytes.count, by: 4) {
      check(Array(bytes.prefix(length)), "prefix \(length)")
      // Except for white space at the end, no prefix is a catalog.
      #expect(Catalog.reading(Data(bytes.prefix(length))).catalog == nil || length >= bytes.count - 1)
    }
    for seed in Seed.run(1250, from: part * 1250) {
      var random = SplitMix64(seed: seed)
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: damaged[index] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged.remove(at: index)
        case 2: damaged.insert(Array("{}[]\",:0-t".utf8).randomElement(using: &random) ?? 0, at: index)
        default:
          let end = min(damaged.count, index + Int.random(in: 1...60, using: &random))
          damaged.insert(contentsOf: damaged[index..<end], at: Int.random(in: 0..<damaged.count, using: &random))
        }
      }
      check(damaged, "MONETIZE_SEED=\(seed)")
    }
  }
}

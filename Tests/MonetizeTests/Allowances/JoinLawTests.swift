// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import Testing

@testable import Monetize

/// A join is associative, commutative and idempotent, has `unlimited` as its top, and never allows less than either side.
@Suite(.timeLimit(.minutes(30)))
struct JoinLawTests {
  /// The sample amounts, read by their shape.
  private static func grants(_ sample: ShapeSample) throws -> (catalog: Catalog, grants: [Granted]) {
    let features = sample.amounts.indices.map { "\"f\($0)\": { \"allowance\": \"\(sample.name)\"\(sample.parameters) }" }
    let amounts = sample.amounts.enumerated().map { "\"f\($0)\": \($1)" }
    let text = """
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "collections": \(RandomCatalog.collections),
        "features": { \(features.joined(separator: ", ")) },
        "entitlements": { "all": { "grants": { \(amounts.joined(separator: ", ")) } } } }
      """
    let catalog = try Catalog(json: Data(text.utf8))
    let grants = try #require(catalog.entitlements.first).grants
    return (catalog, grants.sorted { $0.key < $1.key }.map(\.value) + [.unlimited])
  }

  static func violation(_ join: (Granted, Granted) -> Granted, _ grants: [Granted], seed: UInt64) -> Violation? {
    var random = SplitMix64(seed: seed)
    func some() -> Granted {
      (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in grants.randomElement(using: &random) }.reduce(grants[0], join)
    }
    let (a, b, c) = (some(), some(), some())
    if join(a, b) != join(b, a) { return Violation("not commutative: \(a), \(b)") }
    if join(join(a, b), c) != join(a, join(b, c)) { return Violation("not associative: \(a), \(b), \(c)") }
    if join(a, a) != a { return Violation("not idempotent: \(a)") }
    if join(a, .unlimited) != .unlimited { return Violation("unlimited is not the top: \(a)") }
    if !join(a, b).gives(atLeast: a) || join(a, b).hashValue != join(b, a).hashValue { return Violation("a join gives less: \(a), \(b)") }
    return nil
  }

  @Test("Every built-in shape's join is a semilattice", arguments: ShapeSample.all.indices)
  func join(index: Int) throws {
    let (_, grants) = try Self.grants(ShapeSample.all[index])
    expectHolds(Seed.run(300)) { Self.violation({ $0.joined(with: $1) }, grants, seed: $0) }
  }

  @Test("Anchored measures of one length, written differently, join alike in any order") func anchored() throws {
    let sample = ShapeSample(
      name: "count", parameters: "",
      amounts: ["P1D", "PT24H", "P1M", "P30D", "P1Y", "P12M"].map { "{ \"limit\": 1, \"per\": { \"anchored\": \"\($0)\" } }" } + ["2"])
    let (_, grants) = try Self.grants(sample)
    expectHolds(Seed.run(2000)) { Self.violation({ $0.joined(with: $1) }, grants, seed: $0) }
  }

  /// A wrong join: two grants of 10 make 20.
  private struct Adding: Allowance {
    let amount: Int
    func joined(with other: Self) -> Self { Adding(amount: amount + other.amount) }
    func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict { .allowed }
  }

  @Test("The property notices a join that adds, one that takes the last, and one that forgets the top") func sensitive() throws {
    expectFinds("adds up", Seed.run(20)) {
      Self.violation({ $0.joined(with: $1) }, [.limited(Adding(amount: 1)), .limited(Adding(amount: 2))], seed: $0)
    }
    let (_, grants) = try Self.grants(ShapeSample(name: "count", parameters: "", amounts: ["1", "2", "5"]))
    expectFinds("takes the last", Seed.run(50)) { Self.violation({ $1 }, grants, seed: $0) }
    expectFinds("forgets the top", Seed.run(50)) {
      Self.violation({ $0 == .unlimited ? $1 : $1 == .unlimited ? $0 : $0.joined(with: $1) }, grants, seed: $0)
    }
  }

  @Test("Law 2: a second purchase with a limit that counts from the purchase takes nothing from the first")
  func anchoredOverlap() throws {
    let catalog = try Catalog(
      json: Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": { "allowance": "count", "per": { "anchored": "P1M" } } },
          "products": [{ "kind": "nonConsumable", "id": "p", "name": "P", "grants": { "f": 1 } }] }
        """.utf8))
    func date(_ text: String) throws -> Date { try #require(ISODate.parse(text, in: Calendar.storeCalendar.timeZone)) }
    func bought(_ id: TransactionID, _ text: String) throws -> Fact {
      .transaction(StoreTransaction(id: id, productID: "p", purchaseDate: try date(text)))
    }
    let used = try date("2026-03-07")
    let facts = [try bought("1", "2026-01-10"), .use(Use(key: "k", feature: "f", date: used, day: 20519, zone: "UTC"))]
    let now = try date("2026-03-20")
    #expect(Snapshot(of: CustomerState(facts), catalog: catalog, at: now).allows("f"))
    let more = CustomerState(facts + [try bought("2", "2026-02-05")])
    #expect(Snapshot(of: more, catalog: catalog, at: now).allows("f"))
  }
}

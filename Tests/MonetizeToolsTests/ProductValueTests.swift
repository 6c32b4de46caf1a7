// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeTools

@Suite("A product that opens nothing now")
struct ProductValueTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isUseless: Bool
    let json: String

    init(_ name: String, isUseless: Bool, features: String, free: String, product: String, more: String = "") {
      (testDescription, self.isUseless) = (name, isUseless)
      json = #"""
        { "schemaVersion": 1, "app": { "id": "p", "name": "P" }, "features": { \#(features), "themes": {} },
          "freeTier": { "grants": \#(free) }, "server": { "url": "https://a.example", "provides": ["usage"] },
          "products": [{ "id": "p", "name": "P", "price": { "amount": "1.99", "currency": "USD" }, \#(product) },
            { "kind": "nonConsumable", "id": "themes", "name": "Themes", "price": { "amount": "2.99", "currency": "USD" },
              "grants": { "themes": true } }]\#(more) }
        """#
    }

    private static let maze = #""maze": { "allowance": "items", "in": ["oz"] }"#
    private static let oz = #", "collections": { "oz": { "title": "Oz", "items": 3 } }"#
    private static let pack = #""kind": "nonConsumable", "grants": { "maze": "unlimited" }"#
    private static let count = #""s": { "allowance": "count", "per": "month", "survivesReinstall": true }"#
    private static let ten = #""kind": "consumable", "credits": { "s": 10 }"#

    static let all: [Case] = [
      .init("items that are all free", isUseless: true, features: maze, free: #"{ "maze": 3 }"#, product: pack, more: oz),
      .init("one item more", isUseless: false, features: maze, free: #"{ "maze": 2 }"#, product: pack, more: oz),
      .init(
        "a feature of a later release", isUseless: true, features: #""hints": { "release": "v2" }"#, free: "{}",
        product: #""kind": "nonConsumable", "grants": { "hints": true }"#, more: #", "releases": ["v1"]"#),
      .init(
        "a feature of this release", isUseless: false, features: #""hints": { "release": "v1" }"#, free: "{}",
        product: #""kind": "nonConsumable", "grants": { "hints": true }"#, more: #", "releases": ["v1"]"#),
      .init("credits of what is unlimited for all", isUseless: true, features: count, free: #"{ "s": "unlimited" }"#, product: ten),
      .init("credits of what is limited", isUseless: false, features: count, free: #"{ "s": 3 }"#, product: ten),
      .init("a tip", isUseless: false, features: count, free: #"{ "s": 3 }"#, product: #""kind": "consumable""#),
      .init(
        "a feature for children only", isUseless: false, features: #""play": { "roles": ["child"] }"#, free: "{}",
        product: #""kind": "nonConsumable", "grants": { "play": true }"#),
    ]
  }

  @Test("check and lint find it, and nothing beside it", arguments: Case.all)
  func found(_ sample: Case) async throws {
    let json = Data(sample.json.utf8)
    let catalog = try Catalog(json: json)
    var value = ProductValue(catalog)
    #expect(value.opensSomething(try #require(catalog.product("p"))) == !sample.isUseless)
    var options = CatalogCheck.Options()
    (options.depth, options.states) = (2, 200)
    let report = await (try CatalogCheck(json, options: options)).run(catalogPath: "p.json")
    #expect(report.counterexamples.contains { $0.code == "purchase-gives-nothing" } == sample.isUseless, "\(report.text)")
    #expect(report.counterexamples.allSatisfy { $0.isConfirmed == true }, "\(report.text)")
    let codes = Lint().findings(in: json).map(\.diagnostic.code.rawValue)
    #expect(codes.contains("unlocks-nothing") == sample.isUseless, "\(codes)")
  }

  @Test("What is owned counts: of two packs with the same items the second gives nothing; credits outlast a plan")
  func owned() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "p", "name": "P" }, "collections": { "oz": { "title": "Oz", "items": 3 } },
        "features": { "maze": { "allowance": "items", "in": ["oz"] }, "s": { "allowance": "count", "per": "week" } },
        "freeTier": { "grants": { "maze": 1, "s": 3 } },
        "products": [{ "kind": "nonConsumable", "id": "all", "name": "All", "grants": { "maze": "unlimited" } },
          { "kind": "nonConsumable", "id": "three", "name": "Three", "grants": { "maze": 3, "s": 3 } },
          { "kind": "nonConsumable", "id": "more", "name": "More", "grants": { "maze": 3, "s": 4 } }] }
      """#
    let catalog = try Catalog(json: Data(json.utf8))
    let (all, three, more) = (catalog.products[0], catalog.products[1], catalog.products[2])
    var value = ProductValue(catalog)
    #expect(value.opensSomething(all) && value.opensSomething(three) && value.opensSomething(more))
    #expect(!value.opensSomething(three, besides: [all]) && !value.opensSomething(all, besides: [three]))
    #expect(value.opensSomething(more, besides: [all]) && !value.opensSomething(all, besides: [more]))
  }

  @Test("A product that opens anything to a random customer is worth it, also beside what is owned for ever", arguments: LawSeeds.run(40))
  func law(_ seed: Int) throws {
    var random = Random(UInt64(seed) &* 32_452_843 &+ 5)
    var shown = 0
    for _ in 0..<100 where shown < 10 {
      let text = RandomPair.random(&random).edited(&random).text()
      guard let catalog = try? Catalog(json: Data(text.utf8)) else { continue }
      var value = ProductValue(catalog)
      let lasting = catalog.products.filter { !$0.kind.changesWithTime && $0.storeType == .nonConsumable }
      for product in catalog.products {
        for owned in [[]] + lasting.filter({ $0.id != product.id }).map({ [$0] }) {
          let opened = RandomQuestions.opened(product, besides: owned, catalog, &random).filter { feature in
            let whole = catalog.feature(feature)?.part?.whole ?? feature
            let others = owned.compactMap { $0.grants[whole] } + [catalog.freeTier[whole]].compactMap { $0 }
            // By definition, no limit is worth anything beside one of no longer period and no smaller amount.
            return !others.contains { other in product.grants[whole].map { other.gives(atLeast: $0) } ?? false }
          }
          if opened.isEmpty { continue }
          shown += 1
          let isWorthIt = value.opensSomething(product, besides: owned)
          #expect(
            isWorthIt, "seed \(seed): \(product.id) besides \(owned.map(\.id)) opens \(opened.sorted())\n\(text)")
        }
      }
    }
    #expect(shown > 0)
  }
}

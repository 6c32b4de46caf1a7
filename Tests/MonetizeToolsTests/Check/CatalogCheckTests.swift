// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@testable import MonetizeTools

@Suite("monetize check", .timeLimit(.minutes(30)))
struct CatalogCheckTests {
  private static func check(_ planted: PlantedCatalog, depth: Int = 4) async throws -> CheckReport {
    let json = Data(planted.json.utf8)
    let catalog = try Catalog(json: json, kinds: PlantedCatalog.kinds, shapes: PlantedCatalog.shapes)
    var options = CatalogCheck.Options()
    (options.depth, options.states) = (depth, 1_500)
    if let properties = planted.properties { options.properties = try OwnProperty.read(Data(properties.utf8), for: catalog) }
    return await (try CatalogCheck(json, kinds: PlantedCatalog.kinds, shapes: PlantedCatalog.shapes, options: options)).run(
      catalogPath: "planted.json")
  }

  @Test("Each planted defect is found in at most six steps, and also fails in the simulated store", arguments: PlantedCatalog.all)
  func planted(planted: PlantedCatalog) async throws {
    let report = try await Self.check(planted)
    let found = try #require(report.counterexamples.first { $0.code == planted.code }, "\(report.text)")
    #expect(found.steps <= 6)
    #expect(found.isConfirmed == true, "\(found.scenario)")
    #expect(report.status == .no)
    // The printed scenario is valid, and fails at its last expectation only.
    let scenario = try Scenario(json: Data(found.scenario.utf8))
    let played = await
      (try ScenarioRunner(scenario, catalog: Data(planted.json.utf8), kinds: PlantedCatalog.kinds, shapes: PlantedCatalog.shapes)).run()
    #expect(!played.passed && played.problems.isEmpty && played.failures.count == 1)
    for found in report.counterexamples { #expect(found.isConfirmed == true, "\(found.code)\n\(found.scenario)") }
  }

  /// A planted catalog, what to replace in it, and the replacement.
  private static let changes = [
    ("free-over-limit", #""per": "lifetime" }"#, #""per": "lifetime", "survivesReinstall": true }"#),
    ("restore-loses", #""schemaVersion": 1,"#, #""schemaVersion": 1, "server": { "url": "https://a.example", "provides": ["usage"] },"#),
    ("devices-differ", #""schemaVersion": 1,"#, #""schemaVersion": 1, "server": { "url": "https://a.example", "provides": ["usage"] },"#),
    ("lapse-below-free", #""story": 10"#, #""story": "unlimited""#),
    ("purchase-gives-nothing", #""onSale": true"#, #""onSale": false"#),
    ("introductory-twice", #""group": "b", "level": 1"#, #""group": "a", "level": 2"#),
  ]

  @Test("A report has what to change; a catalog with that change holds", arguments: changes)
  func mends(code: String, part: String, replacement: String) async throws {
    var planted = try #require(PlantedCatalog.all.first { $0.code == code })
    let report = try await Self.check(planted)
    let mend = try #require(CheckProperty.all.first { $0.code == code }?.mend)
    #expect(report.text.contains("\n  \(mend)\n") && report.json.contains("\"mend\""))
    #expect(planted.json.contains(part))
    planted.json = planted.json.replacingOccurrences(of: part, with: replacement)
    #expect(try await Self.check(planted).counterexamples.map(\.code).contains(code) == false)
  }

  @Test("The shipped catalogs fulfil every property", arguments: Samples.catalogs)
  func shipped(name: String) async throws {
    var options = CatalogCheck.Options()
    // A debug build: `monetize check` in release explores up to a million states.
    (options.depth, options.states) = (4, 600)
    let report = await (try CatalogCheck(Samples.catalogJSON(name), options: options)).run(catalogPath: "\(name).json")
    #expect(!report.json.contains("seconds"), "the same catalog gives the same JSON")
    #expect(report.counterexamples.isEmpty, "\(report.text)")
    #expect(report.status == .fine)
  }

  @Test(
    "A search ends at its number of states or its depth, and the report names the option to raise; the number has no effect on what is found before"
  )
  func limits() async throws {
    let json = try Samples.catalogJSON("heatlab")
    func text(states: Int, depth: Int) async throws -> String {
      var options = CatalogCheck.Options()
      (options.states, options.depth) = (states, depth)
      return await (try CatalogCheck(json, options: options)).run(catalogPath: "heatlab.json").text
    }
    let (few, short, all) = (
      try await text(states: 50, depth: 40), try await text(states: 5_000, depth: 2), try await text(states: 5_000, depth: 40)
    )
    #expect(few.hasPrefix("50 states") && few.contains("(more remain)") && few.contains("Raise --states to check them."))
    #expect(short.contains("up to 2 steps (more remain), with ") && short.contains("Raise --depth to check them."))
    #expect(all.contains(" (all of them), with ") && !all.contains("Raise"))
  }

  @Test("A wide catalog takes no more states than asked for: each has a successor for each product") func wide() async throws {
    let products = (0..<300).map { #"{ "kind": "nonConsumable", "id": "p\#($0)", "name": "P", "grants": { "f\#($0)": true } }"# }
    let json = """
      { "schemaVersion": 1, "app": { "id": "p", "name": "P" },
        "features": { \((0..<300).map { "\"f\($0)\": {}" }.joined(separator: ", ")) }, "products": [\(products.joined(separator: ", "))] }
      """
    var options = CatalogCheck.Options()
    options.states = 20
    #expect(await (try CatalogCheck(Data(json.utf8), options: options)).run(catalogPath: "p.json").states == 20)
  }

  @Test("A use that the free tier alone allows is no use of a purchase", arguments: [#"{ "x": true }"#, #"{ "x": true, "s": 9 }"#])
  func freeUses(grants: String) async throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "p", "name": "P" }, "features": { "s": { "allowance": "count", "per": "day" }, "x": {} },
        "freeTier": { "grants": { "s": 3 } },
        "products": [{ "kind": "nonConsumable", "id": "p", "name": "P", "price": { "amount": "1.99", "currency": "USD" },
          "grants": \#(grants) }] }
      """#
    var options = CatalogCheck.Options()
    (options.depth, options.states) = (4, 600)
    let report = await (try CatalogCheck(Data(json.utf8), options: options)).run(catalogPath: "p.json")
    // Nine uses at once need the purchase; three do not.
    #expect(report.counterexamples.isEmpty == (grants == #"{ "x": true }"#), "\(report.text)")
    #expect(report.counterexamples.allSatisfy { !$0.scenario.contains("\"count\": 3") })
  }

  @Test(
    "A feature that only money opens is closed before a purchase, not without a limit",
    arguments: [
      (#""allowance": "count""#, #""kind": "consumable", "credits": { "s": 3 }"#),
      (#""allowance": "count", "per": "day""#, #""kind": "consumable", "credits": { "s": 3 }"#),
      (#""allowance": "count", "per": "day""#, #""kind": "nonConsumable", "grants": { "s": 3 }"#),
      (#""allowance": "duration", "per": "day""#, #""kind": "nonConsumable", "grants": { "s": "PT30M" }"#),
    ])
  func onlyForMoney(feature: String, terms: String) async throws {
    #expect(try await Self.codes(feature: feature, terms: terms) == [])
  }

  @Test("What the free tier covers of a use counts as free, also when bought credits cover the rest")
  func partlyFree() async throws {
    let codes = try await Self.codes(
      feature: #""allowance": "count", "per": "day""#, terms: #""kind": "consumable", "credits": { "s": 3 }"#, free: #"{ "s": 1 }"#)
    #expect(codes == [])
  }

  /// The properties that one feature and one product violate, on a server that keeps uses.
  private static func codes(feature: String, terms: String, free: String = "{}") async throws -> [String] {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "p", "name": "P" }, "features": { "s": { \#(feature) } },
        "freeTier": { "grants": \#(free) }, "server": { "url": "https://a.example", "provides": ["usage"] },
        "products": [{ "id": "p", "name": "P", "price": { "amount": "1.99", "currency": "USD" }, \#(terms) }] }
      """#
    var options = CatalogCheck.Options()
    (options.depth, options.states) = (5, 2_000)
    let report = await (try CatalogCheck(Data(json.utf8), options: options)).run(catalogPath: "p.json")
    return report.counterexamples.map(\.code)
  }

  @Test("While monetization is off, no product is reported as useless", arguments: ["on", "off"])
  func off(monetization: String) async throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "p", "name": "P" }, "features": { "s": {} }, "monetization": "\#(monetization)",
        "freeTier": { "grants": { "s": true } },
        "products": [{ "kind": "nonConsumable", "id": "p", "name": "P", "price": { "amount": "1.99", "currency": "USD" }, "grants": { "s": true } }] }
      """#
    let report = await (try CatalogCheck(Data(json.utf8))).run(catalogPath: "p.json")
    #expect(report.counterexamples.map(\.code) == (monetization == "on" ? ["paywall-useless", "purchase-gives-nothing"] : []))
  }

  @Test("A useless product on a paywall is found among more than 64 products")
  func manyProducts() async throws {
    let plans = (0..<70).map { index in
      #"""
      { "kind": "subscription", "group": "g\#(index)", "level": 1, "period": "P1M", "id": "p\#(index)", "name": "P\#(index)",
        "grants": { "s": \#(index < 69 ? "2" : "\"unlimited\"") } }
      """#
    }
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "p", "name": "P" }, "features": { "s": { "allowance": "count" } },
        "products": [\#(plans.joined(separator: ","))], "paywalls": { "default": { "products": ["p0"] } } }
      """#
    var options = CatalogCheck.Options()
    (options.depth, options.states) = (1, 100)
    let report = await (try CatalogCheck(Data(json.utf8), options: options)).run(catalogPath: "p.json")
    #expect(report.counterexamples.map(\.code).contains("paywall-useless"), "\(report.text)")
  }

  @Test(
    "An offer beside a plan that gives the same is useless if it is a plan as well, not if it is for ever, and a pass is no offer",
    arguments: [
      (#""kind": "subscription", "group": "h", "level": 1, "period": "P1M", "grants": { "s": "unlimited" }"#, true),
      (#""kind": "nonRenewing", "period": "P1M", "grants": { "s": "unlimited" }"#, false),
      (#""kind": "nonConsumable", "grants": { "s": "unlimited" }"#, false), (#""kind": "consumable", "credits": { "s": 10 }"#, false),
    ])
  func besideAPlan(other: String, isUseless: Bool) async throws {
    let plan = #""kind": "subscription", "group": "g", "level": 1, "period": "P1M", "grants": { "s": "unlimited" }"#
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "p", "name": "P" }, "features": { "s": { "allowance": "count" } },
        "paywalls": { "default": { "headline": "Pro", "actions": ["purchase"] } },
        "products": [{ "id": "a", "name": "A", "price": { "amount": "1.99", "currency": "USD" }, \#(plan) },
          { "id": "b", "name": "B", "price": { "amount": "9.99", "currency": "USD" }, \#(other) }] }
      """#
    var options = CatalogCheck.Options()
    (options.depth, options.states) = (1, 100)
    let report = await (try CatalogCheck(Data(json.utf8), options: options)).run(catalogPath: "p.json")
    #expect(report.counterexamples.map(\.code).contains("paywall-useless") == isUseless, "\(report.text)")
  }

  @Test("A search gives the same result on one task and on several")
  func deterministic() async throws {
    var options = CatalogCheck.Options()
    (options.depth, options.states, options.tasks) = (3, 300, 1)
    let json = try Samples.catalogJSON("magical-stories")
    let one = await (try CatalogCheck(json, options: options)).run(catalogPath: "x")
    options.tasks = 5
    let several = await (try CatalogCheck(json, options: options)).run(catalogPath: "x")
    #expect(one.states == several.states && one.depth == several.depth)
    #expect(one.counterexamples.map(\.scenario) == several.counterexamples.map(\.scenario))
  }
}

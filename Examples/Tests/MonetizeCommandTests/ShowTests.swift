// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import monetize

@Suite("monetize show", .timeLimit(.minutes(10)))
struct ShowTests {
  @Test("what everyone has, and what each product adds", arguments: ["dozzi", "heatlab", "magical-stories", "maxs-puzzles", "maze-packs"])
  func catalogs(_ name: String) async throws {
    let result = try await Command.run("show", "Products/\(name).json")
    #expect(result.status == 0)
    try expectGolden(result.transcript, "show-\(name)")
  }

  @Test("MAZE-01, MAZE-03: as JSON; one kind, one price, as a decimal string")
  func json() async throws {
    let result = try await Command.run("show", "Products/maze-packs.json", "--format", "json")
    let report = try #require(try result.json() as? [String: Any])
    #expect(report["kinds"] as? [String] == ["nonConsumable"])
    let product = try #require((report["products"] as? [[String: Any]])?.first)
    #expect(product["referencePrice"] as? [String: String] == ["amount": "9.99", "currency": "USD"])
    try expectGolden(result.transcript, "show-json")
  }

  @Test("MAZE-27: a second pack is a change of the file")
  func twoPacks() async throws {
    let scratch = try Scratch()
    let file = try scratch.copy(
      "Products/maze-packs.json", as: "two.json",
      replacing: [
        #"  "collections": {"#: #"  "collections": { "ocean": { "title": "Ocean", "items": 20, "parts": ["easy", "medium", "hard"] },"#,
        #"  "products": ["#: """
          "products": [
            { "kind": "nonConsumable", "id": "com.example.mazes.pack.ocean", "name": "Ocean", "price": { "amount": "9.99", "currency": "USD" },
              "grants": { "story.play": { "ocean": "unlimited" } } },
        """,
      ])
    let result = try await Command.run("show", file)
    #expect(result.status == 0)
    try expectGolden(result.transcript(scratch), "show-two-packs")
  }

  @Test(
    "products are named as shortly as they can be told apart",
    arguments: [
      (["com.app.pro.monthly", "com.app.pro.yearly"], ["monthly", "yearly"]),
      (["com.app.pro.monthly", "com.app.plus.monthly", "com.app.lifetime"], ["pro.monthly", "plus.monthly", "lifetime"]),
      (["monthly", "pro.monthly", "x.pro.monthly"], ["monthly", "pro.monthly", "x.pro.monthly"]), (["one"], ["one"]), ([], []),
    ])
  func headings(_ ids: [String], _ short: [String]) { #expect(Show.short(ids) == short) }

  @Test("a catalog with a mistake is not shown")
  func wrong() async throws {
    let scratch = try Scratch()
    let file = try scratch.copy("Products/maze-packs.json", as: "wrong.json", replacing: [#""freeTier""#: #""freetier""#])
    let result = try await Command.run("show", file)
    #expect(result.status == 1)
    #expect(result.output == "")
    try expectGolden(result.transcript(scratch), "show-wrong")
  }
}

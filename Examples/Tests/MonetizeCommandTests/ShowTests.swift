// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import monetize

@Suite("monetize show", .timeLimit(.minutes(30)))
struct ShowTests {
  @Test("the free tier, and what each product adds", arguments: ["dozzi", "heatlab", "magical-stories", "maxs-puzzles", "maze-packs"])
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

  @Test("limits have their period, prices their unit, and credits are listed beside a resetting limit")
  func words() async throws {
    let output = try await Command.run("show", "Examples/Scenarios/app-store/catalog.json").output
    for words in [
      "9.99 USD a month, 7 days free", "1.99 USD for 10 stories", "6.99 USD for 30 days", "3 stories a month and 10 stories bought",
    ] {
      #expect(output.contains(words), "\(words)\n\(output)")
    }
  }

  @Test("3,000 products take no longer each than one") func many() async throws {
    let scratch = try Scratch()
    let products = (0..<3000).map {
      #"{ "kind": "nonConsumable", "id": "p\#($0)", "name": "P\#($0)", "price": { "amount": "1.00", "currency": "USD" }, "grants": { "f": \#($0 + 1) } }"#
    }
    let file = try scratch.write(
      #"{ "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": { "allowance": "count" } }, "products": [\#(products.joined(separator: ","))] }"#,
      as: "many.json")
    let result = try await Command.run("show", file)
    #expect(result.status == 0 && result.output.contains("and 2994 more columns"), "\(result.errors.prefix(500))")
  }

  @Test("control characters in a name do not reach the terminal") func escapes() async throws {
    let scratch = try Scratch()
    let evil = #"\u001b]0;title\u0007\u001b[31mred\u202e"#
    let file = try scratch.copy("Products/dozzi.json", as: "evil.json", replacing: [#""Unlimited Stories","#: "\"\(evil)\","])
    for arguments in [["show", file], ["show", file, "--format", "json"], ["decide", file, "--feature", "story", "--count", "3"]] {
      let result = try await Command.run(arguments)
      let scalars = (result.output + result.errors).unicodeScalars
      #expect(result.status == 0 && scalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x202E }, "\(arguments)")
    }
  }

  @Test("MAGIC-36: a step that uses a feature names its unit")
  func onboarding() async throws {
    let drawing = try await Command.run("show", "Products/magical-stories.json", "--onboarding")
    #expect(drawing.output.contains("firstStoryCreation  (uses one story)"), "\(drawing.output)")
  }

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

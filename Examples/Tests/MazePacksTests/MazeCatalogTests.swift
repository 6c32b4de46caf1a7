// SPDX-License-Identifier: Apache-2.0
import Foundation
import MazePacks
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct MazeCatalogTests {
  @Test("MAZE-10, MAZE-27: the shipped file has one pack of 20 stories, with title, cover, theme and one product")
  func shipped() throws {
    let maze = try MazeCatalog(contentsOf: MazeFile.url)
    let pack = try #require(maze.packs.first)
    #expect(maze.packs.count == 1)
    #expect(pack.id == "denny")
    #expect(pack.title == "Denny's Stories")
    #expect(pack.cover == "denny-cover")
    #expect(pack.theme == "denny")
    #expect(pack.product == "com.example.mazes.pack.denny")
    #expect(pack.stories.map(\.id) == (1...20).map(String.init))
  }

  @Test("MAZE-23: the catalog limits the app to the iPad in landscape")
  func canvas() throws {
    let maze = try MazeCatalog(contentsOf: MazeFile.url)
    #expect(maze.devices == ["ipad"])
    #expect(maze.orientations == ["landscape"])
  }

  @Test("MAZE-27: a second pack is a change of the file alone")
  func secondPack() throws {
    let maze = try MazeFile.twoPacks()
    #expect(maze.packs.map(\.id) == ["denny", "robin"])
    #expect(maze.packs.map(\.product) == [.denny, .robin])
    #expect(maze.pack(openedBy: .robin)?.title == "Robin's Stories")
  }

  @Test("MAZE-12: a retired difficulty is refused by the framework", arguments: ["beginner", "expert", "lv1"])
  func retired(_ name: String) throws {
    let json = try MazeFile.json((#"["easy", "medium", "hard"] }"#, "[\"\(name)\", \"medium\", \"hard\"] }"))
    let error = try #require(throws: CatalogError.self) { try MazeCatalog(json: json) }
    #expect(error.diagnostics.map(\.code).contains("retired-id"))
  }

  @Test("MAZE-30: a period anywhere in the file is refused")
  func period() throws {
    let json = try MazeFile.json((#""allowance": "items""#, #""allowance": "count", "per": "day""#))
    let error = try #require(throws: CatalogError.self) { try MazeCatalog(json: json) }
    #expect(error.diagnostics.map(\.code).contains("claim.noPeriods"))
  }

  struct Broken: Sendable {
    let code: String
    let old: String
    let new: String
  }

  @Test(
    "The app's own requirements on its catalog are checked on opening, with a code and a fix",
    arguments: [
      Broken(code: "maze-parts", old: #", "hard"] }"#, new: "] }"),
      Broken(code: "maze-parts", old: #"["easy", "medium", "hard"] }"#, new: #"["hard", "medium", "easy"] }"#),
      Broken(code: "maze-parts", old: #"["easy", "medium", "hard"] }"#, new: #"["easy", "medium", "hard", "insane"] }"#),
      Broken(code: "maze-cover", old: #" "cover": "denny-cover","#, new: ""),
      Broken(code: "maze-theme", old: #" "theme": "denny","#, new: ""),
      Broken(code: "maze-no-product", old: #"{ "denny": "unlimited" }"#, new: #"{ "denny": 19 }"#),
      Broken(code: "maze-no-product", old: #""kind": "nonConsumable","#, new: #""kind": "nonConsumable", "onSale": false,"#),
      Broken(code: "maze-nothing-locked", old: #""story.play": 3"#, new: #""story.play": "unlimited""#),
      Broken(code: "maze-story-shape", old: #""allowance": "items""#, new: #""allowance": "access""#),
      Broken(code: "maze-no-gate", old: #"["purchase", "restore", "links"]"#, new: #"["restore"]"#),
      Broken(code: "maze-pack-locked", old: #""story.play": { "denny""#, new: #""pack.open": true, "story.play": { "denny""#),
    ])
  func broken(_ broken: Broken) throws {
    var patches = [(old: broken.old, new: broken.new)]
    if broken.code == "maze-pack-locked" { patches.append((#""pack.open": true, "story.play": 3"#, #""story.play": 3"#)) }
    // If the file declares its parts, the framework already refuses others.
    if broken.code == "maze-parts" { patches.append((#"  "parts": [ "easy", "medium", "hard" ],"#, "")) }
    if broken.code == "maze-story-shape" {
      patches += [(#""story.play": 3"#, #""story.play": true"#), (#"{ "denny": "unlimited" }"#, "true")]
    }
    let json = try MazeFile.patched(patches)
    let error = try #require(throws: MazeCatalogError.self) { try MazeCatalog(json: json) }
    #expect(error.problems.map(\.code.rawValue) == [broken.code])
    #expect(error.problems.allSatisfy { $0.message.hasSuffix(".") })
  }

  @Test(
    "D4, MAZE-12: the framework refuses other difficulties, because the file declares the three",
    arguments: [
      (#"["Easy", "medium", "hard"] }"#, "unknown-part"), (#"["easy", "medium", "hard", "insane"] }"#, "unknown-part"),
      (#"["easy", "hard"] }"#, "other-parts"), (#"["hard", "medium", "easy"] }"#, "other-parts"),
    ])
  func difficulties(parts: String, code: String) throws {
    let json = try MazeFile.json((#"["easy", "medium", "hard"] }"#, parts))
    let error = try #require(throws: CatalogError.self) { try MazeCatalog(json: json) }
    #expect(error.diagnostics.map(\.code.rawValue) == [code])
  }

  @Test("D4: a pack without difficulties has the file's")
  func sameDifficulties() throws {
    let maze = try MazeCatalog(json: MazeFile.json((#", "parts": ["easy", "medium", "hard"] }"#, " }")))
    #expect(maze.catalog.collections.map(\.parts) == [["easy", "medium", "hard"]])
  }

  @Test("MAZE-15: two products for one pack are refused: one clear offer")
  func severalProducts() throws {
    let second =
      #""unlimited" } } }, { "kind": "nonConsumable", "id": "com.example.mazes.all", "name": "All", "description": "All stories.","#
      + #" "price": { "amount": "19.99", "currency": "USD" }, "grants": { "story.play": "unlimited" } }"#
    let json = try MazeFile.json((#""unlimited" } } }"#, second))
    let error = try #require(throws: MazeCatalogError.self) { try MazeCatalog(json: json) }
    #expect(error.problems.map(\.code.rawValue) == ["maze-several-products"])
  }

  @Test("MAZE-07: one product for two packs is refused: a purchase opens only its own")
  func sharedProduct() throws {
    let robin = #""hard"] }, "robin": { "title": "R", "cover": "r", "theme": "r", "items": 20, "parts": ["easy", "medium", "hard"] }"#
    let json = try MazeFile.json((#""hard"] }"#, robin), (#""story.play": { "denny": "unlimited" }"#, #""story.play": "unlimited""#))
    let error = try #require(throws: MazeCatalogError.self) { try MazeCatalog(json: json) }
    #expect(error.problems.map(\.code.rawValue) == ["maze-shared-product"])
  }

  @Test("A catalog of another app is refused, with everything that it lacks")
  func otherApp() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "com.example.other", "name": "Other" }, "features": { "export": { "title": "Export" } },
        "freeTier": { "grants": { "export": true } }, "products": [] }
      """#
    let error = try #require(throws: MazeCatalogError.self) { try MazeCatalog(json: Data(json.utf8)) }
    #expect(error.problems.map(\.code.rawValue) == ["maze-feature", "maze-feature", "maze-no-gate", "maze-no-pack"])
  }

  @Test("All problems are reported at once")
  func allAtOnce() throws {
    let json = try MazeFile.json(
      (#" "cover": "denny-cover","#, ""), (#" "theme": "denny","#, ""), (#", "hard"] }"#, "] }"),
      (#"  "parts": [ "easy", "medium", "hard" ],"#, ""))
    let error = try #require(throws: MazeCatalogError.self) { try MazeCatalog(json: json) }
    #expect(error.problems.map(\.code.rawValue) == ["maze-parts", "maze-cover", "maze-theme"])
    #expect(error.description.split(separator: "\n").count == 3)
  }
}

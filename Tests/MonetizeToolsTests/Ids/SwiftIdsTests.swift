// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeTools

@Suite("Typed ids")
struct SwiftIdsTests {
  static func text(_ name: String) throws -> String { SwiftIds(try Samples.catalog(name), file: "\(name).json").text }

  @Test("The file of each shipped catalog matches its golden file", arguments: Samples.catalogs)
  func golden(name: String) throws {
    let path = Samples.root.appendingPathComponent("Tests/MonetizeToolsTests/Fixtures/ids/\(name).swift.txt")
    let text = try Self.text(name)
    if ProcessInfo.processInfo.environment["MONETIZE_RECORD"] != nil { try Data(text.utf8).write(to: path) }
    #expect(text == String(decoding: try Data(contentsOf: path), as: UTF8.self))
    #expect(try Self.text(name) == text)
  }

  @Test("The files of the five catalogs compile together, with code that uses them")
  func compiles() throws {
    let files = Dictionary(uniqueKeysWithValues: try Samples.catalogs.map { ("\($0).swift", try Self.text($0)) })
    let answer = try SwiftCompiler.check(files.merging(["Use.swift": Self.use]) { $1 })
    #expect(answer == "")
  }

  @Test("Names that the generated code or an optional uses itself get an underscore; a chosen name is always a legal one")
  func usedNames() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
        "collections": { "string": { "title": "S", "items": ["a"] }, "itemPath": { "title": "P", "items": 2 }, "int": { "title": "I", "items": 2 },
          "any": { "title": "A", "items": 2 } },
        "features": { "look": { "allowance": "level", "levels": ["none", "some", "fine"] } }, "freeTier": { "grants": { "look": "some" } } }
      """#
    let catalog = try Catalog(json: Data(json.utf8))
    let text = SwiftIds(catalog, file: "t.json").text
    #expect(try SwiftCompiler.check(["T.swift": text]) == "")
    #expect(
      text.contains("case none_ = \"none\"") && text.contains("enum String_ {") && text.contains("enum Int_ {")
        && text.contains("enum Any_ {"), "\(text)")
    for (name, written) in [
      ("1x", "_1x"), ("class", "Class"), ("my ids", "MyIds"), ("myIds", "myIds"), ("Type", "Type_"), ("Any", "Any_"),
      ("ProductID", "ProductID_"), ("AccessFeature", "AccessFeature_"),
    ] {
      #expect(SwiftIds(catalog, file: "t.json", options: .init(name: name, isPublic: false)).text.contains("enum \(written) {"), "\(name)")
    }
  }

  @Test("Characters without a shape are escapes in literals, and spaces elsewhere: a terminal and an editor show the file as it is")
  func invisible() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" },
        "features": { "a\u202Eb": { "title": "A\u2066B" }, "c\u200Dd": {} } }
      """#
    let text = SwiftIds(try Catalog(json: Data(json.utf8)), file: "t.json").text
    #expect(text.contains(#"static let aB = AccessFeature("a\u{202e}b")"#), "\(text)")
    #expect(text.contains(#"static let cD = AccessFeature("c\u{200d}d")"#), "\(text)")
    #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .format })
    #expect(try SwiftCompiler.check(["T.swift": text]) == "")
  }

  static let use = """
    import Foundation
    import Monetize
    func use(_ monetizer: Monetizer) async throws {
      try await monetizer.spend(DozziCatalog.Features.story)
      let voices = monetizer.level(of: DozziCatalog.Features.voices)
      switch voices { case .basic, .premium, nil: break }
      _ = monetizer.decision(for: DozziCatalog.Features.voices.at(.premium))
      _ = monetizer.cutoff(of: HeatlabCatalog.Features.history)
      _ = monetizer.decision(for: HeatlabCatalog.Features.history.at(Date()))
      _ = monetizer.decision(for: MazesCatalog.Features.storyPlay.item(MazesCatalog.Collections.Denny.item(4, .easy)))
      _ = monetizer.decision(for: MagicalStoriesCatalog.Features.childProfiles.holding(1))
      _ = try await monetizer.as(.child("max")).spend(MaxsPuzzlesCatalog.Features.playTime, seconds: 60)
      _ = try await monetizer.as(.child("max")).buy(MaxsPuzzlesCatalog.Collections.AvatarItems.item(.hat), of: MaxsPuzzlesCatalog.Features.shop)
      _ = try await monetizer.purchase(MagicalStoriesCatalog.Products.premiumMonthly)
      _ = await monetizer.openPaywall(at: MagicalStoriesCatalog.Placements.usageLimitReached)
    }

    """

  @Test(
    "Unknown names and questions that a shape does not support do not compile",
    arguments: [
      ("_ = monetizer.allows(DozziCatalog.Features.storry)", "has no member 'storry'"),
      ("_ = monetizer.decision(for: DozziCatalog.Features.voices.at(.premum))", "has no member 'premum'"),
      ("_ = monetizer.cutoff(of: DozziCatalog.Features.story)", "cannot convert value of type 'CountedFeature'"),
      ("try await monetizer.spend(DozziCatalog.Features.voices)", "LevelFeature<DozziCatalog.VoicesLevel>"),
      ("try await monetizer.spend(DozziCatalog.Features.library)", "AccessFeature"),
      ("_ = DozziCatalog.Products.unlimitedStory", "has no member 'unlimitedStory'"),
    ])
  func misspelt(use: String, message: String) throws {
    let files = [
      "dozzi.swift": try Self.text("dozzi"),
      "Use.swift": "import Monetize\nfunc use(_ monetizer: Monetizer) async throws { \(use) }\n",
    ]
    let answer = try SwiftCompiler.check(files)
    #expect(answer.contains("error:") && answer.contains(message), "\(answer)")
  }

  @Test("Any id gives a legal name, and no two ids the same one: keywords, digits, signs, other alphabets")
  func names() throws {
    let ids = [
      "a.b", "aB", "a-b", "A_B", "default", "init", "self", "Type", "class", "in", "1", "1-A", "é.b", "日本", "🔦", "🔦🔦", "...", "AI.x",
      "x\\\"y\\u0007",
      "a\\u2028b", "`", "Features", "\\\\(1)", "Any", "await", "some", "Protocol", "_", "0x1", "func func",
    ]
    let features = ids.map { "\"\($0)\": { \"title\": \"line\\nend */ \($0)\" }" }.joined(separator: ",")
    let levels = ids.map { "\"\($0)\"" }.joined(separator: ",")
    let json = """
      { "schemaVersion": 1, "app": { "id": "x", "name": "1 \\u202E app's" }, "freeTier": { "grants": {} },
        "features": { \(features), "Products": { "allowance": "level", "levels": [\(levels)] } },
        "collections": { "Item": { "title": "T", "items": [\(levels)], "parts": [\(levels)] }, "item": { "title": "T", "items": 3 } },
        "entitlements": { "x": { "grants": {} } }, "paywalls": { \(ids.map { "\"\($0)\": {}" }.joined(separator: ",")) },
        "products": [{ "kind": "nonConsumable", "id": "x.init", "name": "X", "entitlements": ["x"], "grants": { "a.b": true } }] }
      """.replacingOccurrences(of: "\"0x1\",\"func func\"]", with: "\"0x1\"]")
    let reading = Catalog.reading(Data(json.utf8))
    let catalog = try #require(reading.catalog, "\(reading.diagnostics)")
    let text = SwiftIds(catalog, file: "odd\nname.json", options: .init(isPublic: true)).text
    #expect(try SwiftCompiler.check(["odd.swift": text]) == "")
    // Every id occurs in the file, as a literal that reads back.
    for feature in catalog.features { #expect(text.contains("(\(SwiftIdsWriter.literal(feature.id.rawValue)))")) }
  }

  @Test("--check: an up-to-date file is fine, another or none is not")
  func check() throws {
    let catalog = try Samples.catalog("dozzi")
    let text = SwiftIds(catalog, file: "dozzi.json").text
    #expect(SwiftIdsReport(catalog, file: "dozzi.json", comparedWith: .some(text)).status == .fine)
    #expect(SwiftIdsReport(catalog, file: "dozzi.json", comparedWith: .some(text + "\n")).status == .no)
    #expect(SwiftIdsReport(catalog, file: "dozzi.json", comparedWith: .some(nil)).status == .no)
    #expect(SwiftIdsReport(catalog, file: "dozzi.json").status == .fine)
  }
}

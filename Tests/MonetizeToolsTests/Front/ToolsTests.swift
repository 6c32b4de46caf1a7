// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeTools

@Suite("The front without a library for arguments")
struct ToolsTests {
  private static func path(_ name: String) -> String { Samples.root.appendingPathComponent(name).path }

  @Test(
    "Exit statuses: 0 for success, 1 for the answer no, 2 when it could not run",
    arguments: [
      (["validate", "Products/dozzi.json"], 0), (["validate", "Tests/MonetizeToolsTests/Fixtures/storekit/by-hand.storekit"], 1),
      (["validate"], 2), (["validate", "nowhere.json"], 2), (["validate", "Products"], 2), (["valdate", "Products/dozzi.json"], 2), ([], 2),
      (["help"], 0), (["--help"], 0), (["help", "lint"], 0), (["lint", "--help"], 0), (["check", "a.json", "-h"], 0), (["help", "lnt"], 2),
      (["validate", "--nots", "Products/dozzi.json"], 2), (["validate", "--format=xml", "Products/dozzi.json"], 2),
      (["generate", "swift", "Products/dozzi.json"], 0), (["generate", "kotlin", "Products/dozzi.json"], 2),
      (["generate", "swift", "Products/dozzi.json", "--check"], 2), (["generate", "texts", "Products/dozzi.json", "--language", "fr"], 0),
      (["generate", "texts", "Products/dozzi.json"], 2), (["generate", "texts", "Products/dozzi.json", "--language", "french"], 2),
      (["generate", "texts", "Products/dozzi.json", "--to", "Products/strings/heatlab/de.json"], 1),
      (["generate", "swift", "Products/dozzi.json", "--check", "--to", "nowhere.swift"], 1),
      (["storekit", "check", "Tests/MonetizeToolsTests/Fixtures/storekit/by-hand.storekit"], 1),
      (["storekit", "check", "Tests/MonetizeToolsTests/Fixtures/storekit/beacon-4.0.storekit", "--format", "json"], 0),
      (["storekit", "import", "Tests/MonetizeToolsTests/Fixtures/storekit/beacon-4.0.storekit"], 0),
      (["storekit", "diff", "Products/dozzi.json", "Tests/MonetizeToolsTests/Fixtures/storekit/beacon-4.0.storekit"], 1),
      (["storekit", "export", "Products/dozzi.json"], 0), (["storekit", "check"], 2),
      (["lint", "Products/dozzi.json"], 0), (["lint", "Products/dozzi.json", "--format", "sarif"], 0), (["lint"], 2),
      (["lint", "Products/dozzi.json", "--storekit", "Tests/MonetizeToolsTests/Fixtures/storekit/beacon-4.0.storekit"], 0),
      (["lint", "Products/dozzi.json", "--format", "markdown"], 2),
      (["diff", "Products/dozzi.json", "Products/dozzi.json"], 0), (["diff", "Products/dozzi.json", "Products/heatlab.json"], 1),
      (["diff", "Products/dozzi.json"], 2), (["diff", "Products/dozzi.json", "Products/dozzi.json", "--format", "markdown"], 0),
      (["diff", "Products/dozzi.json", "--overlay", "Products/dozzi.json"], 1),
      (["diff", "Products/dozzi.json", "--overlay", "nowhere.json"], 2),
      (["diff", "Products/dozzi.json", "Products/dozzi.json", "--overlay", "nowhere.json"], 2),
      (["show", "Products/dozzi.json"], 0), (["show", "Products/dozzi.json", "--as", "privacy", "--format", "html"], 0),
      (["show", "Products/dozzi.json", "--as", "poem"], 2),
      (["check", "Products/dozzi.json", "--depth", "2"], 0), (["check", "Products/dozzi.json", "--depth", "no"], 2),
    ] as [([String], Int32)])
  func statuses(arguments: [String], status: Int32) async {
    let resolved = arguments.map { $0.hasPrefix("Products") || $0.hasPrefix("Tests") ? Self.path($0) : $0 }
    #expect(await Tools.run(arguments: resolved) == status, "\(arguments)")
  }

  @Test("The help of a command names every option and format that it takes")
  func helpIsComplete() throws {
    #expect(Tools.help.contains("\n  lint      Checks catalogs against the store's review rules.\n"))
    for verb in ToolVerb.all {
      #expect(verb.help.hasPrefix("Usage: monetize \(verb.name) ") && verb.help.contains(verb.abstract))
      for option in verb.options + verb.flags { #expect(verb.help.contains("--\(option)"), "\(verb.name) --\(option)") }
      #expect(verb.help.contains("[--format \(verb.formats.joined(separator: "|"))]"))
    }
  }

  @Test("A misspelt command is answered with the closest one")
  func misspeltCommands() {
    let problem = #expect(throws: ToolProblem.self) { try ToolVerb.named("valdate") }
    #expect(problem?.description == "There is no command \"valdate\". Did you mean \"validate\"?")
  }

  @Test("diff --overlay: the gains and losses by remote configuration") func overlays() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("overlays-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(#"[{ "id": "three", "patch": { "freeTier": { "grants": { "story": 3 } } } }]"#.utf8).write(to: file)
    #expect(await Tools.run(arguments: ["diff", Self.path("Products/dozzi.json"), "--overlay", file.path]) == 0)
    let catalog = try Catalog(contentsOf: URL(fileURLWithPath: Self.path("Products/dozzi.json")))
    let report = DiffReport(try CatalogDiff(of: catalog, applying: Overlay.list(json: Data(contentsOf: file))), old: "a", new: "b")
    #expect(
      report.changes.map(\.code) == ["everyone-gains"]
        && report.changes[0].sentence.hasSuffix("2 stories in all before, 3 stories in all now."))
    #expect(try CatalogDiff(of: catalog, applying: []).changes.isEmpty)
  }

  @Test("diff --overlay: texts in other languages are listed with their language, after what concerns access") func overlayTexts() throws {
    let catalog = try Catalog(contentsOf: URL(fileURLWithPath: Self.path("Products/dozzi.json")))
    let overlay = #"""
      [{ "id": "more", "patch": { "freeTier": { "grants": { "story": 3 } }, "paywalls": { "default": { "headline": "More" } } },
         "texts": { "ja": { "paywalls": { "default": { "headline": "もっと" } } }, "de": { "paywalls": { "default": { "headline": "Mehr" } } } } }]
      """#
    let changes = try CatalogDiff(of: catalog, applying: Overlay.list(json: Data(overlay.utf8))).changes
    #expect(changes.map(\.topic) == [.gains, .texts, .texts, .texts])
    #expect(
      changes.dropFirst(2).map(\.sentence) == [
        "The text paywalls.default.headline in \"de\": “Mehr” is set.", "The text paywalls.default.headline in \"ja\": “もっと” is set.",
      ])
    #expect(changes.last?.path == "texts.ja.paywalls.default.headline" && changes.last?.new == "もっと")
  }

  @Test("An app's own kinds are read by every verb")
  func ownKinds() async throws {
    let planted = try #require(PlantedCatalog.all.first { $0.code == "devices-differ" })
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("own-\(UUID().uuidString).json")
    try Data(planted.json.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(await Tools.run(arguments: ["validate", file.path]) == 1)
    #expect(await Tools.run(arguments: ["validate", file.path], kinds: PlantedCatalog.kinds) == 0)
    #expect(await Tools.run(arguments: ["check", file.path], kinds: PlantedCatalog.kinds) == 1)
  }

  @Test("check searches for the properties of a file as well, and refuses a wrong file") func properties() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tools-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("own.json")
    let check = ["check", Self.path("Products/dozzi.json"), "--depth", "2", "--properties", file.path]
    for (property, status) in [
      (#"{ "any": [{ "allowed": "story" }, { "not": { "allowed": "story" } }] }"#, 0), (#"{ "remaining": "story", "atLeast": 2 }"#, 1),
      ("5", 1),
    ] {
      try Data(#"{ "properties": [{ "id": "mine", "always": \#(property) }] }"#.utf8).write(to: file)
      #expect(await Tools.run(arguments: check) == Int32(status), "\(property)")
    }
  }

  @Test("generate --to writes once, and leaves an equal file alone; export --to likewise")
  func writes() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tools-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (catalog, swift, store) = (Self.path("Products/heatlab.json"), folder.path + "/Names.swift", folder.path + "/a.storekit")
    let past = Date(timeIntervalSince1970: 1_000_000_000)
    for (arguments, file) in [
      (["generate", "swift", catalog, "--to", swift], swift), (["storekit", "export", catalog, "--to", store], store),
    ] {
      #expect(await Tools.run(arguments: arguments) == 0)
      try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: file)
      #expect(await Tools.run(arguments: arguments) == 0)
      #expect(await Tools.run(arguments: arguments + ["--check"]) == 0)
      #expect(try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date == past)
    }
    let table = folder.path + "/strings/heatlab/fr.json"
    #expect(await Tools.run(arguments: ["generate", "texts", catalog, "--to", table]) == 0)
    let texts = try Data(contentsOf: URL(fileURLWithPath: table))
    #expect(await Tools.run(arguments: ["generate", "texts", Self.path("Products/dozzi.json"), "--to", table]) == 1, "of another catalog")
    #expect(try Data(contentsOf: URL(fileURLWithPath: table)) == texts)
    #expect(await Tools.run(arguments: ["storekit", "export", Self.path("Products/dozzi.json"), "--to", store, "--check"]) == 1)
    #expect(try FileManager.default.attributesOfItem(atPath: store)[.modificationDate] as? Date == past)
    // The table beside it has the texts of another catalog.
    let other = folder.path + "/heatlab.json"
    try FileManager.default.copyItem(atPath: Self.path("Products/dozzi.json"), toPath: other)
    #expect(await Tools.run(arguments: ["storekit", "export", other]) == 1)
  }
}

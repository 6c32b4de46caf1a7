// SPDX-License-Identifier: Apache-2.0
import Foundation
import MazeContent
import MazePacks
import Monetize
import Testing

/// A temporary folder with the content of a catalog.
final class ContentFolder {
  static let catalog = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Products/maze-packs.json")

  /// A second pack, as an app's team would add it: one collection, one product.
  static func twoPacks() throws -> MazeCatalog {
    let collection = #""robin": { "title": "Robin", "cover": "c", "theme": "t", "items": 20, "parts": ["easy", "medium", "hard"] }"#
    let product =
      #"{ "kind": "nonConsumable", "id": "com.example.mazes.pack.robin", "name": "Robin", "description": "All stories of this pack.","#
      + #" "price": { "amount": "9.99", "currency": "USD" }, "grants": { "story.play": { "robin": "unlimited" } } }"#
    let text = try String(contentsOf: catalog, encoding: .utf8)
      .replacingOccurrences(of: #""hard"] }"#, with: #""hard"] }, "# + collection)
      .replacingOccurrences(of: #""unlimited" } } }"#, with: #""unlimited" } } }, "# + product)
    return try MazeCatalog(json: Data(text.utf8))
  }

  let url: URL
  let maze: MazeCatalog

  init(_ maze: MazeCatalog? = nil) throws {
    self.maze = try maze ?? MazeCatalog(contentsOf: ContentFolder.catalog)
    url = FileManager.default.temporaryDirectory.appendingPathComponent("mazes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for pack in self.maze.packs {
      for level in pack.stories.flatMap(\.levels) {
        try write(#"{ "difficulty": "\#(level.difficulty.rawValue)", "walls": [] }"#, to: MazeFiles.name(of: level))
      }
    }
    try writeManifest()
    try write(#"[{ "difficulty": "easy" }, { "difficulty": "medium" }, { "difficulty": "hard" }]"#, to: "difficulty_samples.json")
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ text: String, to file: String) throws { try Data(text.utf8).write(to: url.appendingPathComponent(file)) }
  func remove(_ file: String) throws { try FileManager.default.removeItem(at: url.appendingPathComponent(file)) }

  /// Lists every maze of the catalog; `total` replaces the correct total.
  func writeManifest(total: Int? = nil) throws {
    let levels = maze.packs.flatMap(\.stories).flatMap(\.levels)
    let entries = levels.map { ContentManifest.Entry(file: MazeFiles.name(of: $0), difficulty: $0.difficulty.rawValue) }
    let manifest = ContentManifest(total: total ?? levels.count, entries: entries)
    try JSONEncoder().encode(manifest).write(to: url.appendingPathComponent("manifest.json"))
  }

  /// The findings as `code file`, sorted.
  func findings() throws -> [String] { try ContentManifest.check(folder: url, against: maze).map { "\($0.code) \($0.file)" }.sorted() }
}

@Suite(.timeLimit(.minutes(30)))
struct ContentTests {
  @Test("MAZE-28: 60 files named denny_01_easy.json to denny_20_hard.json are fine")
  func complete() throws {
    let folder = try ContentFolder()
    let mazes = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasPrefix("denny_") }.sorted()
    #expect(mazes.count == 60)
    #expect(mazes.first == "denny_01_easy.json")
    #expect(mazes.last == "denny_20_medium.json")
    #expect(try folder.findings() == [])
  }

  @Test("MAZE-28: a missing file is reported")
  func missing() throws {
    let folder = try ContentFolder()
    try folder.remove("denny_07_medium.json")
    #expect(try folder.findings() == ["missing-file denny_07_medium.json"])
  }

  @Test("MAZE-28, MAZE-29: a file of an old level is reported, with a fix that depends on the level")
  func oldLevels() throws {
    let folder = try ContentFolder()
    for level in ["lv2", "lv4", "lv5", "expert"] { try folder.write(#"{ "difficulty": "easy" }"#, to: "denny_07_\(level).json") }
    #expect(try folder.findings() == ["expert", "lv2", "lv4", "lv5"].map { "old-level denny_07_\($0).json" })
    let findings = try ContentManifest.check(folder: folder.url, against: folder.maze)
    #expect(findings.first { $0.file == "denny_07_lv2.json" }?.message.hasSuffix("That level is gone: delete the file.") == true)
    #expect(findings.first { $0.file == "denny_07_lv5.json" }?.message.hasSuffix(#"It is called "hard" now: rename the file."#) == true)
  }

  @Test("MAZE-28: an unknown difficulty is reported, and one that contradicts the file's name")
  func difficulties() throws {
    let folder = try ContentFolder()
    try folder.write(#"{ "difficulty": "expert" }"#, to: "denny_01_hard.json")
    try folder.write(#"{ "difficulty": "easy" }"#, to: "denny_02_hard.json")
    #expect(try folder.findings() == ["unknown-difficulty denny_01_hard.json", "wrong-difficulty denny_02_hard.json"])
  }

  @Test("MAZE-28: a manifest with another total is reported", arguments: [59, 61, 100])
  func total(_ total: Int) throws {
    let folder = try ContentFolder()
    try folder.writeManifest(total: total)
    #expect(try folder.findings() == ["manifest-total manifest.json"])
  }

  @Test("MAZE-28: a manifest with other files or old difficulties is reported")
  func entries() throws {
    let folder = try ContentFolder()
    try folder.write(#"{ "total": 60, "entries": [{ "file": "denny_01_lv2.json", "difficulty": "beginner" }] }"#, to: "manifest.json")
    #expect(try folder.findings() == ["manifest-entries manifest.json", "unknown-difficulty manifest.json"])
    try folder.remove("manifest.json")
    #expect(try folder.findings() == ["manifest-entries manifest.json"])
  }

  @Test(
    "MAZE-28: there are three samples, one for each difficulty",
    arguments: [
      "[]", #"[{ "difficulty": "easy" }, { "difficulty": "hard" }]"#,
      #"[{ "difficulty": "easy" }, { "difficulty": "medium" }, { "difficulty": "hard" }, { "difficulty": "hard" }]"#,
      #"[{ "difficulty": "easy" }, { "difficulty": "medium" }, { "difficulty": "expert" }]"#,
    ])
  func samples(_ text: String) throws {
    let folder = try ContentFolder()
    try folder.write(text, to: "difficulty_samples.json")
    #expect(try folder.findings() == ["samples difficulty_samples.json"])
  }

  @Test("DEF-M4, MAZE-27: two packs need 120 files, with the same code")
  func twoPacks() throws {
    let folder = try ContentFolder(ContentFolder.twoPacks())
    #expect(try folder.findings() == [])
    try folder.remove("robin_20_hard.json")
    try folder.writeManifest(total: 60)
    #expect(try folder.findings() == ["manifest-total manifest.json", "missing-file robin_20_hard.json"])
  }

  @Test("An invalid file and a maze without a story are reported; other files are ignored")
  func others() throws {
    let folder = try ContentFolder()
    try folder.write("{", to: "denny_03_easy.json")
    try folder.write(#"{ "difficulty": "easy" }"#, to: "denny_21_easy.json")
    try folder.write("hello", to: "README.md")
    #expect(try folder.findings() == ["unknown-file denny_21_easy.json", "unreadable denny_03_easy.json"])
  }

  @Test("MAZE-28: the check is pure: values in, findings out")
  func pure() throws {
    let packs = try MazeCatalog(contentsOf: ContentFolder.catalog).packs
    let nothing = MazeContent(files: [], manifest: nil, difficulties: [:], samples: nil)
    let codes = ContentManifest.check(nothing, against: packs).map(\.code)
    #expect(codes.filter { $0 == .missingFile }.count == 60)
    #expect(codes.filter { $0 != .missingFile } == [.manifestEntries, .samples])
  }
}

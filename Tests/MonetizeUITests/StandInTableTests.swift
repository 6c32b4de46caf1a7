// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `Docs/ApplePlatforms-SwiftUI.md` lists each symbol of SwiftUI and Combine that is used, as Apple declares it.
@Suite("SwiftUI and Combine: the table of symbols", .timeLimit(.minutes(30)))
struct StandInTableTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static func text(_ path: String) throws -> String { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }

  struct Row: Hashable {
    var declaration: StandInDeclaration
    var source: String
    var usedIn: String
  }

  static let parts: [(title: String, files: [String])] = [
    ("Combine", ["Combine/Combine"]),
    ("SwiftUI", ["View", "Data", "Drawing", "Controls", "Layout", "Modifiers", "Names"].map { "SwiftUI/\($0)" }),
  ]

  static func declarations(_ files: [String]) throws -> [StandInDeclaration] {
    try files.flatMap { try StandInReader(text("Tests/StandIns/\($0).swift")).declarations }
  }

  static func rows(_ title: String) throws -> [Row] {
    let page = try text("Docs/ApplePlatforms-SwiftUI.md")
    let section = try #require(page.components(separatedBy: "\n### \(title)\n").dropFirst().first).components(separatedBy: "\n### ")[0]
    return section.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.components(separatedBy: " | ").map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: "| ")).replacingOccurrences(of: "`", with: "")
      }
      return Row(declaration: StandInDeclaration(symbol: cells[0], text: cells[1], since: cells[2]), source: cells[3], usedIn: cells[4])
    }
  }

  /// The sources that use SwiftUI, by their paths, without comments.
  static func sources() throws -> [(path: String, text: String)] {
    try ["Sources/MonetizeUI", "Sources/MonetizePreview", "Examples/Sources", "Tests/MonetizeUITests"].flatMap {
      folder -> [(path: String, text: String)] in
      let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?.compactMap { $0 as? String } ?? []
      return try files.filter { $0.hasSuffix(".swift") && !$0.contains("StandIn") }.sorted().compactMap { path in
        let source = try text("\(folder)/\(path)")
        guard source.contains("import SwiftUI") || source.contains("import Combine") else { return nil }
        return (
          path: "\(folder)/\(path)",
          text: source.components(separatedBy: "\n").map { $0.components(separatedBy: "//")[0] }.joined(separator: "\n")
        )
      }
    }
  }

  @Test("The stand-ins declare what the table lists, word by word, and nothing else") func table() throws {
    if ProcessInfo.processInfo.environment["RECORD_TABLE"] != nil { try Self.write() }
    for (title, files) in Self.parts {
      let (listed, declared) = (Set(try Self.rows(title).map(\.declaration)), Set(try Self.declarations(files)))
      #expect(declared.count > 10)
      for declaration in declared where !listed.contains(declaration) { Issue.record("not in the table: \(declaration)") }
      for declaration in listed where !declared.contains(declaration) { Issue.record("not in the stand-in: \(declaration)") }
    }
  }

  @Test("Each row names a file that uses it") func uses() throws {
    let sources = Dictionary(uniqueKeysWithValues: try Self.sources().map { ($0.path, $0.text) })
    for (title, _) in Self.parts {
      for row in try Self.rows(title) where row.usedIn.contains("/") {
        #expect(sources[row.usedIn]?.contains(Self.plain(row.declaration.symbol)) == true, "\(row.declaration.symbol) in \(row.usedIn)")
      }
    }
  }

  static func plain(_ symbol: String) -> String {
    let name = symbol.components(separatedBy: "(")[0].components(separatedBy: ".")
    return name.last == "init" ? name.dropLast().last ?? symbol : name.last ?? symbol
  }

  /// Writes the rows of the stand-ins into the page; what stands above its tables stays. A person compares the rows with Apple's pages.
  private static func write() throws {
    let sources = try Self.sources()
    let file = root.appendingPathComponent("Docs/ApplePlatforms-SwiftUI.md")
    var page = try text("Docs/ApplePlatforms-SwiftUI.md").components(separatedBy: "\n### ")[0]
    // The source of a row that a person has compared stays.
    let known = try Self.parts.flatMap { try Self.rows($0.title) }
    let compared = Dictionary(known.map { ($0.declaration, $0.source) }) { first, _ in first }
    for (title, files) in Self.parts {
      page += "\n### \(title)\n\n| Symbol | Declaration | Since | Source | Used in |\n|---|---|---|---|---|\n"
      for declaration in try declarations(files) {
        let place = sources.first { $0.text.contains(plain(declaration.symbol)) }?.path ?? "the stand-in"
        page +=
          "| `\(declaration.symbol)` | `\(declaration.text)` | \(declaration.since) | \(compared[declaration] ?? "Apple") | \(place) |\n"
      }
    }
    try Data(page.utf8).write(to: file)
  }
}

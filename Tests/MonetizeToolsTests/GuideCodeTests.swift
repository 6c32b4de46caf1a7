// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The codes in the guides are those of the source.
@Suite("The codes in the guides", .timeLimit(.minutes(30)))
struct GuideCodeTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test(
    "every code of storekit and merge stands in its guide, and no other",
    arguments: [("StoreKitFile", "StoreKit-files", "## Codes"), ("Merge", "Command-line", "The mistakes in a record are")])
  func codes(_ folder: String, _ guide: String, _ start: String) throws {
    let sources = Self.root.appendingPathComponent("Sources/MonetizeTools/\(folder)")
    let files = try FileManager.default.contentsOfDirectory(atPath: sources.path).map {
      try String(contentsOf: sources.appendingPathComponent($0), encoding: .utf8)
    }
    let written = Set(files.joined().matches(of: /"([a-z]+(-[a-z]+)+)"/).map { String($0.1) })
    let text = try String(contentsOf: Self.root.appendingPathComponent("Docs/Guides/\(guide).md"), encoding: .utf8)
    let section = try #require(text.components(separatedBy: start).dropFirst().first).components(separatedBy: "\n## ")[0]
    let paragraph = guide == "Command-line" ? section.components(separatedBy: "\n")[0] : section
    let described = Set(paragraph.matches(of: /`([a-z]+(-[a-z]+)+)`/).map { String($0.1) })
    // The parser of JSON reports this one.
    #expect(written.union(guide == "StoreKit-files" ? ["json-syntax"] : []) == described)
  }
}

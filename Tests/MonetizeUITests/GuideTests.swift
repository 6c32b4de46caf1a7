// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeUI
import SwiftUI
import Testing

@Suite("The guides about views", .timeLimit(.minutes(30)))
@MainActor struct GuideTests {
  private func blocks(_ guide: String, _ language: String) throws -> [String] {
    let text = try String(contentsOf: Stage.root.appendingPathComponent("Docs/Guides/\(guide).md"), encoding: .utf8)
    return text.components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  private func compiled(_ name: String) throws -> String {
    try String(contentsOf: Stage.root.appendingPathComponent("Tests/MonetizeUITests/Guide/\(name).swift"), encoding: .utf8)
  }

  @Test("Ten minutes: at most 25 lines of Swift and 40 of JSON, and the Swift is the file that is compiled here")
  func lengths() throws {
    let (swift, json) = (try #require(blocks("TenMinutes", "swift").first), try #require(blocks("TenMinutes", "json").first))
    #expect(swift.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count <= 25)
    #expect(json.split(separator: "\n").count <= 40)
    #expect(
      try compiled("TenMinutes") == "// SPDX-License-Identifier: Apache-2.0\n// swift-format-ignore-file\n"
        + swift.replacingOccurrences(of: "@main struct", with: "struct"))
  }

  @Test("Views: every block of Swift stands in the file that is compiled here")
  func views() throws {
    let file = try compiled("Views")
    for block in try blocks("Views", "swift") { #expect(file.contains(block), "\(block)") }
  }

  @Test("Ten minutes: the limit, the lock, the paywall and the purchase, with the guide's file and the guide's view")
  func story() async throws {
    let stage = try await Stage(catalog: Catalog(json: Data(#require(blocks("TenMinutes", "json").first).utf8)))
    let host = stage.show(NotesView())
    for number in 1...3 {
      #expect(await stage.tap("New note", in: host))
      #expect(host.texts.contains("Note \(number)") && host.texts.contains("Notes this month: \(number)/3"))
    }
    #expect(host.control("Export, locked, Export your notes as PDF") != nil)
    #expect(await stage.tap("New note", in: host))
    #expect(host.texts.contains("Write without limits") && host.texts.contains("$4.99"))
    #expect(await stage.tap("Buy", in: host))
    #expect(!host.hasSheet && host.texts.contains("Export as PDF") && !host.texts.contains { $0.hasPrefix("Notes this month") })
    #expect(await stage.tap("New note", in: host) && host.texts.contains("Note 4"))
  }
}

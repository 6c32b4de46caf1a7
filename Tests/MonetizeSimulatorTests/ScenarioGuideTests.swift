// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import MonetizeSimulator

/// The tables of the guide are generated from the vocabulary, so that they match the reader.
@Suite("The guide of scenarios", .timeLimit(.minutes(30)))
struct ScenarioGuideTests {
  private static let guide = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Docs/Guides/Scenarios.md")

  /// The guide with a table filled in between `<!-- made: NAME -->` and `<!-- end -->`; `nil` without that place.
  private static func filling(_ text: String, _ name: String, _ table: String) -> String? {
    guard let start = text.range(of: "<!-- made: \(name) -->\n"),
      let end = text.range(of: "\n<!-- end -->", range: start.upperBound..<text.endIndex)
    else { return nil }
    return text.replacingCharacters(in: start.upperBound..<end.lowerBound, with: table)
  }

  @Test("each table of the guide matches the vocabulary; RECORD_SNAPSHOTS=1 records them, and fails") func tables() throws {
    let text = try String(contentsOf: Self.guide, encoding: .utf8)
    var made = text
    for (name, table) in ScenarioVocabulary.standard.tables {
      made = try #require(Self.filling(made, name, table), "the guide has no place for \(name)")
    }
    guard made != text else { return }
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil { try made.write(to: Self.guide, atomically: true, encoding: .utf8) }
    let (old, new) = (Set(text.components(separatedBy: "\n")), made.components(separatedBy: "\n"))
    Issue.record("The guide's tables differ from the vocabulary: \(new.filter { !old.contains($0) }.prefix(10).joined(separator: "\n"))")
  }

  @Test("every verb, key, setting and fact has a description in one sentence") func sentences() {
    let vocabulary = ScenarioVocabulary.standard
    let keys = vocabulary.verbs().flatMap { [$0] + vocabulary.keys(of: $0.name) } + vocabulary.worldSettings
    #expect(keys.count > 100)
    for about in keys.map(\.about) + vocabulary.subjects.flatMap(\.facts).map(\.about) + vocabulary.quirks.map(\.about) {
      #expect(about.hasSuffix(".") && about.first?.isLetter == true, "\(about)")
    }
  }
}

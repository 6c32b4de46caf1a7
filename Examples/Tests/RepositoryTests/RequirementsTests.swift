// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Checks `Docs/Requirements.md`, which `.ci/requirements.py` writes.
@Suite("Docs/Requirements.md", .timeLimit(.minutes(30)))
struct RequirementsTests {
  /// The number of requirements of each family.
  static let counts = ["CARD": 11, "MAZE": 39, "HEAT": 48, "MAGIC": 66, "PUZZ": 36, "DOZZI": 55, "XC": 14]
  static let capabilities: Set<String> = [
    // Capabilities of their own.
    "paywall", "onboarding", "analytics", "lint", "storekit-export", "forecast", "server", "sync", "ui", "docs",
    // Parts of existing capabilities: these rows wait for a test or a scenario.
    "catalog", "kind", "allowance", "decision", "store", "verify", "restore", "persist", "gate", "sim",
  ]
  /// The only rows of the maze app that may wait.
  static let mayWait: Set<String> = ["MAZE-15", "MAZE-23", "MAZE-24", "MAZE-34", "MAZE-37", "MAZE-38"]

  struct Row {
    let id: String
    let shownBy: [String]
  }

  let rows: [Row]

  init() throws {
    rows = try Repository.text("Docs/Requirements.md").components(separatedBy: "\n").compactMap { line in
      let cells = line.components(separatedBy: " | ")
      guard cells.count == 3, let id = Self.ids(cells[0]).first else { return nil }
      return Row(id: id, shownBy: cells[2].replacingOccurrences(of: " |", with: "").components(separatedBy: "<br>"))
    }
  }

  /// The ids in a text; MAGIC-25/26 is two.
  static func ids(_ text: String) -> [String] {
    text.matches(of: /\b(CARD|MAZE|HEAT|MAGIC|PUZZ|DOZZI|XC)-(\d\d(?:\/\d\d)*)/).flatMap { match in
      match.2.split(separator: "/").map { "\(match.1)-\($0)" }
    } + text.matches(of: /\bDEF-[A-Z]\d+/).map { String($0.0) }
  }

  @Test("every requirement has exactly one row", arguments: counts.sorted { $0.key < $1.key })
  func complete(_ family: String, _ count: Int) {
    let expected = (1...count).map { "\(family)-" + ($0 < 10 ? "0\($0)" : "\($0)") }
    #expect(rows.map(\.id).filter { $0.hasPrefix("\(family)-") } == expected)
  }

  @Test("every defect of the documents' own code has exactly one row, with evidence or the reason why no code here could have it")
  func defects() {
    let defects = rows.filter { $0.id.hasPrefix("DEF-") }
    #expect(defects.count == 99 && Set(defects.map(\.id)).count == 99)
    #expect(defects.allSatisfy { !$0.shownBy.contains { $0.hasPrefix("later") } })
  }

  @Test("a row points to files that exist and carry its id")
  func pointsAtSomething() throws {
    for row in rows {
      for entry in row.shownBy {
        let parts = entry.components(separatedBy: ": ")
        try #require(parts.count == 2, "\(row.id): \(entry)")
        guard ["later", "partly", "no code"].contains(parts[0]) || Repository.exists(parts[1]) else {
          Issue.record("\(row.id): there is no \(parts[1])")
          continue
        }
        switch parts[0] {
        case "scenario":
          #expect(try Self.shows(parts[1]).contains(row.id), "\(row.id) is not shown by \(parts[1])")
        case "test":
          #expect(try Self.displayNames(parts[1]).contains(row.id), "\(row.id) stands in no test's name in \(parts[1])")
        case "later":
          #expect(Self.capabilities.contains(parts[1]), "\(row.id): there is no capability \(parts[1])")
        case "partly": #expect(row.shownBy.count > 1, "\(row.id) is partly shown, but by nothing")
        case "no code": #expect(row.id.hasPrefix("DEF-"), "\(row.id): only a defect of a document can have no counterpart")
        default: Issue.record("\(row.id): \(entry) is of no known kind")
        }
      }
    }
  }

  @Test("a scenario names only requirements that are not marked as later")
  func scenarios() throws {
    let later = Set(rows.filter { $0.shownBy.contains { $0.hasPrefix("later") } }.map(\.id))
    let known = Set(rows.map(\.id))
    for file in Repository.files(under: "Examples/Scenarios", endings: [".json"]) {
      for id in try Self.shows(file) {
        #expect(known.contains(id), "\(file) shows \(id), which is no requirement")
        #expect(!later.contains(id), "\(file) shows \(id): run .ci/requirements.py")
      }
    }
  }

  @Test("of the maze app and the project itself, only the agreed rows wait")
  func waits() {
    let later = rows.filter { $0.shownBy.contains { $0.hasPrefix("later") } }.map(\.id)
    #expect(later.filter { $0.hasPrefix("MAZE") && !Self.mayWait.contains($0) } == [])
    #expect(later.filter { $0.hasPrefix("CARD") } == [])
  }

  /// The ids in the display names of a file's tests and suites.
  private static func displayNames(_ file: String) throws -> [String] {
    let names = /(?m)^\s*@(?:Test|Suite)\(\s*"((?:[^"\\]|\\.)*)"/
    return try Repository.text(file).matches(of: names).flatMap { ids(String($0.1)) }
  }

  private static func shows(_ file: String) throws -> [String] {
    let scenario = try JSONSerialization.jsonObject(with: Data(Repository.text(file).utf8)) as? [String: Any]
    return (scenario?["shows"] as? [String] ?? []).flatMap(ids)
  }
}

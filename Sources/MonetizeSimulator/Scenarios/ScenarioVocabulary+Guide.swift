// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The tables of `Docs/Guides/Scenarios.md`, by the name after `made:` in the guide. A test compares them.
extension ScenarioVocabulary {
  var tables: [(name: String, text: String)] {
    Group.allCases.map { ("verbs: \($0)", verbTable($0)) } + [
      ("settings", Self.table(["Setting", "Meaning"], worldSettings.map { ["`\($0.name)`", $0.about] })),
      ("quirks", Self.table(["Quirk", "Effect"], quirks.map { ["`\($0.quirk)`", $0.about] })),
      (
        "facts",
        Self.table(
          ["Subject", "Fact", "Meaning"],
          subjects.flatMap { subject in
            subject.facts.enumerated().map { [$0.offset == 0 ? subject.name : "", "`\($0.element.name)`", $0.element.about] }
          })
      ),
    ]
  }

  private func verbTable(_ group: Group) -> String {
    let rows = verbs(of: group).map { verb in
      let keys = keys(of: verb.name).map { $0.isRequired ? "**`\($0.name)`**" : "`\($0.name)`" }
      return ["`\(verb.name)`", verb.about, keys.joined(separator: ", "), verb.words]
    }
    return Self.table(["Verb", "What happens", "Keys", "Outcome"], rows)
  }

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    let lines = [head, head.map { _ in "---" }] + rows
    return lines.map { cells in "| " + cells.map { $0.replacingOccurrences(of: "|", with: "\\|") }.joined(separator: " | ") + " |" }
      .joined(separator: "\n")
  }
}

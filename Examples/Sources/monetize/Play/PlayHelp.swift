// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator

/// What `help` prints: nothing in it is wider than 80 columns.
enum PlayHelp {
  static let width = 80

  static func text(_ topic: String?) throws(Misunderstood) -> String {
    guard let topic else { return list }
    if let verb = PlayVerb.named(topic) { return about(verb) }
    let names = PlayVerb.all.map(\.name)
    if ScenarioPlayer.verbs.contains(topic) {
      return Terminal.wrapped("\(topic) KEY=VALUE… is the verb of scenarios; Docs/Guides/Scenarios.md has its keys.", width: width, indent: 0)
    }
    let guess = if case .none(let guess?) = ScenarioPlayer.find(topic, among: names) { " Did you mean \"\(guess)\"?" } else { "" }
    throw Misunderstood("There is no command \"\(topic)\".\(guess) `help` lists them all.")
  }

  private static var list: String {
    let groups = PlayVerb.Group.allCases.map { group in
      Style.output.bold(group.rawValue) + "\n"
        + PlayVerb.all.filter { $0.group == group }.map { row($0.words, $0.about) }.joined(separator: "\n")
    }
    let end = [
      "`help buy` tells what may follow. Ids may be shortened to their ends: denny for com.example.mazes.pack.denny.",
      "What has no word here is written as in a scenario: buy denny note=\"a gift\", set monthEnd=drifts, "
        + "record completion=denny/4, or a whole step in braces.",
    ]
    return (groups + [end.map { Terminal.wrapped($0, width: width, indent: 0) }.joined(separator: "\n")]).joined(separator: "\n")
  }

  private static func about(_ verb: PlayVerb) -> String {
    let title = Terminal.wrapped("\(verb.words)", width: width, indent: 4)
    let about = "  " + Terminal.wrapped(verb.about, width: width - 2, indent: 2)
    let also = verb.alias.map { ["  Also: \($0)"] } ?? []
    return ([title, about] + verb.options.map { row($0.usage, $0.about) } + also).joined(separator: "\n")
  }

  /// How it is written, and beside or below it what it does.
  private static func row(_ usage: String, _ about: String) -> String {
    let column = 30
    let gap = String(repeating: " ", count: column)
    let start = "  \(usage)"
    let lines = Terminal.wrapped(about, width: width - column, indent: 0).components(separatedBy: "\n").map(Style.output.dim)
    let head = start.count < column ? Terminal.padded(start, column) + lines[0] : start + "\n" + gap + lines[0]
    return ([head] + lines.dropFirst().map { gap + $0 }).joined(separator: "\n")
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import MonetizeTools

/// The text of `help`, at most 80 columns wide.
enum PlayHelp {
  static let width = 80

  static func text(_ topic: String?) throws(ToolProblem) -> String {
    guard let topic else { return overview }
    if topic.lowercased() == "all" { return list }
    if let verb = PlayVerb.named(topic) { return about(verb) }
    if let verb = PlayVerb.vocabulary.verbs().first(where: { $0.name == topic }) {
      let usage = Terminal.wrapped("\(topic) KEY=VALUE…", width: width, indent: 4)
      return ([usage, "  " + Terminal.wrapped(verb.about, width: width - 2, indent: 2)] + rows(PlayVerb.vocabulary.keys(of: topic)))
        .joined(separator: "\n")
    }
    let guess = ScenarioPlayer.find(topic, among: PlayVerb.all.map(\.name)).likely.map { " Did you mean \"\($0)\"?" } ?? ""
    throw ToolProblem("There is no command \"\(topic)\".\(guess) `help` lists them all.")
  }

  /// The names only, to fit a small terminal.
  private static var overview: String {
    let groups = PlayVerb.groups.map { title, verbs in
      let names = verbs.map(\.name).joined(separator: ", ")
      return Style.output.bold(title) + "\n  " + Terminal.wrapped(names, width: width - 2, indent: 2)
    }
    let examples = "Examples: buy denny gate pass, use story 2, wait 7d, undo, as child:max show."
    let more =
      "`help buy` explains one command, `help all` all. Names are typed as printed, or as ids or their ends: denny for com.example.pack.denny."
    let rest =
      "Other keys are written as in a scenario: buy denny note=\"a gift\", set monthEnd=drifts, record completion=denny/4, "
      + "or a whole step in braces."
    return (groups + [examples, more, rest].map { Terminal.wrapped($0, width: width, indent: 0) }).joined(separator: "\n")
  }

  private static var list: String {
    PlayVerb.groups.map { title, verbs in
      ([Style.output.bold(title)] + verbs.map { row($0.words, $0.about) }).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private static func about(_ verb: PlayVerb) -> String {
    let title = Terminal.wrapped("\(verb.words)", width: width, indent: 4)
    let about = "  " + Terminal.wrapped(verb.about, width: width - 2, indent: 2)
    let also = verb.alias.map { ["  Also: \($0)"] } ?? []
    let options = verb.name == "set" ? rows(PlayVerb.vocabulary.worldSettings) : verb.options.map { row($0.usage, $0.about) }
    return ([title, about] + options + also).joined(separator: "\n")
  }

  /// The keys of a step, each with its description.
  private static func rows(_ keys: [ScenarioVocabulary.Term]) -> [String] { keys.map { row("\($0.name)=", $0.about) } }

  /// The usage of a command, with its description beside or below it.
  private static func row(_ usage: String, _ about: String) -> String {
    let column = 30
    let gap = String(repeating: " ", count: column)
    let start = "  \(usage)"
    let lines = Terminal.wrapped(about, width: width - column, indent: 0).components(separatedBy: "\n").map(Style.output.dim)
    let head = start.count + 1 < column ? Terminal.padded(start, column) + lines[0] : start + "\n" + gap + lines[0]
    return ([head] + lines.dropFirst().map { gap + $0 }).joined(separator: "\n")
  }
}

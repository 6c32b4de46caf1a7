// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// A run as a person reads it: when, what happened, what changed, what was expected and held.
struct Timeline {
  let report: ScenarioReport
  let file: String
  let isQuiet: Bool
  private let style = Style.output
  private static let style = Style.output

  init(report: ScenarioReport, file: String, isQuiet: Bool) {
    self.report = report
    self.file = file
    self.isQuiet = isQuiet
  }

  func print() {
    if !isQuiet { printTimeline() }
    printResult()
    let problems = report.problems.map { ($0.line, $0.title) } + report.failures.map { ($0.line, sentence($0)) }
    for (line, text) in problems.sorted(by: { $0.0 < $1.0 }) { Terminal.problem("\(file):\(line): \(text)") }
  }

  private func sentence(_ check: ScenarioReport.Check) -> String {
    // About the reason itself, the reason explains nothing.
    let why = check.fact == "reason" ? nil : check.why.map { "; \($0)" }
    return "expected \(subject(check)) to be \(check.expected), but found \(check.found)\(why ?? "")."
  }

  private func printTimeline() {
    Swift.print(style.bold(report.title.isEmpty ? file : report.title))
    if !report.shows.isEmpty { Swift.print(style.dim("shows \(report.shows.joined(separator: ", "))")) }
    Swift.print("")
    var (day, moment) = ("", "")
    for entry in report.entries {
      let stamp = Instant.text(entry.date, in: Instant.calendar(report.zone)).split(separator: "T").map(String.init)
      // A day and a time are said once.
      let shownDay = stamp[0] == day ? String(repeating: " ", count: 10) : stamp[0]
      let shownTime = stamp[0] == day && stamp[1] == moment ? "" : stamp[1].hasSuffix(":00") ? String(stamp[1].dropLast(3)) : stamp[1]
      (day, moment) = (stamp[0], stamp[1])
      let time = Terminal.padded(shownTime, 8)
      let device = entry.device.map { "\($0): " } ?? ""
      let outcome = Self.outcome(entry)
      Swift.print("\(shownDay)  \(time)  \(Self.symbol(entry)) \(style.bold(device + entry.title))\(outcome)")
      let indent = String(repeating: " ", count: 24)
      if let note = entry.note { Swift.print(indent + style.dim(note)) }
      for change in entry.changes { Swift.print(indent + style.blue(change)) }
      for line in Self.lines(entry.checks) { Swift.print(indent + line) }
    }
    Swift.print("")
  }

  /// What held about one subject stands in one line; what did not has one of its own.
  static func lines(_ checks: [ScenarioReport.Check]) -> [String] {
    var lines: [String] = []
    var held: (subject: String, facts: [String])?
    func flush() {
      guard let group = held else { return }
      let subject = group.subject.isEmpty ? "" : group.subject + "  "
      lines.append("\(style.green("✓")) \(subject)\(style.dim(group.facts.joined(separator: " · ")))")
      held = nil
    }
    for check in checks {
      if check.holds {
        if held?.subject != check.subject { flush() }
        held = (check.subject, (held?.facts ?? []) + ["\(check.fact) \(check.found)"])
      } else {
        flush()
        let subject = check.subject.isEmpty ? "" : check.subject + "  "
        lines.append("\(style.red("✗")) \(subject)\(check.fact) \(style.red(check.found)), expected \(check.expected)")
      }
    }
    flush()
    return lines
  }

  private func printResult() {
    let count = report.checks.count
    let name = isQuiet ? "\(file): " : ""
    if report.passed {
      let result = count == 0 ? "played; nothing was expected" : "\(count) \(count == 1 ? "expectation" : "expectations") held"
      Swift.print("\(name)\(style.green("✓")) \(result)")
    } else {
      let problems = report.problems.count
      let parts = [
        report.failures.isEmpty ? nil : "\(report.failures.count) of \(count) \(count == 1 ? "expectation" : "expectations") did not hold",
        problems == 0 ? nil : "\(problems) \(problems == 1 ? "step" : "steps") could not be done",
      ]
      Swift.print("\(name)\(style.red("✗")) \(parts.compactMap { $0 }.joined(separator: ", "))")
    }
  }

  static func symbol(_ entry: ScenarioReport.Entry) -> String {
    switch entry.kind {
    case .app: "▸"
    case .store: style.yellow("◆")
    case .world: style.yellow("○")
    case .time: style.dim("⋯")
    case .check: " "
    case .problem: style.red("!")
    }
  }

  private func subject(_ check: ScenarioReport.Check) -> String {
    check.subject.isEmpty ? check.fact : "\(check.fact) of \(check.subject)"
  }

  /// `  → denied · limitReached`.
  static func outcome(_ entry: ScenarioReport.Entry) -> String {
    guard let outcome = entry.outcome else { return "" }
    return "  → " + coloured(outcome) + (entry.why.map { style.dim(" · \($0)") } ?? "")
  }

  private static func coloured(_ outcome: String) -> String {
    switch outcome {
    case "completed", "used", "content", "restored": style.green(outcome)
    case "gateRequired", "gateFailed", "failed", "unverified": style.red(outcome)
    default: style.yellow(outcome)
    }
  }
}

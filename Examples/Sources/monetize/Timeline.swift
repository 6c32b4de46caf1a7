// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import TerminalLine

/// A run for a person: dates, steps, changes, and expectations.
struct Timeline {
  let report: ScenarioReport
  let file: String
  let isQuiet: Bool
  var showsLog = false
  private let style = Style.output
  private static let style = Style.output

  func print() {
    if !isQuiet { printTimeline() }
    printResult()
    printProblems()
  }

  /// Prints failures and problems to standard error.
  func printProblems() {
    let problems = report.problems.map { ($0.line, $0.title) } + report.failures.map { ($0.line, sentence($0)) }
    for (line, text) in problems.sorted(by: { $0.0 < $1.0 }) { Terminal.problem("\(file):\(line): \(text)") }
  }

  private func sentence(_ check: ScenarioReport.Check) -> String {
    // For an expectation about the reason, the reason explains nothing.
    let why = check.fact == "reason" ? nil : check.why.map { "; \($0)" }
    return "expected \(check.question) to be \(check.expected), but found \(check.found)\(why ?? "")."
  }

  private func printTimeline() {
    Terminal.line(style.bold(report.title.isEmpty ? file : report.title))
    if !report.shows.isEmpty { Terminal.line(style.dim("requirements \(report.shows.joined(separator: ", "))")) }
    Terminal.line("")
    var (day, moment) = ("", "")
    for entry in report.entries {
      let stamp = ISODate.text(entry.date, in: .storeCalendar(in: report.zone)).split(separator: "T").map(String.init)
      // A date is printed only when it changes.
      let shownDay = stamp[0] == day ? String(repeating: " ", count: 10) : stamp[0]
      let shownTime = stamp[0] == day && stamp[1] == moment ? "" : stamp[1].hasSuffix(":00") ? String(stamp[1].dropLast(3)) : stamp[1]
      (day, moment) = (stamp[0], stamp[1])
      let time = Terminal.padded(shownTime, 8)
      Terminal.line("\(shownDay)  \(time)  \(Self.symbol(entry)) \(style.bold(Self.title(entry)))\(Self.outcome(entry))")
      let indent = String(repeating: " ", count: 24)
      if let note = entry.note { Terminal.line(indent + style.dim(note)) }
      for line in (showsLog ? Self.log(entry) : []) { Terminal.line(indent + style.dim(line)) }
      for change in entry.changes { Terminal.line(indent + style.blue(change)) }
      for line in Self.lines(entry.checks) { Terminal.line(indent + line) }
    }
    Terminal.line("")
  }

  /// The title of an entry, with its device and member when they are named.
  static func title(_ entry: ScenarioReport.Entry) -> String {
    (entry.device.map { "\($0): " } ?? "") + entry.title + (entry.member.map { " as \($0)" } ?? "")
  }

  /// One line per subject for fulfilled expectations, one line for each failure.
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
      let result = count == 0 ? "done; no expectations" : "\(CatalogWords.counted(count, "expectation")) held"
      Terminal.line("\(name)\(style.green("✓")) \(result)")
    } else {
      let problems = report.problems.count
      let parts = [
        report.failures.isEmpty ? nil : "\(report.failures.count) of \(CatalogWords.counted(count, "expectation")) did not hold",
        problems == 0 ? nil : "\(CatalogWords.counted(problems, "step")) could not be done",
      ]
      Terminal.line("\(name)\(style.red("✗")) \(parts.compactMap { $0 }.joined(separator: ", "))")
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

  /// The outcome of an entry: `  → denied · limitReached`.
  static func outcome(_ entry: ScenarioReport.Entry) -> String {
    let money = Self.money(entry)
    guard let outcome = entry.outcome else { return money.isEmpty ? "" : "  → \(money)" }
    return "  → " + coloured(outcome) + (entry.why.map { style.dim(" · \($0)") } ?? "") + (money.isEmpty ? "" : " · \(money)")
  }

  /// The money of an entry: `8.99 USD charged`, `2.50 USD refunded`; also that a purchase was free.
  static func money(_ entry: ScenarioReport.Entry) -> String {
    let isShared = Set(entry.money.map(\.customer)).count > 1
    let parts = entry.money.flatMap { payment -> [String] in
      let whose = (isShared ? " (\(payment.customer))" : "") + (payment.environment == .production ? "" : " in \(payment.environment)")
      let charged = payment.charged.amount == 0 ? [] : ["\(payment.charged) charged\(whose)"]
      return charged + (payment.returned.map { ["\($0.amount) \($0.how)\(whose)"] } ?? [])
    }
    return parts.isEmpty && entry.outcome == "completed" ? "nothing charged" : parts.joined(separator: ", ")
  }

  /// The notifications of Apple's server, with equal ones counted.
  static func log(_ entry: ScenarioReport.Entry) -> [String] {
    var counted: [(text: String, times: Int)] = []
    for line in entry.notifications {
      let text = "\(line.type)" + (line.subtype.map { ".\($0)" } ?? "") + " \(line.productID)"
      if counted.last?.text == text { counted[counted.count - 1].times += 1 } else { counted.append((text, 1)) }
    }
    return counted.map { $0.times == 1 ? $0.text : "\($0.text) × \($0.times)" }
  }

  private static func coloured(_ outcome: String) -> String {
    switch outcome {
    case "completed", "used", "content", "restored": style.green(outcome)
    case "gateRequired", "gateFailed", "failed", "unverified": style.red(outcome)
    default: style.yellow(outcome)
    }
  }
}

extension ScenarioReport.Check {
  /// The fact with its subject: `remaining of story`.
  var question: String { subject.isEmpty ? fact : "\(fact) of \(subject)" }
}

extension ScenarioReport.Payment {
  /// The money that went back, or was charged again after a refund was reversed; `nil` if none moved.
  var returned: (amount: Money, how: String)? {
    if refunded.amount == 0 { return nil }
    return (Money(amount: refunded.amount.magnitude, currency: refunded.currency), refunded.amount > 0 ? "refunded" : "charged again")
  }
}

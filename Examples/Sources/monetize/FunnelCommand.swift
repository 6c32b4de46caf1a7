// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeReports
import MonetizeTools

struct FunnelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "funnel",
    abstract: "Shows the figures of an event log against the catalog's targets.",
    discussion: """
      A log has a line of JSON for each event, as an app's file sink and "monetize simulate --events" write them. The exit status is 1 when a \
      target is missed. Docs/Guides/Funnel.md defines each figure.
      """)

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var catalog: String

  @Argument(help: "The event log.", completion: .file(extensions: ["jsonl"]))
  var log: String

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("A figure from elsewhere, as name=value, such as rating=4.6. May be given several times.", valueName: "name=value"))
  var given: [String] = []

  @Option(help: ArgumentHelp("Adds a table by child or by experiment.", valueName: "split"))
  var by: Split?

  enum Split: String, ExpressibleByArgument, CaseIterable { case child, experiment }

  @Option(help: "text, json or html.")
  var format = ReportFormat.text

  func run() throws {
    let file = try InputFile(catalog).catalog()
    var figures: [String: Decimal] = [:]
    for text in given {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let value = Money.amount(parts[1]) else {
        throw ToolProblem("--set: write name=value with a decimal number, such as rating=4.6, not \"\(text)\".")
      }
      if let guess = Funnel.closestName(to: parts[0], in: file) {
        throw ToolProblem("--set: There is no figure or target \"\(parts[0])\". Did you mean \"\(guess)\"?")
      }
      figures[parts[0]] = value
    }
    let input = try InputFile(log, expecting: .events)
    let events = try input.answering { try EventLog(input.data) }
    let funnel = Funnel(events, file, given: figures, by: by.flatMap { Funnel.Split(rawValue: $0.rawValue) })
    if format == .html { Terminal.report(funnel.html) } else { try funnel.show(format) }
    try Terminal.end(funnel.status)
  }
}

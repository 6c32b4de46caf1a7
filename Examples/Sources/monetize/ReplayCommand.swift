// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeReports
import MonetizeTools

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Judges the uses of an event log by another catalog: which customers a change would have refused.",
    discussion: """
      A log has a line of JSON for each event, as an app's file sink and "monetize simulate --events" write them.

      EXAMPLES
        monetize replay changed.json log.jsonl
        monetize replay stories.json log.jsonl --arm limit=two
      """)

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var catalog: String

  @Argument(help: "The event log.", completion: .file(extensions: ["jsonl"]))
  var log: String

  @OptionGroup var variant: VariantOptions

  @Option(help: "The time zone in which days and months begin.")
  var zone = "UTC"

  @Option(help: "text, json or html.")
  var format = ReportFormat.text

  func run() throws {
    let input = try InputFile(self.catalog)
    let catalog = try variant.applied(to: input.catalog(), from: input)
    let zone = try ToolOption.zone(zone)
    let file = try InputFile(log, expecting: .events)
    let events = try file.answering { try EventLog(file.data) }
    let replay = Replay(events, catalog, zone: zone, appliesArms: variant.arms.choices.isEmpty)
    if format == .html { Terminal.report(replay.html) } else { try replay.show(format) }
  }
}

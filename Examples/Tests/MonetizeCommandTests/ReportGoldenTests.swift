// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Every number and word of the reports, in golden files.
@Suite("Reports")
struct ReportGoldenTests {
  @Test("A forecast with a trial, refunds, costs and a month of downloads after another")
  func forecast() async throws {
    let settings = [
      "costPerUse=0.05", "uses.story.paid=20", "downloads=2000,500", "conversion=0.05", "refunds=0.02", "commission=0.15",
    ]
    let set = settings.flatMap { ["--set", $0] }
    let found = try await Command.run(["forecast", "Products/magical-stories.json", "--months", "14"] + set)
    #expect(found.status == 0)
    try expectGolden(found.transcript, "forecast")
  }

  @Test("A forecast as a page") func page() async throws {
    try expectGolden(
      try await Command.run(["forecast", "Products/dozzi.json", "--months", "3", "--format", "html"]).transcript, "forecast-page")
  }

  @Test("A population and the figures of its log") func funnel() async throws {
    let scratch = try Scratch()
    let log = scratch.url("log.jsonl").path
    let played = try await Command.run("simulate", "Products/magical-stories.json", "--customers", "300", "--events", log)
    try expectGolden(played.transcript.replacingOccurrences(of: log, with: "log.jsonl"), "population")
    let found = try await Command.run("funnel", "Products/magical-stories.json", log, "--set", "rating=4.6")
    try expectGolden(found.transcript.replacingOccurrences(of: log, with: "log.jsonl"), "funnel")
    let page = try await Command.run("funnel", "Products/magical-stories.json", log, "--format", "html")
    try expectGolden(page.transcript.replacingOccurrences(of: log, with: "log.jsonl"), "funnel-page")
    let two = try scratch.copy("Products/magical-stories.json", as: "two.json", replacing: [#""story": 3"#: #""story": 2"#])
    let replay = try await Command.run("replay", two, log)
    try expectGolden(replay.transcript, "replay")
  }

  @Test("A paywall as a page") func paywall() async throws {
    try expectGolden(try await Command.run(["paywall", "Products/heatlab.json", "--format", "html"]).transcript, "paywall-page")
  }
}

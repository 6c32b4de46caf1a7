// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import Stages
import Testing

/// Every scenario of the two subscription apps.
@Suite(.timeLimit(.minutes(30)))
struct ScenarioTests {
  private static let folder = Stage.root.appendingPathComponent("Examples/Scenarios")

  static let files: [String] = ["heatlab", "magical-stories"].flatMap { app -> [String] in
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(app).path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(app)/\($0)" }
  }

  @Test("MAGIC-51, XC-02: every scenario of Heatlab and Magical Stories passes", arguments: files)
  func holds(_ file: String) async throws {
    let url = Self.folder.appendingPathComponent(file)
    let scenario = try Scenario(json: Data(contentsOf: url))
    let catalog = try Data(contentsOf: url.deletingLastPathComponent().appendingPathComponent(scenario.catalogPath))
    let report = try await ScenarioRunner(scenario, catalog: catalog).run()
    #expect(report.failures.isEmpty && report.problems.isEmpty && !report.checks.isEmpty)
    #expect(!scenario.title.isEmpty && !scenario.shows.isEmpty)
  }

  @Test("There are scenarios of both apps") func present() { #expect(Set(Self.files.map { $0.prefix(4) }).count == 2) }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeSimulator

/// The shrunk stories of fixed bugs, each a scenario that now holds.
@Suite("Regressions", .timeLimit(.minutes(30)))
struct RegressionTests {
  static let folder = Story.root.appendingPathComponent("Examples/Scenarios/regressions")
  static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".json") }.sorted()

  @Test(arguments: RegressionTests.files) func holds(file: String) async throws {
    let scenario = try Scenario(json: Data(contentsOf: Self.folder.appendingPathComponent(file)))
    let catalog = Self.folder.appendingPathComponent(scenario.catalogPath)
    let report = await (try ScenarioRunner(scenario, catalog: Data(contentsOf: catalog))).run()
    #expect(report.failures.isEmpty)
    #expect(report.problems.isEmpty)
    #expect(!report.checks.isEmpty)
  }
}

/// `Monetizer` with the simulated store keeps the laws of design.md under random schedules of all events of a scenario.
///
/// `make nightly` plays 20,000. `MONETIZE_SCHEDULES=100000 swift test --filter StoryTests`
/// tries more, `MONETIZE_SEED=123` others. A failure prints its seed and the shortest failing story, as a scenario file.
@Suite("Random stories", .timeLimit(.minutes(30)))
struct StoryTests {
  static let first: UInt64 = ProcessInfo.processInfo.environment["MONETIZE_SEED"].flatMap(UInt64.init) ?? 1
  static let count: UInt64 = ProcessInfo.processInfo.environment["MONETIZE_SCHEDULES"].flatMap(UInt64.init) ?? 2_000
  /// As many parts as CI has cores.
  static let parts: UInt64 = 2

  @Test("The laws hold after every step", arguments: 0..<StoryTests.parts) func laws(part: UInt64) async throws {
    let shelf = try Story.Shelf()
    var failures: [String: Int] = [:]
    var steps = 0
    for seed in Self.first..<Self.first + Self.count where seed % Self.parts == part {
      let story = StoryTeller.story(seed: seed)
      let run = try await StoryRun.play(story, shelf)
      steps += story.steps.count
      guard let (_, violation) = run.violation else {
        // A result that depends on the scheduler or on the order of a dictionary differs in the second run. Half of the stories are enough
        // to detect that, and the time of the other half is better spent on more stories.
        if (seed / Self.parts).isMultiple(of: 2), let difference = await run.difference(playedAgain: shelf) {
          failures["same-again", default: 0] += 1
          Issue.record("seed \(seed): two runs differ: \(difference)\n\(story.text())")
        }
        continue
      }
      failures[violation.law, default: 0] += 1
      // One violation of each law is enough to read.
      guard failures[violation.law] == 1 else { continue }
      var shrinker = StoryShrinker(law: violation.law, shelf: shelf)
      let shortest = await shrinker.shrink(story)
      let what = try await StoryRun.play(shortest, shelf).violation?.what ?? violation
      Issue.record("seed \(seed): \(what.law): \(what.text)\n\(shortest.file(of: what))")
    }
    #expect(failures.isEmpty)
    print(
      "Random stories, part \(part): seeds from \(Self.first), \(Self.count / Self.parts) stories, \(steps) steps, failures \(failures).")
  }
}

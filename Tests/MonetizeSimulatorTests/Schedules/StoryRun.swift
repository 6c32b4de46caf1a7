// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Monetize
@testable import MonetizeSimulator

/// The result of a story.
struct StoryRun {
  /// The first violation, with the step that caused it.
  var violation: (index: Int, what: Violation)?
  let scenario: Scenario
  var report: ScenarioReport
  /// All durable data at the end, by device.
  var disks: [[[String: [UInt8]]]] = []

  /// Plays a story until a law is violated.
  static func play(_ story: Story, _ shelf: Story.Shelf, breaking: (ScenarioHooks) -> ScenarioHooks = { $0 }) async throws -> StoryRun {
    let scenario = try story.scenario()
    var runner = ScenarioRunner(scenario, catalog: shelf.catalog, text: shelf.text)
    let watch = StoryWatch()
    runner.hooks = breaking(watch.hooks())
    let laws = StoryLaws(shelf, watch: watch)
    var violation: (index: Int, what: Violation)?
    var disks: [[[String: [UInt8]]]] = []
    let report = await runner.run { world, index in
      violation = laws.check(world, scenario.steps[index]).first.map { (index, $0) }
      if index == scenario.steps.count - 1 { disks = world.sessions.map(\.stored) }
      return violation == nil
    }
    return StoryRun(violation: violation, scenario: scenario, report: report, disks: disks)
  }

  /// The difference when a story is played again without checks; `nil` when every byte is the same.
  func difference(playedAgain shelf: Story.Shelf) async -> String? {
    var again: [[[String: [UInt8]]]] = []
    let other = await ScenarioRunner(scenario, catalog: shelf.catalog, text: shelf.text).run { world, index in
      // The laws read the clock after each step, and the latest time seen is not forgotten when the clock is set back. They ask for a
      // child that a parent limits, and an end that a question reveals is written down.
      for session in world.sessions {
        _ = session.monetizer?.now
        if session.monetizer?.state.caps.isEmpty == false { _ = session.monetizer?.as(.child("max")).snapshot }
      }
      if index == scenario.steps.count - 1 { again = world.sessions.map(\.stored) }
      return true
    }
    if let (first, second) = zip(report.entries, other.entries).first(where: { $0 != $1 }) { return "\(first)\n\(second)" }
    if report.entries.count != other.entries.count { return "\(report.entries.count) entries and \(other.entries.count)" }
    for (device, (first, second)) in zip(Story.names, zip(disks, again)) where first != second {
      return "the disk of \(device):\n\(Self.text(first))\n\(Self.text(second))"
    }
    return nil
  }

  private static func text(_ disk: [[String: [UInt8]]]) -> String {
    disk.flatMap { $0.sorted { $0.key < $1.key } }.map { "\($0.key): \(String(decoding: $0.value, as: UTF8.self))" }.joined(separator: "\n")
  }
}

/// Makes a failing story as short as possible: first the steps, then their contents. Zeller, "Yesterday, my program worked" (1999).
struct StoryShrinker {
  let law: String
  let shelf: Story.Shelf
  let breaking: (ScenarioHooks) -> ScenarioHooks
  private(set) var tries = 0

  init(law: String, shelf: Story.Shelf, breaking: @escaping (ScenarioHooks) -> ScenarioHooks = { $0 }) {
    (self.law, self.shelf, self.breaking) = (law, shelf, breaking)
  }

  /// The story cut off after the violation of the law; `nil` when there is no violation.
  private mutating func broken(_ story: Story) async -> Story? {
    tries += 1
    guard let run = try? await StoryRun.play(story, shelf, breaking: breaking), let found = run.violation, found.what.law == law else {
      return nil
    }
    return Story(seed: story.seed, steps: Array(story.steps[...found.index]))
  }

  mutating func shrink(_ story: Story) async -> Story {
    guard var best = await broken(story) else { return story }
    while true {
      let before = best
      best = await withoutSteps(best)
      best = await withoutFields(best)
      if best == before { return best }
    }
  }

  private mutating func withoutSteps(_ story: Story) async -> Story {
    var best = story
    var size = max(1, best.steps.count / 2)
    while size >= 1 {
      var start = 0
      while start < best.steps.count {
        var fewer = best
        fewer.steps.removeSubrange(start..<min(start + size, fewer.steps.count))
        if let shorter = await broken(fewer) { best = shorter } else { start += size }
      }
      size /= 2
    }
    return best
  }

  private mutating func withoutFields(_ story: Story) async -> Story {
    var best = story
    for index in story.steps.indices {
      var field = 0
      while index < best.steps.count, field < best.steps[index].fields.count {
        var simpler = best
        let removed = simpler.steps[index].fields.remove(at: field)
        if removed.key != "do", removed.key != "on", let shorter = await broken(simpler) {
          best = shorter
        } else if removed.key == "on" || removed.key == "advance" || removed.key == "times", let value = simple(removed) {
          simpler = best
          simpler.steps[index].fields[field].value = value
          if let shorter = await broken(simpler) { best = shorter }
          field += 1
        } else {
          field += 1
        }
      }
    }
    return best
  }

  private func simple(_ field: (key: String, value: String)) -> String? {
    switch field.key {
    case "on": field.value == "\"phone\"" ? nil : "\"phone\""
    case "advance": field.value == "\"P1D\"" ? nil : "\"P1D\""
    default: nil
    }
  }
}

extension Story {
  /// The scenario file of a failure, for `monetize simulate`: it ends with the failing expectation. If no expectation can express the law,
  /// the title names it.
  func file(of violation: Violation) -> String {
    let comment = "No expectation can state this, so the scenario passes: StoryLaws checks more than a scenario does."
    return text(
      ending: violation.expectation.map { [$0] } ?? [], title: "\(violation.law): \(violation.text)",
      comment: violation.expectation == nil ? comment : nil)
  }
}

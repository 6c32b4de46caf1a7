// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// A simulation step by step, for a person at a prompt: do something, look, take it back, keep it as a scenario.
///
/// Steps are those of scenarios, as JSON. Taking steps back replays the others from the start, which gives the same world again, because
/// nothing in a simulation is left to chance. One player belongs to one task at a time.
public final class ScenarioPlayer {
  /// A step that was done.
  public struct Step: Sendable, Hashable {
    /// The step, as it was given.
    public let json: String
    /// What happened.
    public let entries: [ScenarioReport.Entry]
  }

  private struct Done {
    let step: Step
    let parsed: [ScenarioStep]
  }

  private let runner: ScenarioRunner
  private var done: [Done] = []
  private(set) var world: ScenarioWorld

  /// A customer with one device, and an app that does not run yet.
  /// - Parameters:
  ///   - json: The catalog.
  ///   - start: When it begins.
  ///   - zone: The zone of local times.
  ///   - seed: For everything random.
  /// - Throws: ``CatalogError`` when the catalog cannot be used.
  public init(
    catalog json: Data, start: Date, zone: TimeZone = Instant.utc.timeZone, seed: UInt64 = 0, kinds: ProductKinds = .standard,
    shapes: AllowanceShapes = .standard
  ) throws(CatalogError) {
    let scenario = Scenario(
      title: "", shows: [], catalogPath: "", start: start, zone: zone, seed: seed, parameters: [:],
      devices: [("device", "customer")], catalogPatch: nil, settings: nil, steps: [])
    runner = try ScenarioRunner(scenario, catalog: json, kinds: kinds, shapes: shapes)
    world = ScenarioWorld(runner)
  }

  // MARK: Looking

  /// The steps so far.
  public var steps: [Step] { done.map(\.step) }
  /// What time it is.
  public var now: Date { world.store.clock.now }
  /// The zone of local times.
  public var zone: TimeZone { runner.scenario.zone }
  /// What the customer may do now; `nil` while the app does not run.
  public var snapshot: Snapshot? { world.sessions.first?.monetizer?.snapshot }
  /// The catalog, with what the app's updates and remote configuration made of it.
  public var catalog: Catalog { world.sessions.first?.monetizer?.effectiveCatalog ?? world.catalog }
  /// Where the customer stands, and what happens next.
  public var status: Status { Status(world) }

  // MARK: Doing

  /// Does one step.
  /// - Parameter json: A step as it stands in a scenario, such as `{ "do": "launch" }`.
  /// - Returns: What happened. When one of the entries is a ``ScenarioReport/Entry/Kind/problem``, the step could not be done; the world is
  ///   as it was before, and the step is none of ``steps``.
  /// - Throws: ``ScenarioError`` when it is no step; nothing happened then.
  @discardableResult
  public func perform(stepJSON json: String) async throws(ScenarioError) -> [ScenarioReport.Entry] {
    let parsed = try read(json)
    let entries = await take(parsed)
    if entries.contains(where: { $0.kind == .problem }) {
      await replay()
    } else {
      done.append(Done(step: Step(json: json.trimmingCharacters(in: .whitespacesAndNewlines), entries: entries), parsed: parsed))
    }
    return entries
  }

  /// Takes back the last steps. O(steps that stay).
  /// - Returns: What was taken back, in the order in which it was done; fewer than `count` when there were no more.
  @discardableResult
  public func undo(_ count: Int = 1) async -> [Step] {
    let undone = done.suffix(max(0, count)).map(\.step)
    guard !undone.isEmpty else { return [] }
    done.removeLast(undone.count)
    await replay()
    return undone
  }

  private func replay() async {
    world = ScenarioWorld(runner)
    for one in done { for step in one.parsed { await world.take(step) } }
  }

  private func take(_ steps: [ScenarioStep]) async -> [ScenarioReport.Entry] {
    let (entries, checks) = (world.report.entries.count, world.report.entries.last?.checks.count ?? 0)
    for step in steps { await world.take(step) }
    if world.report.entries.count > entries { return Array(world.report.entries[entries...]) }
    // An expectation belongs to what stood before it, and is an entry of its own to whoever asks for it alone.
    guard let last = world.report.entries.last, last.checks.count > checks else { return [] }
    return [
      .init(
        date: last.date, kind: .check, title: "expect", device: nil, note: nil, outcome: nil, changes: [],
        checks: Array(last.checks[checks...]), line: last.line)
    ]
  }

  /// A step is read as a scenario of that one step; its lines are its number.
  private func read(_ json: String) throws(ScenarioError) -> [ScenarioStep] {
    let text: String
    do throws(JSONSyntaxError) {
      // By itself first, so that what closes the list of steps is no way to write several.
      text = try JSONDocument(parsing: json).root.text(pretty: false)
    } catch {
      throw ScenarioError(diagnostics: [error.diagnostic])
    }
    let header = #""catalog": "", "start": "\#(Instant.text(runner.scenario.start))", "timeZone": "\#(zone.identifier)""#
    let scenario = try Scenario(json: Data("{ \(header), \"steps\": [\(text)] }".utf8))
    return scenario.steps.map { ScenarioStep(content: $0.content, line: done.count + 1) }
  }
}

@available(*, unavailable) extension ScenarioPlayer: Sendable {}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

/// A simulation step by step, for a person at a prompt: do something, look, take it back, keep it as a scenario.
///
/// Steps are those of scenarios, as JSON. Taking steps back replays the others from the start, which gives the same world again, because
/// nothing in a simulation is left to chance. Devices may come to it at any time. One player belongs to one task at a time.
public final class ScenarioPlayer {
  /// A device, and whose it is.
  public struct Device: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// Who is signed in to the store on it.
    public let customer: String

    /// Makes a device.
    public init(_ name: String, of customer: String) { (self.name, self.customer) = (name, customer) }

    /// The one that a scenario has when it names none.
    public static let usual = Device("device", of: "customer")
  }

  /// A step that was done, or a device that came to it.
  public struct Step: Sendable, Hashable {
    /// The step, as it was given; of a device, what the header of a scenario says about it.
    public let json: String
    /// What happened.
    public let entries: [ScenarioReport.Entry]
    /// Who did it, where that was not the customer.
    public let member: Member?
    /// The device that came to it, for a step that was just that.
    public let device: Device?
  }

  /// What the setting `errors` can make an API of the store fail with.
  public static let errors: [String] = ScenarioSetting.Failure.errors

  private struct Done {
    var step: Step
    let parsed: [ScenarioStep]
  }

  private let first: [Device]
  private var runner: ScenarioRunner
  private var done: [Done] = []
  private(set) var world: ScenarioWorld

  /// A customer with one device, or with several, and an app that does not run yet.
  /// - Parameters:
  ///   - json: The catalog.
  ///   - start: When it begins.
  ///   - zone: The zone of local times.
  ///   - seed: For everything random.
  ///   - devices: The devices at the start, each with a name of its own; none is ``Device/usual``.
  /// - Throws: ``CatalogError`` when the catalog cannot be used.
  public init(
    catalog json: Data, start: Date, zone: TimeZone = Instant.utc.timeZone, seed: UInt64 = 0, devices: [Device] = [],
    kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard
  ) throws(CatalogError) {
    first = devices.isEmpty ? [.usual] : devices
    let scenario = Scenario(
      title: "", shows: [], catalogPath: "", start: start, zone: zone, seed: seed, parameters: [:],
      devices: first.map { ($0.name, $0.customer) }, catalogPatch: nil, settings: nil, steps: [])
    runner = try ScenarioRunner(scenario, catalog: json, kinds: kinds, shapes: shapes)
    world = ScenarioWorld(runner)
  }

  // MARK: Looking

  /// The steps so far.
  public var steps: [Step] { done.map(\.step) }
  /// Whether ids are said, and not the catalog's names for them; of steps to come. Default: false.
  public var saysIDs: Bool {
    get { runner.saysIDs }
    set {
      runner.saysIDs = newValue
      world.runner.saysIDs = newValue
    }
  }
  /// What time it is.
  public var now: Date { world.store.clock.now }
  /// The zone of local times.
  public var zone: TimeZone { runner.scenario.zone }
  /// The devices; the first is the one that steps are about when they name none.
  public var devices: [Device] { first + done.compactMap(\.step.device) }
  /// What has happened so far, as a run of the saved scenario reports it. Its lines are the numbers of the steps.
  public var report: ScenarioReport { world.report }
  /// What the customer may do now on the first device; `nil` while the app does not run.
  public var snapshot: Snapshot? { snapshot(on: nil) }
  /// The catalog, with what the app's updates and remote configuration made of it on the first device.
  public var catalog: Catalog { catalog(on: nil) }
  /// Where the customer stands on the first device, and what happens next.
  public var status: Status { status(on: nil) }

  /// What somebody may do now on a device; `nil` while the app does not run there.
  /// - Parameter device: A device's name; `nil` for the first.
  public func snapshot(on device: String?, as member: Member = .customer) -> Snapshot? {
    session(device)?.monetizer?.as(member).snapshot
  }

  /// The catalog of the app on a device; `nil` for the first.
  public func catalog(on device: String?) -> Catalog {
    session(device)?.monetizer?.effectiveCatalog ?? session(device)?.version.catalog ?? runner.catalog
  }

  /// What a device's customer has paid and got back.
  /// - Parameter device: A device's name; `nil` for the first.
  public func money(on device: String?) -> MoneyLedger {
    session(device).map { world.store.money(of: $0.device.customer) } ?? MoneyLedger()
  }

  /// All transactions of a device's customer, in the order in which they were made.
  /// - Parameter device: A device's name; `nil` for the first.
  public func transactions(on device: String?) -> [StoreTransaction] {
    session(device).map { world.store.transactions(of: $0.device.customer) } ?? []
  }

  /// Where somebody stands on a device, and what happens next.
  /// - Parameter device: A device's name; `nil` for the first.
  public func status(on device: String?, as member: Member = .customer) -> Status { Status(world, session(device), member) }

  /// When a plan of a device's customer renews next; `nil` for never.
  /// - Parameter device: A device's name; `nil` for the first.
  public func nextRenewal(on device: String?) -> Date? { session(device).flatMap { world.store.nextRenewal(of: $0.device.customer) } }

  private func session(_ name: String?) -> ScenarioSession? {
    name.flatMap { name in world.sessions.first { $0.name == name } } ?? world.sessions.first
  }

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
      let text = json.trimmingCharacters(in: .whitespacesAndNewlines)
      let step = Step(json: text, entries: entries, member: parsed.lazy.compactMap(\.member).first, device: nil)
      done.append(Done(step: step, parsed: parsed))
    }
    return entries
  }

  /// Adds a device. It was there from the start, and its app does not run yet. O(steps so far).
  /// - Returns: False when there is a device of that name; nothing happened then.
  @discardableResult
  public func add(_ device: Device) async -> Bool {
    guard !devices.contains(where: { $0.name == device.name }) else { return false }
    let entry = ScenarioReport.Entry(
      date: now, kind: .world, title: "\(device.name) is a device of \(device.customer)", device: nil, note: nil, outcome: nil, changes: [],
      checks: [], line: done.count + 1)
    let json = "{ \"devices\": \(JSONText.devices([device])) }"
    done.append(Done(step: Step(json: json, entries: [entry], member: nil, device: device), parsed: []))
    await replay()
    return true
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

  /// From the start, with all devices. What is said of a step depends on how many devices there are, so that it is taken down anew.
  private func replay() async {
    runner = runner.with(devices.map { ($0.name, $0.customer) })
    world = ScenarioWorld(runner)
    for place in done.indices where done[place].step.device == nil {
      let (step, parsed) = (done[place].step, done[place].parsed)
      done[place].step = Step(json: step.json, entries: await take(parsed), member: step.member, device: nil)
    }
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
      text = try JSONDocument(parsing: json).root.text()
    } catch {
      throw ScenarioError(diagnostics: [error.diagnostic])
    }
    let header =
      #""catalog": "", "start": "\#(Instant.text(runner.scenario.start))", "timeZone": "\#(zone.identifier)", "#
      + "\"devices\": \(JSONText.devices(devices))"
    let scenario = try Scenario(json: Data("{ \(header), \"steps\": [\(text)] }".utf8))
    return scenario.steps.map { ScenarioStep(content: $0.content, line: done.count + 1) }
  }
}

extension ScenarioRunner {
  /// The same story with other devices.
  fileprivate func with(_ devices: [(name: String, customer: String)]) -> ScenarioRunner {
    let story = Scenario(
      title: scenario.title, shows: scenario.shows, catalogPath: scenario.catalogPath, start: scenario.start, zone: scenario.zone,
      seed: scenario.seed, parameters: scenario.parameters, devices: devices, catalogPatch: nil, settings: nil, steps: [])
    var other = ScenarioRunner(story, catalog: catalog, text: catalogText, kinds: kinds, shapes: shapes)
    other.saysIDs = saysIDs
    return other
  }
}

extension ScenarioStep {
  /// Who does it, where that is not the customer.
  fileprivate var member: Member? {
    if case .act(_, let frame) = content, frame.member != .customer { frame.member } else { nil }
  }
}

@available(*, unavailable) extension ScenarioPlayer: Sendable {}

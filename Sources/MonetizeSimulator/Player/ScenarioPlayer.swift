// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

/// An interactive simulation: do steps, inspect the result, undo, save the steps as a scenario.
///
/// Steps are those of scenarios, as JSON. Undoing replays the remaining steps from the start; this gives the same world, because a
/// simulation is deterministic. Devices can be added at any time. Use one player from one task at a time.
public final class ScenarioPlayer {
  /// A device and its customer.
  public struct Device: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// The customer who is signed in to the store on it.
    public let customer: String

    /// Makes a device.
    public init(_ name: String, of customer: String) { (self.name, self.customer) = (name, customer) }

    /// The device of a scenario that names none.
    public static let usual = Device("device", of: "customer")
  }

  /// A step that was done, or a device that was added.
  public struct Step: Sendable, Hashable {
    /// The step as it was given; for an added device, the line of the scenario's header.
    public let json: String
    /// The resulting entries of the timeline.
    public internal(set) var entries: [ScenarioReport.Entry]
    /// The member who acted; `nil` for the customer.
    public let member: Member?
    /// The added device; `nil` for any other step.
    public let device: Device?
  }

  /// The errors that the setting `errors` can give to an API of the store.
  public static let errors: [String] = ScenarioSetting.Failure.errors

  private struct Done {
    var step: Step
    let parsed: [ScenarioStep]
  }

  private let first: [Device]
  private var runner: ScenarioRunner
  private var done: [Done] = []
  private(set) var world: ScenarioWorld

  /// Makes a simulation with one customer, one or several devices, and an app that is not launched yet.
  /// - Parameters:
  ///   - json: The catalog.
  ///   - start: The date of the beginning.
  ///   - zone: The zone of local times.
  ///   - seed: The seed of everything random.
  ///   - devices: The devices at the start, with unique names; an empty list means ``Device/usual``.
  ///   - kinds: The product kinds of the catalog.
  ///   - shapes: The allowance shapes of the catalog.
  /// - Throws: `CatalogError` when the catalog cannot be used.
  public init(
    catalog json: Data, start: Date, zone: TimeZone = Calendar.storeCalendar.timeZone, seed: UInt64 = 0, devices: [Device] = [],
    kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard
  ) throws(CatalogError) {
    first = devices.isEmpty ? [.usual] : devices
    let scenario = Scenario(
      title: "", shows: [], catalogPath: "", start: start, zone: zone, seed: seed, parameters: [:],
      devices: first.map { ($0.name, $0.customer) }, catalogPatch: nil, settings: nil, steps: [])
    runner = try ScenarioRunner(scenario, catalog: json, kinds: kinds, shapes: shapes)
    world = ScenarioWorld(runner)
  }

  // MARK: Reading

  /// The steps so far.
  public var steps: [Step] { done.map(\.step) }
  /// Whether later steps show ids instead of the catalog's names. Default: false.
  public var showsIDs: Bool {
    get { runner.showsIDs }
    set {
      runner.showsIDs = newValue
      world.runner.showsIDs = newValue
    }
  }
  /// The current time.
  public var now: Date { world.store.clock.now }
  /// The zone of local times.
  public var zone: TimeZone { runner.scenario.zone }
  /// The devices; the first one is the default of steps that name none.
  public var devices: [Device] { first + done.compactMap(\.step.device) }
  /// The report so far, as a run of the saved scenario gives it. Its line numbers are the numbers of the steps.
  public var report: ScenarioReport { world.report }
  /// The customer's current access on the first device; `nil` while the app does not run.
  public var snapshot: Snapshot? { snapshot(on: nil) }
  /// The catalog of the app on the first device, with all updates and remote configuration applied.
  public var catalog: Catalog { catalog(on: nil) }
  /// The customer's status on the first device, and the next change.
  public var status: Status { status(on: nil) }

  /// The current access of a member on a device; `nil` while the app does not run there.
  /// - Parameters:
  ///   - device: A device's name; `nil` for the first.
  ///   - member: The member of the family.
  public func snapshot(on device: String?, as member: Member = .customer) -> Snapshot? {
    world.session(device).monetizer?.as(member).snapshot
  }

  /// The catalog of the app on a device; `nil` for the first.
  public func catalog(on device: String?) -> Catalog {
    let session = world.session(device)
    return session.monetizer?.catalog ?? session.version.catalog
  }

  /// The amounts that a device's customer paid and got back.
  /// - Parameter device: A device's name; `nil` for the first.
  public func money(on device: String?) -> MoneyLedger { world.store.money(of: customer(on: device)) }

  /// All transactions of a device's customer, oldest first.
  /// - Parameter device: A device's name; `nil` for the first.
  public func transactions(on device: String?) -> [StoreTransaction] { world.store.transactions(of: customer(on: device)) }

  /// A product with its terms for a device's customer, such as `Premium Monthly (8.99 USD a month)`; its id when the catalog has no such
  /// product.
  /// - Parameters:
  ///   - product: The product.
  ///   - device: A device's name; `nil` for the first.
  public func terms(of product: ProductID, on device: String?) -> String {
    guard let snapshot = snapshot(on: device), let known = snapshot.catalog.product(product) else { return product.rawValue }
    let listing = world.store.world.storeProducts(for: [product], customer: customer(on: device)).first
    let words = CatalogWords(snapshot.catalog, ids: showsIDs)
    return "\(words.product(product)) (\(words.terms(known, for: snapshot, listing: listing)))"
  }

  /// The status of a member on a device, and the next change.
  /// - Parameters:
  ///   - device: A device's name; `nil` for the first.
  ///   - member: The member of the family.
  public func status(on device: String?, as member: Member = .customer) -> Status { Status(world, world.session(device), member) }

  /// The date of the next renewal of a device's customer; `nil` when no plan renews.
  /// - Parameter device: A device's name; `nil` for the first.
  public func nextRenewal(on device: String?) -> Date? { world.store.nextRenewal(of: customer(on: device)) }

  private func customer(on device: String?) -> CustomerID { world.session(device).device.customer }

  // MARK: Acting

  /// Does one step.
  /// - Parameter json: A step as in a scenario, such as `{ "do": "launch" }`.
  /// - Returns: The resulting entries. If one of them is a ``ScenarioReport/Entry/Kind/problem``, the step could not be done: the world is
  ///   unchanged, and the step is not added to ``steps``.
  /// - Throws: ``ScenarioError`` when `json` is not a step; the world is unchanged.
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

  /// Adds a device, as if it had been there from the start. Its app is not launched yet. O(steps so far).
  /// - Returns: False when a device of that name exists; the world is unchanged.
  @discardableResult
  public func add(_ device: Device) async -> Bool {
    guard !devices.contains(where: { $0.name == device.name }) else { return false }
    let entry = ScenarioReport.Entry(
      date: now, kind: .world, title: "\(device.name) is a device of \(device.customer)", line: done.count + 1)
    let json = "{ \"devices\": \(Self.json([device])) }"
    done.append(Done(step: Step(json: json, entries: [entry], member: nil, device: device), parsed: []))
    await replay()
    return true
  }

  /// Takes back the last steps. O(remaining steps).
  /// - Returns: The steps that were taken back, oldest first; fewer than `count` when there were fewer.
  @discardableResult
  public func undo(_ count: Int = 1) async -> [Step] {
    let undone = done.suffix(max(0, count)).map(\.step)
    guard !undone.isEmpty else { return [] }
    done.removeLast(undone.count)
    await replay()
    return undone
  }

  /// Replays all steps from the start, with all devices. Recreates the entries, because their texts depend on the number of devices.
  private func replay() async {
    runner.scenario.devices = devices.map { ($0.name, $0.customer) }
    world = ScenarioWorld(runner)
    for index in done.indices where done[index].step.device == nil { done[index].step.entries = await take(done[index].parsed) }
  }

  private func take(_ steps: [ScenarioStep]) async -> [ScenarioReport.Entry] {
    let (entries, checks) = (world.report.entries.count, world.report.entries.last?.checks.count ?? 0)
    for step in steps { await world.take(step) }
    if world.report.entries.count > entries { return Array(world.report.entries[entries...]) }
    // The timeline attaches an expectation to the entry before it; a caller that adds one expectation gets it as an entry of its own.
    guard let last = world.report.entries.last, last.checks.count > checks else { return [] }
    return [.init(date: last.date, kind: .check, title: "expect", checks: Array(last.checks[checks...]), line: last.line)]
  }

  /// Reads a step as a scenario of that one step. Its line number is the number of the step.
  private func read(_ json: String) throws(ScenarioError) -> [ScenarioStep] {
    let text: String
    do throws(Diagnostic) {
      // Parse the step alone first, so that text that closes the list cannot add several steps.
      text = try JSONDocument(parsing: json).root.text()
    } catch {
      throw ScenarioError(diagnostics: [error])
    }
    let header =
      #""catalog": "", "start": "\#(ISODate.text(runner.scenario.start))", "timeZone": "\#(zone.identifier)", "#
      + "\"devices\": \(Self.json(devices))"
    let scenario = try Scenario(json: Data("{ \(header), \"steps\": [\(text)] }".utf8))
    return scenario.steps.map { ScenarioStep(content: $0.content, line: done.count + 1) }
  }
}

extension ScenarioStep {
  /// The member who acts; `nil` for the customer.
  fileprivate var member: Member? {
    if case .act(_, let frame) = content, frame.member != .customer { frame.member } else { nil }
  }
}

@available(*, unavailable) extension ScenarioPlayer: Sendable {}

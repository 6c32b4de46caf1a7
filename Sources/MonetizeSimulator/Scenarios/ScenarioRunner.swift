// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

/// Runs a scenario with the simulated store and the real monetizer. The same scenario and catalog give the same report on any machine.
public struct ScenarioRunner: Sendable {
  var scenario: Scenario
  /// The first version of the app on every device.
  let firstVersion: AppVersion
  var catalog: Catalog { firstVersion.catalog }
  let kinds: ProductKinds
  let shapes: AllowanceShapes
  /// Whether the report shows ids instead of the catalog's names.
  public var showsIDs = false
  /// The interventions of a property test.
  var hooks = ScenarioHooks()

  /// Makes a runner.
  /// - Parameters:
  ///   - scenario: The scenario to run.
  ///   - json: The catalog; the scenario's own patch is applied here.
  ///   - kinds: The product kinds of the catalog.
  ///   - shapes: The allowance shapes of the catalog.
  /// - Throws: `CatalogError` when the catalog, with the patch, cannot be used.
  public init(_ scenario: Scenario, catalog json: Data, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard)
    throws(CatalogError)
  {
    let text = try Self.patched(String(decoding: json, as: UTF8.self), with: scenario.catalogPatch)
    let catalog = try Catalog(json: Data(text.utf8), kinds: kinds, shapes: shapes)
    self.init(scenario, catalog: catalog, text: text, kinds: kinds, shapes: shapes)
  }

  /// The same for a catalog that is already read and patched, to run many scenarios with one catalog.
  init(_ scenario: Scenario, catalog: Catalog, text: String, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard) {
    (self.scenario, self.kinds, self.shapes, firstVersion) = (scenario, kinds, shapes, AppVersion(text: text, catalog: catalog))
  }

  /// The version that follows another.
  func version(_ version: AppVersion, updatedBy patch: JSONValue) throws(CatalogError) -> AppVersion {
    let text = try Self.patched(version.text, with: patch)
    return AppVersion(text: text, catalog: try Catalog(json: Data(text.utf8), kinds: kinds, shapes: shapes))
  }

  static func patched(_ text: String, with patch: JSONValue?) throws(CatalogError) -> String {
    guard let patch else { return text }
    return try JSONDocument(catalog: text.utf8).root.applying(mergePatch: patch)
  }

  /// Runs all steps, also after a failed check, so that one report shows every failure.
  public func run() async -> ScenarioReport { await run { _, _ in true } }

  /// The same, and passes the world to `watch` after each step; ends when `watch` returns `false`.
  func run(_ watch: (ScenarioWorld, Int) -> Bool) async -> ScenarioReport {
    let world = ScenarioWorld(self)
    await world.begin()
    for (index, step) in scenario.steps.enumerated() {
      await world.take(step)
      if !watch(world, index) { break }
    }
    // Release the sessions that the store refers to.
    world.store.settles {}
    world.report.state = Data(world.sessions.first.flatMap { $0.disk.read($0.statePath) } ?? [])
    world.report.events = world.sessions.flatMap(\.log).enumerated()
      .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    return world.report
  }
}

/// A version of the app: the catalog in its bundle, and its text.
struct AppVersion: Sendable {
  let text: String
  let catalog: Catalog
}

/// The interventions of a property test between an app and its world: to observe, or to break something on purpose.
struct ScenarioHooks: Sendable {
  /// Replaces the store that an app gets at each launch.
  var store: @Sendable (any StoreBackend, ScenarioSession) -> any StoreBackend = { store, _ in store }
  /// Replaces the storage that an app gets at each launch.
  var storage: @Sendable (any StateStorage, ScenarioSession) -> any StateStorage = { storage, _ in storage }
  /// Makes the calls that views use to ask an app about the customer.
  var door: @Sendable (Monetizer, ScenarioSession) -> FrontDoor = { monetizer, _ in FrontDoor(monetizer) }
  /// Runs after each step, to break an app on purpose.
  var after: @Sendable (ScenarioWorld, ScenarioStep) -> Void = { _, _ in }
}

/// The world of one run: a store, devices, and the timeline so far.
final class ScenarioWorld {
  let scenario: Scenario
  var runner: ScenarioRunner
  let store: SimulatedStore
  let sessions: [ScenarioSession]
  private let sessionsByName: [String: ScenarioSession]
  var zone: TimeZone
  var report: ScenarioReport
  /// The open paywall and the passes of the person, by device.
  var hands: [String: ScenarioHand] = [:]
  /// The subject of expectations that name none: the record since the last step that acted.
  var lastStep = StepRecord()
  /// The messages between devices that have not arrived.
  var messages: [ScenarioMessage] = []
  /// Chooses which of several concurrent calls continues next.
  var order: SplitMix64
  /// The numbers of log entries that the timeline has, and that expectations have already read.
  private(set) var (logSeen, logAsked) = (0, 0)
  /// The app's contradictions during this step.
  var disagreements: [String] = []
  var reportedDisagreements: [String] = []

  struct StepRecord {
    var outcome: String?
    var error: String?
    /// The reason of a denial.
    var reason: String?
    /// Remarks about a step that was done anyway.
    var remarks: [String] = []
    var appTransaction: AppTransactionRecord?
    var before: [String: Before] = [:]
    var money: [[(environment: StoreEnvironment, money: MoneyLedger)]] = []

    /// A device before the step.
    struct Before {
      /// The last snapshot, also of an app that has ended.
      let snapshot: Snapshot?
      let stored: [[String: [UInt8]]]
      let calls: [String: Int]
      let eventCount: Int
    }
  }

  init(_ runner: ScenarioRunner) {
    self.runner = runner
    scenario = runner.scenario
    zone = scenario.zone
    order = SplitMix64(seed: scenario.seed)
    let store = SimulatedStore(catalog: runner.catalog, start: scenario.start, seed: scenario.seed)
    store.state.withLock { $0.quirks = runner.scenario.vocabulary.quirks }
    self.store = store
    sessions = scenario.devices.map {
      ScenarioSession(
        name: $0.name, device: store.device(DeviceID($0.name), customer: CustomerID($0.customer)), version: runner.firstVersion,
        seed: runner.scenario.seed, hooks: runner.hooks)
    }
    let running = sessions
    sessionsByName = Dictionary(sessions.map { ($0.name, $0) }) { first, _ in first }
    store.settles { for session in running { await session.monetizer?.settled() } }
    report = ScenarioReport(title: scenario.title, shows: scenario.shows, zone: scenario.zone, entries: [])
  }

  /// Applies the header's `store` settings to all devices.
  func begin() async {
    guard let (settings, line) = scenario.settings else { return }
    for session in sessions {
      for setting in settings {
        do throws(SimulationError) { try await setting.apply(ScenarioStage(world: self, session: session)) } catch {
          problem(error.description, line: line)
        }
      }
    }
  }

  /// The device that a step names, or the first one. The reader has checked that it exists.
  func session(_ name: String?) -> ScenarioSession { name.flatMap { sessionsByName[$0] } ?? sessions[0] }

  func problem(_ text: String, line: Int) {
    report.entries.append(.init(date: store.clock.now, kind: .problem, title: text, line: line))
  }

  func take(_ step: ScenarioStep) async {
    switch step.content {
    case .act(let verb, let frame): await act(verb, frame, line: step.line)
    case .advance(let advance, let device, let note): await self.advance(advance, device, note, line: step.line)
    case .expect(let expectations):
      let checks = expectations.flatMap(check)
      reportDisagreements(line: step.line)
      if report.entries.isEmpty {
        report.entries.append(.init(date: store.clock.now, kind: .check, title: "at the start", checks: checks, line: step.line))
      } else {
        report.entries[report.entries.count - 1].checks += checks
      }
    }
    runner.hooks.after(self, step)
    // Reading may have ended something, which is written later. Wait, so that the next step finds the same files in every run.
    for session in sessions { await session.monetizer?.written() }
  }

  private func act(_ verb: any ScenarioVerb, _ frame: ActionFrame, line: Int) async {
    let session = session(frame.device)
    let stage = ScenarioStage(world: self, session: session, member: frame.member, isOneDevice: frame.device != nil)
    beginStep()
    var outcomes: [String] = []
    for _ in 0..<frame.times {
      do throws(ScenarioProblem) { outcomes += try await verb.perform(stage)?.words ?? [] } catch {
        guard let refusal = error.refusal, frame.expectsRefusal else { return refuse(verb, frame, error, session, line: line) }
        lastStep.error = refusal.rawValue
        outcomes.append("refused")
      }
      askAtFrontDoors()
    }
    await deliverMessages()
    askAtFrontDoors()
    lastStep.outcome = Outcome(outcomes).text
    let news = takeNews()
    report.entries.append(
      .init(
        date: store.clock.now, kind: verb.info.group.kind, title: title(verb, frame, session),
        device: sessions.count > 1 ? session.name : nil, member: frame.member == .customer ? nil : frame.member, note: frame.note,
        outcome: lastStep.outcome, why: lastStep.error ?? lastStep.reason,
        changes: lastStep.remarks + changes(), checks: frame.expect.flatMap(check), line: line, notifications: news, money: moneyMoved()))
    reportDisagreements(line: line)
  }

  private func refuse(_ verb: any ScenarioVerb, _ frame: ActionFrame, _ error: ScenarioProblem, _ session: ScenarioSession, line: Int) {
    let checks = frame.expect.reduce(0) { $0 + max(1, $1.facts.count) }
    let skipped =
      checks == 0 ? "" : " \(checks) \(checks == 1 ? "expectation of this step was" : "expectations of this step were") skipped."
    problem("\(title(verb, frame, session)): \(names(session).naming(error.text))\(skipped)", line: line)
  }

  private func title(_ verb: any ScenarioVerb, _ frame: ActionFrame, _ session: ScenarioSession) -> String {
    verb.title(names(session)) + (frame.times > 1 ? " × \(frame.times)" : "")
  }

  private func advance(_ advance: ScenarioAdvance, _ device: String?, _ note: String?, line: Int) async {
    let concerned = device.map { name in sessions.filter { $0.name == name } } ?? sessions
    beginStep()
    let now = store.clock.now
    let target: Date?
    switch advance {
    case .by(let period): target = period.added(to: now, in: .storeCalendar(in: zone))
    case .to(let date): target = date
    case .nextChange: target = concerned.compactMap { $0.monetizer?.nextChange }.min()
    case .nextRenewal: target = concerned.compactMap { store.nextRenewal(of: $0.device.customer) }.min()
    }
    guard let target else { return problem("Nothing is due, so there is no such moment.", line: line) }
    guard target >= now else {
      return problem(
        "Time cannot go back: \(ISODate.text(target)) is before \(ISODate.text(now)). Set a device's \"clock\" instead.", line: line)
    }
    guard target <= lastMoment else { return problem(Self.tooLong, line: line) }
    await pass(to: target)
    askAtFrontDoors()
    let news = takeNews()
    report.entries.append(
      .init(
        date: store.clock.now, kind: .time, title: advance.text, device: device, note: note, changes: changes(), line: line,
        notifications: news, money: moneyMoved()))
    reportDisagreements(line: line)
  }

  /// The latest date of a simulation. It is limited because each renewal, reset and wake-up of the years costs time.
  private var lastMoment: Date { Period(years: 100).added(to: scenario.start, in: .storeCalendar) }
  private static let tooLong = "A simulation lasts 100 years at most. Write an earlier time."

  /// The moment after a length of time from now.
  func moment(after length: Period) throws(ScenarioProblem) -> Date {
    let end = length.added(to: store.clock.now, in: .storeCalendar(in: zone))
    guard end <= lastMoment else { throw ScenarioProblem(text: Self.tooLong) }
    return end
  }

  // MARK: Before and after

  private func beginStep() {
    let earlier = lastStep.before
    lastStep = StepRecord()
    lastStep.money = store.ledgers.map(\.ledgers)
    for session in sessions {
      lastStep.before[session.name] = .init(
        snapshot: session.monetizer?.snapshot ?? earlier[session.name]?.snapshot, stored: session.stored, calls: session.device.calls,
        eventCount: session.events.count)
    }
  }

  private func changes() -> [String] {
    sessions.flatMap { session -> [String] in
      guard let before = lastStep.before[session.name]?.snapshot, let after = session.monetizer?.snapshot,
        !after.isIdentical(to: before)
      else { return [] }
      let lines = ScenarioChanges.between(before, after, zone: zone, names(session))
      return sessions.count > 1 ? lines.map { "\(session.name): \($0)" } : lines
    }
  }

  /// The notifications of Apple's server since the last entry of the timeline.
  private func takeNews() -> [ServerNotification] { takeLog(after: \.logSeen) }

  /// The notifications of Apple's server since the last expectation about the log.
  func takeLog() -> [ServerNotification] { takeLog(after: \.logAsked) }

  private func takeLog(after seen: ReferenceWritableKeyPath<ScenarioWorld, Int>) -> [ServerNotification] {
    defer { self[keyPath: seen] = store.log.count }
    return Array(store.log.dropFirst(self[keyPath: seen]))
  }

  /// The amounts that the step charged and refunded, by customer and environment.
  private func moneyMoved() -> [ScenarioReport.Payment] {
    store.ledgers.enumerated().flatMap { row, customer in
      let earlier = row < lastStep.money.count ? lastStep.money[row] : []
      return customer.ledgers.flatMap { environment, after -> [ScenarioReport.Payment] in
        let before = earlier.first { $0.environment == environment }?.money ?? MoneyLedger()
        return after.charged.compactMap { total in
          let charged = total.amount - before.charged(in: total.currency)
          let refunded = after.refunded(in: total.currency) - before.refunded(in: total.currency)
          guard charged != 0 || refunded != 0 else { return nil }
          return .init(
            customer: customer.id, environment: environment, charged: Money(amount: charged, currency: total.currency),
            refunded: Money(amount: refunded, currency: total.currency))
        }
      }
    }
  }

  /// The names in the catalog of the app on a device.
  func names(_ session: ScenarioSession) -> CatalogWords { CatalogWords(session.version.catalog, ids: runner.showsIDs) }
}

/// The outcome of a step: one word per attempt.
struct Outcome: ExpressibleByStringLiteral {
  let words: [String]

  init(_ words: [String]) { self.words = words }
  init(_ word: String) { words = [word] }
  init(stringLiteral word: String) { words = [word] }

  /// `used`, or `3 used, 97 denied`.
  var text: String? {
    if words.count < 2 { return words.first }
    var counted: [(text: String, times: Int)] = []
    for word in words {
      if let index = counted.firstIndex(where: { $0.text == word }) { counted[index].times += 1 } else { counted.append((word, 1)) }
    }
    return counted.map { "\($0.times) \($0.text)" }.joined(separator: ", ")
  }
}

extension ActionFrame {
  /// Whether the step expects a refusal by the store.
  fileprivate var expectsRefusal: Bool {
    expect.contains { expectation in
      expectation.facts.contains { fact in
        if fact.name == "outcome", case .text(let text) = fact.value { text.hasSuffix("refused") } else { false }
      }
    }
  }
}

/// A problem that prevents a step, with a sentence on how to fix it.
struct ScenarioProblem: Error {
  let text: String
  /// The code of the store's refusal, if there was one.
  var refusal: SimulationError.Code?

  init(text: String) { self.text = text }
  init(_ error: SimulationError) { (text, refusal) = (error.description, error.code) }
}

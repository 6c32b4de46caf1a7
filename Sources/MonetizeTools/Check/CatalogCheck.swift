// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON
import MonetizeSimulator

/// Looks at every customer that a catalog can have, up to a number of steps: buying, lapsing, refunds, uses, the passing of time, a reinstallation,
/// a second device, a parent's limit. Finds the shortest way to a customer who is treated wrongly, as a scenario that runs.
///
/// The search runs over the engine itself (facts in, snapshot out), and each counterexample is played in the simulated App Store as well.
public struct CatalogCheck: Sendable {
  /// How far a search goes.
  public struct Options: Sendable {
    /// The most steps after the launch. Default 40: lives with three passings of time are shorter, so that what is left is the number of states.
    public var depth = 40
    /// How many states are enough: the search ends after the level that reaches them. Default a million.
    public var states = 1_000_000
    /// How often time may pass in one life. Default 3.
    public var changes = 3
    /// Codes of properties that are not looked at.
    public var skip: Set<String> = []
    /// The app's own properties.
    public var properties: [OwnProperty] = []
    /// How many tasks look at once. Default: one a core.
    public var tasks = ProcessInfo.processInfo.activeProcessorCount

    /// The defaults.
    public init() {}
  }

  private let json: Data
  private let kinds: ProductKinds
  private let shapes: AllowanceShapes
  private let model: CheckModel

  /// Prepares a check of a catalog.
  /// - Throws: ``CatalogError`` for a catalog that cannot be used, with every mistake.
  public init(
    _ json: Data, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard, conditions: Conditions = .standard,
    options: Options = Options()
  ) throws(CatalogError) {
    let catalog = try Catalog(json: json, kinds: kinds, shapes: shapes, conditions: conditions)
    let hasServer = (try? JSONDocument(parsing: [UInt8](json)))?.root["server"] != nil
    (self.json, self.kinds, self.shapes) = (json, kinds, shapes)
    model = CheckModel(catalog, hasServer: hasServer, options: options)
  }

  /// Searches, and plays what it found. Deterministic but for the time that it took.
  /// - Parameters:
  ///   - catalogPath: What the scenarios name as their catalog.
  ///   - progress: Called after each level with how many states are known, and the depth.
  public func run(catalogPath: String, progress: (@Sendable (Int, Int) -> Void)? = nil) async -> CheckReport {
    let start = Date()
    var search = CheckSearch(model: model)
    let result = await search.run(tasks: max(1, model.options.tasks), progress: progress)
    let seconds = Date().timeIntervalSince(start)
    var found = result.findings.map { model.scenario($0.finding, $0.way, catalogPath: catalogPath) }
    let skip = model.options.skip
    var others = model.productFindings()
    if let finding = model.unreachableFinding(result.closed) { others.append(finding) }
    found += others.filter { !skip.contains($0.code) }.map { model.scenario($0, [], catalogPath: catalogPath) }
    for index in found.indices { found[index].isConfirmed = await fails(found[index].scenario) }
    return CheckReport(
      counterexamples: found, states: result.states, depth: result.depth, isExhausted: result.isExhausted, seconds: seconds,
      questions: model.probes.count, alike: model.alike, interchangeable: model.classes.reduce(0) { $0 + $1.count },
      properties: CheckProperty.all.map(\.code).filter { !skip.contains($0) } + model.options.properties.map(\.id))
  }

  /// Whether a scenario fails in the simulated store: at its last expectation, and nowhere before.
  private func fails(_ text: String) async -> Bool {
    guard let scenario = try? Scenario(json: Data(text.utf8)),
      let runner = try? ScenarioRunner(scenario, catalog: json, kinds: kinds, shapes: shapes)
    else { return false }
    let report = await runner.run()
    return report.problems.isEmpty && report.checks.last?.holds == false && report.checks.dropLast().allSatisfy(\.holds)
  }
}

/// A way to a customer for whom a property does not hold.
public struct CheckCounterexample: Sendable {
  /// The property's code.
  public let code: String
  /// What is wrong, in one sentence.
  public let message: String
  /// How many steps there are before the expectation, the launch counted.
  public let steps: Int
  /// The way as a scenario: its last expectation is what the property says, and does not hold.
  public let scenario: String
  /// Whether it fails in the simulated App Store as well; `nil` before it was played.
  public internal(set) var isConfirmed: Bool?
}

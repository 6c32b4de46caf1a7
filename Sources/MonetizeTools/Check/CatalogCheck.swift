// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON
import MonetizeSimulator

/// Explores the customers that a catalog can have, up to a number of steps: purchases, lapses, refunds, uses, time, a reinstallation, a
/// second device, a parent's limit. Reports each violated property with a shortest scenario that shows it.
///
/// The search uses the engine itself (facts in, snapshot out); each counterexample is also run in the simulated App Store.
public struct CatalogCheck: Sendable {
  /// The limits of a search.
  public struct Options: Sendable {
    /// The maximum number of steps after the launch. Default 40: with three steps of time all paths are shorter, so that the number of
    /// states is the limit.
    public var depth = 40
    /// The maximum number of states to explore. Default a million.
    public var states = 1_000_000
    /// The maximum number of steps of time in one path. Default 3.
    public var changes = 3
    /// Codes of properties to skip.
    public var skip: Set<String> = []
    /// The app's own properties.
    public var properties: [OwnProperty] = []
    /// The number of concurrent tasks. Default: one per core.
    public var tasks = ProcessInfo.processInfo.activeProcessorCount

    /// Makes the defaults.
    public init() {}
  }

  private let json: Data
  private let kinds: ProductKinds
  private let shapes: AllowanceShapes
  private let model: CheckModel

  /// Makes a check of a catalog.
  /// - Throws: `CatalogError` for an invalid catalog, with every mistake.
  public init(
    _ json: Data, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard, conditions: Conditions = .standard,
    options: Options = Options()
  ) throws(CatalogError) {
    let catalog = try Catalog(json: json, kinds: kinds, shapes: shapes, conditions: conditions)
    let hasServer = (try? JSONDocument(parsing: [UInt8](json)))?.root["server"] != nil
    (self.json, self.kinds, self.shapes) = (json, kinds, shapes)
    model = CheckModel(catalog, hasServer: hasServer, options: options)
  }

  /// Searches, and runs the counterexamples. Deterministic except for the measured time.
  /// - Parameters:
  ///   - catalogPath: The path of the catalog in the scenarios.
  ///   - progress: Called now and then with the number of checked states and the depth.
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
      counterexamples: found, states: result.states, depth: result.depth, limit: result.limit, seconds: seconds,
      questions: model.probes.count, alike: model.alike, interchangeable: model.classes.reduce(0) { $0 + $1.count },
      properties: CheckProperty.all.map(\.code).filter { !skip.contains($0) } + model.options.properties.map(\.id))
  }

  /// Whether a scenario fails in the simulated store at its last expectation, and not before.
  private func fails(_ text: String) async -> Bool {
    guard let scenario = try? Scenario(json: Data(text.utf8)),
      let runner = try? ScenarioRunner(scenario, catalog: json, kinds: kinds, shapes: shapes)
    else { return false }
    let report = await runner.run()
    return report.problems.isEmpty && report.checks.last?.holds == false && report.checks.dropLast().allSatisfy(\.holds)
  }
}

/// A path to a state in which a property does not hold.
public struct CheckCounterexample: Sendable {
  /// The property's code.
  public let code: String
  /// The problem, in one sentence.
  public let message: String
  /// What to change in the catalog; `nil` for an app's own property.
  public var mend: String? { CheckProperty.all.first { $0.code == code }?.mend }
  /// The number of steps before the expectation, including the launch.
  public let steps: Int
  /// The path as a scenario. Its last expectation is the property, and fails.
  public let scenario: String
  /// Whether it also fails in the simulated App Store; `nil` before it was run.
  public internal(set) var isConfirmed: Bool?
}

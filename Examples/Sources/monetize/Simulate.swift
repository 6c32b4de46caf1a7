// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeReports
import MonetizeSimulator
import MonetizeTools

struct Simulate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs scenarios with a simulated App Store, and checks their expectations.",
    discussion: """
      A folder means all scenarios in it: its .json files, sorted, without catalogs (they have a "schemaVersion") and JSON Schemas. Each \
      scenario names its catalog; --catalog replaces it. The exit status is 1 when an expectation fails or a file has a mistake.

      With --arm, all customers have that arm. Without it, each has an arm by its installation, as in the app.

      EXAMPLES
        monetize simulate Examples/Scenarios/maze-packs/family.json
        monetize simulate Examples/Scenarios/maze-packs --quiet
        monetize simulate family.json --catalog my-copy.json
      """)

  @Argument(help: "Scenario files, or folders of them.", completion: .file(extensions: ["json"]))
  var files: [String]

  @Option(help: ArgumentHelp("A catalog that replaces the scenarios' own.", valueName: "file"), completion: .file(extensions: ["json"]))
  var catalog: String?

  @Option(help: ArgumentHelp("A parameter of the scenarios. May be repeated.", valueName: "name=value"))
  var parameter: [String] = []

  @Option(help: ArgumentHelp("The file for the first device's state after the run.", valueName: "file"), completion: .file())
  var saveState: String?

  @Option(help: ArgumentHelp("The file for the results as JUnit XML, for CI.", valueName: "file"), completion: .file(extensions: ["xml"]))
  var junit: String?

  @Option(
    help: ArgumentHelp("A file for all events, one line of JSON each, for monetize funnel.", valueName: "file"),
    completion: .file(extensions: ["jsonl"]))
  var events: String?

  @Option(help: ArgumentHelp("Plays this many customers through the catalog that is named in place of scenarios.", valueName: "count"))
  var customers: Int?

  @Option(
    help: ArgumentHelp(
      "The customers' behaviour: a file with the keys of a scenario of the catalog's \"forecast\". Default: the first scenario there.",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var behaviour: String?

  @OptionGroup var variant: VariantOptions

  @Option(help: ArgumentHelp("With --customers: the number of months, 1 to 120. Default: 12.", valueName: "number"))
  var months: Int?

  @Option(help: ArgumentHelp("With --customers: the seed of the random draws. Default: 1.", valueName: "number"))
  var seed: UInt64?

  @Flag(name: .shortAndLong, help: "Print one line per scenario; failures are always shown.")
  var quiet = false

  @Flag(help: "Show the notifications of Apple's server under each step.")
  var log = false

  @Flag(help: "Show ids instead of names.")
  var ids = false

  @Option(help: "text or json.")
  var format = OutputFormat.text

  func run() async throws {
    try checkOptions()
    if let customers { return try populate(customers) }
    let parameters = try Dictionary(
      parameter.map { text -> (String, String) in
        guard let equals = text.firstIndex(of: "=") else { throw ToolProblem("--parameter: write name=value, not \"\(text)\".") }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
      }
    ) { _, last in last }
    let files = JSONFiles.scenarios(files)
    if saveState != nil && files.count > 1 {
      throw ToolProblem("--save-state needs exactly one scenario, but there are \(files.count).")
    }
    var failed = 0
    var eventLines: [String] = []
    var couldAllRun = true
    var reports: [ScenarioRun] = []
    let progress = ProgressLine(of: files.count, isQuiet: format == .json || quiet)
    for (number, path) in files.enumerated() {
      progress.show(number, path)
      if number > 0 && format == .text && !quiet { Terminal.line("") }
      let (report, couldRun) = try await play(path, parameters, progress) { report in
        // Each file has a world of its own, so equal names in two files are different customers.
        eventLines += report.events.map { (files.count > 1 ? $0.named(in: "\(number + 1)") : $0).line() + "\n" }
      }
      if !report.passed { failed += 1 }
      if !couldRun { couldAllRun = false }
      reports.append(report)
    }
    progress.clear()
    if let events { try write(eventLines.joined(), to: events) }
    if let junit { try write(JUnit(runs: reports).xml, to: junit) }
    if format == .json { Terminal.report(ToolJSON.text(reports.map(\.json))) }
    if format == .text, files.count > 1 {
      let checks = reports.reduce(0) { $0 + $1.checks }
      Terminal.line(
        "\n\(CatalogWords.counted(files.count, "scenario")), \(CatalogWords.counted(checks, "expectation")): "
          + (failed == 0 ? Style.output.green("all held") : Style.output.red("\(failed) of \(files.count) scenarios failed")))
    }
    if !couldAllRun { throw ExitCode.couldNotRun }
    if failed > 0 { throw ExitCode.no }
  }

  /// Refuses options that would have no effect.
  private func checkOptions() throws {
    var ofCustomers = [("--behaviour", behaviour != nil), ("--months", months != nil), ("--seed", seed != nil)]
    ofCustomers.append(("--overlay", variant.overlay != nil))
    let ofScenarios = [
      ("--catalog", catalog != nil), ("--parameter", !parameter.isEmpty), ("--save-state", saveState != nil), ("--junit", junit != nil),
      ("--quiet", quiet), ("--log", log), ("--ids", ids),
    ]
    if customers == nil, let name = ofCustomers.first(where: \.1)?.0 {
      throw ToolProblem("\(name) needs --customers: it has no effect on scenarios.")
    }
    if customers != nil, let name = ofScenarios.first(where: \.1)?.0 {
      throw ToolProblem("\(name) is for scenarios. Remove it, or --customers.")
    }
  }

  /// Plays customers in place of scenarios.
  private func populate(_ customers: Int) throws {
    guard files.count == 1 else { throw ToolProblem("--customers takes one catalog, and there are \(files.count) files.") }
    let (file, how) = (try InputFile(files[0]), try behaviour.map { try InputFile($0) })
    // The catalog's own mistakes first: those that follow are the behaviour's.
    var catalog = try file.catalog()
    if let how { catalog = try how.answering { try Population.catalog(file.data, behaviour: how.data) } }
    var options = Population.Options()
    (options.customers, options.months, options.seed) = (customers, months ?? 12, seed ?? 1)
    // Finds the mistakes in the variant, in its own file.
    _ = try variant.applied(to: catalog, from: file)
    options.arms = variant.arms.choices.isEmpty ? nil : try variant.arms(of: catalog)
    options.overlays = try variant.overlays()
    let population = try file.answering { try Population(catalog, options) }
    if let events { try write(population.events.map { $0.line() + "\n" }.joined(), to: events) }
    try population.show(format)
  }

  /// Runs one scenario, and passes its report to `keep`. For a file with mistakes, prints them and continues with the next file.
  /// - Returns: The result, and whether the command line was right: its files exist, its parameters are known.
  private func play(
    _ path: String, _ parameters: [String: String], _ progress: ProgressLine, _ keep: (ScenarioReport) -> Void
  ) async throws -> (ScenarioRun, Bool) {
    if JSONFiles.isFolder(path) { return (unreadable(JSONFiles.noScenario, path, in: path, progress), false) }
    let file: InputFile
    do throws(InputFile.Unreadable) { file = try InputFile(reading: path) } catch {
      return (unreadable(error, path, in: path, progress), false)
    }
    if let mistake = file.mistake(expecting: .scenario) { return (mistaken(file, [mistake], in: path, progress), true) }
    let scenario: Scenario
    do throws(ScenarioError) { scenario = try Scenario(json: file.data, parameters: parameters) } catch {
      // The argument is wrong then, not the file.
      let isArgument = error.diagnostics.contains { $0.code == "unknown-parameter" }
      return (mistaken(file, error.diagnostics, in: path, progress), !isArgument)
    }
    let catalogPath = catalog ?? Self.resolved(scenario.catalogPath, beside: path)
    let catalogFile: InputFile
    do throws(InputFile.Unreadable) { catalogFile = try InputFile(reading: catalogPath) } catch {
      if let catalog { return (unreadable(error, catalog, in: path, progress), false) }
      return (mistaken(file, [scenario.unreadableCatalog(error.cause)], in: path, progress), false)
    }
    if let mistake = catalogFile.mistake(expecting: .catalog) { return (mistaken(catalogFile, [mistake], in: path, progress), true) }
    let own = Catalog.validating(catalogFile.data)
    var runner: ScenarioRunner
    let catalogData = try own.catalog.map { try variant.arms.json(of: $0) } ?? catalogFile.data
    do throws(CatalogError) { runner = try ScenarioRunner(scenario, catalog: catalogData) } catch {
      if own.catalog == nil { return (mistaken(catalogFile, own.diagnostics, in: path, progress), true) }
      // The catalog is valid, but the scenario's own patch is not.
      return (mistaken(file, scenario.located(error), in: path, progress), true)
    }
    do throws(ScenarioError) { try runner.checkNames() } catch {
      return (mistaken(file, error.diagnostics, in: path, progress), true)
    }
    runner.showsIDs = ids || format == .json
    let report = await runner.run()
    progress.clear()
    let timeline = Timeline(report: report, file: path, isQuiet: quiet, showsLog: log)
    if format == .text { timeline.print() } else { timeline.printProblems() }
    if let saveState { try write(report.state, to: saveState) }
    keep(report)
    return (ScenarioRun(file: path, report: report), true)
  }

  /// Prints the mistakes in a file that prevent its run.
  private func mistaken(_ file: InputFile, _ diagnostics: [Diagnostic], in scenario: String, _ progress: ProgressLine) -> ScenarioRun {
    progress.clear()
    let mistakes = diagnostics.filter { $0.severity != .note }
    file.report(mistakes)
    return ScenarioRun(file: scenario, mistakes: (file.path, mistakes))
  }

  /// Prints why a file cannot be read.
  private func unreadable(_ error: InputFile.Unreadable, _ path: String, in scenario: String, _ progress: ProgressLine) -> ScenarioRun {
    progress.clear()
    Terminal.problem("\(path): \(error.reason)")
    return ScenarioRun(file: scenario, mistakes: (path, [error.diagnostic(path)]))
  }

  /// A path in a scenario is relative to the scenario's own file.
  static func resolved(_ path: String, beside file: String) -> String {
    path.hasPrefix("/")
      ? path : URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(path).standardizedFileURL.path
  }
}

/// The run of a scenario's file, or the mistakes that prevent it.
struct ScenarioRun {
  let file: String
  var report: ScenarioReport?
  /// The mistakes in the scenario or its catalog, with the file that has them.
  var mistakes: (file: String, diagnostics: [Diagnostic])?

  var passed: Bool { report?.passed ?? false }
  var checks: Int { report?.checks.count ?? 0 }

  /// The documented, stable form of `--format json`.
  var json: ToolObject {
    let mistakes = mistakes.map { ["file": $0.file, "diagnostics": $0.diagnostics.map(DiagnosticEntry.init)] as ToolObject }
    return [
      "file": file, "title": report?.title ?? "", "shows": report?.shows ?? [], "passed": passed, "checks": checks,
      "entries": (report?.entries ?? []).map(Self.object), "mistakes": mistakes,
    ]
  }

  private static func object(_ entry: ScenarioReport.Entry) -> ToolObject {
    // Exact amounts, as decimal strings.
    let money = entry.money.map { payment -> ToolObject in
      [
        "customer": payment.customer, "environment": payment.environment, "charged": payment.charged.amountText,
        "refunded": payment.refunded.amountText, "currency": payment.charged.currency,
      ]
    }
    return [
      "at": ISODate.text(entry.date), "kind": entry.kind.rawValue, "title": entry.title, "line": entry.line, "device": entry.device,
      "member": entry.member.map { "\($0)" }, "note": entry.note, "outcome": entry.outcome, "why": entry.why, "changes": entry.changes,
      "checks": entry.checks, "notifications": entry.notifications.map(\.json), "money": money,
    ]
  }
}

extension EventRecord {
  /// The same event of a customer and a transaction of one of several worlds.
  fileprivate func named(in world: String) -> EventRecord {
    var record = self
    record.customer = customer.map { "\(world)/\($0)" }
    record.transaction = transaction.map { TransactionID(rawValue: "\(world)/\($0)") }
    return record
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Monetize
import MonetizeJSON

/// The verbs of `monetize` without an argument-parsing library: the package's plugins run them, and an app with its own product kinds runs
/// them in an executable of a few lines:
///
/// ```swift
/// @main enum Main {
///   static func main() async { exit(await Tools.run(arguments: CommandLine.arguments.dropFirst(), kinds: .standard.adding(SeasonPass.self))) }
/// }
/// ```
public enum Tools: Sendable {
  /// Runs one verb. Prints results to standard output and problems to standard error.
  /// - Parameters:
  ///   - arguments: The verb and its arguments, without the name of the program.
  ///   - kinds: The product kinds of the app's catalogs.
  ///   - shapes: The allowance shapes of the app's catalogs.
  ///   - conditions: The conditions of the app's catalogs.
  ///   - facts: The sorts of facts in the app's state files.
  /// - Returns: The exit status: 0 for success, 1 for the answer no, 2 when the verb could not run.
  public static func run(
    arguments: some Collection<String> & Sendable, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard,
    conditions: Conditions = .standard, facts: FactSorts = .standard
  ) async -> Int32 {
    let bench = ToolBench(kinds: kinds, shapes: shapes, conditions: conditions, facts: facts)
    do {
      let isQuestion = arguments.first == "help" || arguments.contains { $0 == "--help" || $0 == "-h" }
      guard let name = arguments.first(where: { !["help", "--help", "-h"].contains($0) }) else {
        try ToolFiles.show(help)
        return arguments.isEmpty ? ToolStatus.notRun.rawValue : ToolStatus.fine.rawValue
      }
      let verb = try ToolVerb.named(name)
      if isQuestion {
        try ToolFiles.show(verb.help)
        return ToolStatus.fine.rawValue
      }
      let arguments = try ToolArguments(arguments.dropFirst(), options: verb.options + ["format"], flags: verb.flags)
      let format = arguments["format"] ?? "text"
      guard verb.formats.contains(format) else {
        throw ToolProblem("--format: \(name) has no format \"\(format)\". Write one of \(verb.formats.joined(separator: ", ")).")
      }
      let report = try await verb.run(bench, arguments)
      for problem in report.problems where format != "json" { ToolFiles.complain(problem) }
      if let text = report.output(as: format), !text.isEmpty { try ToolFiles.show(text) }
      return report.status.rawValue
    } catch let problem as ToolProblem {
      ToolFiles.complain(problem.description)
      return ToolStatus.notRun.rawValue
    } catch {
      return ToolStatus.no.rawValue
    }
  }

  static var help: String {
    let width = ToolVerb.all.map(\.name.count).max() ?? 0
    let rows = ToolVerb.all.map { "  " + $0.name.padding(toLength: width) + "  " + $0.abstract }
    return "Usage: monetize <command> …\n\n" + rows.joined(separator: "\n") + "\n\nThe arguments of a command: monetize help <command>\n"
  }
}

/// A verb: its name, its arguments, and its action.
struct ToolVerb: Sendable {
  let name: String
  let usage: String
  let abstract: String
  var options: [String] = []
  var flags: [String] = []
  var formats = ["text", "json"]
  let run: @Sendable (ToolBench, ToolArguments) async throws -> any ToolReport

  var help: String { "Usage: monetize \(usage) [--format \(formats.joined(separator: "|"))]\n\n\(abstract)\n" }

  /// - Throws: ``ToolProblem`` with the closest name for an unknown one.
  static func named(_ name: String) throws(ToolProblem) -> ToolVerb {
    if let verb = all.first(where: { $0.name == name }) { return verb }
    let names = all.map(\.name)
    throw ToolProblem(
      "There is no command \"\(name)\"."
        + didYouMean(closestMatch(to: name, in: names), or: "The commands are \(names.joined(separator: ", "))."))
  }

  /// All verbs, in the order of the help.
  static let all: [ToolVerb] = [
    .validate, .lintCatalogs, .compareCatalogs, .check, .showCatalog, .generate, .storekit, .migrateCatalog, .readState,
  ]
}

extension String {
  fileprivate func padding(toLength length: Int) -> String { self + String(repeating: " ", count: max(0, length - count)) }
}

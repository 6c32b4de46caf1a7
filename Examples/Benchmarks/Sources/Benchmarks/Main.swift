// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The groups of benchmarks, each in its own processes.
enum Group: String, CaseIterable {
  case questions, snapshots, facts, spending, catalogs, years, worlds, starts, paywalls, forecasts, populations, tools, checks

  func processes(isQuick: Bool) -> Int {
    switch self {
    case .questions, .snapshots: isQuick ? 3 : 7
    case .facts, .spending, .catalogs, .years, .worlds, .starts, .paywalls, .forecasts, .populations, .tools, .checks:
      isQuick ? 1 : 3
    }
  }

  func figures(isQuick: Bool) async throws -> [Figure] {
    switch self {
    case .questions: try measureQuestions(isQuick: isQuick)
    case .snapshots: try measureSnapshots(isQuick: isQuick)
    case .facts: measureFacts(isQuick: isQuick)
    case .spending: try await measureSpending(isQuick: isQuick)
    case .catalogs: try measureCatalogs(isQuick: isQuick)
    case .years: try measureYears(isQuick: isQuick)
    case .worlds: try measureWorlds(isQuick: isQuick)
    case .starts: try await measureStarts(isQuick: isQuick)
    case .paywalls: try measurePaywalls(isQuick: isQuick)
    case .forecasts: try measureForecasts(isQuick: isQuick)
    case .populations: try measurePopulations(isQuick: isQuick)
    case .tools: try measureTools(isQuick: isQuick)
    case .checks: try await measureChecks(isQuick: isQuick)
    }
  }
}

@main
struct Main {
  static let usage = """
    Benchmarks [--quick] [--check] [--format table|json]
      [--only questions|snapshots|facts|spending|catalogs|years|worlds|starts|paywalls|forecasts|populations|tools|checks]

    --quick   fewer processes and smaller sizes, under a minute; for CI
    --check   exit status 1 when a goal is missed
    """

  static func main() async {
    do { try await run() } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func run() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    func value(_ name: String) -> String? {
      arguments.firstIndex(of: name).flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
    }
    let isQuick = arguments.contains("--quick")
    if arguments.contains("--help") { return print(usage) }
    if let path = value("--start") { return FileHandle.standardOutput.write(try measureStart(path)) }
    if let group = value("--child").flatMap(Group.init) {
      FileHandle.standardOutput.write(try JSONEncoder().encode(try await group.figures(isQuick: isQuick)))
      return
    }
    var figures: [Figure] = []
    for group in Group.allCases where value("--only").map({ $0 == group.rawValue }) ?? true {
      FileHandle.standardError.write(Data("measuring \(group.rawValue) …\n".utf8))
      let runs = try (0..<group.processes(isQuick: isQuick)).map { _ in try child(group, isQuick: isQuick) }
      figures += Harness.medians(runs)
    }
    if value("--format") == "json" {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    } else {
      print(table(figures))
    }
    if arguments.contains("--check"), figures.contains(where: \.isMissed) { exit(1) }
  }

  private static func child(_ group: Group, isQuick: Bool) throws -> [Figure] {
    try JSONDecoder().decode([Figure].self, from: output(of: ["--child", group.rawValue] + (isQuick ? ["--quick"] : [])))
  }
}

/// What this program prints when it is run with other arguments.
func output(of arguments: [String]) throws -> Data {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
  process.arguments = arguments
  let pipe = Pipe()
  process.standardOutput = pipe
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { throw Failure("The process \(arguments.joined(separator: " ")) failed.") }
  return output
}

struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Prints the figures in columns.
func table(_ figures: [Figure]) -> String {
  func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1e4: String(format: "%.1f ns", nanoseconds)
    case ..<1e7: String(format: "%.1f µs", nanoseconds / 1e3)
    default: String(format: "%.1f ms", nanoseconds / 1e6)
    }
  }
  var rows = [["what", "time", "baseline", "its time", "ratio", "goal", "", "allocations"]]
  func bytes(_ count: Double) -> String { String(format: "%.2f MB", count / 1e6) }
  for figure in figures {
    let time = figure.isBytes ? bytes : time
    let verdict = figure.goal == nil ? "" : figure.isMissed ? "missed" : "ok"
    rows.append([
      figure.what, time(figure.time), figure.baseline == figure.what ? "" : figure.baseline,
      figure.baseline == figure.what ? "" : time(figure.baselineTime),
      figure.baseline == figure.what ? "" : String(format: "%.2f", figure.ratio),
      figure.goal.map { String(format: "≤ %g", $0) } ?? "", verdict,
      figure.allocations < 0 ? "?" : String(format: figure.allocations < 10 ? "%.3g" : "%.0f", figure.allocations),
    ])
  }
  let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  let isNumber = [false, true, false, true, true, true, false, true]
  return rows.map { row in
    row.indices.map { column in
      let space = String(repeating: " ", count: widths[column] - row[column].count)
      return isNumber[column] ? space + row[column] : row[column] + space
    }.joined(separator: "  ")
  }.joined(separator: "\n")
}

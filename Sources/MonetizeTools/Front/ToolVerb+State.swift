// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// The verb for a state file.
extension ToolVerb {
  static let readState = ToolVerb(
    name: "state",
    usage: "state show|verify|export|explain|delete <file> [<catalog>] "
      + "[--person <id>] [--at <time>] [--zone <zone>] [--as <person>]",
    abstract: "Shows, checks and exports what an app has stored.",
    options: ["at", "as", "zone", "person"]
  ) { bench, arguments in
    guard let verb = arguments.paths.first, arguments.paths.count >= 2 else {
      throw ToolProblem(
        "Write state show <file>, verify <file>, export <file> [--person <id>], explain <file> <catalog>, or delete <file> --person <id>.")
    }
    let path = arguments.paths[1]
    let file = try StateFile(ToolFiles.read(path), path: path, facts: bench.facts)
    let zone = try ToolOption.zone(arguments["zone"] ?? "UTC")
    let now = try arguments["at"].map { try ToolOption.time($0, in: zone) } ?? Date()
    switch (verb, arguments.paths.count) {
    case ("show", 2): return StateSummary(file)
    case ("verify", 2): return StateVerification(file)
    case ("export", 2): return try StateExport(file, person: arguments["person"])
    case ("delete", 2):
      guard let person = arguments["person"] else {
        throw ToolProblem("delete needs --person <id>: \(file.people.joined(separator: ", ")).")
      }
      return try file.delete(person, at: now)
    default: break
    }
    guard verb == "explain", arguments.paths.count == 3 else {
      throw ToolProblem(
        "state: There is no \"\(verb)\" with \(arguments.paths.count - 1) paths. Write state explain <file> <catalog>, for example.")
    }
    return StateExplanation(file, try bench.catalog(arguments.paths[2]), as: try ToolOption.member(arguments["as"]), zone: zone, at: now)
  }
}

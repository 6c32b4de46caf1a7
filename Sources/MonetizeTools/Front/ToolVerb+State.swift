// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// The verb for a state file.
extension ToolVerb {
  static let readState = ToolVerb(
    name: "state", usage: "state show|verify|export|explain|delete <file>", abstract: "Shows, checks and exports what an app has stored.",
    options: ["at", "as", "zone", "person"]
  ) { bench, arguments in
    guard let verb = arguments.paths.first, arguments.paths.count >= 2 else {
      throw ToolProblem(
        "Write state show <file>, verify <file>, export <file> [--person <id>], explain <file> <catalog>, or delete <file> --person <id>.")
    }
    let path = arguments.paths[1]
    let file: StateFile
    do { file = try StateFile(ToolFiles.read(path), path: path, facts: bench.facts) } catch let problem as StateProblem {
      throw ToolProblem(problem.description)
    }
    let now = try arguments.timeOption("at") ?? Date()
    do throws(StateProblem) {
      switch (verb, arguments.paths.count) {
      case ("show", 2): return StateSummary(file)
      case ("verify", 2): return StateVerification(file)
      case ("export", 2): return try StateExport(file, person: arguments["person"])
      case ("delete", 2):
        guard let person = arguments["person"] else {
          throw StateProblem("delete needs --person <id>: \(file.people.joined(separator: ", ")).")
        }
        return StateDeletion(path: path, person: person, count: try file.delete(person, at: now))
      default: break
      }
    } catch { throw ToolProblem(error.description) }
    guard verb == "explain", arguments.paths.count == 3 else {
      throw ToolProblem(
        "state: There is no \"\(verb)\" with \(arguments.paths.count - 1) paths. Write state explain <file> <catalog>, for example.")
    }
    return StateExplanation(
      file, try bench.catalog(arguments.paths[2]), as: try arguments.memberOption("as"), zone: try arguments.zoneOption("zone"), at: now)
  }
}

extension ToolArguments {
  fileprivate func timeOption(_ name: String) throws(ToolProblem) -> Date? {
    guard let text = self[name] else { return nil }
    guard let date = ISODate.parse(text, in: Calendar.storeCalendar.timeZone) else {
      throw ToolProblem("--\(name): \"\(text)\" is not a date and time. Write 2026-03-01T12:00:00Z.")
    }
    return date
  }

  fileprivate func memberOption(_ name: String) throws(ToolProblem) -> Member {
    guard let text = self[name] else { return .customer }
    guard let member = Member(text: text) else {
      throw ToolProblem("--\(name): Unknown person \"\(text)\". Write child:max, parent, guest, demo or customer.")
    }
    return member
  }

  fileprivate func zoneOption(_ name: String) throws(ToolProblem) -> TimeZone {
    guard let text = self[name] else { return Calendar.storeCalendar.timeZone }
    guard let zone = TimeZone(identifier: text) else {
      throw ToolProblem("--\(name): There is no time zone \"\(text)\". Write one such as Europe/Berlin.")
    }
    return zone
  }
}

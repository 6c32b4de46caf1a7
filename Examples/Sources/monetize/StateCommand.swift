// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools

struct StateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state",
    abstract: "Shows, checks and exports what an app has stored about a customer.",
    discussion: "Reading changes nothing, neither in the file nor beside it. Only `delete` writes.",
    subcommands: [Show.self, Explain.self, Verify.self, Export.self, Delete.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists sorts of facts, purchases, uses and people.")
    @OptionGroup var input: StateInput
    func run() throws { try StateSummary(input.read()).show(input.format) }
  }

  struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists what an app with this file answers, and why.")
    @OptionGroup var input: StateInput

    @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
    var catalog: String

    @Option(help: ArgumentHelp("The time of the question, such as 2026-03-01T12:00:00Z. Default: now.", valueName: "time"))
    var at: String?

    @Option(help: "The customer's time zone.")
    var zone = "UTC"

    @Option(name: .customLong("as"), help: ArgumentHelp("The person who asks: child:max, parent, guest or demo.", valueName: "person"))
    var member: String?

    func run() throws {
      let zone = try ToolOption.zone(zone)
      let now = try at.map { try ToolOption.time($0, in: zone) } ?? Date()
      try StateExplanation(input.read(), InputFile(catalog).catalog(), as: ToolOption.member(member), zone: zone, at: now).show(
        input.format)
    }
  }

  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Checks every line's checksum.",
      discussion: "The exit status is 1 when a line is damaged. Seals are not checked: their key is on the device.")
    @OptionGroup var input: StateInput
    func run() throws { try StateVerification(input.read()).show(input.format) }
  }

  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Prints all facts, or those about one person, as JSON.")
    @OptionGroup var input: StateInput

    @Option(help: ArgumentHelp("A person's id, as `state show` lists it.", valueName: "id"))
    var person: String?

    func run() throws { try answered { try StateExport(input.read(), person: person) }.show(input.format) }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Deletes all facts about a person from the file.",
      discussion:
        "A child of the family is removed for good: no other device brings its facts back. Purchases belong to the account and stay.")
    @OptionGroup var input: StateInput

    @Option(help: ArgumentHelp("A person's id, as `state show` lists it.", valueName: "id"))
    var person: String

    func run() throws {
      try answered { try input.read().delete(person, at: Date()) }.show(input.format)
    }
  }
}

/// The file of all verbs, and how the result is printed.
struct StateInput: ParsableArguments {
  @Argument(help: "The state file.", completion: .file())
  var file: String

  @Option(help: "text or json.")
  var format = OutputFormat.text

  func read() throws -> StateFile { try StateFile.reading(file) }
}

extension StateFile {
  /// Reads a file.
  /// - Throws: exit status 2 when it cannot be read, 1 when it is of a later version.
  static func reading(_ path: String) throws -> StateFile {
    let data = try InputFile(path, expecting: .state).data
    return try answered { try StateFile(data, path: path) }
  }
}

/// The result of a verb. A problem is printed, and ends the command with status 1.
private func answered<Result>(_ body: () throws -> Result) throws -> Result {
  do { return try body() } catch let problem as ToolProblem {
    Terminal.problem(problem.description)
    throw ExitCode.no
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import MonetizeSimulator
import MonetizeTools
import TerminalLine

/// The command line. Exit status: 0 for success, 1 for the answer no, 2 when the command could not run.
struct MonetizeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monetize",
    abstract: "Shows what a catalog allows, and simulates its customers without an App Store.",
    discussion: """
      Results go to standard output, problems to standard error. The exit status is 0 for success, 1 when the answer is no \
      (a mistake in a file, a failed expectation), and 2 when the command could not run \
      or its output could not be written.
      """,
    subcommands: [
      Validate.self, LintCommand.self, DiffCommand.self, Check.self, Show.self, Decide.self, Simulate.self, PlayCommand.self,
      PaywallCommand.self, FunnelCommand.self, ReplayCommand.self, ForecastCommand.self, StoreKit.self, Generate.self, Migrate.self,
      Merge.self,
      StateCommand.self, Schema.self,
    ])
}

@main
enum Main {
  static func main() async {
    StandardStream.ignoreClosedPipes()
    var result: Int32 = 0
    do {
      var command = try MonetizeCommand.parseAsRoot()
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      result = status(for: error)
    }
    if let problem = StandardStream.output.problem {
      Terminal.problem("The output could not be written: \(problem).")
      result = 2
    }
    exit(result)
  }

  /// Prints the message of argument-parser, and maps its statuses to ours in this one place.
  private static func status(for error: any Error) -> Int32 {
    let code = MonetizeCommand.exitCode(for: error)
    if let exit = error as? ExitCode { return exit.rawValue }
    let words = CommandLine.arguments.dropFirst()
    // Argument-parser answers `help` of an unknown command with the help of all commands.
    if code != .success || words.first == "help", let problem = unknownCommand(in: words.first == "help" ? words.dropFirst() : words) {
      Terminal.problem("Error: \(problem)")
      return 2
    }
    let message = MonetizeCommand.fullMessage(for: error)
    if code == .success {
      Terminal.line(message)
      return 0
    }
    Terminal.problem(message)
    return 2
  }

  /// The message for a misspelt or missing command; `nil` if the arguments name one.
  private static func unknownCommand(in arguments: some Collection<String>) -> String? {
    var commands = MonetizeCommand.configuration.subcommands
    var path: [String] = []
    for argument in arguments {
      let names = commands.map { $0._commandName }
      if names.isEmpty || argument.hasPrefix("-") { return nil }
      guard let index = names.firstIndex(of: argument) else {
        let whole = (path + [argument]).joined(separator: " ")
        if let near = ScenarioPlayer.find(argument, among: names).likely {
          return "There is no command \"\(whole)\". Did you mean \"\((path + [near]).joined(separator: " "))\"?"
        }
        let parent = path.isEmpty ? "" : " of \"\(path.joined(separator: " "))\""
        let list = names.count == 1 ? "The command\(parent) is" : "The commands\(parent) are"
        return "There is no command \"\(whole)\". \(list) \(names.joined(separator: ", "))."
      }
      commands = commands[index].configuration.subcommands
      path.append(argument)
    }
    return nil
  }
}

extension ExitCode {
  /// The answer is no.
  static let no = ExitCode(1)
  /// The command could not run.
  static let couldNotRun = ExitCode(2)
}

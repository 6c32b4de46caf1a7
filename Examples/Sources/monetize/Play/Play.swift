// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools
import TerminalLine

struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Simulates a catalog at a prompt: buy, use, wait, refund, undo, and save the steps as a scenario.",
    discussion: """
      Commands are read line by line; `help` lists them. On a terminal TAB completes commands and ids, and lines can be edited. With \
      input from a pipe, only results are printed, and the exit status is 1 when a line was not understood or could not be done.

      EXAMPLES
        monetize play Products/maze-packs.json
        monetize play Products/maze-packs.json --device phone=ann --device watch=ann
        printf 'buy denny gate pass\\nmoney\\n' | \\
          monetize play Products/maze-packs.json
      """)

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(help: ArgumentHelp("The start: a date and time.", valueName: "time"))
  var start = "2026-03-01T12:00:00Z"

  @Option(help: "The customer's time zone.")
  var zone = "UTC"

  @Option(help: ArgumentHelp("The random seed.", valueName: "number"))
  var seed: UInt64 = 0

  @Option(
    help: ArgumentHelp(
      "A device and its customer. May be repeated; `device` adds more. Default: phone=customer.", valueName: "name=customer"))
  var device: [String] = []

  @OptionGroup var arms: ArmOptions

  @Flag(help: "Do not launch the app; `launch` starts it.")
  var closed = false

  @Flag(help: "Show the notifications of Apple's server under each step.")
  var log = false

  @Flag(help: "Show ids instead of names.")
  var ids = false

  @Flag(help: "Print the prompt and each line, also for input from a pipe.")
  var echo = false

  func run() async throws {
    let input = try InputFile(file)
    let catalog = try arms.json(of: input.catalog())
    let timeZone = try ToolOption.zone(zone)
    let date = try ToolOption.time(start, in: timeZone, "start")
    let player = try ScenarioPlayer(catalog: catalog, start: date, zone: timeZone, seed: seed, devices: try devices())
    player.showsIDs = ids
    let session = PlaySession(player: player, catalogPath: file, showsLog: log)
    let reader = LineReader(echoes: echo, print: Terminal.line, dim: Style.output.dim) { session.completion.endings(of: $0) }
    if !closed { _ = await session.take("launch") }
    if reader.isTerminal {
      Terminal.line(
        "\(player.catalog.app.name): the app runs. Try: \(session.suggestions.joined(separator: ", ")). `help` lists more, TAB completes.")
    }
    var count = 0
    while let line = reader.next(status: session.status, prompt: session.prompt) {
      count += 1
      session.lineNumber = reader.isSilent ? count : nil
      guard await session.take(line) else { break }
    }
    if !reader.isTerminal && session.failed { throw ExitCode.no }
  }

  private func devices() throws -> [ScenarioPlayer.Device] {
    var found: [ScenarioPlayer.Device] = []
    for text in device {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let name = parts.first, !name.isEmpty, parts.count == 1 || !parts[1].isEmpty, !name.contains(where: \.isWhitespace) else {
        throw ToolProblem("--device: write name=customer, such as watch=ann, not \"\(text)\".")
      }
      if found.contains(where: { $0.name == name }) { throw ToolProblem("--device: there are two devices named \"\(name)\".") }
      found.append(.init(name, of: parts.count == 2 ? parts[1] : "customer"))
    }
    return found.isEmpty ? [.init("phone", of: "customer")] : found
  }
}

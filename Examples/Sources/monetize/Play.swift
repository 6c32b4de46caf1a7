// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeSimulator

struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "A catalog at a prompt: buy, use, wait, refund, take back, and keep what happened as a scenario.",
    discussion: """
      Commands are read line by line; `help` lists them. On a terminal TAB completes commands and ids. From a pipe only results are \
      printed, and the exit status is 1 when a line was not understood or could not be done.

      EXAMPLES
        monetize play Products/maze-packs.json
        printf 'launch\\nbuy denny gate pass\\nshow\\n' | monetize play Products/maze-packs.json
      """)

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(help: "When it begins.")
  var start = "2026-03-01T12:00:00Z"

  @Option(help: "The customer's time zone.")
  var zone = "UTC"

  @Option(help: "For everything random.")
  var seed: UInt64 = 0

  @Flag(help: "Prints the prompt and each line also when they come from a pipe.")
  var echo = false

  /// Commands that look and change nothing in the simulation, or change what was done.
  static let lookers: [(name: String, usage: String, about: String)] = [
    ("status", "status", "the date, what the customer has, what happens next"), ("show", "show", "every feature now"),
    ("why", "why FEATURE [ITEM]", "the answer to a question, and its reason"),
    ("ids", "ids", "the products, features and items of the catalog"),
    ("history", "history", "the steps so far"), ("undo", "undo [COUNT]", "takes steps back"),
    ("save", "save FILE", "the steps as a scenario, which `monetize simulate` runs"), ("help", "help", "this list"),
    ("quit", "quit", "the end"),
  ]

  func run() async throws {
    let input = try InputFile(file)
    _ = try input.catalog()
    guard let timeZone = TimeZone(identifier: zone) else {
      throw Problem("There is no time zone \"\(zone)\". Write one such as Europe/Berlin.")
    }
    guard let date = Instant.parse(start, in: timeZone) else {
      throw Problem("--start: \"\(start)\" is no instant. Write 2026-03-01T12:00:00Z, or a local time without the Z.")
    }
    let player = try ScenarioPlayer(catalog: input.data, start: date, zone: timeZone, seed: seed)
    let session = PlaySession(player: player, catalogPath: file)
    let reader = LineReader(echoes: echo) { PlayCompletion(catalog: player.catalog).endings(of: $0) }
    if reader.isTerminal { print("\(player.catalog.app.name). `launch` starts the app, `help` lists what can be done, TAB completes.") }
    while let line = reader.next(status: player.status.description) {
      guard await session.take(line) else { break }
    }
    if !reader.isTerminal && session.failed { throw ExitCode.no }
  }
}

/// What TAB offers: commands first, then ids.
struct PlayCompletion {
  let catalog: Catalog

  /// The words that the last word of a line may become.
  func endings(of line: String) -> [String] {
    let words = line.components(separatedBy: " ")
    guard let last = words.last else { return [] }
    let commands = (PlayWords.verbs + PlayCommand.lookers).map(\.name)
    guard words.count > 1 else { return commands.filter { $0.hasPrefix(last) }.sorted() }
    let products = catalog.products.map(\.id.rawValue)
    let features = catalog.features.map(\.id.rawValue)
    let options: [String]
    switch words[words.count - 2] == "gate" ? "gate" : words[0].lowercased() {
    case "gate": options = ["pass", "fail", "reuse"]
    case "open", "use", "why", "complete":
      options = words.count == 2 && words[0] != "complete" ? features : items(last) + ["gate"]
    case "buy": options = words.count == 2 ? products : ["ask", "cancel", "crash", "gate", "interrupted", "offer", "unverified"]
    case "approve", "decline", "refund", "renew", "expire", "extend", "price": options = products
    case "renewal", "sale", "asktobuy": options = words.count == 2 ? ["on", "off"] : products
    case "payment": options = ["works", "fails"]
    case "wait": options = ["next", "renewal", "until"]
    case "restore": options = ["gate"]
    case "reinstall": options = ["nothing"]
    default: options = []
    }
    // A part of an id, after a dot, is as good as its beginning.
    return options.filter { $0.hasPrefix(last) || (!last.isEmpty && $0.contains("." + last)) }
  }

  /// Collections before the slash, their items behind it.
  private func items(_ text: String) -> [String] {
    guard text.contains("/") else { return catalog.collections.map { "\($0.id)/" } }
    return catalog.collections.flatMap { collection in collection.items.map { "\(collection.id)/\($0.id)" } }
  }
}

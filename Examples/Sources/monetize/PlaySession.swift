// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// One sitting: takes lines, does what they say, and prints what happened.
final class PlaySession {
  private let player: ScenarioPlayer
  private let catalogPath: String
  private let style = Style.output
  /// Whether a line was not understood or could not be done.
  private(set) var failed = false

  init(player: ScenarioPlayer, catalogPath: String) {
    self.player = player
    self.catalogPath = catalogPath
  }

  /// Does what a line says. False at the end.
  func take(_ line: String) async -> Bool {
    let line = line.trimmingCharacters(in: .whitespacesAndNewlines)
    if line.isEmpty || line.hasPrefix("#") { return true }
    if line.hasPrefix("{") {
      await perform(line)
      return true
    }
    var words = PlayWords(line.split(separator: " ").map(String.init), catalog: player.catalog, snapshot: player.snapshot)
    do throws(Misunderstood) {
      switch words.rest[0].lowercased() {
      case "quit", "exit": return false
      case "help", "?": help()
      case "status": print(player.status.description)
      case "show": show()
      case "ids": ids()
      case "history": history()
      case "why": try why(&words)
      case "undo": try await undo(words.rest)
      case "save": try save(String(line.dropFirst(4)).trimmingCharacters(in: .whitespaces))
      default: await perform(try words.step())
      }
    } catch {
      problem(error.text)
    }
    return true
  }

  private func problem(_ text: String) {
    failed = true
    Terminal.problem(Style.errors.red(text))
  }

  // MARK: Doing

  private func perform(_ json: String) async {
    do throws(ScenarioError) {
      for entry in try await player.perform(stepJSON: json) { printEntry(entry) }
    } catch {
      for diagnostic in error.diagnostics { problem(diagnostic.message) }
    }
  }

  private func printEntry(_ entry: ScenarioReport.Entry) {
    if entry.kind == .problem {
      // The words for a scenario's file are others than those for a prompt.
      let title = entry.title.replacingOccurrences(of: "or \"quit\" first", with: "or \"close\" first")
      return problem(title.replacingOccurrences(of: "Add { \"do\": \"launch\" } before.", with: "Write: launch"))
    }
    let outcome = entry.outcome.map { "  → " + Timeline.coloured($0) } ?? ""
    print("\(Timeline.symbol(entry)) \(style.bold(entry.title))\(outcome)")
    for change in entry.changes { print("  " + style.blue(change)) }
    for line in Timeline.lines(entry.checks) { print("  " + line) }
    if entry.checks.contains(where: { !$0.holds }) { failed = true }
    if entry.outcome == "gateRequired" { print(style.dim("  The parental gate stands before this. Add: gate pass")) }
  }

  private func undo(_ words: [String]) async throws(Misunderstood) {
    guard words.count < 3, let count = words.count == 1 ? 1 : Int(words[1]), count > 0 else {
      throw Misunderstood("\"undo\" takes a number of steps, such as undo 3.")
    }
    let undone = await player.undo(count)
    if undone.isEmpty { throw Misunderstood("Nothing has been done yet.") }
    for step in undone.reversed() { print("taken back: \(title(step))") }
  }

  private func save(_ path: String) throws(Misunderstood) {
    guard !path.isEmpty else { throw Misunderstood("\"save\" takes a file, such as save story.json.") }
    let catalog = Self.relative(catalogPath, to: URL(fileURLWithPath: path).deletingLastPathComponent())
    let steps = player.steps
    let text = player.scenario(title: "\(player.catalog.app.name): \(steps.count) steps, played by hand", catalogPath: catalog)
    guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
      throw Misunderstood("\(path) cannot be written. Check that its folder exists.")
    }
    print("\(steps.count) \(steps.count == 1 ? "step" : "steps") saved; monetize simulate \(path)")
  }

  /// A path as seen from a folder.
  static func relative(_ path: String, to folder: URL) -> String {
    let target = URL(fileURLWithPath: path).standardizedFileURL.pathComponents
    let base = folder.standardizedFileURL.pathComponents
    let common = zip(target, base).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: base.count - common) + target.dropFirst(common)).joined(separator: "/")
  }

  // MARK: Looking

  private func title(_ step: ScenarioPlayer.Step) -> String {
    step.entries.first.map { $0.title + ($0.outcome.map { " → \($0)" } ?? "") } ?? step.json
  }

  private func history() {
    let rows = player.steps.enumerated().map { number, step in
      ["\(number + 1)", step.entries.first.map { Self.time($0.date, player.zone) } ?? "", title(step)]
    }
    print(rows.isEmpty ? "Nothing has been done yet." : Terminal.table(rows))
  }

  private static func time(_ date: Date, _ zone: TimeZone) -> String {
    String(Instant.text(date, in: Instant.calendar(zone)).replacingOccurrences(of: "T", with: " ").dropLast(3))
  }

  private func show() {
    guard let snapshot = player.snapshot else {
      return print("The app is not running; nobody knows what the customer may do. Write: launch")
    }
    let limits = Dictionary(player.status.limits.map { ($0.feature, $0) }) { first, _ in first }
    let rows = snapshot.catalog.features.map { feature -> [String] in
      let cell =
        limits[feature.id].map { "\(ScenarioReport.bar($0.left, of: $0.limit)) \($0.left) of \($0.limit) left" }
        ?? Show.cell(feature, snapshot)
      return [feature.id.rawValue, cell, snapshot.decision(for: feature.id).resetsAt.map { "until \(Self.time($0, player.zone))" } ?? ""]
    }
    print(Terminal.table(rows))
  }

  private func why(_ words: inout PlayWords) throws(Misunderstood) {
    _ = words.removeFirst()
    let feature = FeatureID(try words.feature())
    guard let snapshot = player.snapshot else { throw Misunderstood("The app is not running. Write: launch") }
    var request = AccessRequest(feature)
    request.item = words.rest.first.map { ItemPath(stringLiteral: $0) }
    let decision = snapshot.decision(for: request)
    print((decision.isAllowed ? style.green("allowed") : style.red("denied")) + "  \(decision.reason)")
    print("  " + decision.text(for: snapshot.catalog.feature(feature), zone: player.zone))
    let products = decision.unlockedBy.map(\.rawValue).joined(separator: ", ")
    if !products.isEmpty { print("  opened by \(products)") }
    if let until = decision.validUntil { print("  until \(Self.time(until, player.zone))") }
  }

  private func ids() {
    let catalog = player.catalog
    print("products\n" + Terminal.table(catalog.products.map { [$0.id.rawValue, $0.name] }))
    print("features\n" + Terminal.table(catalog.features.map { [$0.id.rawValue, $0.title] }))
    if !catalog.collections.isEmpty {
      print(
        "items\n"
          + Terminal.table(
            catalog.collections.map { collection in
              [
                "\(collection.id)/\(collection.items.first?.id ?? "") … \(collection.id)/\(collection.items.last?.id ?? "")",
                collection.parts.joined(separator: ", "),
              ]
            }))
    }
  }

  private func help() {
    let width = 42
    for command in PlayWords.verbs + PlayCommand.lookers {
      let about = style.dim(command.about)
      if command.usage.count <= width {
        print("  " + Terminal.padded(command.usage, width) + "  " + about)
      } else {
        print("  \(command.usage)\n" + String(repeating: " ", count: width + 4) + about)
      }
    }
    print(
      "  Ids may be shortened to their ends: denny for com.example.mazes.pack.denny. A step of a scenario in braces is done as it stands.")
  }
}

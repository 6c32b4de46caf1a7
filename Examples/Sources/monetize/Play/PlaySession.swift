// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools

/// One session: reads lines, runs their commands, and prints the results.
final class PlaySession {
  let player: ScenarioPlayer
  private let catalogPath: String
  private let showsLog: Bool
  let style = Style.output
  /// Whether a line was not understood or could not be done.
  private(set) var failed = false
  /// The number of the line, shown when lines are not visible.
  var lineNumber: Int?
  /// The files saved in this session, which may be overwritten.
  private var saved: Set<String> = []
  /// The default device and member of a line.
  private var place = Place()

  struct Place {
    /// The device; `nil` for the first.
    var device: String?
    var member = Member.customer
  }

  init(player: ScenarioPlayer, catalogPath: String, showsLog: Bool = false) {
    self.player = player
    self.showsLog = showsLog
    self.catalogPath = catalogPath
  }

  var completion: PlayCompletion { PlayCompletion(catalog: player.catalog(on: place.device), devices: player.devices.map(\.name)) }
  var status: String { player.status(on: place.device, as: place.member).description }

  /// The prompt: `> `, or `watch child:max> ` for another device or member.
  var prompt: String {
    let words = [place.device, place.member == .customer ? nil : "\(place.member)"].compactMap { $0 }
    return words.joined(separator: " ") + "> "
  }

  /// Runs a line. Returns false at the end.
  func take(_ line: String) async -> Bool {
    let line = line.trimmingCharacters(in: .whitespacesAndNewlines)
    if line.isEmpty || line.hasPrefix("#") { return true }
    if line.hasPrefix("{") {
      await perform(line, place, hint: "Add to the step: \"gate\": \"pass\"")
      return true
    }
    do throws(ToolProblem) { return try await obey(line) } catch {
      problem(error.description)
      return true
    }
  }

  private func obey(_ line: String) async throws(ToolProblem) -> Bool {
    let tokens = try PlayTokens(line)
    var rest = tokens.words
    let here = try takePlace(&rest)
    if !rest.isEmpty { rest = PlayPhrases.command(rest) }
    if rest.first?.hasPrefix("{") == true {
      throw ToolProblem("A step in braces has its own \"on\" and \"as\". Write it without a prefix.")
    }
    guard let command = rest.first else {
      guard tokens.members.isEmpty else { throw ToolProblem("Write a command before key=value. `help` lists them all.") }
      place = here
      return true
    }
    if PlayVerb.named(command)?.name == "launch", rest.count == 1, tokens.members.isEmpty, player.snapshot(on: here.device) != nil {
      Terminal.line("The app is running already.")
      return true
    }
    var words = PlayWords(rest, members: tokens.members, context(here))
    guard let verb = PlayVerb.named(command), verb.isLooking else {
      await perform(try words.step(), here, hint: "Write: \(line) gate pass")
      return true
    }
    if !tokens.members.isEmpty, verb.name != "expect" {
      throw ToolProblem("\"\(verb.name)\" takes no key=value. Write: \(verb.words)")
    }
    _ = words.removeFirst()
    return try await look(verb, &words, here)
  }

  /// Reads `on watch` and `as child:max`, before a command or alone. Also reads the printed form: `watch: use story as child:max`.
  private func takePlace(_ words: inout [String]) throws(ToolProblem) -> Place {
    var here = place
    if let first = words.first, first.hasSuffix(":"), names.contains(String(first.dropLast())) {
      words.replaceSubrange(..<1, with: ["on", String(first.dropLast())])
    }
    if words.count > 2, words[0] != "sign", words[words.count - 2] == "as", Member(text: words[words.count - 1]) != nil {
      words = words.suffix(2) + words.dropLast(2)
    }
    while let first = words.first.flatMap(PlayVerb.named)?.name, first == "on" || first == "as" {
      guard words.count > 1 else {
        throw ToolProblem(
          first == "on" ? "Expected a device. \(PlayWords.there(names))" : "Expected \(Self.members).")
      }
      if first == "on" {
        let name = try PlayWords.one(words[1], of: names, "device")
        here.device = name == names[0] ? nil : name
      } else {
        guard let member = Member(text: words[1]) else {
          throw ToolProblem("Unknown person \"\(words[1])\". Expected \(Self.members).")
        }
        here.member = member
      }
      words.removeFirst(2)
    }
    return here
  }

  private static let members = "child:max, parent, guest, demo or customer"
  private var names: [String] { player.devices.map(\.name) }

  private func context(_ here: Place) -> PlayContext {
    let snapshot = player.snapshot(on: here.device)
    return PlayContext(
      catalog: player.catalog(on: here.device), snapshot: snapshot, devices: names, device: here.device, member: here.member,
      number: player.steps.count + 1,
      nextChange: snapshot?.nextChange, nextRenewal: player.nextRenewal(on: here.device))
  }

  /// Shows something, or changes earlier steps. Returns false at the end.
  private func look(_ verb: PlayVerb, _ words: inout PlayWords, _ here: Place) async throws(ToolProblem) -> Bool {
    switch verb.name {
    case "undo": try await undo(&words)
    case "save": try save(verb, &words)
    case "device": try await device(verb, &words)
    case "same": await perform(try words.same(names), here)
    case "expect": await perform(try words.expectation(), here)
    case "why": try why(&words, here)
    case "money":
      try words.finish(verb)
      money(here)
    case "help":
      let topic = words.rest.isEmpty ? nil : words.removeFirst()
      try words.finish(verb)
      Terminal.line(try PlayHelp.text(topic))
    default:
      try words.finish(verb)
      switch verb.name {
      case "status": Terminal.line(player.status(on: here.device, as: here.member).description)
      case "show": show(here)
      case "ids": ids(player.catalog(on: here.device))
      case "history": history()
      default: return false
      }
    }
    return true
  }

  private func problem(_ text: String) {
    failed = true
    Terminal.problem(Style.errors.red((lineNumber.map { "line \($0): " } ?? "") + text))
  }

  // MARK: Doing

  /// - Parameter hint: How to pass the parental gate with the same step.
  private func perform(_ json: String, _ here: Place, hint: String = "") async {
    do throws(ScenarioError) {
      for entry in try await player.perform(stepJSON: json) {
        if entry.kind == .problem { tell(entry.title, here) } else { printEntry(entry) }
        if entry.outcome == "gateRequired" || entry.outcome == "gateFailed" && !json.contains("\"gate\":") {
          self.hint("The parental gate protects this. \(hint)")
        }
        if entry.why == "heldMissing" { self.hint("Add the number that exists already: held 1") }
      }
    } catch {
      for diagnostic in error.diagnostics { problem(diagnostic.message) }
    }
  }

  /// Replaces the fixes for a scenario's file with those for a prompt.
  private func tell(_ title: String, _ here: Place) {
    let launch = here.device == place.device ? "launch" : "on \(here.device ?? names[0]) launch"
    let text = title.replacingOccurrences(of: "or \"quit\" first", with: "or \"close\" first")
    problem(text.replacingOccurrences(of: "Add { \"do\": \"launch\" } before this step.", with: "Write: \(launch)"))
  }

  private func printEntry(_ entry: ScenarioReport.Entry) {
    let outcome = Timeline.outcome(entry)
    if entry.kind != .check { Terminal.line("\(Timeline.symbol(entry)) \(style.bold(Timeline.title(entry)))\(outcome)") }
    for line in (showsLog ? Timeline.log(entry) : []) { Terminal.line("  " + style.dim(line)) }
    for change in entry.changes { Terminal.line("  " + style.blue(change)) }
    for line in Timeline.lines(entry.checks) { Terminal.line("  " + line) }
    if entry.checks.contains(where: { !$0.holds }) { failed = true }
  }

  private func hint(_ text: String) { Terminal.line(style.dim("  " + text)) }

  private func device(_ verb: PlayVerb, _ words: inout PlayWords) async throws(ToolProblem) {
    guard !words.rest.isEmpty else { return Terminal.line(Terminal.table(player.devices.map(row))) }
    let name = words.removeFirst()
    let customer = words.take("of") ? try words.word("the name of a customer") : player.devices[0].customer
    try words.finish(verb)
    guard await player.add(.init(name, of: customer)) else {
      throw ToolProblem("There is already a device \"\(name)\". Write: on \(name)")
    }
    for entry in player.steps.last?.entries ?? [] { printEntry(entry) }
    Terminal.line(style.dim("  Write: on \(name) launch"))
  }

  private func row(_ device: ScenarioPlayer.Device) -> [String] {
    [device.name, device.customer, player.snapshot(on: device.name) == nil ? "the app is not running" : "the app runs"]
  }

  private func undo(_ words: inout PlayWords) async throws(ToolProblem) {
    let count = words.rest.isEmpty ? 1 : Int(words.removeFirst()) ?? 0
    guard words.rest.isEmpty, count > 0 else { throw ToolProblem("\"undo\" takes a number of steps, such as undo 3.") }
    let undone = await player.undo(count)
    if undone.isEmpty { throw ToolProblem("Nothing has been done yet.") }
    for step in undone.reversed() { Terminal.line("undone: \(Self.title(step))") }
    // A device that was added in one of those steps is gone.
    if let device = place.device, !names.contains(device) { place.device = nil }
  }

  private func save(_ verb: PlayVerb, _ words: inout PlayWords) throws(ToolProblem) {
    guard !words.rest.isEmpty else { throw ToolProblem("\"save\" takes a file, such as save story.json.") }
    let path = words.removeFirst()
    let isForced = words.take("over")
    try words.finish(verb)
    let target = URL(fileURLWithPath: path).standardizedFileURL.path
    // Refuse to overwrite other files, such as a catalog.
    if !isForced, !saved.contains(target), FileManager.default.fileExists(atPath: path) {
      throw ToolProblem("\(path) already exists. Use another name, or write: save \(path) over")
    }
    let catalog = Self.relative(catalogPath, to: URL(fileURLWithPath: path).deletingLastPathComponent())
    let count = player.steps.count
    let steps = CatalogWords.counted(count, "step")
    let text = player.scenario(title: "\(player.catalog.app.name): \(steps), played by hand", catalogPath: catalog)
    do throws(InputFile.Unreadable) { try OutputFile.write(Data(text.utf8), to: path, replacesAnyKind: isForced) } catch {
      throw ToolProblem("\(path) \(error.reason)")
    }
    saved.insert(target)
    Terminal.line("\(steps) saved; monetize simulate \(path)")
  }

  static func relative(_ path: String, to folder: URL) -> String {
    let target = URL(fileURLWithPath: path).standardizedFileURL.pathComponents
    let base = folder.standardizedFileURL.pathComponents
    let common = zip(target, base).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: base.count - common) + target.dropFirst(common)).joined(separator: "/")
  }

  static func title(_ step: ScenarioPlayer.Step) -> String {
    guard let entry = step.entries.first else { return step.json }
    return Timeline.title(entry) + (entry.outcome.map { " → \($0)" } ?? "")
  }
}

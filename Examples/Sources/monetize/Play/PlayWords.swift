// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools

/// The context of a line.
struct PlayContext {
  let catalog: Catalog
  let snapshot: Snapshot?
  /// The names of all devices.
  let devices: [String]
  /// The current device; `nil` for the first.
  let device: String?
  let member: Member
  /// The number of the step that the line would become.
  let number: Int
  /// The dates of the device's next change and next renewal.
  let nextChange: Date?
  let nextRenewal: Date?
}

/// Translates the words that a person types into steps of scenarios.
///
/// Takes the words of a line one by one; words left over were not understood. `key=value` is added to the step unchanged, so that keys
/// without a command can be written, too.
struct PlayWords {
  private(set) var rest: [String]
  let members: [(key: String, json: String)]
  let context: PlayContext
  var catalog: Catalog { context.catalog }

  init(_ words: [String], members: [(key: String, json: String)], _ context: PlayContext) {
    (rest, self.members, self.context) = (words, members, context)
  }

  mutating func removeFirst() -> String { rest.removeFirst() }

  /// The step of the line.
  mutating func step() throws(ToolProblem) -> String {
    let word = rest.isEmpty ? "" : rest.removeFirst()
    var step = StepJSON(context)
    if rest.isEmpty, let verb = scenarioVerb(word) {
      step.verb(verb)
    } else {
      guard let verb = PlayVerb.named(word) else { throw unknown(word) }
      try fill(&step, verb.name)
      try finish(verb)
    }
    for (key, json) in members { step.add(key, raw: json) }
    return step.text
  }

  /// A verb of scenarios with keys only is that step; so is one without another form here.
  private func scenarioVerb(_ word: String) -> String? {
    guard let verb = PlayVerb.vocabulary.verbs().map(\.name).first(where: { $0.lowercased() == word.lowercased() }) else { return nil }
    return PlayVerb.named(verb) == nil || verb == "set" || !members.isEmpty && members.allSatisfy { $0.key != "note" && $0.key != "times" }
      ? verb : nil
  }

  func finish(_ verb: PlayVerb) throws(ToolProblem) {
    guard let left = rest.first else { return }
    let guess =
      ScenarioPlayer.find(left, among: verb.keywords).likely.flatMap { $0 == left ? nil : $0 }.map { "Did you mean \"\($0)\"? " } ?? ""
    let more = verb.options.isEmpty ? "" : " (`help \(verb.name)` explains them)"
    throw ToolProblem("\"\(left)\" is not understood here. \(guess)Write: \(verb.words)\(more)")
  }

  private func unknown(_ word: String) -> ToolProblem {
    let start = "There is no command \"\(word.prefix(60))\(word.count > 60 ? "…" : "")\"."
    // Someone who types a name wants to do something with it.
    let features = catalog.features.map(\.id.rawValue).filter { $0.split(separator: ".").contains { $0.lowercased() == word.lowercased() } }
    if features.count == 1 { return ToolProblem("\(start) It is a feature: use \(word), open \(word) or why \(word).") }
    if case .one(let product) = ScenarioPlayer.find(word, among: catalog.products.map(\.id.rawValue)), word.count > 2 {
      return ToolProblem("\(start) It is a product, \(product): buy \(word).")
    }
    if context.devices.contains(word) { return ToolProblem("\(start) It is a device: on \(word) \(rest.first ?? "launch").") }
    if Member(text: word) != nil { return ToolProblem("\(start) It is a person: as \(word) \(rest.first ?? "show").") }
    let names = PlayVerb.all.map(\.name) + PlayVerb.all.compactMap(\.alias)
    let guess =
      (PlayVerb.hints[word.lowercased()] ?? ScenarioPlayer.find(word, among: names).likely).map { " Did you mean \"\($0)\"?" } ?? ""
    return ToolProblem("\(start)\(guess) `help` lists them all.")
  }

  private mutating func fill(_ step: inout StepJSON, _ verb: String) throws(ToolProblem) {
    switch verb {
    case "launch":
      step.verb(verb)
      if take("silent") { step.add("answer", raw: "false") }
    case "close": step.verb("quit")
    case "crash":
      step.verb("quit")
      step.add("how", "crash")
    case "relaunch", "background", "foreground", "load", "appTransaction": step.verb(verb)
    case "reinstall":
      step.verb(verb)
      if take("nothing") { step.add("keeps", "nothing") }
    case "dismiss":
      step.verb(verb)
      if !rest.isEmpty { step.add("placement", try Self.one(removeFirst(), of: catalog.placements, "placement")) }
    case "open": try open(&step)
    case "restore":
      step.verb(verb)
      try gate(&step)
    case "buy": try buy(&step)
    case "redeem": try redeem(&step)
    case "use": try use(&step)
    case "update":
      step.verb(verb)
      step.add("set", raw: try json("a merge patch on the catalog, such as { \"freeTier\": { \"grants\": { \"story\": 5 } } }"))
    case "overlay":
      step.verb("update")
      step.add("overlay", raw: take("none") ? "null" : try json("remote configuration, such as \(PlayVerb.overlay), or none"))
    case "complete", "coins", "cap", "give", "revoke": try record(&step, verb)
    case "wait": try wait(&step)
    case "sign": try sign(&step)
    case "sync": try sync(&step)
    default: if try !store(&step, verb) { try world(&step, verb) }
    }
  }

  private mutating func json(_ what: String) throws(ToolProblem) -> String {
    guard rest.first?.hasPrefix("{") == true else { throw ToolProblem("Expected \(what).") }
    return removeFirst()
  }

  private mutating func open(_ step: inout StepJSON) throws(ToolProblem) {
    step.verb("open")
    if take("paywall") {
      step.add("placement", try Self.one(word("a placement"), of: catalog.openPlacements, "placement"))
      try gate(&step)
      return
    }
    try request(&step)
    while true {
      if try questionOption(&step) { continue }
      if try !gate(&step) { return }
    }
  }

  private mutating func buy(_ step: inout StepJSON) throws(ToolProblem) {
    step.verb("purchase")
    step.add("product", try product(orOnly: nil))
    while true {
      switch take(of: ["ask", "askToBuy", "offer", "quantity", "from", "at", "crash", "cancel", "confirm", "interrupted", "unverified"]) {
      case "ask", "askToBuy": step.add("sheet", "askToBuy")
      case "offer": step.add("offer", try offer())
      case "quantity": step.add("quantity", raw: "\(try number("a number, such as 2"))")
      case "from": step.add("from", try choice(["app", "promotion", "appStore", "code"]))
      case "at": step.add("at", try instantWords())
      case "crash": step.add("crashAt", try choice(["store", "grant", "finish"]))
      case let sheet?: step.add("sheet", sheet)
      case nil: if try !gate(&step) { return }
      }
    }
  }

  /// Reads a code. Its product is known unless several products have the code.
  private mutating func redeem(_ step: inout StepJSON) throws(ToolProblem) {
    step.verb("purchase")
    let code = try offer()
    let having = catalog.products.filter { $0.subscription?.offers.contains { $0.id == code } ?? false }.map(\.id.rawValue)
    if rest.isEmpty, having.count == 1 { step.add("product", having[0]) } else { step.add("product", try product(orOnly: nil)) }
    step.add("from", "code")
    step.add("offer", code)
  }

  private mutating func use(_ step: inout StepJSON) throws(ToolProblem) {
    step.verb("use")
    try request(&step)
    while let word = rest.first {
      if try questionOption(&step) { continue }
      switch take(of: ["key", "parallel", "for", "taking", "succeeds", "fails", "crashes"]) {
      case "key": step.add("key", try self.word("a key"))
      case "parallel": step.add("parallel", raw: "\(try number("the number of concurrent uses, such as 100"))")
      case "for": step.add("length", try period().description)
      case "taking": step.add("takes", try period().description)
      case let work?: step.add("work", work)
      case nil:
        guard Int(word) != nil else { return }
        let times = try number("the number of uses, such as 3")
        step.add("times", raw: "\(times)")
      }
    }
  }

  /// On the first device, the scenario's own words are used; they do not exist for another device, so its date is written.
  private mutating func wait(_ step: inout StepJSON) throws(ToolProblem) {
    // The next change that the status announces may be a renewal at the store, when the device's clock is wrong.
    let isRenewal = context.nextRenewal.map { $0 < context.nextChange ?? .distantFuture } ?? false
    if !isRenewal, take("next") { return step.add("advance", try moment(context.nextChange, or: "nextChange")) }
    if take("renewal") || take("next") { return step.add("advance", try moment(context.nextRenewal, or: "nextRenewal")) }
    if take("until") || rest.first?.dropFirst().contains("-") == true { return step.add("advance", try instantWords()) }
    step.add("advance", try period().description)
  }

  private func moment(_ date: Date?, or words: String) throws(ToolProblem) -> String {
    guard let device = context.device else { return words }
    guard let date else { throw ToolProblem("Nothing is due on \(device), so there is no such moment.") }
    // A scenario has whole seconds only.
    return ISODate.text(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up)))
  }
}

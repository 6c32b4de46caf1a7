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
  /// The command that is read.
  private var verb: PlayVerb?
  var catalog: Catalog { context.catalog }

  init(_ words: [String], members: [(key: String, json: String)], _ context: PlayContext) {
    (rest, self.members, self.context) = (words, members, context)
  }

  /// Replaces a printed phrase at the beginning by the words of a command.
  mutating func translate(_ verb: String) { rest = PlayPhrases.option(rest, of: verb) }
  mutating func removeFirst() -> String { rest.removeFirst() }
  mutating func joinFirst(_ count: Int) { rest.replaceSubrange(..<count, with: [rest.prefix(count).joined(separator: " ")]) }

  /// The step of the line.
  mutating func step() throws(ToolProblem) -> String {
    let word = rest.removeFirst()
    var step = StepJSON(context)
    if rest.isEmpty, let verb = scenarioVerb(word) {
      step.verb(verb)
    } else {
      guard let verb = PlayVerb.named(word) else { throw unknown(word) }
      self.verb = verb
      step.verb(verb.step)
      try read(verb, &step)
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
    throw ToolProblem("\"\(left)\" is not understood here. \(guess)\(verb.usage)")
  }

  /// A problem with a word that is missing or of the wrong sort, with the words of the command.
  func expected(_ what: String, found word: String? = nil) -> ToolProblem {
    ToolProblem("Expected \(what)" + (word.map { ", but found \"\($0)\"." } ?? ".") + (verb.map { " \($0.usage)" } ?? ""))
  }

  private func unknown(_ word: String) -> ToolProblem {
    let start = "There is no command \"\(word.prefix(60))\(word.count > 60 ? "…" : "")\"."
    // Someone who types a name wants to do something with it.
    let (products, line) = (NameChoice.products(of: catalog), [word] + rest)
    func named(_ names: NameChoice) -> String { line.prefix(max(names.wordsOfTitle(in: line), 1)).joined(separator: " ") }
    let typed = named(.features(of: catalog))
    let features = catalog.features.filter { feature in
      ([feature.title[...]] + feature.id.rawValue.split(separator: ".")).contains { $0.lowercased() == typed.lowercased() }
    }
    if features.count == 1 { return ToolProblem("\(start) It is a feature: use \(typed), open \(typed) or why \(typed).") }
    if case .one(let product) = products.find(named(products)), word.count > 2 {
      return ToolProblem("\(start) It is a product, \(product): buy \(named(products)).")
    }
    if isPlacementAlone(word) { return ToolProblem("\(start) It is a placement: open \(word).") }
    if context.devices.contains(word) { return ToolProblem("\(start) It is a device: on \(word) \(rest.first ?? "launch").") }
    var length = self
    length.rest = line
    if word.first?.isNumber == true, (try? length.period()) != nil {
      return ToolProblem("\(start) Did you mean \"wait \(line.joined(separator: " "))\"?")
    }
    if Member(text: word) != nil { return ToolProblem("\(start) It is a person: as \(word) \(rest.first ?? "show").") }
    let names = PlayVerb.all.map(\.name) + PlayVerb.all.compactMap(\.alias)
    let guess =
      (PlayVerb.hints[word.lowercased()] ?? ScenarioPlayer.find(word, among: names).likely).map { " Did you mean \"\($0)\"?" } ?? ""
    return ToolProblem("\(start)\(guess) `help` lists them all.")
  }

  /// Reads the words of a command into a step.
  private mutating func read(_ verb: PlayVerb, _ step: inout StepJSON) throws(ToolProblem) {
    var values = verb.object == nil ? step : StepJSON()
    try readOwn(verb.name, &values)
    for (index, part) in verb.parts.enumerated() {
      // The first words may be a name.
      if index > 0 || !part.isValue { translate(verb.name) }
      _ = try take(part, &values)
    }
    repeat { translate(verb.name) } while try take(of: verb.options, &values)
    if let object = verb.object { step.add(object, raw: values.text) } else { step = values }
  }

  /// Reads the part of a command that its row does not describe.
  private mutating func readOwn(_ verb: String, _ step: inout StepJSON) throws(ToolProblem) {
    switch verb {
    case "open":
      if take("paywall") || rest.first.map(isPlacementAlone) == true {
        step.add("placement", raw: try value(.placement))
      } else {
        try request(&step)
      }
    case "redeem": try redeem(&step)
    case "sign": try sign(&step)
    case "sync": try sync(&step)
    case "overlay":
      step.add("overlay", raw: take("none") ? "null" : try json("remote configuration, such as \(PlayVerb.overlay), or none"))
    case "coins": try coins(&step)
    case "give", "revoke": try gift(&step, isRevoked: verb == "revoke")
    case "family":
      let how = try choice(["joins", "leaves"])
      step.add("member", try word("the member's name"))
      step.add(how, raw: "true")
    case "wait": step = StepJSON("advance", StepJSON.quoted(try wait()))
    case "grace": try grace(&step)
    case "sale":
      let isOn = try value(.isOn)
      step.add("onSale", raw: StepJSON(try product(orOnly: nil), isOn).text)
    case "commitment":
      let product = try product(orOnly: nil)
      step.add("commitment", raw: StepJSON(product, "\(try number("the number of payments, such as 12"))").text)
    case "codeFor":
      let code = try offer()
      var whom: [String] = []
      repeat { whom.append(try choice(["new", "existing", "expired"])) } while !rest.isEmpty
      step.add("codeFor", raw: StepJSON(code, StepJSON.list(whom)).text)
    case "error":
      let api = try Self.one(try word("an API, such as purchase"), of: StoreAPI.all.map(\.rawValue), "API")
      var error = StepJSON()
      error.add("error", try choice(ScenarioPlayer.errors + ["none"]))
      if !rest.isEmpty { error.add("times", raw: "\(try number("the number of times, such as 2"))") }
      step.add("errors", raw: StepJSON(api, error.text).text)
    case "quirk":
      let quirk = try Self.one(try word("a quirk's name; `help quirk` lists them"), of: StoreQuirk.all.map(\.rawValue), "quirk")
      step.add("quirks", raw: StepJSON(quirk, try value(.isOn)).text)
    case "set": if members.isEmpty { throw ToolProblem("\"set\" takes settings of a scenario, such as set monthEnd=drifts.") }
    default: break
    }
  }

  /// Whether a word is the name of a placement, and of no feature.
  private func isPlacementAlone(_ word: String) -> Bool {
    if case .one = NameChoice.features(of: catalog).find(word) { return false }
    return catalog.allPlacements.contains { $0.lowercased() == word.lowercased() }
  }

  /// Reads a code. Its product is known unless several products have the code.
  private mutating func redeem(_ step: inout StepJSON) throws(ToolProblem) {
    let code = try offer()
    let having = catalog.products.filter { $0.subscription?.offers.contains { $0.id == code } ?? false }.map(\.id.rawValue)
    if rest.isEmpty, having.count == 1 { step.add("product", having[0]) } else { step.add("product", try product(orOnly: nil)) }
    step.add("from", "code")
    step.add("offer", code)
  }

  /// Reads `in ann transfer`, `out`.
  private mutating func sign(_ step: inout StepJSON) throws(ToolProblem) {
    if try choice(["in", "out"]) == "in" {
      step.add("to", try word("the account, such as ann"))
    } else {
      step.add("to", raw: "null")
    }
    if !rest.isEmpty { step.add("policy", try choice(["keep", "transfer", "share"])) }
  }

  /// Reads `watch`, `phone watch`. With one device, the prompt's device is the other; with none, there must be exactly two.
  private mutating func sync(_ step: inout StepJSON) throws(ToolProblem) {
    let devices = context.devices
    guard devices.count > 1 else { throw ToolProblem("There is only one device. Write: device watch") }
    let here = context.device ?? devices[0]
    var named: [String] = []
    while named.count < 2 {
      translate("sync")
      guard let word = rest.first, !["lost", "twice", "after"].contains(word.lowercased()) else { break }
      named.append(try Self.one(removeFirst(), of: devices, "device"))
    }
    if named.isEmpty, devices.count == 2 { named = devices.filter { $0 != here } }
    guard let other = named.last else {
      throw ToolProblem("Which device? There is \(devices.filter { $0 != here }.joined(separator: ", ")).")
    }
    if named.count == 2 { step.on(named[0]) }
    step.add("with", other)
  }

  private mutating func coins(_ coins: inout StepJSON) throws(ToolProblem) {
    let text = try word("a number, such as +20 or -5")
    guard let amount = Int(text), amount != 0 else {
      throw ToolProblem("\"\(text)\" is not a number of coins. Write coins +20, or coins -5.")
    }
    // A repeated id would be the same entry; a person who earns twice means two.
    coins.add("id", "\(rest.isEmpty ? "coins" : removeFirst())-\(context.number)")
    coins.add(amount > 0 ? "earned" : "spent", raw: "\(amount.magnitude)")
  }

  private mutating func gift(_ gift: inout StepJSON, isRevoked: Bool) throws(ToolProblem) {
    if rest.first?.hasPrefix("+") == true { return try credits(&gift, isRevoked: isRevoked) }
    var given: [String] = []
    let (ids, names) = (catalog.entitlements.map(\.id.rawValue), NameChoice.entitlements(of: catalog))
    guard !ids.isEmpty else { throw ToolProblem("The catalog has no entitlements. Give credits: give +3 FEATURE.") }
    while let next = rest.first, !["until", "id"].contains(next.lowercased()) {
      join(names)
      given.append(try names.one(removeFirst(), missing: "There is no entitlement", hint: Self.there(ids)))
    }
    guard !given.isEmpty else { throw ToolProblem("Which entitlement? There is \(ids.joined(separator: ", ")).") }
    let until = take("until") ? try instantWords() : nil
    gift.add("id", take("id") ? try word("the gift's id") : given.joined(separator: "+"))
    gift.add("entitlements", raw: StepJSON.list(given))
    if let until { gift.add("until", until) }
    if isRevoked { gift.add("revoked", raw: "true") }
  }

  private mutating func credits(_ gift: inout StepJSON, isRevoked: Bool) throws(ToolProblem) {
    let text = removeFirst()
    guard let amount = Int(text), amount > 0 else { throw ToolProblem("\"\(text)\" is not a number of credits. Write give +3 FEATURE.") }
    let feature = try feature()
    // A repeated id would be the same gift.
    gift.add("id", take("id") ? try word("the gift's id") : "\(feature)-\(context.number)")
    gift.add("credits", raw: StepJSON(feature, "\(amount)").text)
    if isRevoked { gift.add("revoked", raw: "true") }
  }

  private mutating func grace(_ step: inout StepJSON) throws(ToolProblem) {
    let length = take("none") ? Period() : try period()
    guard length.isZero || ["P3D", "P16D", "P28D"].contains(where: { Period($0) == length }) else {
      throw ToolProblem("A grace period has 3d, 16d or 28d, or is none.")
    }
    step.add("gracePeriod", length.isZero ? "P0D" : length.description)
    if take("after") { step.add("gracePeriodAfter", try period().description) }
  }

  /// On the first device, the scenario's own words are used; they do not exist for another device, so its date is written.
  private mutating func wait() throws(ToolProblem) -> String {
    // The next change that the status announces may be a renewal at the store, when the device's clock is wrong.
    let isRenewal = context.nextRenewal.map { $0 < context.nextChange ?? .distantFuture } ?? false
    if !isRenewal, take("next") { return try moment(context.nextChange, or: "nextChange") }
    if take("renewal") || take("next") { return try moment(context.nextRenewal, or: "nextRenewal") }
    if take("until") || rest.first?.dropFirst().contains("-") == true { return try instantWords() }
    return try period().description
  }

  private func moment(_ date: Date?, or words: String) throws(ToolProblem) -> String {
    guard let device = context.device else { return words }
    guard let date else { throw ToolProblem("Nothing is due on \(device), so there is no such moment.") }
    // A scenario has whole seconds only.
    return ISODate.text(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up)))
  }
}

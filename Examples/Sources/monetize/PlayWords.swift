// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// Why a line was not understood, in a sentence that says what to write.
struct Misunderstood: Error {
  let text: String
  init(_ text: String) { self.text = text }
}

/// What a person types, made into steps of scenarios.
///
/// The words of a line are taken one by one; what is left over at the end was not understood.
struct PlayWords {
  private(set) var rest: [String]
  let catalog: Catalog
  let snapshot: Snapshot?

  init(_ words: [String], catalog: Catalog, snapshot: Snapshot?) {
    rest = words
    self.catalog = catalog
    self.snapshot = snapshot
  }

  mutating func removeFirst() -> String { rest.removeFirst() }

  /// The verbs, each with how it is written and what it does.
  static let verbs: [(name: String, usage: String, about: String)] = [
    ("launch", "launch [silent]", "the app starts; silent: the store does not answer yet"),
    ("close", "close", "the app ends"), ("crash", "crash", "the app crashes"), ("relaunch", "relaunch", "the app ends and starts"),
    ("reinstall", "reinstall [nothing]", "deleted and installed again; nothing: the keychain is gone as well"),
    ("background", "background", "the app goes to the background"), ("foreground", "foreground", "the app comes back"),
    ("open", "open FEATURE [ITEM] [gate pass|fail]", "a tap: content, a paywall or a limit"),
    ("buy", "buy PRODUCT [ask|cancel|interrupted|unverified] [gate pass|fail|reuse] [offer ID] [crash store|grant|finish]", "a purchase"),
    ("restore", "restore [gate pass|fail]", "restore purchases"),
    ("use", "use FEATURE [ITEM] [TIMES] [for 20min] [fails|crashes] [key KEY]", "use something once, or several times"),
    ("complete", "complete ITEM", "an item was finished"),
    ("wait", "wait 7d | 1 month | next | renewal | until 2026-04-01", "time passes; next: until something changes by itself"),
    ("approve", "approve [PRODUCT]", "somebody says yes to what waits at the store"),
    ("decline", "decline [PRODUCT]", "somebody says no"), ("renewal", "renewal on|off [PRODUCT]", "auto-renew"),
    ("refund", "refund [PRODUCT] [prorated|reverse]", "the store gives money back"), ("renew", "renew [PRODUCT]", "renews at once"),
    ("expire", "expire [PRODUCT]", "ends at once"), ("extend", "extend PRODUCT 7d", "the store gives time"),
    ("deliver", "deliver", "the store delivers everything again"), ("forget", "forget", "the purchase history is cleared"),
    ("family", "family joins|leaves NAME", "a member of the family"),
    ("payment", "payment works|fails", "whether charges go through"), ("offline", "offline", "no network"), ("online", "online", "network"),
    ("asktobuy", "asktobuy on|off", "purchases wait for a parent"), ("grace", "grace 16d|none", "a grace period after a failed renewal"),
    ("price", "price PRODUCT 12.99", "another price from now on"), ("sale", "sale on|off PRODUCT", "on sale or not"),
    ("clock", "clock 2026-01-01|true", "what the device believes the time is"), ("zone", "zone Europe/Berlin", "the device travels"),
    ("quirk", "quirk NAME on|off", "something that real stores do"), ("damage", "damage corrupt|truncate|delete", "to the state file"),
  ]

  /// The step that the words mean.
  mutating func step() throws(Misunderstood) -> String {
    let verb = rest.isEmpty ? "" : rest.removeFirst().lowercased()
    var step = StepJSON()
    try fill(&step, verb)
    if let left = rest.first {
      let usage = Self.verbs.first { $0.name == verb }?.usage ?? verb
      throw Misunderstood("\"\(left)\" is not understood here. Write: \(usage)")
    }
    return step.text
  }

  private mutating func fill(_ step: inout StepJSON, _ verb: String) throws(Misunderstood) {
    switch verb {
    case "launch":
      step.verb("launch")
      if take("silent") { step.add("answer", raw: "false") }
    case "close": step.verb("quit")
    case "crash":
      step.verb("quit")
      step.add("how", "crash")
    case "relaunch", "background", "foreground", "deliver", "forget": step.verb(verb)
    case "reinstall":
      step.verb(verb)
      if take("nothing") { step.add("keeps", "nothing") }
    case "open":
      step.verb(verb)
      try request(&step)
      try gate(&step)
    case "restore":
      step.verb(verb)
      try gate(&step)
    case "buy": try buy(&step)
    case "use": try use(&step)
    case "complete":
      step.verb("record")
      step.add("completion", try word("an item, such as denny/4"))
    case "wait": try wait(&step)
    case "approve", "decline", "renew", "expire":
      step.verb(verb)
      step.add("product", try product(orOnly: verb == "approve" || verb == "decline" ? { $0.isPending } : { $0.state != .never }))
    case "extend":
      step.verb(verb)
      step.add("product", try product(orOnly: { $0.isOwned }))
      step.add("by", try period().description)
    case "renewal":
      step.verb(verb)
      step.add("to", try choice(["on", "off"]))
      if !rest.isEmpty { step.add("product", try product(orOnly: nil)) }
    case "refund":
      step.verb(verb)
      step.add("product", try product(orOnly: { $0.isOwned || $0.state == .revoked }))
      if take("prorated") { step.add("part", "prorated") }
      if take("reverse") { step.add("reverse", raw: "true") }
    case "family":
      step.verb(verb)
      let how = try choice(["joins", "leaves"])
      step.add("member", try word("the member's name"))
      step.add(how, raw: "true")
    default: try world(&step, verb)
    }
  }

  /// What the world is from now on.
  private mutating func world(_ step: inout StepJSON, _ verb: String) throws(Misunderstood) {
    step.verb("set")
    switch verb {
    case "offline", "online": step.add("network", verb)
    case "payment": step.add("payment", try choice(["works", "fails"]))
    case "asktobuy": step.add("askToBuy", raw: try choice(["on", "off"]) == "on" ? "true" : "false")
    case "grace": step.add("gracePeriod", take("none") ? "P0D" : try period().description)
    case "price":
      let product = try product(orOnly: nil)
      let amount = try word("an amount, such as 12.99")
      step.add("price", raw: "{ \"product\": \(StepJSON.quoted(product)), \"amount\": \(StepJSON.quoted(amount)) }")
    case "sale":
      let isOn = try choice(["on", "off"]) == "on"
      step.add("onSale", raw: "{ \(StepJSON.quoted(try product(orOnly: nil))): \(isOn) }")
    case "clock": step.add("clock", try instantWords())
    case "zone": step.add("timeZone", try word("a time zone, such as Europe/Berlin"))
    case "quirk":
      let name = try word("a quirk's name")
      step.add("quirks", raw: "{ \(StepJSON.quoted(name)): \(try choice(["on", "off"]) == "on") }")
    case "damage": step.add("damage", try choice(["corrupt", "truncate", "delete"]))
    default:
      let names = Self.verbs.map(\.name) + PlayCommand.lookers.map(\.name)
      let guess = if case .none(let guess?) = ScenarioPlayer.find(verb, among: names) { " Did you mean \"\(guess)\"?" } else { "" }
      throw Misunderstood("There is no command \"\(verb)\".\(guess) `help` lists them all.")
    }
  }

  private mutating func buy(_ step: inout StepJSON) throws(Misunderstood) {
    step.verb("purchase")
    step.add("product", try product(orOnly: nil))
    while let word = rest.first?.lowercased() {
      switch word {
      case "ask": step.add("sheet", "askToBuy")
      case "cancel", "confirm", "interrupted", "unverified": step.add("sheet", word)
      case "gate":
        try gate(&step)
        continue
      case "offer":
        rest.removeFirst()
        step.add("offer", try self.word("an offer's id"))
        continue
      case "crash":
        rest.removeFirst()
        step.add("crashAt", try choice(["store", "grant", "finish"]))
        continue
      default: return
      }
      rest.removeFirst()
    }
  }

  private mutating func use(_ step: inout StepJSON) throws(Misunderstood) {
    step.verb("use")
    try request(&step)
    while let word = rest.first?.lowercased() {
      if let times = Int(word), times > 0 {
        step.add("times", raw: "\(times)")
      } else if word == "fails" || word == "crashes" {
        step.add("work", word)
      } else if word == "key" {
        rest.removeFirst()
        step.add("key", try self.word("a key"))
        continue
      } else if word == "for" {
        rest.removeFirst()
        step.add("length", try period().description)
        continue
      } else {
        return
      }
      rest.removeFirst()
    }
  }

  private mutating func wait(_ step: inout StepJSON) throws(Misunderstood) {
    if take("next") { return step.add("advance", "nextChange") }
    if take("renewal") { return step.add("advance", "nextRenewal") }
    if take("until") || rest.first?.contains("-") == true { return step.add("advance", try instantWords()) }
    step.add("advance", try period().description)
  }
}

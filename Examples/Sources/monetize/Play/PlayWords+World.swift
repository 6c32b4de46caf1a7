// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools

extension PlayWords {
  // MARK: Facts from the app

  mutating func record(_ step: inout StepJSON, _ verb: String) throws(ToolProblem) {
    step.verb("record")
    switch verb {
    case "complete": step.add("completion", try item())
    case "coins":
      let text = try word("a number, such as +20 or -5")
      guard let amount = Int(text), amount != 0 else {
        throw ToolProblem("\"\(text)\" is not a number of coins. Write coins +20, or coins -5.")
      }
      var coins = StepJSON()
      // A repeated id would be the same entry; a person who earns twice means two.
      coins.add("id", "\(rest.isEmpty ? "coins" : removeFirst())-\(context.number)")
      coins.add(amount > 0 ? "earned" : "spent", raw: "\(amount.magnitude)")
      step.add("coins", raw: coins.text)
    case "cap":
      var cap = StepJSON()
      cap.add("feature", try feature())
      cap.add("amount", raw: try amount())
      step.add("cap", raw: cap.text)
    default:
      var gift = StepJSON()
      var given: [String] = []
      let ids = catalog.entitlements.map(\.id.rawValue)
      guard !ids.isEmpty else { throw ToolProblem("A gift needs entitlements, but the catalog has none.") }
      while let next = rest.first, !["until", "id"].contains(next.lowercased()) {
        given.append(try Self.one(removeFirst(), of: ids, "entitlement"))
      }
      guard !given.isEmpty else { throw ToolProblem("Which entitlement? There is \(ids.joined(separator: ", ")).") }
      let until = take("until") ? try instantWords() : nil
      gift.add("id", take("id") ? try word("the gift's id") : given.joined(separator: "+"))
      gift.add("entitlements", raw: "[" + given.map(StepJSON.quoted).joined(separator: ", ") + "]")
      if let until { gift.add("until", until) }
      if verb == "revoke" { gift.add("revoked", raw: "true") }
      step.add("grant", raw: gift.text)
    }
  }

  private mutating func item() throws(ToolProblem) -> String {
    let text = try word("an item, such as denny/4")
    if !text.contains("*"), text.contains("/"), !catalog.items(matching: text).isEmpty { return text }
    let items = catalog.collections.flatMap { collection in collection.items.map { "\(collection.id)/\($0.id)" } }
    let ends = items.count > 9 ? [items[0], "…", items[items.count - 1]] : items
    return try NameChoice.one(text, of: items, missing: "There is no item", others: Self.there(ends))
  }

  /// Reads an amount as in catalogs: a number, a length of time, a level, `false` for none.
  private mutating func amount() throws(ToolProblem) -> String {
    if take("none") { return "null" }
    if take("off") { return "false" }
    guard let first = rest.first else { throw ToolProblem("Expected an amount, such as 2, 30min or off; none lifts the limit.") }
    if let number = Int(first), number >= 0, rest.count == 1 { return "\(removeFirst())" }
    if first.first?.isNumber == true || first.hasPrefix("P") { return StepJSON.quoted(try period().description) }
    return StepJSON.quoted(removeFirst())
  }

  // MARK: At the store

  /// Reads a verb at the store; false for another verb.
  mutating func store(_ step: inout StepJSON, _ verb: String) throws(ToolProblem) -> Bool {
    let customer = PlayVerb.all.filter { $0.group == .customer }.map(\.name)
    guard customer.contains(verb) else { return false }
    step.verb(verb)
    switch verb {
    case "approve", "decline": step.add("product", try product { $0.isPending })
    case "renew", "expire": step.add("product", try product { $0.state != .never })
    case "requestRefund": step.add("product", try product { $0.isOwned })
    case "extend":
      step.add("product", try product { $0.isOwned })
      step.add("by", try period().description)
    case "renewal":
      step.add("to", try choice(["on", "off"]))
      if !rest.isEmpty { step.add("product", try product(orOnly: nil)) }
    case "manage":
      step.add("to", try choice(["on", "off"]))
      step.add("product", try product { $0.isOwned && $0.expires != nil })
    case "refund":
      step.add("product", try product { $0.isOwned || $0.state == .revoked })
      while let option = take(of: ["prorated", "declined", "reverse", "reason"]) {
        switch option {
        case "prorated": step.add("part", option)
        case "declined": step.add("part", "none")
        case "reverse": step.add("reverse", raw: "true")
        default: step.add("reason", try word("a reason"))
        }
      }
    case "forget":
      guard !rest.isEmpty else { break }
      step.add("product", try product(orOnly: nil))
      if take("newest") { step.add("newest", raw: "true") }
    case "deliver": if let times = rest.first.flatMap({ Int($0) }), times > 0 { step.add("times", raw: removeFirst()) }
    case "family":
      let how = try choice(["joins", "leaves"])
      step.add("member", try word("the member's name"))
      step.add(how, raw: "true")
    default: break
    }
    return true
  }

  // MARK: The world

  /// Reads a setting of the world.
  mutating func world(_ step: inout StepJSON, _ verb: String) throws(ToolProblem) {
    step.verb("set")
    switch verb {
    case "offline", "online": step.add("network", verb)
    case "payment": step.add("payment", try choice(["works", "fails"]))
    case "askToBuy": step.add("askToBuy", raw: try isOn())
    case "askToBuyLasts": step.add("askToBuyLasts", try period().description)
    case "interrupted":
      step.add("interruptedPurchases", raw: try isOn())
      if !rest.isEmpty { step.add("interruptedAnswer", try choice(["cancelled", "pending"])) }
    case "grace":
      let length = take("none") ? Period() : try period()
      guard length.isZero || ["P3D", "P16D", "P28D"].contains(where: { Period($0) == length }) else {
        throw ToolProblem("A grace period has 3d, 16d or 28d, or is none.")
      }
      step.add("gracePeriod", length.isZero ? "P0D" : length.description)
      if take("after") { step.add("gracePeriodAfter", try period().description) }
    case "got":
      step.add("originalPurchaseDate", try instantWords())
      if !rest.isEmpty { step.add("originalAppVersion", try word("a version, such as 1.3")) }
    case "graceFor": step.add("graceFor", try choice(["all", "paidToPaid"]))
    case "monthEnd": step.add("monthEnd", try choice(["keepsAnchor", "drifts"]))
    case "months": step.add("months", try choice(["utc", "pacific"]))
    case "price": try price(&step)
    case "sale":
      let isOn = try isOn()
      step.add("onSale", raw: StepJSON(try product(orOnly: nil), isOn).text)
    case "commitment":
      let product = try product(orOnly: nil)
      step.add("commitment", raw: StepJSON(product, "\(try number("the number of payments, such as 12"))").text)
    case "codeFor":
      let code = try offer()
      var whom: [String] = []
      repeat { whom.append(StepJSON.quoted(try choice(["new", "existing", "expired"]))) } while !rest.isEmpty
      step.add("codeFor", raw: StepJSON(code, "[\(whom.joined(separator: ", "))]").text)
    case "storefront": step.add("storefront", try word("a storefront, such as DEU").uppercased())
    case "environment": step.add("environment", try word("an environment, such as sandbox or production"))
    case "error":
      let api = try Self.one(try word("an API, such as purchase"), of: StoreAPI.all.map(\.rawValue), "API")
      var error = StepJSON()
      error.add("error", try choice(ScenarioPlayer.errors + ["none"]))
      if !rest.isEmpty { error.add("times", raw: "\(try number("the number of times, such as 2"))") }
      step.add("errors", raw: StepJSON(api, error.text).text)
    case "quirk":
      let quirk = try Self.one(try word("a quirk's name; `help quirk` lists them"), of: StoreQuirk.all.map(\.rawValue), "quirk")
      step.add("quirks", raw: StepJSON(quirk, try isOn()).text)
    case "clock": step.add("clock", try instantWords())
    case "zone": step.add("timeZone", try word("a time zone, such as Europe/Berlin"))
    case "damage": step.add("damage", try choice(["corrupt", "truncate", "delete"]))
    case "set":
      if members.isEmpty { throw ToolProblem("\"set\" takes settings of a scenario, such as set monthEnd=drifts.") }
    default: throw ToolProblem("\"\(verb)\" takes nothing before it. Write it alone.")
    }
  }

  private mutating func isOn() throws(ToolProblem) -> String { try choice(["on", "off"]) == "on" ? "true" : "false" }

  private mutating func price(_ step: inout StepJSON) throws(ToolProblem) {
    var price = StepJSON()
    price.add("product", try product(orOnly: nil))
    price.add("amount", try word("an amount, such as 12.99"))
    while let option = take(of: ["of", "in", "required", "notice", "preserved"]) {
      switch option {
      case "of": price.add("offer", try word("an offer, such as introductory"))
      case "in":
        price.add("storefront", try word("a storefront, such as DEU").uppercased())
        price.add("currency", try word("its currency, such as EUR").uppercased())
      default: price.add("consent", option)
      }
    }
    step.add("price", raw: price.text)
  }
}

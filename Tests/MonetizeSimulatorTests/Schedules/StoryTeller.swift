// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator

/// Generates stories. The same seed gives the same story everywhere.
struct StoryTeller {
  var random: SplitMix64
  private var running: Set<String> = []
  private let quirks = StoreQuirk.all.map(\.rawValue)
  /// The subjects of this story: a few things often, not everything once. Groce et al., "Swarm testing" (2012).
  private var themes: [Theme] = []
  private var settings: [Int] = []
  private var sold: [String] = []

  private enum Theme: CaseIterable {
    case process, purchase, use, store, refund, renewal, family, delivery, forgetting, setting, time, record, update
    // Only a few: after facts move between owners, fewer laws about credits are checked.
    case account, sync
  }

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    themes =
      Theme.allCases.filter { theme in chance(theme == .account || theme == .sync ? 0.12 : 0.45) } + [
        .purchase, .purchase, .time, pick(Theme.allCases),
      ]
    settings = (0..<2).map { _ in Int.random(in: 0..<Self.settingCount, using: &random) }
    sold = chance(0.5) ? [pick(Self.products)] : Self.products
  }

  static func story(seed: UInt64) -> Story {
    var teller = StoryTeller(seed: seed)
    return Story(seed: seed, steps: teller.steps())
  }

  private mutating func steps() -> [Story.Step] {
    // Mostly one device, so that most events concern it.
    let devices = chance(0.6) ? ["phone"] : chance(0.6) ? ["phone", "tablet"] : Story.names
    var steps: [Story.Step] = []
    if chance(0.9) { steps.append(act("launch", [], on: "phone")) }
    for _ in 0..<Int.random(in: 4...9, using: &random) { steps += step(pick(devices)) }
    return steps + ending(devices, steps)
  }

  /// Repairs the world and refreshes every device: after any events, everything must now be right.
  private mutating func ending(_ devices: [String], _ steps: [Story.Step]) -> [Story.Step] {
    guard chance(0.7) else { return [] }
    var end: [Story.Step] = []
    let said = steps.map(\.text).joined()
    for quirk in quirks where said.contains("\"\(quirk)\": true") { end.append(set("quirks", "{ \"\(quirk)\": false }")) }
    for api in Self.apis where said.contains("\"\(api)\": { \"error\": \"") {
      end.append(set("errors", "{ \"\(api)\": { \"error\": \"none\" } }"))
    }
    for device in devices {
      if said.contains("\"offline\"") { end.append(set("network", "\"online\"", on: device)) }
      if said.contains("\"clock\""), chance(0.5) { end.append(set("clock", "\"true\"", on: device)) }
    }
    end.append(Story.Step([("advance", "\"PT2M\"")]))
    for device in devices { end.append(act(running.contains(device) && chance(0.6) ? "foreground" : "relaunch", [], on: device)) }
    return end
  }

  private static let apis = [
    "purchase", "verification", "appStoreSync", "subscriptionStatus", "loadProducts", "manageSubscriptions", "refundRequest",
    "offerCodeRedeem", "appTransaction",
  ]
  private static let products = ["pack", "basic", "gold", "weekly", "season", "more", "try", "jar", "jar"]
  private static let offers = ["basic": ["basic.code"], "gold": ["gold.stay", "gold.stay", "gold.back"]]

  private mutating func step(_ device: String) -> [Story.Step] {
    let name = pick(sold)
    let product = "\"\(name)\""
    switch pick(themes) {
    case .process:
      if running.contains(device), chance(0.15) { return [act("background", [], on: device), act("foreground", [], on: device)] }
      return [chance(0.6) ? start(device) : stop(device)]
    case .purchase: return purchase(name, device)
    case .use: return [use(device)]
    case .store:
      switch Int.random(in: 0..<7, using: &random) {
      case 6: return [act("appTransaction", [], on: device)]
      case 4: return [act("load", [], on: device)]
      case 5: return [act("requestRefund", [("product", product)], on: device)]
      case 0: return [act("restore", [("gate", "\"pass\"")], on: device)]
      case 1:
        let open = act("open", [("feature", "\"story.play\""), ("item", "\"denny/3\""), ("gate", "\"pass\"")], on: device)
        return chance(0.3) ? [open, act("dismiss", [], on: device)] : [open]
      default: return [act(chance(0.8) ? "approve" : "decline", [("product", product)], on: device)]
      }
    case .refund:
      var fields = [("product", product)]
      if chance(0.2) { fields.append(("part", "\"prorated\"")) }
      if chance(0.3) { fields.append(("reverse", "true")) }
      return [act("refund", fields, on: device)]
    case .renewal:
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return [act(pick(["renew", "expire"]), [("product", product)], on: device)]
      case 1: return [act("extend", [("product", product), ("by", "\"P10D\"")], on: device)]
      case 2: return [act("manage", [("product", product), ("to", chance(0.6) ? "\"off\"" : "\"on\"")], on: device)]
      default: return [act("renewal", [("to", chance(0.7) ? "\"off\"" : "\"on\"")], on: device)]
      }
    case .family: return [act("family", [("member", "\"bob\""), (chance(0.7) ? "joins" : "leaves", "true")], on: "phone")]
    case .delivery:
      return [chance(0.5) ? act("deliver", chance(0.3) ? [("times", "2")] : [], on: device) : act("foreground", [], on: device)]
    case .forgetting: return [forgetting(device, product)]
    case .setting:
      let step = setting(device)
      // A new price takes effect at the next renewal.
      return step.text.contains("\"price\"") && chance(0.5)
        ? [step, Story.Step([("advance", pick(["\"nextRenewal\"", "\"P1M\""]))])] : [step]
    case .time: return [advance()]
    case .record: return running(device) + [record(device)]
    case .update: return running(device) + (chance(0.3) ? [terms()] : []) + [update(device)] + (chance(0.3) ? purchase(name, device) : [])
    case .account: return account(device)
    case .sync: return sync(device)
    }
  }

  /// Starts the app if it is closed.
  mutating func running(_ device: String) -> [Story.Step] { running.contains(device) ? [] : [start(device)] }

  private mutating func start(_ device: String) -> Story.Step {
    if running.contains(device) { return act(chance(0.5) ? "relaunch" : "foreground", [], on: device) }
    running.insert(device)
    return act("launch", chance(0.15) ? [("answer", "false")] : [], on: device)
  }

  private mutating func stop(_ device: String) -> Story.Step {
    running.remove(device)
    return act("quit", chance(0.5) ? [("how", "\"crash\"")] : [], on: device)
  }

  private mutating func forgetting(_ device: String, _ product: String) -> Story.Step {
    if chance(0.5) {
      guard chance(0.5) else { return act("forget", [], on: device) }
      return act("forget", [("product", product)] + (chance(0.6) ? [("newest", "true")] : []), on: device)
    }
    running.insert(device)
    return act("reinstall", chance(0.2) ? [("keeps", "\"nothing\"")] : [], on: device)
  }

  private mutating func purchase(_ name: String, _ device: String) -> [Story.Step] {
    var fields = [("product", "\"\(name)\"")]
    if name == "jar", chance(0.3) { fields.append(("quantity", "2")) }
    if let offers = Self.offers[name], chance(0.35) {
      let offer = pick(offers)
      fields.append(("offer", "\"\(offer)\""))
      if offer.hasSuffix("code") { fields.append(("from", "\"code\"")) }
    } else if chance(0.08) {
      fields.append(("from", "\"appStore\""))
    }
    if chance(0.93) { fields.append(("gate", chance(0.95) ? "\"pass\"" : pick(["\"fail\"", "\"reuse\""]))) }
    if chance(0.3) { fields.append(("sheet", pick(["\"cancel\"", "\"askToBuy\"", "\"askToBuy\"", "\"interrupted\"", "\"unverified\""]))) }
    if chance(0.12) { fields.append(("crashAt", pick(["\"store\"", "\"grant\"", "\"finish\""]))) }
    if chance(0.05) { fields.append(("at", "\"2026-02-10T08:00:00Z\"")) }
    if let origin = fields.first(where: { $0.0 == "from" })?.1 {
      // The app is not involved there, and a code has no quantity.
      fields.removeAll { ["gate", "at", "crashAt"].contains($0.0) || origin == "\"code\"" && $0.0 == "quantity" }
    }
    let first = running.contains(device) ? [] : [start(device)]
    if fields.contains(where: { $0.0 == "crashAt" }) { running.remove(device) }
    return first + [act("purchase", fields, on: device)]
  }

  private mutating func use(_ device: String) -> Story.Step {
    var fields = [("feature", pick(["\"hint\"", "\"gem\""]))]
    if chance(0.2) { fields.append(("work", pick(["\"fails\"", "\"crashes\""]))) }
    if chance(0.2) { fields.append(("key", pick(["\"a\"", "\"b\""]))) }
    if chance(0.15) { fields.append(("as", "\"child:max\"")) }
    if chance(0.25) { fields.append(("times", "3")) }
    if chance(0.15) { fields.append(("parallel", "4")) }
    if fields.contains(where: { $0.1 == "\"crashes\"" }) { running.remove(device) }
    return act("use", fields, on: device)
  }

  private static let settingCount = 26

  private mutating func setting(_ device: String) -> Story.Step {
    switch pick(settings) {
    case 0...1: return set("network", chance(0.6) ? "\"offline\"" : "\"online\"", on: device)
    case 2: return set("payment", chance(0.6) ? "\"fails\"" : "\"works\"", on: device)
    case 3:
      return set(
        "clock", pick(["\"2026-01-01T00:00:00Z\"", "\"2026-03-20T00:00:00Z\"", "\"2027-06-01T00:00:00Z\"", "\"true\""]), on: device)
    case 4: return set("damage", pick(["\"corrupt\"", "\"truncate\"", "\"delete\""]), on: device)
    case 5, 15: return set("price", price())
    case 6: return chance(0.8) ? set("gracePeriod", pick(["\"P3D\"", "\"P28D\""])) : set("gracePeriodAfter", pick(["\"P1D\"", "\"P0D\""]))
    case 7...8:
      let error = pick(["network", "system", "notAllowed", "userCancelled", "cancelled"])
      return set("errors", "{ \"\(pick(Self.apis))\": { \"error\": \"\(error)\"\(chance(0.7) ? ", \"times\": 1" : "") } }")
    case 9: return set("onSale", "{ \"basic\": \(chance(0.5)) }")
    case 10: return set("timeZone", pick(["\"Pacific/Kiritimati\"", "\"Europe/Berlin\"", "\"America/Los_Angeles\""]), on: device)
    case 11: return set("environment", chance(0.5) ? "\"sandbox\"" : "\"production\"", on: device)
    case 12: return set("askToBuy", "\(chance(0.7))", on: device)
    case 13: return set("interruptedPurchases", "\(chance(0.7))", on: device)
    case 14:
      guard chance(0.6) else { return set("storefront", "\"USA\"", on: device) }
      let step = set("storefront", "\"DEU\"", on: device)
      return chance(0.5) ? Story.Step(step.fields + [("price", price(in: "DEU"))]) : step
    case 16: return set("commitment", "{ \"\(pick(["basic", "gold"]))\": \(pick(["3", "12", "0"])) }")
    case 17: return set("graceFor", chance(0.7) ? "\"paidToPaid\"" : "\"all\"")
    case 18: return set("monthEnd", chance(0.7) ? "\"drifts\"" : "\"keepsAnchor\"")
    case 19: return set("askToBuyLasts", pick(["\"PT1H\"", "\"P3D\""]))
    case 20: return set("codeStacks", "{ \"basic.code\": \(chance(0.8)) }")
    default: return set("quirks", "{ \"\(pick(quirks))\": \(chance(0.8)) }")
    }
  }

  /// Settings of the store itself; an app's update does not change them.
  private mutating func terms() -> Story.Step {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: set("onSale", "{ \"basic\": \(chance(0.5)) }")
    case 1: set("commitment", "{ \"\(pick(["basic", "gold"]))\": \(pick(["3", "0"])) }")
    default: set("price", price())
    }
  }

  /// A new price of a subscription or an offer, everywhere or in Germany.
  private mutating func price(in storefront: String? = nil) -> String {
    let plans = ["gold", "basic", "weekly"].filter(sold.contains)
    let product = pick(plans.isEmpty ? ["gold"] : plans)
    var fields = [("product", "\"\(product)\""), ("amount", pick(["\"29.99\"", "\"29.99\"", "\"7.49\"", "\"0.89\""]))]
    if storefront != nil || chance(0.4) { fields += [("storefront", "\"DEU\""), ("currency", "\"EUR\"")] }
    if product == "gold", chance(0.2) {
      fields.append(("offer", "\"gold.stay\""))
    } else if chance(0.75) {
      fields.append(("consent", pick(["\"required\"", "\"required\"", "\"notice\"", "\"preserved\""])))
    }
    return "{ " + fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + " }"
  }

  private mutating func advance() -> Story.Step {
    Story.Step([
      (
        "advance",
        pick(["\"PT10S\"", "\"PT6H\"", "\"P1D\"", "\"P7D\"", "\"P9D\"", "\"P1M\"", "\"P3M\"", "\"nextChange\"", "\"nextRenewal\""])
      )
    ])
  }

  func act(_ verb: String, _ fields: [(String, String)], on device: String) -> Story.Step {
    Story.Step([("do", "\"\(verb)\"")] + fields + [("on", "\"\(device)\"")])
  }

  private func set(_ key: String, _ value: String, on device: String = "phone") -> Story.Step {
    Story.Step([("do", "\"set\""), (key, value), ("on", "\"\(device)\"")])
  }

  mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
  mutating func pick<T>(_ all: [T]) -> T { all[Int.random(in: 0..<all.count, using: &random)] }
}

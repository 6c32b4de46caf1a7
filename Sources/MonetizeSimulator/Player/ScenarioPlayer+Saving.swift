// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

extension ScenarioPlayer {
  /// The steps so far as a scenario that can be run. Its last step expects the final state.
  /// - Parameters:
  ///   - title: One sentence about it.
  ///   - catalogPath: Where the catalog is, relative to the file that the scenario is saved in.
  public func scenario(title: String, catalogPath: String) -> String {
    let scenario = world.scenario
    var header = [("title", JSONWriter.quoted(title)), ("catalog", JSONWriter.quoted(catalogPath))]
    header.append(("start", JSONWriter.quoted(ISODate.text(scenario.start))))
    if zone.identifier != Calendar.storeCalendar.timeZone.identifier { header.append(("timeZone", JSONWriter.quoted(zone.identifier))) }
    if devices != [.usual] { header.append(("devices", Self.json(devices))) }
    if scenario.seed != 0 { header.append(("seed", "\(scenario.seed)")) }
    let expectations = finalState.map { "      \($0)" }.joined(separator: ",\n")
    let last = "    { \"note\": \"The final state.\", \"expect\": [\n\(expectations)\n    ] }"
    let lines = steps.filter { $0.device == nil }.map { "    " + Self.oneLine($0.json) } + [last]
    return "{\n" + header.map { "  \"\($0.0)\": \($0.1),\n" }.joined() + "  \"steps\": [\n" + lines.joined(separator: ",\n") + "\n  ]\n}\n"
  }

  /// JSON has newlines between tokens only.
  private static func oneLine(_ json: String) -> String {
    json.contains { $0.isNewline } ? (try? JSONDocument(parsing: json).root.text()) ?? json : json
  }

  private typealias Expectation = [(String, ScenarioValue)]

  /// Expectations, each as JSON: one set for each device's customer, and for each member who acted there.
  private var finalState: [String] {
    var expectations: [Expectation] = []
    for (index, session) in world.sessions.enumerated() {
      let on: Expectation = index == 0 ? [] : [("on", .text(session.name))]
      let money = world.store.money(of: session.device.customer)
      let transactions = world.store.transactions(of: session.device.customer).count
      let isCounted = world.sessions.prefix(index).contains { $0.device.customer == session.device.customer }
      if !isCounted {
        expectations.append(
          on + [
            ("charged", .money(money.charged)), ("refunded", .money(money.refunded)),
            ("transactions", ScenarioValue(transactions)),
          ])
      }
      guard let snapshot = snapshot(on: session.name) else { continue }
      expectations += snapshot.products.map { on + Self.facts($0) }
      expectations += features(snapshot).map { on + $0 }
      for member in members(on: session.name) {
        guard let own = self.snapshot(on: session.name, as: member) else { continue }
        expectations += features(own).map { on + [("as", .text("\(member)"))] + $0 }
      }
    }
    return expectations.map { JSONTree.object($0.map { ($0.0, $0.1.json) }).oneLine }
  }

  /// The members other than the customer who acted on a device, in the order of their first step.
  private func members(on device: String) -> [Member] {
    var found: [Member] = []
    for step in steps where (step.entries.first?.device ?? devices[0].name) == device {
      if let member = step.member, !found.contains(member) { found.append(member) }
    }
    return found
  }

  private static func facts(_ status: ProductStatus) -> Expectation {
    [
      ("product", .text(status.product.rawValue)), ("owned", .bool(status.isOwned)), ("state", .text(status.state.rawValue)),
      ("expires", moment(status.expires)), ("willRenew", ScenarioValue(status.willRenew)),
    ]
  }

  /// A moment as a scenario can express it: in whole seconds.
  private static func moment(_ date: Date?) -> ScenarioValue {
    guard let date, ISODate.parse(ISODate.text(date), in: Calendar.storeCalendar.timeZone) != date else { return ScenarioValue(date) }
    return .object(["atLeast": .text(ISODate.text(date)), "atMost": .text(ISODate.text(date + 1))])
  }

  private func features(_ snapshot: Snapshot) -> [Expectation] {
    snapshot.catalog.features.flatMap { feature -> [Expectation] in
      let name = ("feature", ScenarioValue.text(feature.id.rawValue))
      if type(of: feature.shape).isAboutItems {
        return snapshot.catalog.collections(of: feature).map { collection in
          let pattern = collection.id.rawValue + (collection.parts.isEmpty ? "/*" : "/*/*")
          let items = snapshot.catalog.items(matching: pattern)
          let allowed = items.filter { snapshot.decision(for: feature.id, item: $0).isAllowed }.count
          return [
            name, ("items", .text(pattern)), ("allowedCount", ScenarioValue(allowed)),
            ("deniedCount", ScenarioValue(items.count - allowed)),
          ]
        }
      }
      // The app, not the scenario, supplies how many exist; the saved scenario assumes 0.
      let isHeldMissing = snapshot.decision(for: feature.id).reason == .heldMissing
      let decision = snapshot.decision(for: AccessRequest(feature.id, held: isHeldMissing ? 0 : nil))
      let facts = ScenarioValue.facts(of: decision, feature, zone)
      let known = ["allowed", "reason", "remaining", "used", "limit", "resetsAt"].compactMap { fact in
        facts[fact].flatMap { $0 == .absent ? nil : (fact, fact == "resetsAt" ? Self.moment(decision.resetsAt) : $0) }
      }
      // Beside "allowed", a "level" would belong to the question.
      let level = facts["level"].flatMap { $0 == .absent ? nil : [[name, ("level", $0)]] } ?? []
      return [[name] + (isHeldMissing ? [("held", ScenarioValue(0))] : []) + known] + level
    }
  }
}

extension ScenarioValue {
  /// The value as JSON.
  var json: JSONTree {
    switch self {
    case .absent: .null
    case .bool(let value): .bool(value)
    case .number(let number): .number(number)
    case .text(let text): .text(text)
    case .instant(let date): .text(ISODate.text(date))
    case .money(let amounts): .text(ScenarioWorld.total(amounts))
    case .list(let list): .list(list.map(\.json))
    case .object(let object): .object(object.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
    }
  }
}

extension ScenarioPlayer {
  /// `{ "phone": "ann", "watch": "ann" }`.
  static func json(_ devices: [Device]) -> String { JSONTree.object(devices.map { ($0.name, .text($0.customer)) }).oneLine }
}

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
    if devices != [.usual] { header.append(("devices", JSONText.devices(devices))) }
    if scenario.seed != 0 { header.append(("seed", "\(scenario.seed)")) }
    let expectations = finalState.map { "      \($0)" }.joined(separator: ",\n")
    let last = "    { \"note\": \"The final state.\", \"expect\": [\n\(expectations)\n    ] }"
    let lines = steps.filter { $0.device == nil }.map { "    " + JSONText.oneLine($0.json) } + [last]
    return "{\n" + header.map { "  \"\($0.0)\": \($0.1),\n" }.joined() + "  \"steps\": [\n" + lines.joined(separator: ",\n") + "\n  ]\n}\n"
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
    return expectations.map(JSONText.object)
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

/// JSON as people write scenarios: a step or an expectation in one line, with spaces.
enum JSONText {
  static func object(_ members: [(String, ScenarioValue)]) -> String {
    "{ " + members.map { "\(JSONWriter.quoted($0.0)): \(value($0.1))" }.joined(separator: ", ") + " }"
  }

  /// `{ "phone": "ann", "watch": "ann" }`.
  static func devices(_ devices: [ScenarioPlayer.Device]) -> String { object(devices.map { ($0.name, .text($0.customer)) }) }

  static func value(_ value: ScenarioValue) -> String {
    switch value {
    case .absent: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let number): "\(number)"
    case .text(let text): JSONWriter.quoted(text)
    case .instant(let date): JSONWriter.quoted(ISODate.text(date))
    case .money(let amounts): JSONWriter.quoted(ScenarioWorld.total(amounts))
    case .list(let list): "[" + list.map(Self.value).joined(separator: ", ") + "]"
    case .object(let object): Self.object(object.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
  }

  /// JSON has newlines between tokens only.
  static func oneLine(_ json: String) -> String {
    json.contains { $0.isNewline } ? (try? JSONDocument(parsing: json).root.text()) ?? json : json
  }
}

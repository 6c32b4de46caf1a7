// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension ScenarioPlayer {
  /// The steps so far as a scenario that can be run, with the final state as what must hold at its end.
  /// - Parameters:
  ///   - title: One sentence about it.
  ///   - catalogPath: Where the catalog is, relative to the file that the scenario is saved in.
  public func scenario(title: String, catalogPath: String) -> String {
    let scenario = world.scenario
    var header = [("title", JSONText.string(title)), ("catalog", JSONText.string(catalogPath))]
    header.append(("start", JSONText.string(Instant.text(scenario.start))))
    if zone.identifier != Instant.utc.timeZone.identifier { header.append(("timeZone", JSONText.string(zone.identifier))) }
    if scenario.seed != 0 { header.append(("seed", "\(scenario.seed)")) }
    let expectations = finalState.map { "      \($0)" }.joined(separator: ",\n")
    let last = "    { \"note\": \"How it ended.\", \"expect\": [\n\(expectations)\n    ] }"
    let lines = steps.map { "    " + JSONText.oneLine($0.json) } + [last]
    return "{\n" + header.map { "  \"\($0.0)\": \($0.1),\n" }.joined() + "  \"steps\": [\n" + lines.joined(separator: ",\n") + "\n  ]\n}\n"
  }

  /// Expectations, each as JSON.
  private var finalState: [String] {
    let customer = world.sessions.first.map(\.device.customer)
    let money = customer.map(world.store.money)
    var expectations: [[(String, ScenarioValue)]] = [
      [
        ("charged", .text(ScenarioWorld.total(money?.charged ?? []))), ("refunded", .text(ScenarioWorld.total(money?.refunded ?? []))),
        ("transactions", ScenarioValue(customer.map { world.store.transactions(of: $0).count })),
      ]
    ]
    guard let snapshot else { return expectations.map(JSONText.object) }
    for status in snapshot.products {
      expectations.append([
        ("product", .text(status.product.rawValue)), ("owned", .bool(status.isOwned)), ("state", .text(status.state.rawValue)),
        ("expires", ScenarioValue(status.expires)), ("willRenew", ScenarioValue(status.willRenew)),
      ])
    }
    for feature in snapshot.catalog.features {
      let name = ("feature", ScenarioValue.text(feature.id.rawValue))
      if type(of: feature.shape).isAboutItems {
        for collection in feature.collections?.compactMap(snapshot.catalog.collection) ?? snapshot.catalog.collections {
          let pattern = collection.id.rawValue + (collection.parts.isEmpty ? "/*" : "/*/*")
          let items = ScenarioWorld.items(pattern, world.catalog)
          let allowed = items.filter { snapshot.decision(for: feature.id, item: $0).isAllowed }.count
          expectations.append([
            name, ("items", .text(pattern)), ("allowedCount", ScenarioValue(allowed)),
            ("deniedCount", ScenarioValue(items.count - allowed)),
          ])
        }
        continue
      }
      let facts = ScenarioWorld.facts(snapshot.decision(for: feature.id), feature, zone)
      let known = ["allowed", "reason", "remaining", "used", "limit", "resetsAt"].compactMap { fact in
        facts[fact].flatMap { $0 == .absent ? nil : (fact, $0) }
      }
      expectations.append([name] + known)
      // Beside "allowed", a "level" would be part of the question.
      if let level = facts["level"], level != .absent { expectations.append([name, ("level", level)]) }
    }
    return expectations.map(JSONText.object)
  }
}

/// JSON as people write scenarios: a step or an expectation in one line, with spaces.
enum JSONText {
  static func string(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }

  static func object(_ members: [(String, ScenarioValue)]) -> String {
    "{ " + members.map { "\(string($0.0)): \(value($0.1))" }.joined(separator: ", ") + " }"
  }

  static func value(_ value: ScenarioValue) -> String {
    switch value {
    case .absent: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let number): "\(number)"
    case .text(let text): string(text)
    case .instant(let date): string(Instant.text(date))
    case .list(let list): "[" + list.map(Self.value).joined(separator: ", ") + "]"
    case .object(let object): Self.object(object.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
  }

  /// A newline in JSON stands between tokens only.
  static func oneLine(_ json: String) -> String {
    json.contains { $0.isNewline } ? (try? JSONDocument(parsing: json).root.text(pretty: false)) ?? json : json
  }
}

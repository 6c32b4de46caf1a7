// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@Suite("An interactive simulation with several devices", .timeLimit(.minutes(30)))
struct PlayerDeviceTests {
  static let catalog = Data(
    #"""
    { "schemaVersion": 1, "app": { "id": "com.example.app", "name": "App" },
      "collections": { "denny": { "title": "Denny", "items": 4 } },
      "features": { "story": { "title": "Stories", "allowance": "count", "per": "month" },
        "play": { "title": "Play", "allowance": "items" }, "time": { "title": "Time", "allowance": "duration", "per": "day" } },
      "freeTier": { "grants": { "story": 3, "play": 1, "time": "PT1H" } },
      "entitlements": { "pro": { "title": "Pro", "grants": { "story": "unlimited" } } },
      "products": [
        { "kind": "subscription", "id": "monthly", "name": "Monthly", "group": "pro", "level": 1, "period": "P1M", "familyShareable": true,
          "price": { "amount": "8.99", "currency": "USD" }, "entitlements": ["pro"],
          "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }] },
        { "kind": "nonConsumable", "id": "pack", "name": "Pack", "price": { "amount": "9.99", "currency": "USD" },
          "grants": { "play": { "denny": "unlimited" } } } ] }
    """#.utf8)

  private static func player(_ devices: [ScenarioPlayer.Device] = []) throws -> ScenarioPlayer {
    let start = try #require(ISODate.parse("2026-03-01T12:00:00Z", in: Calendar.storeCalendar.timeZone))
    return try ScenarioPlayer(catalog: catalog, start: start, devices: devices)
  }

  @Test("an added device exists from the start: earlier steps then name their device, and keep their outcome")
  func late() async throws {
    let player = try Self.player([.init("phone", of: "ann")])
    for step in [#"{ "do": "launch" }"#, #"{ "do": "purchase", "product": "pack" }"#] { try await player.perform(stepJSON: step) }
    #expect(player.steps.flatMap(\.entries).allSatisfy { $0.device == nil })
    let before = player.snapshot
    #expect(await player.add(.init("watch", of: "ann")))
    #expect(await !player.add(.init("watch", of: "bob")), "one device a name")
    #expect(player.devices.map(\.name) == ["phone", "watch"] && player.devices.map(\.customer) == ["ann", "ann"])
    #expect(player.steps.dropLast().flatMap(\.entries).allSatisfy { $0.device == "phone" })
    #expect(player.steps.last?.device?.name == "watch" && player.steps.last?.json == #"{ "devices": { "watch": "ann" } }"#)
    #expect(player.snapshot == before && player.snapshot(on: "watch") == nil)
    try await player.perform(stepJSON: #"{ "do": "launch", "on": "watch" }"#)
    #expect(player.snapshot(on: "watch")?.decision(for: "play", item: "denny/4").isAllowed == true)
    #expect(
      "\(player.status(on: "watch"))"
        == "2026-03-01 12:00 · Pack · Stories ███ 3 of 3 left · Time ██████████ 1 hour of 1 hour left · next: 2026-03-02 Time starts again")
  }

  @Test("another customer's device shares nothing, and a child has its own access")
  func people() async throws {
    let player = try Self.player([.init("phone", of: "ann"), .init("tablet", of: "bob")])
    let steps = [
      #"{ "do": "launch" }"#, #"{ "do": "launch", "on": "tablet" }"#, #"{ "do": "purchase", "product": "monthly" }"#,
      #"{ "do": "record", "as": "child:max", "cap": { "feature": "story", "amount": 1 } }"#,
      #"{ "do": "use", "feature": "story", "as": "child:max" }"#,
    ]
    for step in steps { try await player.perform(stepJSON: step) }
    #expect(player.snapshot(on: "tablet")?.decision(for: "story").remaining == 3)
    #expect(player.snapshot(on: "phone")?.decision(for: "story").isAllowed == true)
    #expect(player.snapshot(on: "phone", as: .child("max"))?.decision(for: "story").isAllowed == false)
    #expect(player.steps.map(\.member) == [nil, nil, nil, .child("max"), .child("max")])
    #expect(player.nextRenewal(on: nil) != nil && player.nextRenewal(on: "tablet") == nil)
    let saved = player.scenario(title: "", catalogPath: "c")
    #expect(saved.contains(#""devices": { "phone": "ann", "tablet": "bob" }"#))
    #expect(saved.contains(#"{ "as": "child:max", "feature": "story", "allowed": false"#))
    #expect(saved.contains(#"{ "on": "tablet", "charged": "0.00""#))
  }

  @Test("undo removes devices like other steps")
  func undo() async throws {
    let player = try Self.player()
    try await player.perform(stepJSON: #"{ "do": "launch" }"#)
    await player.add(.init("watch", of: "customer"))
    try await player.perform(stepJSON: #"{ "do": "launch", "on": "watch" }"#)
    #expect(await player.undo(2).map(\.device?.name) == [nil, "watch"].reversed())
    #expect(player.devices == [.usual] && player.steps.flatMap(\.entries).allSatisfy { $0.device == nil })
    await #expect(throws: ScenarioError.self) { try await player.perform(stepJSON: #"{ "do": "launch", "on": "watch" }"#) }
  }

  /// Random commands at a prompt.
  private struct Person {
    var random: SplitMix64
    let player: ScenarioPlayer

    mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }

    mutating func step() -> String {
      if Int.random(in: 0..<6, using: &random) == 0 {
        let time = pick(["PT20H", "P3D", "P1M", "nextChange", "nextRenewal"])
        return #"{ "advance": "\#(time)" }"#
      }
      let product = pick(["monthly", "pack"])
      let verb = pick([
        #""launch""#, #""launch""#, #""launch""#, #""quit""#, #""relaunch""#, #""foreground""#, #""reinstall""#, #""restore""#,
        #""deliver""#,
        #""purchase", "product": "\#(product)""#, #""purchase", "product": "\#(product)", "sheet": "askToBuy""#,
        #""purchase", "product": "\#(product)", "crashAt": "grant""#, #""approve", "product": "\#(product)""#,
        #""decline", "product": "\#(product)""#, #""refund", "product": "\#(product)""#, #""expire", "product": "monthly""#,
        #""renewal", "to": "off""#, #""use", "feature": "story""#, #""use", "feature": "story", "times": 2"#,
        #""use", "feature": "time", "length": "PT20M""#, #""open", "feature": "play", "item": "denny/3""#,
        #""record", "cap": { "feature": "story", "amount": 2 }"#, #""record", "completion": "denny/1""#,
        #""record", "grant": { "id": "gift", "entitlements": ["pro"], "until": "2026-06-01T00:00:00Z" }"#,
        #""set", "payment": "\#(pick(["works", "fails"]))""#, #""set", "network": "\#(pick(["online", "offline"]))""#,
        #""set", "gracePeriod": "P16D""#, #""set", "quirks": { "\#(pick(StoreQuirk.all.map(\.rawValue)))": \#(pick(["true", "false"])) }"#,
        #""set", "timeZone": "Asia/Tokyo""#, #""family", "member": "bob", "joins": true"#, #""forget""#,
      ])
      let device = pick([""] + player.devices.map { #", "on": "\#($0.name)""# })
      let isOneMembers = ["open", "use", "record"].contains { verb.hasPrefix("\"\($0)\"") }
      let member = isOneMembers ? pick(["", "", "", #", "as": "child:max""#, #", "as": "guest""#, #", "as": "demo""#]) : ""
      return "{ \"do\": \(verb)\(device)\(member) }"
    }

    mutating func act() async throws {
      switch Int.random(in: 0..<20, using: &random) {
      case 0 where player.devices.count < 4:
        await player.add(.init("device \(player.devices.count)", of: pick(["customer", "customer", "bob"])))
      case 1: await player.undo(Int.random(in: 1...3, using: &random))
      default: try await player.perform(stepJSON: step())
      }
    }
  }

  /// The content of a report, without the lines and the final expectations of a saved one.
  private static func story(_ report: ScenarioReport, checks: Int) -> [String] {
    var left = checks
    return report.entries.map { entry in
      let kept = entry.checks.prefix(left)
      left -= kept.count
      let asked = kept.map { "\($0.subject) \($0.fact) \($0.found) \($0.holds)" }
      return
        "\(ISODate.text(entry.date)) \(entry.kind) \(entry.device ?? "") \(entry.title) \(entry.outcome ?? "") \(entry.changes) \(asked)"
    }
  }

  @Test("any saved session is a scenario that gives the same report and passes", arguments: 0..<60)
  func anything(_ number: Int) async throws {
    let seed = UInt64(number) + (ProcessInfo.processInfo.environment["MONETIZE_SEED"].flatMap(UInt64.init) ?? 0)
    let player = try Self.player(number % 2 == 0 ? [] : [.init("phone", of: "customer"), .init("tablet", of: "bob")])
    var person = Person(random: SplitMix64(seed: seed), player: player)
    for _ in 0..<40 { try await person.act() }
    let text = player.scenario(title: "", catalogPath: "c")
    let scenario = try Scenario(json: Data(text.utf8))
    let report = await (try ScenarioRunner(scenario, catalog: Self.catalog)).run()
    #expect(report.passed, "seed \(seed): \(report.failures) \(report.problems.map(\.title))\n\(text)")
    let checks = player.report.checks.count
    let (reported, replayed) = (Self.story(player.report, checks: checks), Self.story(report, checks: checks))
    // Without another event, the final expectations have their own entry.
    #expect(reported == Array(replayed.prefix(reported.count)) && replayed.count <= max(reported.count, 1), "seed \(seed)\n\(text)")
  }

  @Test("after undo, the world is as if the steps had never happened, on all devices", arguments: 0..<30)
  func takenBack(_ number: Int) async throws {
    let seed = UInt64(number) + (ProcessInfo.processInfo.environment["MONETIZE_SEED"].flatMap(UInt64.init) ?? 0)
    let player = try Self.player()
    var person = Person(random: SplitMix64(seed: seed), player: player)
    for _ in 0..<25 { try await person.act() }
    await player.undo(Int.random(in: 1...12, using: &person.random))
    let other = try Self.player(Array(player.devices))
    for step in player.steps where step.device == nil { try await other.perform(stepJSON: step.json) }
    #expect(player.report.entries.map(\.title) == other.report.entries.map(\.title), "seed \(seed)")
    for device in player.devices {
      #expect(player.snapshot(on: device.name) == other.snapshot(on: device.name), "seed \(seed), \(device.name)")
      #expect(player.status(on: device.name, as: .child("max")) == other.status(on: device.name, as: .child("max")), "seed \(seed)")
    }
  }
}

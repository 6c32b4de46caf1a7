// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@Suite("An interactive simulation", .timeLimit(.minutes(30)))
struct ScenarioPlayerTests {
  static let catalog = Data(
    #"""
    { "schemaVersion": 1, "app": { "id": "com.example.app", "name": "App" },
      "collections": { "denny": { "title": "Denny", "items": 4 } },
      "features": { "story": { "title": "Stories", "allowance": "count", "per": "month" },
        "play": { "title": "Play", "allowance": "items" }, "tone": { "title": "Tone", "allowance": "level", "levels": ["low", "high"] },
        "export": { "title": "Export" } },
      "freeTier": { "grants": { "story": 3, "play": 1, "tone": "low" } },
      "products": [
        { "kind": "subscription", "id": "com.example.app.monthly", "name": "Monthly", "group": "pro", "level": 1, "period": "P1M",
          "price": { "amount": "8.99", "currency": "USD" }, "grants": { "story": "unlimited", "tone": "high", "export": true },
          "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }] },
        { "kind": "nonConsumable", "id": "com.example.app.pack", "name": "Pack", "price": { "amount": "9.99", "currency": "USD" },
          "grants": { "play": { "denny": "unlimited" } } } ] }
    """#.utf8)
  static let launch = #"{ "do": "launch" }"#
  static let use = #"{ "do": "use", "feature": "story" }"#
  static let subscribe = #"{ "do": "purchase", "product": "com.example.app.monthly" }"#

  private func player() throws -> ScenarioPlayer {
    let start = try #require(ISODate.parse("2026-03-01T12:00:00Z", in: Calendar.storeCalendar.timeZone))
    return try ScenarioPlayer(catalog: Self.catalog, start: start)
  }

  @discardableResult
  private func perform(_ player: ScenarioPlayer, _ steps: String...) async throws -> [ScenarioReport.Entry] {
    var entries: [ScenarioReport.Entry] = []
    for step in steps { entries += try await player.perform(stepJSON: step) }
    return entries
  }

  @Test("with ids, the status names products by their ids as well")
  func statusWithIDs() async throws {
    let player = try player()
    player.showsIDs = true
    try await perform(player, Self.launch, Self.subscribe)
    let id = "com.example.app.monthly"
    #expect("\(player.status)" == "2026-03-01 12:00 · \(id) trial until 03-08 · next: 2026-03-08 \(id) renews")
  }

  @Test("the status has the date, the customer's products, the remaining amounts and the next change")
  func status() async throws {
    let player = try player()
    #expect("\(player.status)" == "2026-03-01 12:00 · the app is not running")
    try await perform(player, Self.launch, Self.use)
    #expect("\(player.status)" == "2026-03-01 12:00 · nothing bought · Stories ██░ 2 of 3 left · next: 2026-04-01 Stories starts again")
    try await perform(player, Self.subscribe)
    #expect("\(player.status)" == "2026-03-01 12:00 · Monthly trial until 03-08 · next: 2026-03-08 Monthly renews")
    try await perform(player, #"{ "do": "renewal", "to": "off" }"#)
    #expect("\(player.status)" == "2026-03-01 12:00 · Monthly trial ends 03-08 · next: 2026-03-08 Monthly ends")
    try await perform(player, #"{ "advance": "nextChange" }"#)
    #expect("\(player.status)" == "2026-03-08 12:00 · nothing bought · Stories ██░ 2 of 3 left · next: 2026-04-01 Stories starts again")
    #expect(player.now == player.status.date)
  }

  @Test("the status names the features that a gift's end may change, and no free limit while a renewal is in doubt")
  func statusOfChanges() async throws {
    let catalog = String(decoding: Self.catalog, as: UTF8.self).replacing(
      #""freeTier""#, with: #""entitlements": { "vip": { "title": "VIP", "grants": { "export": true, "tone": "high" } } }, "freeTier""#)
    let start = try #require(ISODate.parse("2026-03-01T12:00:00Z", in: Calendar.storeCalendar.timeZone))
    let player = try ScenarioPlayer(catalog: Data(catalog.utf8), start: start)
    try await perform(
      player, Self.launch, #"{ "do": "record", "grant": { "id": "g", "entitlements": ["vip"], "until": "2026-03-11T12:00:00Z" } }"#)
    #expect("\(player.status)".hasSuffix("next: 2026-03-11 Tone, Export may change"), "\(player.status)")
    let payer = try self.player()
    try await perform(payer, Self.launch, Self.subscribe, #"{ "do": "set", "network": "offline" }"#, #"{ "advance": "P8D" }"#)
    #expect("\(payer.status)" == "2026-03-09 12:00 · Monthly not known since 03-08 · next: 2026-04-01 Stories starts again")
  }

  @Test("a change has a bar for the remaining amount")
  func bars() async throws {
    let player = try player()
    let entries = try await perform(player, Self.launch, Self.use)
    #expect(entries.last?.outcome == "used")
    #expect(entries.last?.changes == ["Stories ██░ 2 of 3 left"])
    #expect(ScenarioReport.bar(0, of: 3) == "░░░")
    #expect(ScenarioReport.bar(1, of: 1000) == "█░░░░░░░░░", "what is left is seen")
    #expect(ScenarioReport.bar(1000, of: 1000) == "██████████")
    #expect(ScenarioReport.bar(5, of: 0) == "" && ScenarioReport.bar(9, of: 3) == "███" && ScenarioReport.bar(-1, of: 3) == "░░░")
    #expect(ScenarioReport.bar(.max, of: .max) == "██████████")
  }

  @Test("after undo the world is as after the remaining steps, byte for byte", arguments: 1...6)
  func undo(_ count: Int) async throws {
    let steps = [
      Self.launch, Self.use, Self.subscribe, #"{ "advance": "P1M" }"#, #"{ "do": "refund", "product": "com.example.app.monthly" }"#,
      Self.use,
    ]
    let (player, other) = (try player(), try player())
    for step in steps { try await perform(player, step) }
    for step in steps.dropLast(count) { try await perform(other, step) }
    let undone = await player.undo(count)
    #expect(undone.map(\.json) == Array(steps.suffix(count)))
    #expect(player.steps == other.steps)
    #expect(player.status == other.status)
    #expect(player.snapshot == other.snapshot)
    #expect(player.scenario(title: "", catalogPath: "c") == other.scenario(title: "", catalogPath: "c"))
    // From there on, the run continues as before.
    for step in steps.suffix(count) { try await perform(player, step) }
    for step in steps.suffix(count) { try await perform(other, step) }
    #expect(player.status == other.status && player.steps == other.steps)
  }

  @Test("undo stops at the first step")
  func undoTooMuch() async throws {
    let player = try player()
    #expect(await player.undo().isEmpty)
    try await perform(player, Self.launch)
    #expect(await player.undo(-1).isEmpty)
    #expect(await player.undo(100).count == 1)
    #expect(player.snapshot == nil && player.steps.isEmpty)
  }

  @Test("an impossible step is reported, and changes nothing")
  func problem() async throws {
    let player = try player()
    try await perform(player, Self.launch)
    let (status, steps) = (player.status, player.steps)
    let entries = try await perform(player, Self.launch)
    #expect(entries.map(\.kind) == [.problem])
    // The second repetition fails: the effects of the first are undone with it.
    let loop = #"{ "each": { "n": [1, 2] }, "steps": [{ "do": "quit" }] }"#
    #expect(try await perform(player, loop).contains { $0.kind == .problem })
    #expect(player.status == status && player.steps == steps)
  }

  @Test(
    "an invalid step is refused, and nothing happens",
    arguments: [
      #"{ "do": "lanch" }"#, #"{ "do": "launch" }, { "do": "quit" }"#, #"{ "do": "launch" }], "x": [{ "do": "quit" }"#, "launch", "", "3",
    ])
  func refused(_ step: String) async throws {
    let player = try player()
    await #expect(throws: ScenarioError.self) { try await player.perform(stepJSON: step) }
    #expect(player.steps.isEmpty)
  }

  @Test("a single expectation has its result")
  func expectation() async throws {
    let player = try player()
    try await perform(player, Self.launch)
    let entries = try await perform(player, #"{ "expect": { "feature": "story", "remaining": 3, "allowed": false } }"#)
    #expect(entries.map(\.kind) == [.check])
    #expect(entries.flatMap(\.checks).map(\.holds) == [true, false])
  }

  @Test(
    "a saved session is a scenario that runs and passes",
    arguments: [
      [], [launch], [launch, use, use],
      [launch, subscribe, #"{ "advance": "P1M" }"#, #"{ "do": "set", "payment": "fails" }"#, #"{ "advance": "P1M" }"#],
      [
        launch, "{ \"do\": \"purchase\",\n  \"product\": \"com.example.app.pack\" }",
        #"{ "do": "refund", "product": "com.example.app.pack" }"#,
      ],
      [launch, subscribe, #"{ "do": "quit" }"#],
      [launch, #"{ "do": "update", "set": { "freeTier": { "grants": { "story": 5 } } }, "note": "Two more." }"#, use],
    ])
  func save(_ steps: [String]) async throws {
    let player = try player()
    for step in steps { try await perform(player, step) }
    let text = player.scenario(title: "Played \"by hand\"", catalogPath: "catalog.json")
    let scenario = try Scenario(json: Data(text.utf8))
    #expect(scenario.title == "Played \"by hand\"" && scenario.catalogPath == "catalog.json")
    #expect(scenario.stepCount == steps.count + 1)
    let report = await (try ScenarioRunner(scenario, catalog: Self.catalog)).run()
    #expect(report.passed, "\(report.failures) \(report.problems.map(\.title))\n\(text)")
    #expect(report.checks.count >= 3)
  }

  @Test("saved expectations notice another catalog")
  func saveNotices() async throws {
    let player = try player()
    try await perform(player, Self.launch, Self.use)
    let scenario = try Scenario(json: Data(player.scenario(title: "", catalogPath: "catalog.json").utf8))
    let other = String(decoding: Self.catalog, as: UTF8.self).replacingOccurrences(of: #""story": 3"#, with: #""story": 4"#)
    let report = await (try ScenarioRunner(scenario, catalog: Data(other.utf8))).run()
    #expect(report.failures.map(\.fact).contains("remaining"))
  }

  @Test("short names: exact, then ends, then beginnings and parts; several are listed; a close one is guessed")
  func names() {
    let names = ["com.example.app.monthly", "com.example.app.yearly", "com.example.app.pack", "story", "storyLibrary"]
    #expect(ScenarioPlayer.find("story", among: names) == .one("story"))
    #expect(ScenarioPlayer.find("Monthly", among: names) == .one("com.example.app.monthly"))
    #expect(ScenarioPlayer.find("app.pack", among: names) == .one("com.example.app.pack"))
    #expect(ScenarioPlayer.find("storyL", among: names) == .one("storyLibrary"))
    #expect(ScenarioPlayer.find("ly", among: names) == .several(["com.example.app.monthly", "com.example.app.yearly"]))
    #expect(ScenarioPlayer.find("app", among: names) == .several(Array(names.prefix(3))))
    #expect(ScenarioPlayer.find("montly", among: names) == .none(guess: "com.example.app.monthly"))
    #expect(ScenarioPlayer.find("zzz", among: names) == .none(guess: nil))
    #expect(ScenarioPlayer.find("", among: names) == .none(guess: nil))
    #expect(ScenarioPlayer.find("story", among: ["Story", "story"]) == .one("story"))
  }

  @Test("short names: a whole title comes before a part of a name, a part of a title last; a misspelt title is guessed, too")
  func titles() {
    let others = ["a.plan.month": ["Plus", "plusPlan"], "a.pack": ["Monthly"], "a.coins": ["100 coins"], "b.coins": ["100 coins"]]
    let names = others.keys.sorted() + ["untitled"]
    func find(_ text: String) -> ScenarioPlayer.Match { ScenarioPlayer.find(text, among: names, others: others) }
    #expect(find("plus") == .one("a.plan.month"))
    #expect(find("PlusPlan") == .one("a.plan.month"))
    #expect(find("month") == .one("a.plan.month"))
    #expect(find("MONTHLY") == .one("a.pack"))
    #expect(find("100 Coins") == .several(["a.coins", "b.coins"]))
    #expect(find("100") == .several(["a.coins", "b.coins"]))
    #expect(find("lus") == .one("a.plan.month"))
    #expect(find("Mnthly") == .none(guess: "a.pack"))
    #expect(ScenarioPlayer.find("a.pack", among: names, others: ["untitled": ["a.pack"]]) == .one("a.pack"))
  }
}

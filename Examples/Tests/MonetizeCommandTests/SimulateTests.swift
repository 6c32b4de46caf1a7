// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("monetize simulate", .timeLimit(.minutes(30)))
struct SimulateTests {
  static let family = "Examples/Scenarios/maze-packs/family.json"

  /// Runs a copy of a scenario, with its catalog from the command line.
  private func play(_ scratch: Scratch, _ scenario: String, _ more: String...) async throws -> Command.Result {
    try await Command.run(["simulate", scenario, "--catalog", "Products/maze-packs.json"] + more)
  }

  @Test("CARD-09: the family's timeline")
  func family() async throws {
    let result = try await Command.run("simulate", Self.family)
    #expect(result.status == 0)
    try expectGolden(result.transcript, "simulate-family")
  }

  @Test("a failed expectation: expected, found, reason and line; the rest runs as well; exit 1")
  func failing() async throws {
    let scratch = try Scratch()
    let file = try scratch.copy(
      "Examples/Scenarios/maze-packs/gate-first.json", as: "failing.json",
      replacing: [#""outcome": "gateFailed""#: #""outcome": "content""#])
    let result = try await play(scratch, file)
    #expect(result.status == 1)
    #expect(result.errors.contains("failing.json:13: expected outcome to be content, but found gateFailed"))
    try expectGolden(result.transcript(scratch), "simulate-failing")
  }

  @Test("a failure has the reason, and what would open the feature")
  func why() async throws {
    let scratch = try Scratch()
    let file = try scratch.write(
      """
      { "catalog": "maze-packs.json", "start": "2026-03-01T12:00:00Z", "steps": [
        { "do": "launch" },
        { "expect": { "feature": "story.play", "item": "denny/4", "allowed": true } } ] }
      """, as: "why.json")
    let result = try await play(scratch, file, "--quiet")
    #expect(result.status == 1)
    try expectGolden(result.transcript(scratch), "simulate-why")
  }

  @Test("an invalid scenario never runs: all its mistakes, each with its place")
  func mistakes() async throws {
    let scratch = try Scratch()
    let file = try scratch.write(
      """
      { "catalog": "maze-packs.json", "start": "2026-03-01T12:00:00Z", "steps": [
        { "do": "lanch" },
        { "do": "purchase", "product": "x", "sheet": "confrim" },
        { "do": "sync" },
        { "do": "open", "feature": "story.play", "itme": "denny/4" },
        { "expect": { "feature": "story.play" } },
        { "advance": "7 days" },
        { "do": "launch", "advance": "P1D" } ] }
      """, as: "mistakes.json")
    let result = try await play(scratch, file)
    #expect(result.status == 1)
    #expect(result.output == "")
    try expectGolden(result.transcript(scratch), "simulate-mistakes")
    let json = try await play(scratch, file, "--format", "json")
    let report = try #require((try json.json() as? [[String: Any]])?.first)
    #expect(report["passed"] as? Bool == false)
    #expect(report["mistakes"] != nil)
  }

  @Test("an impossible step is reported, and the status is 1")
  func impossibleStep() async throws {
    let scratch = try Scratch()
    let file = try scratch.write(
      """
      { "catalog": "maze-packs.json", "start": "2026-03-01T12:00:00Z", "steps": [
        { "do": "launch" },
        { "do": "launch" },
        { "do": "approve", "product": "com.example.mazes.pack.denny" } ] }
      """, as: "impossible.json")
    let result = try await play(scratch, file)
    #expect(result.status == 1)
    try expectGolden(result.transcript(scratch), "simulate-impossible")
  }

  @Test("several files: one line each, and a total")
  func several() async throws {
    let names = ["ask-to-buy", "family", "two-packs"].map { "Examples/Scenarios/maze-packs/\($0).json" }
    let result = try await Command.run(["simulate", "--quiet"] + names)
    #expect(result.status == 0)
    try expectGolden(result.transcript, "simulate-several")
  }

  @Test("CARD-08: the same program with another number in the JSON shows other access")
  func changedLimit() async throws {
    let scratch = try Scratch()
    let catalog = try scratch.copy("Products/maze-packs.json", as: "five.json", replacing: [#""story.play": 3 "#: #""story.play": 5 "#])
    let shown = try await Command.run("show", catalog)
    #expect(shown.output.contains("5 of 20"))
    let result = try await Command.run("simulate", Self.family, "--catalog", catalog)
    #expect(result.status == 1)
    #expect(result.errors.contains("but found 15"), "5 stories of 3 difficulties")
    try expectGolden(result.transcript(scratch), "simulate-changed-limit")
  }

  @Test("CARD-08: five stories a month instead of three: five uses, then a denial")
  func changedMeter() async throws {
    let scratch = try Scratch()
    let catalog = try scratch.copy("Products/magical-stories.json", as: "five.json", replacing: [#""story": 3"#: #""story": 5"#])
    let file = try scratch.write(
      """
      { "catalog": "five.json", "start": "2026-03-01T12:00:00Z", "steps": [
        { "do": "launch" },
        { "each": { "n": "1...5" }, "steps": [{ "do": "use", "feature": "story", "key": "s${n}", "expect": { "outcome": "used" } }] },
        { "do": "use", "feature": "story", "key": "s6", "expect": { "outcome": "denied" } },
        { "expect": { "feature": "story", "allowed": false, "reason": "limitReached", "used": 5, "limit": 5 } } ] }
      """, as: "uses.json")
    let result = try await Command.run("simulate", file)
    #expect(result.status == 0, "\(result.transcript)")
    let before = try await Command.run("simulate", file, "--catalog", "Products/magical-stories.json", "--quiet")
    #expect(before.status == 1, "with three a month the fourth is denied")
    #expect(!catalog.isEmpty)
  }

  @Test("--parameter replaces the scenario's own value")
  func parameter() async throws {
    let result = try await Command.run("simulate", Self.family, "--quiet", "--parameter", "pack=com.example.mazes.pack.other")
    #expect(result.status == 1)
    #expect(result.errors.contains("com.example.mazes.pack.other"))
    let unknown = try await Command.run("simulate", Self.family, "--parameter", "pak=x")
    #expect(unknown.status == 2)
    try expectGolden(unknown.transcript, "simulate-unknown-parameter")
    let malformed = try await Command.run("simulate", Self.family, "--parameter", "pack")
    #expect(malformed.status == 2)
    try expectGolden(malformed.transcript, "simulate-malformed-parameter")
  }

  @Test("as JSON")
  func json() async throws {
    let result = try await Command.run("simulate", "Examples/Scenarios/maze-packs/ask-to-buy.json", "--format", "json")
    let report = try #require((try result.json() as? [[String: Any]])?.first)
    #expect(report["passed"] as? Bool == true)
    try expectGolden(result.transcript, "simulate-json")
  }

  @Test("as JSON, notifications have Apple's keys, words and numbers, in their step")
  func notifications() async throws {
    let scratch = try Scratch()
    let catalog = Command.repository.appendingPathComponent("Examples/Scenarios/app-store/catalog.json").path
    let steps = """
      { "do": "launch" }, { "do": "purchase", "product": "basic.month" }, { "do": "renewal", "to": "off" }, { "advance": "P4M" }
      """
    let scenario = try scratch.write(
      #"{ "catalog": "\#(catalog)", "start": "2026-03-01T12:00:00Z", "steps": [\#(steps)] }"#, as: "scenario.json")
    let result = try await Command.run("simulate", scenario, "--format", "json")
    let report = try #require((try result.json() as? [[String: Any]])?.first)
    let entries = try #require(report["entries"] as? [[String: Any]])
    let notifications = entries.map { $0["notifications"] as? [[String: Any]] ?? [] }
    #expect(notifications.map(\.count) == [0, 1, 1, 1])
    let (bought, ended) = (notifications[1][0], notifications[3][0])
    let (boughtData, endedData) = (bought["data"] as? [String: Any], ended["data"] as? [String: Any])
    let transaction = boughtData?["transactionInfo"] as? [String: Any]
    #expect(bought["notificationType"] as? String == "SUBSCRIBED" && bought["subtype"] as? String == "INITIAL_BUY")
    #expect(bought["signedDate"] as? Int == 1_772_366_400_000 && boughtData?["environment"] as? String == "Production")
    #expect(boughtData?["status"] as? Int == 1 && transaction?["productId"] as? String == "basic.month")
    #expect(transaction?["transactionReason"] as? String == "PURCHASE" && transaction?["offerType"] as? Int == 1)
    #expect(transaction?["offerDiscountType"] as? String == "PAY_AS_YOU_GO")
    #expect(ended["notificationType"] as? String == "EXPIRED" && ended["subtype"] as? String == "VOLUNTARY")
    #expect(endedData?["status"] as? Int == 2)
    #expect((endedData?["renewalInfo"] as? [String: Any])?["expirationIntent"] as? Int == 1)
  }

  @Test("invalid arguments are exit 2: an unknown scenario, an unknown catalog, one state file for several scenarios")
  func cannotRun() async throws {
    let scratch = try Scratch()
    let scenario = try await Command.run("simulate", "no.json")
    let catalog = try await Command.run("simulate", Self.family, "--catalog", "no.json")
    let states = try await Command.run("simulate", Self.family, Self.family, "--save-state", scratch.url("state").path)
    let folder = try await Command.run("simulate", Self.family, "--quiet", "--save-state", scratch.url("no/state").path)
    for result in [scenario, catalog, states, folder] { #expect(result.status == 2) }
    try expectGolden([scenario, catalog, states, folder].map { $0.transcript(scratch) }.joined(), "simulate-cannot-run")
  }
}

@Suite("Scenarios", .timeLimit(.minutes(30)))
struct ScenarioFileTests {
  static let files = Command.names(in: "Examples/Scenarios").filter { $0 != "schema" }.flatMap { folder in
    Command.names(in: "Examples/Scenarios/\(folder)").filter { $0.hasSuffix(".json") && $0 != "catalog.json" }.map {
      "Examples/Scenarios/\(folder)/\($0)"
    }
  }

  @Test("CARD-09: every scenario file passes, without output on standard error", arguments: files)
  func passes(_ file: String) async throws {
    let result = try await Command.run("simulate", file, "--quiet")
    #expect(result.status == 0, "\(result.transcript)")
    #expect(result.errors == "")
  }

  @Test("there are scenarios")
  func exist() { #expect(Self.files.filter { $0.contains("/maze-packs/") }.count >= 15) }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// Messages for impossible steps name the fix and the unchecked expectations.
@Suite("Scenario verbs", .timeLimit(.minutes(30)))
struct ScenarioVerbTests {
  private static let catalog = """
    { "schemaVersion": 1, "app": { "id": "test.verbs", "name": "Verbs" }, "releases": ["v1"],
      "collections": { "hats": { "title": "Hats", "items": [{ "id": "red", "coins": 5 }] } },
      "features": { "story": { "allowance": "count" }, "shop": { "allowance": "coins", "in": ["hats"] } },
      "freeTier": { "grants": { "story": 2, "shop": true } },
      "products": [ { "kind": "subscription", "id": "month", "name": "Monthly", "group": "g", "level": 1, "period": "P1M",
        "grants": { "story": "unlimited" } } ] }
    """

  private func run(_ steps: String, devices: String = #"{ "phone": "ann", "tablet": "ann", "other": "bob" }"#) async throws
    -> ScenarioReport
  {
    let json = #"{ "catalog": "c", "start": "2026-03-01T12:00:00Z", "devices": \#(devices), "steps": [\#(steps)] }"#
    return await (try ScenarioRunner(Scenario(json: Data(json.utf8)), catalog: Data(Self.catalog.utf8))).run()
  }

  private static let launch = """
    { "do": "launch", "on": "phone" }, { "do": "launch", "on": "tablet" }, { "do": "launch", "on": "other" }
    """

  @Test(
    "An impossible step has a reason",
    arguments: [
      (#"{ "do": "sync", "with": "phone" }"#, "itself"),
      (#"{ "do": "sync", "with": "other" }"#, "bob's"),
      (#"{ "do": "account", "to": "ann" }, { "do": "sync", "with": "tablet" }"#, "phone is signed in as ann"),
      (#"{ "do": "quit", "on": "tablet" }, { "do": "sync", "with": "tablet" }"#, "not running on tablet"),
      (#"{ "do": "quit" }, { "do": "account", "to": "ann" }"#, "not running on phone"),
      (#"{ "do": "use", "feature": "shop", "item": "hats/red", "takes": "PT1H" }"#, "takes no time"),
      (#"{ "do": "forget", "product": "month" }"#, "no purchase of Monthly"),
      (#"{ "do": "forget", "product": "mnth" }"#, "Did you mean \"month\""),
      (#"{ "do": "set", "codes": { "month": { "gift": "0.00" } } }"#, "\"offers\""),
      (#"{ "do": "set", "codeStacks": { "gift": true } }"#, "There is no code \"gift\""),
    ])
  func problems(_ steps: String, _ words: String) async throws {
    let report = try await run(Self.launch + ", " + steps)
    #expect(report.problems.count == 1 && report.problems.first?.title.contains(words) == true, "\(report.problems.map(\.title))")
    #expect(!report.passed)
  }

  @Test("An impossible step reports the number of its unchecked expectations") func unchecked() async throws {
    let expect = #""expect": [{ "outcome": "exchanged" }, { "feature": "story", "used": 0, "remaining": 2 }]"#
    let report = try await run(Self.launch + #", { "do": "sync", "with": "other", "# + expect + " }")
    #expect(report.problems.first?.title.hasSuffix("3 expectations of this step were skipped.") == true)
    let without = try await run(Self.launch + #", { "do": "sync", "with": "other" }"#)
    #expect(without.problems.first?.title.contains("not checked") == false)
  }

  @Test("A message waits while the app is closed, the device is offline, or another account is signed in") func waits() async throws {
    let report = try await run(
      Self.launch + """
        , { "do": "use", "feature": "story", "on": "phone" },
        { "do": "sync", "on": "phone", "with": "tablet", "delay": "PT1H" },
        { "do": "set", "network": "offline", "on": "tablet" }, { "advance": "PT2H" },
        { "expect": { "feature": "story", "on": "tablet", "used": 0 } },
        { "do": "account", "to": "ann", "on": "tablet" },
        { "do": "set", "network": "online", "on": "tablet" },
        { "expect": { "feature": "story", "on": "tablet", "used": 0 } },
        { "do": "account", "to": null, "on": "tablet" },
        { "expect": { "feature": "story", "on": "tablet", "used": 1 } }
        """)
    #expect(report.passed, "\(report.failures) \(report.problems)")
    #expect(report.checks.count == 3)
  }

  @Test("A reinstallation forgets the signed-in account; a relaunch does not") func whoIsSignedIn() async throws {
    let report = try await run(
      """
      { "do": "launch" }, { "do": "account", "to": "ann" }, { "do": "use", "feature": "story" },
      { "do": "relaunch", "expect": { "feature": "story", "used": 1 } },
      { "do": "account", "to": null, "expect": { "feature": "story", "used": 0 } },
      { "do": "account", "to": "ann", "expect": { "feature": "story", "used": 1 } },
      { "do": "reinstall", "expect": { "feature": "story", "used": 0 } },
      { "do": "account", "to": "ann", "expect": { "feature": "story", "used": 0 } }
      """, devices: #"{ "phone": "ann" }"#)
    #expect(report.passed, "\(report.failures) \(report.problems)")
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// Invalid requests of a scenario: endless work, answers about unknown names, effects of steps without any.
@Suite("Bounds of scenarios", .timeLimit(.minutes(30)))
struct ScenarioBoundsTests {
  private static let catalog = """
    { "schemaVersion": 1, "app": { "id": "test.bounds", "name": "Bounds" },
      "collections": { "hats": { "title": "Hats", "items": [{ "id": "red" }, { "id": "blue" }] } },
      "features": { "story": { "allowance": "count" }, "hat": { "allowance": "items", "in": ["hats"] },
        "voice": { "allowance": "level", "levels": ["basic", "premium"] }, "library": {} },
      "freeTier": { "grants": { "story": 3, "voice": "basic", "library": true } },
      "paywalls": { "default": { "headline": "More", "actions": ["purchase", "restore", "dismiss"] }, "welcome": { "headline": "Hello" } },
      "entitlements": { "pro": { "title": "Pro", "grants": { "story": "unlimited", "hat": "unlimited", "voice": "premium" } } },
      "products": [
        { "kind": "subscription", "id": "month", "name": "Monthly", "group": "g", "level": 1, "period": "P1M",
          "price": { "amount": "5.00", "currency": "USD" }, "entitlements": ["pro"] },
        { "kind": "nonConsumable", "id": "unlock", "name": "Unlock", "price": { "amount": "19.99", "currency": "USD" }, "entitlements": ["pro"] }
      ] }
    """

  private func scenario(_ steps: String, header: String = "", _ parameters: [String: String] = [:]) throws(ScenarioError) -> Scenario {
    try Scenario(
      json: Data("{ \"catalog\": \"c\", \"start\": \"2026-03-01T12:00:00Z\", \(header)\n\"steps\": [\n\(steps)\n] }".utf8),
      parameters: parameters)
  }

  private func run(_ steps: String, header: String = "") async throws -> ScenarioReport {
    await (try ScenarioRunner(try scenario(steps, header: header), catalog: Data(Self.catalog.utf8))).run()
  }

  @Test("an expected instant is shown in the zone in which the found one is") func zones() async throws {
    let report = try await run(
      #"""
      { "do": "launch" }, { "do": "purchase", "product": "month" },
      { "expect": { "product": "month", "expires": "2026-04-01T12:00:01Z" } },
      { "expect": { "product": "month", "expires": { "atLeast": "2026-04-01T12:00:01Z" } } }
      """#, header: #""timeZone": "Asia/Kolkata","#)
    #expect(
      report.checks.map { "\($0.expected), found \($0.found)" } == [
        "2026-04-01 17:30:01, found 2026-04-01 17:30:00", "at least 2026-04-01 17:30:01, found 2026-04-01 17:30:00",
      ])
  }

  // MARK: Endless work

  @Test(
    "endless work is refused before the run, with the limit",
    arguments: [
      (#"{ "do": "use", "feature": "story", "times": 1000000000 }"#, "from 1 to 50000"),
      (#"{ "do": "use", "feature": "story", "times": 30000, "parallel": 2 }"#, "more than 50,000"),
      (#"{ "do": "purchase", "product": "month", "quantity": 11 }"#, "from 1 to 10"),
      (#"{ "do": "set", "commitment": { "month": 9223372036854775807 } }"#, "120 payments at most"),
      (#"{ "do": "purchase", "product": "month", "at": "0001-01-01T00:00:00Z" }"#, "1970 to 2999"),
      (#"{ "do": "set", "clock": "4001-01-01T00:00:00Z" }"#, "1970 to 2999"), (#"{ "advance": "4001-01-01T00:00:00Z" }"#, "1970 to 2999"),
    ])
  func endless(_ step: String, _ limit: String) throws {
    let error = try #require(throws: ScenarioError.self) { try scenario(step) }
    #expect(error.diagnostics.count == 1 && error.diagnostics[0].message.contains(limit), "\(error)")
    #expect(error.diagnostics[0].position?.line == 3)
  }

  @Test("a simulation lasts 100 years at most, in one step or in several, also with long work") func century() async throws {
    let report = try await run(
      """
      { "do": "launch" }, { "advance": "P99999Y" }, { "advance": "P60Y" }, { "advance": "P60Y" },
      { "do": "use", "feature": "story", "takes": "P60Y" }, { "advance": "P40Y" }
      """)
    #expect(report.problems.count == 3 && report.problems.allSatisfy { $0.title.contains("100 years at most") }, "\(report.problems)")
    #expect(report.entries.last?.date == ISODate.parse("2126-03-01T12:00:00Z", in: Calendar.storeCalendar.timeZone))
  }

  @Test("nested parameters grow to 10,000 characters at most") func parameters() throws {
    let tens = (1...12).map { "\"p\($0)\": \"\(String(repeating: "${p\($0 - 1)}", count: 10))\"" }.joined(separator: ", ")
    let error = try #require(throws: ScenarioError.self) {
      try scenario(#"{ "do": "launch" }"#, header: "\"parameters\": { \"p0\": \"0123456789\", \(tens) },")
    }
    #expect(error.diagnostics.contains { $0.message.contains("10,000 at most") }, "\(error)")
  }

  // MARK: Unknown names

  @Test(
    "names that no catalog of a scenario has are reported with their places",
    arguments: [
      (#"{ "expect": { "paywall": "welcom", "shown": true } }"#, "no placement \"welcom\". Did you mean \"welcome\"?", 26),
      (#"{ "do": "open", "placement": "welcom" }"#, "no placement", 30),
      (#"{ "do": "dismiss", "placement": "welcom" }"#, "no placement", 33),
      (#"{ "expect": { "feature": "hat", "item": "hats/green", "remaining": null } }"#, "no item \"hats/green\"", 41),
      (#"{ "expect": { "feature": "hat", "items": "caps/*", "deniedCount": 0 } }"#, "no item \"caps/*\"", 42),
      (#"{ "expect": { "feature": "voice", "level": "premum", "allowed": false } }"#, "no level \"premum\". Did you mean \"premium\"?", 44),
      (#"{ "do": "use", "feature": "library", "level": "premium" }"#, "\"library\" has no level", 47),
      (#"{ "do": "record", "grant": { "id": "g", "entitlements": ["prro"] } }"#, "no entitlement \"prro\". Did you mean \"pro\"?", 58),
    ])
  func unknown(_ step: String, _ words: String, _ column: Int) throws {
    let runner = try ScenarioRunner(try scenario(step), catalog: Data(Self.catalog.utf8))
    let error = try #require(throws: ScenarioError.self) { try runner.checkNames() }
    #expect(error.diagnostics.count == 1 && error.diagnostics[0].message.contains(words), "\(error)")
    #expect(error.diagnostics[0].position == SourcePosition(line: 3, column: column), "\(error)")
  }

  @Test("null is not true of a missing subject") func nothing() async throws {
    let report = try await run(
      """
      { "expect": [{ "feature": "story", "remaining": null, "resetsAt": null }, { "product": "month", "expires": null }] },
      { "do": "launch" },
      { "expect": [{ "feature": "hat", "item": "hats/green", "remaining": null }, { "paywall": "welcom", "title": null },
        { "feature": "hat", "items": "caps/*", "allowedCount": null }] }
      """)
    #expect(report.checks.count == 6 && report.failures.count == 6, "\(report.checks)")
    #expect(report.failures.allSatisfy { $0.found == "nothing" && $0.why != nil })
  }

  @Test("a mistake inside a set is reported where the author wrote it, for the header and for an update") func inSet() throws {
    let header = try scenario(#"{ "do": "launch" }"#, header: #""set": { "features": { "story": { "alowance": "count" } } },"#)
    let error = try #require(throws: CatalogError.self) { try ScenarioRunner(header, catalog: Data(Self.catalog.utf8)) }
    let mistake = try #require(header.located(error).first)
    #expect(mistake.position == SourcePosition(line: 1, column: 86) && mistake.code == "unknown-key", "\(mistake)")
    let update = try ScenarioRunner(
      try scenario(#"{ "do": "update", "set": { "freeTier": { "grants": { "story": "three" } } } }"#), catalog: Data(Self.catalog.utf8))
    let reported = try #require(throws: ScenarioError.self) { try update.checkNames() }
    #expect(reported.diagnostics.map(\.position) == [SourcePosition(line: 3, column: 63)], "\(reported)")
  }

  // MARK: Steps without effect

  @Test(
    "a step without an effect is a problem, and not ignored",
    arguments: [
      (#"{ "do": "purchase", "product": "month", "quantity": 2 }"#, "only for consumables"),
      (#"{ "do": "purchase", "product": "unlock", "from": "appStore", "quantity": 3 }"#, "only for consumables"),
      (#"{ "do": "purchase", "product": "month", "gate": "fail" }"#, "no parental gate"),
      (#"{ "do": "open", "feature": "hat", "item": "hats/red", "gate": "fail" }"#, "no parental gate"),
      (#"{ "do": "dismiss" }"#, "No paywall is open"), (#"{ "do": "dismiss", "placement": "welcome" }"#, "No paywall welcome is open"),
    ])
  func effectless(_ step: String, _ words: String) async throws {
    let report = try await run("{ \"do\": \"launch\" }, \(step)")
    #expect(report.problems.count == 1 && report.problems[0].title.contains(words), "\(report.problems)")
  }

  @Test("an open paywall is closed once; another one is not open") func dismissed() async throws {
    let report = try await run(
      """
      { "do": "launch" }, { "do": "open", "placement": "welcome" }, { "do": "dismiss", "placement": "default" },
      { "do": "dismiss", "placement": "welcome" }, { "do": "dismiss" }
      """)
    let closed = report.entries.filter { $0.kind == .app && $0.title.hasPrefix("close the paywall") }
    #expect(report.problems.count == 2 && closed.count == 1)
  }

  // MARK: Outcomes

  @Test("concurrent uses, repeated, are counted together") func counted() async throws {
    let report = try await run(
      """
      { "do": "launch" }, { "do": "use", "feature": "story", "parallel": 2, "times": 3, "expect": { "outcome": "3 used, 3 denied" } },
      { "do": "use", "feature": "story", "parallel": 5, "times": 2, "expect": { "outcome": "10 denied" } }
      """)
    #expect(report.passed, "\(report.failures)")
  }

  @Test("a refusal by the store can be expected, with its reason; an unexpected one is a problem") func refused() async throws {
    let report = try await run(
      """
      { "do": "launch" },
      { "do": "extend", "product": "month", "by": "P7D", "expect": { "outcome": "refused", "error": "nothingToDo", "charged": "0.000" } },
      { "do": "purchase", "product": "month" },
      { "do": "extend", "product": "month", "by": "P91D", "expect": { "outcome": "refused", "error": "invalidValue" } },
      { "do": "extend", "product": "month", "by": "P1D", "expect": { "outcome": "refused" } },
      { "do": "approve", "product": "month", "expect": { "charged": "5.00" } }
      """)
    #expect(report.failures.map(\.fact) == ["outcome"] && report.problems.count == 1, "\(report.failures) \(report.problems)")
    #expect(report.problems[0].title.hasSuffix("1 expectation of this step was skipped."), "\(report.problems)")
  }

  @Test("money is compared as an amount, not as text") func amounts() async throws {
    let report = try await run(
      """
      { "do": "launch" }, { "do": "purchase", "product": "unlock" },
      { "expect": [{ "charged": "19.990" }, { "charged": { "atLeast": "19.99", "atMost": 19.99 } }, { "refunded": "0" }] },
      { "expect": { "charged": "19.9" } }
      """)
    #expect(report.failures.map(\.expected) == ["19.9"], "\(report.failures)")
    #expect(throws: ScenarioError.self) { try scenario(#"{ "expect": { "charged": "much" } }"#) }
  }

  @Test("the cost of a step is shown with it, by customer, with refunds") func money() async throws {
    let report = try await run(
      """
      { "do": "launch" }, { "do": "purchase", "product": "month" }, { "advance": "P1M" }, { "do": "refund", "product": "month" }
      """)
    let moved = report.entries.map { $0.money.map { "\($0.customer) \($0.charged) \($0.refunded)" } }
    #expect(moved == [[], ["customer 5.00 USD 0.00 USD"], ["customer 5.00 USD 0.00 USD"], ["customer 0.00 USD 5.00 USD"]])
  }

  // MARK: Updates

  @Test("an update of the app keeps the store's settings, such as a price or a sale that is off, and adds only new products") func store()
    async throws
  {
    let report = try await run(
      """
      { "do": "launch" }, { "do": "set", "price": { "product": "unlock", "amount": "12.99" } }, { "do": "set", "onSale": { "month": false } },
      { "do": "update", "set": { "features": { "library": { "title": "Library" } } } },
      { "do": "purchase", "product": "unlock", "expect": { "outcome": "completed", "charged": "12.99" } },
      { "do": "purchase", "product": "month", "expect": { "outcome": "failed", "charged": "12.99" } }
      """)
    #expect(report.passed, "\(report.failures) \(report.problems)")
  }

  @Test("each device runs its own version, and a second update continues from the first") func versions() async throws {
    let more = #""collections": { "hats": { "items": [{ "id": "red" }, { "id": "blue" }, { "id": "green" }] } }"#
    let report = try await run(
      """
      { "do": "launch" }, { "do": "launch", "on": "watch" }, { "do": "update", "set": { \(more) } },
      { "expect": [{ "feature": "hat", "items": "hats/*", "deniedCount": 3 }, { "on": "watch", "feature": "hat", "items": "hats/*", "deniedCount": 2 }] },
      { "do": "relaunch", "on": "watch", "expect": { "feature": "hat", "items": "hats/*", "deniedCount": 2 } },
      { "do": "update", "set": { "freeTier": { "grants": { "story": 9 } } } },
      { "expect": [{ "feature": "hat", "items": "hats/*", "deniedCount": 3 }, { "feature": "story", "limit": 9 },
        { "on": "watch", "feature": "story", "limit": 3 }] }
      """, header: #""devices": { "phone": "ann", "watch": "ann" },"#)
    #expect(report.passed, "\(report.failures) \(report.problems)")
  }

  @Test("a change is reported once, even if something else changes after it") func news() async throws {
    let report = try await run(
      """
      { "do": "launch" }, { "do": "purchase", "product": "unlock" }, { "do": "refund", "product": "unlock" },
      { "do": "purchase", "product": "month" }, { "do": "renewal", "to": "off" }, { "do": "renewal", "to": "on" }
      """)
    let reported = report.entries.flatMap(\.changes).filter { $0.contains("refunded") }
    #expect(reported == ["Unlock is refunded"], "\(report.entries.map(\.changes))")
  }
}

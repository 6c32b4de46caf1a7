// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// Authors' mistakes: reported before the run if the file alone shows them, and never a pass if only the catalog does.
@Suite("Scenario mistakes", .timeLimit(.minutes(30)))
struct ScenarioMistakeTests {
  private static let catalog = """
    { "schemaVersion": 1, "app": { "id": "test.mistakes", "name": "Mistakes" },
      "collections": { "hats": { "title": "Hats", "items": [{ "id": "red" }] } },
      "features": { "story": { "allowance": "count" }, "hat": { "allowance": "items", "in": ["hats"] }, "play": { "allowance": "duration" } },
      "freeTier": { "grants": { "story": 2, "hat": "unlimited", "play": "PT30M" } },
      "entitlements": { "pro": { "title": "Pro", "grants": { "story": "unlimited" } } },
      "products": [
        { "kind": "subscription", "id": "month", "name": "Monthly", "group": "g", "level": 1, "period": "P1M",
          "price": { "amount": "5.00", "currency": "USD" }, "entitlements": ["pro"] },
        { "kind": "subscription", "id": "year", "name": "Yearly", "group": "g", "level": 1, "period": "P1Y",
          "price": { "amount": "50.00", "currency": "USD" }, "entitlements": ["pro"] } ] }
    """

  private func scenario(_ steps: String, header: String = "", _ parameters: [String: String] = [:]) throws(ScenarioError) -> Scenario {
    try Scenario(
      json: Data("{ \"catalog\": \"c\", \"start\": \"2026-03-01T12:00:00Z\", \(header)\n\"steps\": [\(steps)] }".utf8),
      parameters: parameters)
  }

  private func run(_ steps: String, header: String = "") async throws -> ScenarioReport {
    await (try ScenarioRunner(try scenario("{ \"do\": \"launch\" }, " + steps, header: header), catalog: Data(Self.catalog.utf8))).run()
  }

  @Test(
    "an undefined name is reported at its place, in values and in keys, with a guess",
    arguments: [
      (#"{ "do": "use", "feature": "${featur}" }"#, "Did you mean \"feature\"?"),
      (#"{ "do": "set", "onSale": { "${nope}": false } }"#, "${nope} has no value"),
      (#"{ "each": { "n": [1] }, "steps": [{ "do": "launch" }] }, { "do": "use", "feature": "s${n}" }"#, "${n} has no value"),
    ])
  func unfilled(_ steps: String, _ words: String) throws {
    let error = try #require(throws: ScenarioError.self) { try scenario(steps, header: #""parameters": { "feature": "story" },"#) }
    #expect(error.diagnostics.count == 1 && error.diagnostics[0].code == "missing-parameter")
    #expect(error.diagnostics[0].message.contains(words) && error.diagnostics[0].position?.line == 2, "\(error)")
  }

  @Test("a parameter may be a number or a Boolean, and fills in a fact with its type") func parameters() async throws {
    let report = try await run(
      #"{ "expect": { "feature": "story", "allowed": "${open}", "remaining": "${left}", "limit": { "atLeast": "${left}" } } }"#,
      header: #""parameters": { "left": 2, "open": true },"#)
    #expect(report.passed && report.checks.count == 3, "\(report.failures)")
    // Values of the command line are text with the same meaning.
    let steps = #"{ "do": "launch" }, { "expect": { "feature": "story", "remaining": "${left}" } }"#
    let read = try scenario(steps, header: #""parameters": { "left": 9 },"#, ["left": "2"])
    #expect(await (try ScenarioRunner(read, catalog: Data(Self.catalog.utf8))).run().passed)
  }

  @Test("loops with too many steps end, and are reported") func loops() throws {
    let loop = #"{ "each": { "n": "1...9999" }, "steps": [{ "each": { "m": "1...9999" }, "steps": [{ "do": "launch" }] }] }"#
    let error = try #require(throws: ScenarioError.self) { try scenario(loop) }
    #expect(error.diagnostics.allSatisfy { $0.code == "step" && $0.message.contains("more than 50,000 steps") }, "\(error)")
    #expect(try scenario(#"{ "each": { "n": "1...10000" }, "steps": [{ "do": "launch" }] }"#).stepCount == 10_000)
  }

  @Test(
    "an expectation about a missing subject never holds, not even that it is denied",
    arguments: [
      (#"{ "feature": "storry", "allowed": false }"#, "no such feature, but story"),
      (#"{ "feature": "hat", "item": "hats/blue", "allowed": false }"#, "unknownItem"),
      (#"{ "feature": "hat", "items": "caps/*", "allowedCount": 0 }"#, "has no caps/*"),
      (#"{ "feature": "hut", "items": "hats/*", "deniedCount": 1 }"#, "no such feature, but hat"),
      (#"{ "product": "mont", "owned": false }"#, "no such product, but month"),
      (#"{ "paywall": "nowhere", "shown": false }"#, "no such placement"),
    ])
  func nothing(_ expectation: String, _ why: String) async throws {
    let report = try await run("{ \"expect\": \(expectation) }")
    let check = try #require(report.failures.first)
    #expect(report.failures.count == 1 && check.found == "none" && check.why?.contains(why) == true, "\(check)")
  }

  @Test("an expected error is an expectation that holds") func expectedErrors() async throws {
    let report = try await run(
      """
      { "expect": [{ "feature": "storry", "allowed": false, "reason": "unknownFeature" },
        { "feature": "hat", "item": "hats/blue", "allowed": false, "error": "unknownItem" }] }
      """)
    #expect(report.passed && report.checks.count == 4, "\(report.failures)")
  }

  @Test(
    "a misspelt subject and a loop without its steps are one mistake each",
    arguments: [
      (#"{ "expect": { "prodct": "month", "owned": false, "state": "owned" } }"#, "unknown-key", "Did you mean \"product\"?"),
      (#"{ "expect": { "feture": "story", "allowed": true, "limit": 2 } }"#, "unknown-key", "Did you mean \"feature\"?"),
      (#"{ "each": { "n": [1] }, "stpes": [{ "do": "use", "feature": "s${n}", "count": "${n}" }] }"#, "unknown-key", "\"steps\"?"),
      (#"{ "each": { "n": [1] }, "body": [{ "do": "use", "feature": "s${n}" }] }"#, "step", "A loop is"),
      (#"{ "each": { "n": [1] } }"#, "step", "A loop is"),
      (
        #"{ "expect": { "allowed": true } }"#, "unknown-key", #""allowed" is a fact about "feature". Write it in an expectation with that."#
      ),
      (#"{ "expect": { "feature": "story", "allowedCount": 2 } }"#, "unknown-key", #"a fact about "feature" and "items"."#),
      (#"{ "expect": { "product": "month", "charged": "0.00" } }"#, "unknown-key", "Move it to an expectation without another subject."),
      (#"{ "do": "use" }"#, "missing-key", #"The key "feature" is missing. Add it to this object: the feature in question."#),
      (#"{ "expect": { "chargd": "0.00" } }"#, "unknown-key", "Did you mean \"charged\"?"),
    ])
  func oneMistake(step: String, code: Diagnostic.Code, words: String) throws {
    let error = try #require(throws: ScenarioError.self) { try scenario(step) }
    #expect(error.diagnostics.map(\.code) == [code] && error.description.contains(words), "\(error)")
  }

  @Test("a device without a name is reported at its key") func namelessDevice() throws {
    let error = try #require(throws: ScenarioError.self) { try scenario("", header: #""devices": { "": "ann", "watch": "ann" },"#) }
    let found = try #require(error.diagnostics.first { $0.code == "bad-value" })
    #expect(found.message.hasPrefix("A device needs a name.") && found.position?.line == 1, "\(error)")
  }

  @Test("a catalog that cannot be read is a mistake at its path") func noCatalog() throws {
    let mistake = try scenario("{ \"do\": \"launch\" }").unreadableCatalog("cannot be found")
    #expect(mistake.rendered(file: "s.json").hasPrefix("s.json:1:14: error: Its catalog \"c\" cannot be found."))
    #expect(mistake.code == "unreadable" && mistake.path == "catalog")
  }

  @Test("an unknown device is reported where it is named")
  func devices() throws {
    for step in [
      #"{ "expect": { "same": ["device", "watch"] } }"#, #"{ "do": "launch", "on": "watch" }"#, #"{ "do": "sync", "with": "watch" }"#,
      #"{ "expect": { "charged": "0.00", "on": "watch" } }"#, #"{ "advance": "nextChange", "on": "watch" }"#,
    ] {
      let error = try #require(throws: ScenarioError.self) { try scenario(step) }
      #expect(error.diagnostics.count == 1 && error.description.contains("There is no device \"watch\""), "\(error)")
    }
  }

  @Test(
    "what would have no effect is reported before the run",
    arguments: [
      (#"{ "do": "set", "price": { "product": "month", "amount": "6.00", "currency": "EUR" } }"#, "belongs to a \"storefront\""),
      (#"{ "do": "set", "price": { "product": "month", "amount": "6.00", "storefront": "DEU", "currency": "XX" } }"#, "not a currency"),
      (
        #"{ "do": "set", "price": { "product": "month", "offer": "o", "amount": "6.00", "consent": "required" } }"#,
        "\"consent\" has no effect"
      ), (#"{ "do": "use", "feature": "story", "key": "" }"#, "not empty"),
      (#"{ "do": "family", "member": "", "joins": true }"#, "not empty"),
      (#"{ "do": "set", "codes": { "month": { "": "0.00" } } }"#, "not empty"),
      (#"{ "advance": "2026-03-29T02:30:00" }"#, "does not exist in Europe/Berlin"),
    ])
  func withoutEffect(_ step: String, _ words: String) throws {
    let error = try #require(throws: ScenarioError.self) { try scenario(step, header: #""timeZone": "Europe/Berlin","#) }
    #expect(error.diagnostics.count == 1 && error.description.contains(words), "\(error)")
    #expect(throws: Never.self) { try scenario(#"{ "advance": "2026-03-29T03:30" }"#, header: #""timeZone": "Europe/Berlin","#) }
  }

  @Test(
    "what the store cannot do is refused",
    arguments: [
      (#"{ "do": "set", "commitment": { "pack": 12 } }"#, "Pack is not a subscription"),
      (#"{ "do": "set", "codeStacks": { "stay": true } }"#, "There is no code \"stay\""),
      (#"{ "do": "set", "codeFor": { "stay": ["new"] } }"#, "There is no code \"stay\""),
      (#"{ "do": "set", "price": { "product": "pack", "amount": "6.00", "consent": "required" } }"#, "Pack is not a subscription"),
      (#"{ "do": "set", "originalPurchaseDate": "2999-01-01T00:00:00Z" }"#, "is in the future"),
      (#"{ "do": "family", "member": "Customer", "joins": true }"#, "\"customer\""),
      (#"{ "do": "extend", "product": "month", "by": "PT1S" }"#, "1 to 90 whole days"),
      (#"{ "do": "extend", "product": "month", "by": "P1M" }"#, "1 to 90 whole days"),
      (#"{ "do": "purchase", "product": "pack", "at": "2026-04-01T12:00:00Z" }"#, "in the future"),
      (#"{ "do": "purchase", "product": "year", "at": "2026-02-01T12:00:00Z" }"#, "Write 2026-03-01T12:00:00Z or later"),
    ])
  func refused(_ step: String, _ words: String) async throws {
    let more = """
      { "kind": "nonConsumable", "id": "pack", "name": "Pack", "price": { "amount": "2.00", "currency": "USD" }, "entitlements": ["pro"] }
      """
    let stay = #"{ "type": "promotional", "id": "stay", "mode": "freeTrial", "period": "P1M" }"#
    let catalog = Self.catalog.replacing(
      #""entitlements": ["pro"] } ] }"#, with: #""entitlements": ["pro"], "offers": [\#(stay)] }, \#(more) ] }"#)
    let scenario = try scenario(#"{ "do": "launch" }, { "do": "purchase", "product": "month" }, \#(step)"#)
    let report = await (try ScenarioRunner(scenario, catalog: Data(catalog.utf8))).run()
    #expect(report.problems.count == 1 && report.problems[0].title.contains(words), "\(report.problems)")
  }

  @Test("one plan of a group renews, and a refund of an earlier period does not hide billing retry") func oneRenewal() async throws {
    let report = try await run(
      """
      { "do": "purchase", "product": "year" }, { "do": "refund", "product": "year" }, { "advance": "P1D" },
      { "do": "purchase", "product": "month" }, { "do": "refund", "product": "year", "reverse": true },
      { "expect": [{ "product": "year", "owned": true, "willRenew": false, "renewsInto": null }, { "product": "month", "willRenew": true }] },
      { "do": "set", "payment": "fails", "gracePeriod": "P0D" }, { "advance": "P1M" },
      { "expect": { "product": "month", "state": "billingRetry" } }, { "do": "refund", "product": "month" },
      { "expect": { "product": "month", "state": "billingRetry", "willRenew": true } }
      """)
    #expect(report.passed && report.checks.count == 7, "\(report.failures) \(report.problems)")
  }

  @Test("equal mistakes of an update are reported once") func equalMistakes() throws {
    let scenario = try scenario(#"{ "do": "update", "set": { "features": { "story": null } } }"#)
    let catalog = Self.catalog.replacing(
      #"{ "story": "unlimited" } } }"#,
      with: #"{ "story": "unlimited" } }, "plus": { "title": "Plus", "grants": { "story": "unlimited" } } }"#)
    let runner = try ScenarioRunner(scenario, catalog: Data(catalog.utf8))
    let error = try #require(throws: ScenarioError.self) { try runner.checkNames() }
    #expect(error.diagnostics.count == 1, "\(error)")
  }

  @Test("a denial or a failure has its reason; a success has none") func why() async throws {
    let report = try await run(
      """
      { "do": "use", "feature": "story", "times": 3 }, { "do": "use", "feature": "storry" },
      { "do": "purchase", "product": "mont" }, { "do": "use", "feature": "play", "length": "PT10M" }
      """)
    #expect(report.entries.map(\.why) == [nil, "limitReached", "unknownFeature", "productUnavailable", nil])
    #expect(report.entries.last?.title == "use play for 10 minutes")
  }

  @Test("a fact about something the catalog lacks is kept, and reported") func unknownFacts() async throws {
    let report = try await run(
      """
      { "do": "record", "completion": "hats/blue" }, { "do": "record", "completion": "hats/red" },
      { "do": "record", "cap": { "feature": "storry", "amount": 1 } },
      { "do": "record", "grant": { "id": "g", "entitlements": ["pro", "prro"] } }
      """)
    let remarks = report.entries.map { $0.changes.filter { $0.hasPrefix("the catalog has no") } }
    #expect(
      remarks == [
        [], ["the catalog has no item hats/blue"], [], ["the catalog has no feature storry"], ["the catalog has no entitlement prro"],
      ])
  }

  @Test("notifications are listed at their step; a note is at the time of its step") func news() async throws {
    let report = try await run(
      """
      { "do": "purchase", "product": "month" }, { "advance": "P1D", "note": "A day later." }, { "advance": "P0D" }, { "advance": "P1M" }
      """)
    let news = report.entries.map { $0.notifications.map { "\($0.type) \($0.productID)" } }
    #expect(news == [[], ["SUBSCRIBED month"], [], [], ["DID_RENEW month"]])
    #expect(report.entries[2].note == "A day later." && report.entries[3].title == "no time passes")
  }

  @Test("a pending plan change is reported at once, and the status has the next plan") func becomes() async throws {
    let player = try ScenarioPlayer(catalog: Data(Self.catalog.utf8), start: Date(timeIntervalSince1970: 1_772_366_400))
    for product in ["month", "year"] {
      try await player.perform(stepJSON: #"{ "do": "\#(product == "month" ? "launch" : "load")" }"#)
      let entries = try await player.perform(stepJSON: #"{ "do": "purchase", "product": "\#(product)" }"#)
      if product == "year" {
        #expect(entries[0].changes.last == "Monthly is active, paid until 2026-04-01 12:00:00, then Yearly")
        #expect(player.status.next == "Monthly becomes Yearly")
      }
    }
    try await player.perform(stepJSON: #"{ "do": "refund", "product": "month" }"#)
    #expect(player.status.next == nil, "the end of a refunded period changes nothing")
    let nothing = try ScenarioPlayer(
      catalog: Data(#"{ "schemaVersion": 1, "app": { "id": "a", "name": "A" } }"#.utf8), start: player.now)
    try await nothing.perform(stepJSON: #"{ "do": "launch" }"#)
    #expect(nothing.status.description.hasSuffix("nothing for sale") && player.status.description.contains("nothing bought"))
  }
}

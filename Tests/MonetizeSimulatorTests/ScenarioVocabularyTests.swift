// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// Each key of a scenario has its documented effect, at every valid place.
@Suite("Scenario vocabulary", .timeLimit(.minutes(30)))
struct ScenarioVocabularyTests {
  private static let catalog = """
    { "schemaVersion": 1, "app": { "id": "test.words", "name": "Words" },
      "collections": { "hats": { "title": "Hats", "items": [{ "id": "red" }, { "id": "blue" }, { "id": "green" }] } },
      "features": { "story": { "allowance": "count", "per": "month" }, "hat": { "allowance": "items", "in": ["hats"] } },
      "freeTier": { "grants": { "story": 3, "hat": 2 } },
      "products": [
        { "kind": "subscription", "id": "month", "name": "Monthly", "group": "g", "level": 1, "period": "P1M",
          "price": { "amount": "6.99", "currency": "USD" }, "grants": { "story": "unlimited", "hat": "unlimited" },
          "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" },
            { "type": "winBack", "id": "back", "mode": "payUpFront", "period": "P3M", "price": { "amount": "9.99", "currency": "USD" } },
            { "type": "code", "id": "gift", "mode": "freeTrial", "period": "P1M" }] },
        { "kind": "nonConsumable", "id": "pack", "name": "Pack", "price": { "amount": "2.00", "currency": "USD" },
          "grants": { "story": "unlimited" } } ],
      "paywalls": { "default": { "title": "Words", "headline": "More", "benefits": [{ "title": "Stories", "features": ["story"] }],
        "preselected": "month", "trust": ["Cancel anytime"], "labels": { "purchase": "Buy" }, "actions": ["purchase", "dismiss"] },
        "usageLimitReached": { "subtitle": "All {limit} are told." } } }
    """

  private func run(_ steps: String, devices: String = #"{ "phone": "ann" }"#) async throws -> ScenarioReport {
    let json = #"{ "catalog": "c", "start": "2026-03-01T12:00:00Z", "devices": \#(devices), "steps": [\#(steps)] }"#
    return await (try ScenarioRunner(Scenario(json: Data(json.utf8)), catalog: Data(Self.catalog.utf8))).run()
  }

  private static let both = #"{ "do": "launch", "on": "phone" }, { "do": "launch", "on": "watch" }, "#

  @Test("An amount is expected with or without its currency, and with any zeros at its end; with several currencies, each is named")
  func amounts() async throws {
    func checks(_ texts: [String], after steps: String) async throws -> [ScenarioReport.Check] {
      let expectations = texts.map { #", { "expect": { "charged": "\#($0)" } }"# }.joined()
      return try await run(#"{ "do": "launch" }\#(steps)\#(expectations)"#).checks
    }
    let none = try await checks(["0.00", "0", "0 USD", "2.00", "2.00 USD"], after: "")
    #expect(none.map(\.holds) == [true, true, true, false, false])
    let pack = #", { "do": "purchase", "product": "pack" }"#
    let one = try await checks(["2.00", "2", "2.00 USD", "2.000 USD", "2.00 EUR", "1.99 USD"], after: pack)
    #expect(one.map(\.holds) == [true, true, true, true, false, false])
    #expect(one.map(\.found) == ["2.00", "2.00", "2.00 USD", "2.00 USD", "2.00 USD", "2.00 USD"])
    let again = #"""
      , { "do": "set", "price": { "product": "pack", "amount": "8.5", "currency": "EUR", "storefront": "DEU" } }, { "do": "refund", "product": "pack" },
      { "do": "set", "storefront": "DEU" }, { "do": "purchase", "product": "pack" }
      """#
    let both = try await checks(["2.00 USD + 8.50 EUR", "2.00 + 8.50", "8.50 EUR + 2.00 USD"], after: pack + again)
    #expect(both.map(\.holds) == [true, false, false], "\(both.map(\.found))")
  }

  @Test("On the App Store and by code, the sheet has the scenario's result") func elsewhere() async throws {
    let report = try await run(
      """
      { "do": "launch" },
      { "do": "purchase", "product": "pack", "from": "appStore", "sheet": "cancel", "expect": { "outcome": "cancelled", "transactions": 0 } },
      { "do": "purchase", "product": "month", "from": "code", "offer": "gift", "sheet": "cancel", "expect": { "outcome": "cancelled" } },
      { "do": "purchase", "product": "pack", "from": "appStore", "sheet": "askToBuy", "expect": { "outcome": "pending" } },
      { "do": "approve", "product": "pack", "expect": [{ "product": "pack", "owned": true }, { "charged": "2.00" }] },
      { "do": "purchase", "product": "month", "from": "code", "offer": "gift", "expect": { "outcome": "completed", "charged": "2.00" } },
      { "advance": "P1M" }, { "do": "renewal", "to": "off" }, { "advance": "P3M" },
      { "do": "purchase", "product": "month", "from": "appStore", "offer": "back", "expect": { "outcome": "completed", "charged": "18.98" } }
      """)
    #expect(report.passed && report.checks.count == 10, "\(report.failures) \(report.problems)")
  }

  @Test("Unused settings of a purchase do not apply to the next one") func leftovers() async throws {
    let report = try await run(
      """
      { "do": "launch" }, { "do": "set", "errors": { "purchase": { "error": "network", "times": 1 } } },
      { "do": "purchase", "product": "pack", "sheet": "cancel", "at": "2026-01-01", "expect": { "outcome": "failed" } },
      { "do": "purchase", "product": "pack", "expect": { "outcome": "completed", "log": [{ "date": "2026-03-01T12:00:00Z" }] } }
      """)
    #expect(report.passed && report.checks.count == 3, "\(report.failures) \(report.problems)")
  }

  @Test("A child's tap is a question of the child; a demo leaves no event") func taps() async throws {
    let report = try await run(
      """
      { "do": "launch" }, { "do": "record", "cap": { "feature": "story", "amount": 0 }, "as": "child:max" },
      { "do": "open", "feature": "story", "as": "child:max", "expect": { "outcome": "denied: parentalLimit" } },
      { "do": "open", "feature": "story", "expect": { "outcome": "content" } },
      { "expect": { "paywall": "featureRestricted", "feature": "hat", "item": "hats", "position": 3, "shown": true } },
      { "do": "record", "cap": { "feature": "hat", "amount": 0 }, "as": "child:max" },
      { "expect": { "paywall": "featureRestricted", "feature": "hat", "item": "hats/green", "as": "child:max", "shown": false } },
      { "expect": { "events": [] } },
      { "do": "open", "feature": "hat", "item": "hats/green", "as": "demo", "expect": { "outcome": "denied: notOffered" } },
      { "expect": { "events": [] } },
      { "do": "open", "feature": "hat", "item": "hats/green", "expect": { "events": ["paywallShown"] } }
      """)
    #expect(report.passed, "\(report.failures) \(report.problems)")
  }

  @Test(
    "Devices are the same when their snapshots are equal; differences are reported",
    arguments: [
      (#"{ "do": "use", "feature": "story" }"#, "story remaining is 2 on phone and 3 on watch"),
      (
        #"{ "do": "set", "network": "offline", "on": "watch" }, { "do": "renewal", "to": "off", "on": "phone" }"#,
        "month willRenew is no on phone and yes on watch"
      ),
      (#"{ "do": "account", "to": "ann", "on": "phone" }"#, "the account is ann on phone and none on watch"),
      (#"{ "do": "quit", "on": "watch" }"#, "the app is not running on watch"),
    ])
  func same(_ steps: String, _ words: String) async throws {
    let buy = steps.contains("renewal") ? #"{ "do": "purchase", "product": "month", "on": "phone" }, "# : ""
    let expect = #"{ "expect": { "same": ["phone", "watch"] } }"#
    let devices = #"{ "phone": "ann", "watch": "ann" }"#
    let report = try await run(Self.both + buy + steps + ", " + expect, devices: devices)
    #expect(report.failures.count == 1 && report.failures.first?.found.contains(words) == true, "\(report.checks) \(report.problems)")
    #expect(try await run(Self.both + buy + expect, devices: devices).passed)
  }

  @Test("Errors that are set on a device affect only that device") func errorsOfDevices() async throws {
    let report = try await run(
      Self.both + """
        { "do": "set", "on": "watch", "errors": { "purchase": { "error": "network" } } },
        { "do": "purchase", "on": "phone", "product": "pack", "expect": { "outcome": "completed" } },
        { "do": "purchase", "on": "watch", "product": "pack", "expect": { "outcome": "failed", "error": "network" } },
        { "do": "set", "errors": { "loadProducts": { "error": "system" } } },
        { "do": "load", "on": "phone", "expect": { "outcome": "failed" } }, { "do": "load", "on": "watch", "expect": { "outcome": "failed" } }
        """, devices: #"{ "phone": "ann", "watch": "bob" }"#)
    #expect(report.passed && report.checks.count == 5, "\(report.failures) \(report.problems)")
  }

  @Test("The next change and renewal are those of any device, or of the named one") func next() async throws {
    let devices = #"{ "phone": "ann", "watch": "bob" }"#
    let buy = Self.both + #"{ "do": "purchase", "product": "month", "on": "watch" }, "#
    let any = try await run(buy + #"{ "advance": "nextRenewal" }"#, devices: devices)
    #expect(any.passed && any.entries.last?.date == ISODate.parse("2026-03-08T12:00:00Z", in: Calendar.storeCalendar.timeZone))
    let named = try await run(buy + #"{ "advance": "nextChange", "on": "phone" }"#, devices: devices)
    #expect(named.entries.last?.date == ISODate.parse("2026-04-01T00:00:00Z", in: Calendar.storeCalendar.timeZone), "\(named.problems)")
    let none = try await run(buy + #"{ "advance": "nextRenewal", "on": "phone" }"#, devices: devices)
    #expect(none.problems.first?.title.contains("Nothing is due") == true)
  }

  @Test("Apple's notifications are listed with their step, in full") func notifications() async throws {
    let report = try await run(
      """
      { "do": "launch" }, { "do": "purchase", "product": "month" }, { "advance": "P10D" }, { "do": "renewal", "to": "off" },
      { "do": "refund", "product": "month", "reason": "developerIssue" }, { "advance": "P5D" }
      """)
    #expect(
      report.entries.map { $0.notifications.map(\.type.rawValue) } == [
        [], ["SUBSCRIBED"], ["DID_RENEW"], ["DID_CHANGE_RENEWAL_STATUS"], ["REFUND"], [],
      ])
    let bought = try #require(report.entries[1].notifications.first)
    #expect(bought.status == .active && bought.offerType == 1 && bought.offerDiscountType == "FREE_TRIAL")
    #expect(bought.transactionReason == .purchase && bought.customer == "ann" && bought.environment == .production)
    #expect(report.entries[4].notifications.first?.revocationReason == 1)
  }

  @Test("Every fact of a notification can be expected, and the found value is reported") func log() async throws {
    let story = """
      { "do": "launch" }, { "do": "purchase", "product": "month" }, { "do": "renewal", "to": "off" }, { "advance": "P7D" },
      """
    let report = try await run(
      story + """
        { "expect": { "log": [
          { "type": "SUBSCRIBED", "subtype": "INITIAL_BUY", "product": "month", "status": 1, "offerType": 1, "offerDiscountType": "FREE_TRIAL",
            "transactionReason": "PURCHASE", "revocationReason": null, "environment": "production", "customer": "ann",
            "date": "2026-03-01T12:00:00Z", "expirationIntent": null },
          "DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED month",
          { "type": "EXPIRED", "subtype": "VOLUNTARY", "status": 2, "expirationIntent": 1 } ] } }
        """)
    #expect(report.passed && report.checks.count == 1, "\(report.failures)")
    let wrong = try await run(
      story + #"{ "expect": { "log": [{ "status": 1 }, { "type": "DID_CHANGE_RENEWAL_STATUS" }, { "expirationIntent": 2 }] } }"#)
    #expect(wrong.failures.first?.found == "[{status: 1}, {type: DID_CHANGE_RENEWAL_STATUS}, {expirationIntent: 1}]")
  }

  @Test("Money has bounds") func money() async throws {
    let buy = #"{ "do": "launch" }, { "do": "purchase", "product": "pack" }, "#
    #expect(try await run(buy + #"{ "expect": { "charged": { "atLeast": 1, "atMost": "2.00" }, "refunded": { "atMost": 0 } } }"#).passed)
    let report = try await run(buy + #"{ "expect": { "charged": { "atLeast": "2.01" } } }"#)
    #expect(report.failures.first?.expected == "at least 2.01")
  }

  @Test("A position names the item at that place in the collection, at that time") func position() async throws {
    let report = try await run(
      """
      { "do": "launch" },
      { "expect": [{ "feature": "hat", "item": "hats", "position": 2, "allowed": true },
        { "feature": "hat", "item": "hats", "position": 3, "allowed": false },
        { "feature": "hat", "item": "hats", "position": 4, "error": "unknownItem" }] },
      { "do": "open", "feature": "hat", "item": "hats", "position": 3, "expect": { "outcome": "paywall: featureRestricted" } }
      """)
    #expect(report.passed && report.checks.count == 4, "\(report.failures) \(report.problems)")
  }

  @Test("Every text of a paywall can be expected") func paywall() async throws {
    let report = try await run(
      """
      { "do": "launch" },
      { "expect": { "paywall": "settings", "shown": true, "placement": "settings", "products": ["month", "pack"], "title": "Words",
        "headline": "More", "subtitle": null, "benefits": [{ "title": "Stories", "features": ["story"] }], "preselected": "month",
        "actions": ["purchase", "dismiss"], "labels": { "purchase": "Buy" }, "purchaseLabel": null, "trust": ["Cancel anytime"],
        "prompt": null } },
      { "do": "purchase", "product": "pack" }, { "expect": { "paywall": "settings", "products": ["month"] } }
      """)
    #expect(report.passed && report.checks.count == 14, "\(report.failures)")
  }

  @Test("An open paywall shows its own words and the customer's terms, and is open until it is closed") func openPaywall() async throws {
    let report = try await run(
      """
      { "do": "launch" }, { "expect": { "paywall": "usageLimitReached", "shown": true, "open": false } },
      { "do": "use", "feature": "story", "times": 3 }, { "do": "open", "feature": "story" },
      { "expect": [{ "paywall": "usageLimitReached", "open": true, "subtitle": "All 3 are told." }, { "paywall": "settings", "open": false }] },
      { "do": "dismiss" }, { "expect": { "paywall": "usageLimitReached", "open": false } },
      { "do": "open", "feature": "hat", "item": "hats/green" }, { "do": "dismiss" }, { "do": "purchase", "product": "month" }, { "do": "renewal", "product": "month", "to": "off" },
      { "do": "set", "price": { "product": "month", "amount": "7.99" } }, { "advance": "P8D" },
      { "do": "open", "feature": "hat", "item": "hats/green" }
      """)
    #expect(report.passed && report.checks.count == 6, "\(report.failures)")
    let opened = report.entries.filter { $0.outcome == "paywall: featureRestricted" }.map { $0.changes.joined(separator: " | ") }
    #expect(opened.first?.contains("Monthly  6.99 USD a month, 7 days free") == true, "\(opened)")
    #expect(opened.last?.hasSuffix("Monthly  7.99 USD a month | can: Buy, dismiss") == true, "\(opened)")
  }

  @Test("A purchase is finished when any device of the customer has finished it") func finished() async throws {
    let report = try await run(
      """
      { "do": "launch", "on": "phone" }, { "do": "launch", "on": "watch" },
      { "do": "purchase", "product": "pack", "on": "phone", "crashAt": "store" },
      { "expect": [{ "product": "pack", "on": "watch", "finished": true }, { "product": "pack", "on": "watch", "owned": true }] },
      { "do": "launch", "on": "phone" }, { "expect": { "product": "pack", "finished": true } }
      """, devices: #"{ "phone": "ann", "watch": "ann" }"#)
    #expect(report.passed && report.checks.count == 3, "\(report.failures)")
  }

  @Test("Only money that was paid is listed, with its environment") func environments() async throws {
    let report = try await run(
      """
      { "do": "launch" }, { "do": "purchase", "product": "pack" }, { "do": "set", "environment": "sandbox" },
      { "do": "purchase", "product": "pack", "from": "appStore" }, { "do": "set", "environment": "production" }
      """)
    let money = report.entries.map { $0.money.map { "\($0.charged) \($0.environment)" } }
    #expect(money == [[], ["2.00 USD production"], [], ["2.00 USD sandbox"], []])
  }

  @Test("An offer that the store lacks or does not report is unknown") func offers() async throws {
    let report = try await run(
      """
      { "do": "launch" },
      { "expect": { "product": "month", "offers": { "introductory": "eligible", "back": "ineligible", "nope": "unknown" } } },
      { "do": "set", "network": "offline" }, { "expect": { "product": "month", "offers": { "introductory": "unknown" } } }
      """)
    #expect(report.passed && report.checks.count == 2, "\(report.failures)")
  }

  @Test("A mistake in the header's store is reported at its own line") func header() async throws {
    let json = """
      { "catalog": "c", "start": "2026-03-01T12:00:00Z",
        "store": { "price": { "product": "gone", "amount": "1.00" } },
        "steps": [{ "do": "launch" }] }
      """
    let report = await (try ScenarioRunner(Scenario(json: Data(json.utf8)), catalog: Data(Self.catalog.utf8))).run()
    #expect(report.problems.map(\.line) == [2])
  }
}

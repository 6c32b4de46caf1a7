// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

/// A report prints why the store refuses an offer. An app only receives `ineligibleForOffer`.
@Suite("Why an offer is refused", .timeLimit(.minutes(30)))
struct OfferRefusalTests {
  private static let catalog = Data(
    #"""
    { "schemaVersion": 1, "app": { "id": "com.example.app", "name": "App" }, "features": { "export": { "title": "Export" } },
      "products": [
        { "kind": "subscription", "id": "monthly", "name": "Monthly", "group": "pro", "level": 1, "period": "P1M",
          "price": { "amount": "8.99", "currency": "USD" }, "grants": { "export": true },
          "offers": [
            { "type": "introductory", "id": "try", "mode": "freeTrial", "period": "P7D" },
            { "type": "promotional", "id": "stay", "mode": "freeTrial", "period": "P1M" },
            { "type": "promotional", "id": "over", "mode": "freeTrial", "period": "P1M", "until": "2026-01-01T00:00:00Z" },
            { "type": "code", "id": "gift", "mode": "freeTrial", "period": "P1M" },
            { "type": "winBack", "id": "back", "mode": "freeTrial", "period": "P1M" }] },
        { "kind": "subscription", "id": "yearly", "name": "Yearly", "group": "pro", "level": 1, "period": "P1Y",
          "price": { "amount": "49.99", "currency": "USD" }, "grants": { "export": true } }] }
    """#.utf8)

  /// Performs steps, and returns what is printed below the last one.
  private func last(_ steps: String...) async throws -> [String] {
    let start = try #require(ISODate.parse("2026-03-01T12:00:00Z", in: Calendar.storeCalendar.timeZone))
    let player = try ScenarioPlayer(catalog: Self.catalog, start: start)
    var changes: [String] = []
    for step in [#"{ "do": "launch" }"#] + steps { changes = try await player.perform(stepJSON: step).last?.changes ?? [] }
    return changes
  }

  private static func buy(_ product: String = "monthly", offer: String? = nil) -> String {
    #"{ "do": "purchase", "product": "\#(product)"\#(offer.map { #", "offer": "\#($0)""# } ?? "") }"#
  }
  private static let end = #"{ "do": "expire", "product": "monthly" }"#

  @Test("an offer that is over, a promotional offer of a new customer, a second introductory offer")
  func other() async throws {
    #expect(try await last(Self.buy(offer: "over")) == ["It is not enabled now."])
    #expect(try await last(Self.buy("yearly", offer: "stay")) == ["The product has no offer \"stay\"."])
    let promotional = "A promotional offer is for customers who subscribe or have subscribed in this group."
    #expect(try await last(Self.buy(offer: "stay")) == [promotional])
    #expect(
      try await last(Self.buy(), Self.end, Self.buy(offer: "try")) == ["The customer has used an introductory offer of this group."])
  }

  @Test("a code for other customers, and a code that was redeemed")
  func codes() async throws {
    let redeem = #"{ "do": "purchase", "product": "monthly", "offer": "gift", "from": "code" }"#
    let existing = #"{ "do": "set", "codeFor": { "gift": ["existing"] } }"#
    #expect(try await last(existing, redeem) == ["The code is not for new subscribers, such as this customer."])
    #expect(try await last(redeem, Self.end, redeem) == ["The code was redeemed before."])
  }

  @Test("a win-back offer before the end, too soon after it, after another plan, without a paid month, and twice")
  func winBack() async throws {
    let (back, month) = (Self.buy(offer: "back"), #"{ "advance": "P1M" }"#)
    #expect(try await last(back) == ["A win-back offer is for customers whose subscription has ended."])
    #expect(try await last(Self.buy(), back) == ["A win-back offer is for customers whose subscription has ended."])
    #expect(
      try await last(Self.buy(), month, Self.end, back) == [
        "The plan ended on 2026-04-01T12:00:00Z, so the customer may use it from 2026-05-01T12:00:00Z to 2028-04-01T12:00:00Z."
      ])
    #expect(
      try await last(Self.buy(), Self.end, month, back) == [
        "The customer has paid for 0 of 1 required months."
      ])
    let yearly = #"{ "do": "expire", "product": "yearly" }"#
    #expect(try await last(Self.buy("yearly"), month, yearly, month, month, back) == ["The customer's last plan is Yearly."])
    let again = try await last(Self.buy(), month, month, Self.end, month, back, Self.end, month, back)
    #expect(again == ["The customer has used it recently. The next time is from 2026-08-01T12:00:00Z on."])
  }
}

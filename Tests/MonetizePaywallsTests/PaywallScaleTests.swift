// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import Testing

@Suite("The cost of a paywall", .timeLimit(.minutes(30)), .serialized)
struct PaywallScaleTests {
  /// A catalog with so many plans of one group, each with a trial.
  private static func catalog(_ count: Int) throws -> Catalog {
    let plans = (0..<count).map { number in
      let trial = #""offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P7D" }]"#
      let price = #"{ "amount": "\#(number + 1).99", "currency": "USD" }"#
      return #"{ "kind": "subscription", "id": "s\#(number)", "name": "S\#(number)", "group": "g", "level": 1, "period": "P1M", "#
        + #""price": \#(price), \#(trial), "grants": { "f": true } }"#
    }
    let json = """
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": {} }, "products": [\(plans.joined(separator: ", "))],
        "paywalls": { "default": { "headline": "All" } } }
      """
    return try Catalog(json: Data(json.utf8))
  }

  /// The shortest of three times to make the screen, and the screen.
  private static func measured(_ count: Int) throws -> (time: Duration, screen: PaywallScreen) {
    let catalog = try catalog(count)
    let (snapshot, listings) = (Screens.snapshot(catalog), Screens.products(catalog))
    let request = AccessRequest("f")
    let paywall = try #require(snapshot.paywall(for: snapshot.decision(for: request), request: request))
    var screen = PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(listings))
    let times = (0..<3).map { _ in
      ContinuousClock().measure { screen = PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(listings)) }
    }
    return (try #require(times.min()), screen)
  }

  @Test("The screen of many plans takes a time that grows with their number, not with its square") func plans() throws {
    let (few, many) = (try Self.measured(250), try Self.measured(4000))
    #expect(many.time < few.time * 80, "\(few.time) for 250 plans, \(many.time) for 4,000")
    #expect(many.screen.options.count == 4000 && many.screen.options.allSatisfy { $0.trial != nil })
    // Against the most expensive one.
    #expect(many.screen.options[0].savingPercent == 99 && many.screen.options[3999].savingPercent == nil)
    #expect(many.screen.options[1999].savingPercent == 49)
  }
}

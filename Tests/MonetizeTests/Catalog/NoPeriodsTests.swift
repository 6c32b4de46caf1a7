// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// MAZE-30: validation verifies the claim that time changes nothing by the meaning of a file's parts, not only by their keys.
@Suite("The claim noPeriods", .timeLimit(.minutes(30)))
struct NoPeriodsTests {
  /// Open for some hours of each day: an app's own shape, with unknown keys.
  struct Hours: AllowanceShape {
    static let name = "testHours"
    struct Grant: Allowance, Decodable {
      let until: Int
      var changesWithTime: Bool { until < 24 }
      init(from decoder: any Decoder) throws { until = try decoder.singleValueContainer().decode(Int.self) }
      private init(until: Int) { self.until = until }
      func joined(with other: Self) -> Self { Grant(until: max(until, other.until)) }
      func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
        Int(context.now.timeIntervalSince1970) % 86400 < until * 3600 ? .allowed : .denied("tooLate")
      }
    }
  }

  /// An app's own kind that expires.
  struct Rental: ProductKind {
    static let name = "testRental"
    let lasts: Period
    var changesWithTime: Bool { true }
    func ownership(from history: ProductHistory, at now: Date) -> Ownership {
      .latest(of: history.transactions.map { .until(lasts.added(to: $0.purchaseDate, in: .storeCalendar)) }, at: now)
    }
  }

  private func broken(_ features: String, free: String = "", product: String = "") -> [String] {
    let text = """
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "claims": ["noPeriods"],
        "features": { "pages": {}, \(features) }, "freeTier": { "grants": { "pages": true\(free) } }, "products": [\(product)] }
      """
    let reading = Catalog.reading(
      Data(text.utf8), kinds: .standard.adding(Rental.self), shapes: .standard.adding(Hours.self))
    let errors = reading.diagnostics.filter { $0.severity == .error }
    #expect(errors.allSatisfy { $0.code == "claim.noPeriods" && $0.message.hasSuffix("the claim.") }, "\(errors)")
    return errors.map(\.path)
  }

  @Test("a window depends on time, in any grant; unlimited is not a window") func window() {
    let shape = #""trends": { "allowance": "window", "aliases": ["history"] }"#
    #expect(broken(shape, free: #", "trends": "P7D""#) == ["freeTier.grants.trends"])
    #expect(broken(shape, free: #", "history": "P7D""#) == ["freeTier.grants.history"])
    let product = #"{ "kind": "nonConsumable", "id": "p", "name": "P", "grants": { "trends": "P30D" } }"#
    #expect(broken(shape, product: product) == ["products[0].grants.trends"])
    #expect(broken(shape, free: #", "trends": "unlimited""#) == [])
  }

  @Test("counts and durations by a day, a rolling length or a purchase are periods, each reported once") func counts() {
    for per in [#""day""#, #""P7D""#, #"{ "anchored": "P1M" }"#] {
      #expect(broken(#""a": { "allowance": "count", "per": \#(per) }"#, free: #", "a": 3"#) == ["features.a.per"])
      #expect(broken(#""a": { "allowance": "duration", "per": \#(per) }"#, free: #", "a": "PT30M""#) == ["features.a.per"])
      #expect(
        broken(#""a": { "allowance": "count" }"#, free: #", "a": { "limit": 3, "per": \#(per) }"#) == ["freeTier.grants.a.per"])
    }
  }

  @Test("a limit for ever is not a period, in any notation") func lifetime() {
    #expect(broken(#""a": { "allowance": "count", "per": "lifetime" }"#, free: #", "a": 3"#) == [])
    #expect(broken(#""a": { "allowance": "duration" }"#, free: #", "a": "PT30M""#) == [])
    #expect(broken(#""a": { "allowance": "capacity" }"#, free: #", "a": 1"#) == [])
  }

  @Test("a subscription and a pass are for a time, by their period and once") func kinds() {
    let pass = #"{ "kind": "nonRenewing", "id": "p", "name": "P", "period": "P10D", "grants": { "pages": true } }"#
    #expect(broken(#""a": { "allowance": "capacity" }"#, free: #", "a": 1"#, product: pass) == ["products[0].period"])
  }

  @Test("an app's own shapes and kinds declare it themselves") func plugIns() {
    let hours = #""night": { "allowance": "testHours" }"#
    #expect(broken(hours, free: #", "night": 20"#) == ["freeTier.grants.night"])
    #expect(broken(hours, free: #", "night": 24"#) == [])
    let rental = #"{ "kind": "testRental", "id": "p", "name": "P", "lasts": "P2D", "grants": { "pages": true } }"#
    #expect(broken(hours, free: #", "night": 24"#, product: rental) == ["products[0].kind"])
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools
import Testing

@testable import MonetizeReports

/// The uses that a forecast expects, those that the engine allows in a population with the same assumptions, the refusals of a replay, and the
/// losses of a diff agree.
@Suite("Uses: laws over random catalogs", .timeLimit(.minutes(30)))
struct UseLawTests {
  /// A random catalog whose uses cost 1 each.
  private struct Trial {
    let json: String
    let months: Int

    init(_ random: inout SplitMix64) {
      func draw(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
      func number(_ range: ClosedRange<Int>) -> String { "\(Int.random(in: range, using: &random))" }
      let periods = ["day", "week", "month"]
      func grants(_ more: String = "") -> String {
        let granted = ["a", "b"].filter { _ in Bool.random(using: &random) }.map { feature in
          let limit = #"{ "limit": \#(number(1...12)), "per": "\#(draw(periods + ["P10D"]))" }"#
          return #""\#(feature)": \#(draw([number(1...12), #""unlimited""#, limit]))"#
        }
        return #""grants": { \#((granted + [more].filter { !$0.isEmpty }).joined(separator: ", ")) }"#
      }
      let features = ["a", "b"].map { feature in
        #""\#(feature)": { "allowance": "count"\#(draw(["", #", "per": "\#(draw(periods))""#])) }"#
      }
      let products = (0..<Int.random(in: 1...3, using: &random)).map { product in
        let plan = #""subscription", "group": "g\#(product)", "level": 1"#
        let kind = draw([
          #""nonConsumable""#, plan + #", "period": "P1M""#, plan + #", "period": "P1Y""#,
          #""nonRenewing", "period": "P2M""#, #""consumable""#,
        ])
        let credits = #""credits": { "\#(draw(["a", "b"]))": \#(number(1...20)) }"#
        return #"{ "kind": \#(kind), "id": "p\#(product)", "name": "P\#(product)", "#
          + #"\#(kind == #""consumable""# ? credits : grants(#""x": true"#)), "price": { "amount": "5.00", "currency": "USD" } }"#
      }
      let uses = ["a", "b"].map { #""\#($0)": { "free": "\#(number(0...15))", "paid": "\#(number(0...30))" }"# }
      months = Int.random(in: 1...4, using: &random)
      json = #"""
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { \#(grants()) },
          "features": { "x": {}, \#(features.joined(separator: ", ")) }, "products": [\#(products.joined(separator: ", "))],
          "forecast": { "t": { "conversion": "\#(draw(["0", "0.5", "1"]))", "costPerUse": "1", "uses": { \#(uses.joined(separator: ", ")) } } } }
        """#
    }
  }

  @Test("A population uses about what the forecast expects, and a replay refuses the same, whatever is free, sold and wanted") func law()
    throws
  {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["MONETIZE_SEED"].flatMap(UInt64.init) ?? 1
    for seed in first..<first + (environment["MONETIZE_CATALOGS"].flatMap(UInt64.init) ?? 30) {
      var random = SplitMix64(seed: seed)
      let trial = Trial(&random)
      var options = Population.Options()
      (options.customers, options.months, options.seed) = (100, trial.months, seed)
      let catalog = try Catalog(json: Data(trial.json.utf8))
      let played = try Population(catalog, options)
      let rows = Replay(EventLog(played.events), catalog, zone: Calendar.storeCalendar.timeZone).rows
      let refused = played.months.reduce(0) { $0 + $1.denials }
      let (inLog, now) = (rows.reduce(0) { $0 + $1.refusedInLog }, rows.reduce(0) { $0 + $1.refusedNow })
      #expect(inLog == refused && now == refused, "MONETIZE_SEED=\(seed): replay \(refused) \(inLog) \(now), \(trial.json)")
      let expected = played.expected.reduce(0) { $0 + $1.costs.double }
      let uses = Double(played.months.reduce(0) { $0 + $1.uses })
      // By chance, up to two thirds of the customers buy where half of them would. Two limits together allow more than the larger one. A limit
      // of a day refuses some of the uses that a month would allow, and who buys at once has no free uses for a lifetime before.
      let isLikely = uses <= expected * 1.4 + 100 && uses >= expected * 0.25 - 100
      #expect(isLikely, "MONETIZE_SEED=\(seed): \(uses) of \(expected), \(trial.json)")
    }
  }

  @Test("What the diff of a changed limit calls no loss refuses no use of a log") func diff() throws {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["MONETIZE_SEED"].flatMap(UInt64.init) ?? 1
    for seed in first..<first + (environment["MONETIZE_CATALOGS"].flatMap(UInt64.init) ?? 20) {
      var random = SplitMix64(seed: seed)
      let (trial, other) = (Trial(&random), Trial(&random))
      guard let old = try? JSONSerialization.jsonObject(with: Data(trial.json.utf8)) as? [String: Any],
        let new = try? JSONSerialization.jsonObject(with: Data(other.json.utf8)) as? [String: Any]
      else { continue }
      var changed = old
      if Bool.random(using: &random) { changed["freeTier"] = new["freeTier"] }
      if var products = old["products"] as? [[String: Any]], let others = new["products"] as? [[String: Any]] {
        for index in products.indices where Bool.random(using: &random) {
          products[index]["grants"] = others.randomElement(using: &random)?["grants"]
        }
        changed["products"] = products
      }
      let (oldJSON, newJSON) = (Data(trial.json.utf8), try JSONSerialization.data(withJSONObject: changed, options: .sortedKeys))
      guard let catalog = try? Catalog(json: newJSON), let before = try? Catalog(json: oldJSON) else { continue }
      let losses = try CatalogDiff(old: oldJSON, new: newJSON).changes.filter {
        [.takenAway, .identity, .everyoneLoses].contains($0.topic)
      }
      var options = Population.Options()
      (options.customers, options.months, options.seed) = (60, trial.months, seed)
      let played = try Population(before, options)
      for row in Replay(EventLog(played.events), catalog, zone: Calendar.storeCalendar.timeZone).rows
      where !losses.contains(where: { $0.feature == row.feature }) {
        // A diff compares what was paid for without what is free: together they allow a little more, because one may begin anew first.
        let most = row.refusedInLog + row.refusedInLog / 4 + 3
        #expect(row.refusedNow <= most, "MONETIZE_SEED=\(seed): \(row.feature), \(trial.json) \(String(decoding: newJSON, as: UTF8.self))")
      }
    }
  }
}

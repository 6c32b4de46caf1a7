// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools
import Testing

@testable import MonetizeReports

/// Experiments in a population, in the figures of its log, and in a forecast.
@Suite("Experiments of a population", .timeLimit(.minutes(30)))
struct ExperimentPopulationTests {
  private static let experiments = #"""
    "price": { "coverage": 0.6, "arms": [{ "id": "low", "weight": 0.5 }, { "id": "high", "weight": 0.5, "products": ["p.high"] }] },
    "limit": { "arms": [{ "id": "three", "weight": 0.5 },
      { "id": "five", "weight": 0.5, "set": { "freeTier": { "grants": { "story": 5 } } } }] }
    """#

  private func catalog(_ experiments: String = Self.experiments, more: String = "") throws -> Catalog {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 3 } },
        "features": { "story": { "allowance": "count", "per": "month" } },
        "products": [
          { "kind": "nonConsumable", "id": "p", "name": "P", "price": { "amount": "2.00", "currency": "USD" }, "grants": { "story": 99 } },
          { "kind": "nonConsumable", "id": "p.high", "variantOf": "p", "name": "P", "price": { "amount": "3.00", "currency": "USD" },
            "grants": { "story": 99 } },
          { "kind": "nonConsumable", "id": "q", "name": "Q", "price": { "amount": "9.00", "currency": "USD" }, "grants": { "story": 99 } }],
        "experiments": { \#(experiments) },
        "forecast": { "x": { "conversion": "0.5", "mix": { "p": "3", "q": "1" }\#(more),
          "uses": { "story": { "free": "4", "paid": "6" } } } } }
      """#
    return try Catalog(json: Data(json.utf8))
  }

  private func played(_ catalog: Catalog, _ customers: Int, _ change: (inout Population.Options) -> Void = { _ in }) throws -> Population {
    var options = Population.Options()
    (options.customers, options.months) = (customers, 2)
    change(&options)
    return try Population(catalog, options)
  }

  @Test("Each customer has the arm that the app gives the installation, pays its price and has its limit") func arms() throws {
    let catalog = try catalog()
    let played = try played(catalog, 2000)
    let log = Dictionary(grouping: played.events, by: EventLog.customer)
    #expect(log.count == 2000)
    var counts: [String: Int] = [:]
    for (customer, events) in log {
      let own = catalog.experiments.compactMap { experiment in experiment.arm(for: customer).map { "\(experiment.id) \($0.id)" } }
      #expect(events.filter { $0.name == .experimentExposed }.map { "\($0.experiment ?? "") \($0.arm ?? "")" } == own, "\(customer)")
      for arm in own { counts[arm, default: 0] += 1 }
      let bought = events.filter { $0.name == .purchaseCompleted }.compactMap { $0.product?.rawValue }
      #expect(bought.allSatisfy { $0 == "q" || $0 == (own.contains("price high") ? "p.high" : "p") }, "\(customer) bought \(bought)")
      // Four wishes a month: one too many for three.
      if bought.isEmpty {
        let refused = events.filter { $0.name == .usageLimitReached }.count
        #expect(refused == (own.contains("limit five") ? 0 : 2), "\(customer): \(refused)")
      }
    }
    #expect(
      played.arms.map { "\($0.experiment) \($0.arm) \($0.customers)" }
        == ["price low", "price high", "limit three", "limit five"].map { "\($0) \(counts[$0] ?? 0)" })
    #expect(played.text.contains("\nArms\n  experiment    arm  customers\n"))
    #expect(played.text.contains("\nlimit: if 50 % of the customers of one arm pay, a difference shows from 56."))
  }

  @Test("The forecast beside it is of the same arms") func expected() throws {
    let played = try played(try catalog(), 4000)
    let high = Double(played.arms.first { $0.arm == "high" }?.customers ?? 0)
    // Three of four payers buy the product that has two prices.
    let gross = 0.5 * (0.75 * ((4000 - high) * 2 + high * 3) + 0.25 * 4000 * 9)
    #expect(abs(played.expected[0].payments - 2000) < 1e-6 && abs(played.expected[0].gross.double - gross) < 1e-3)
    // A tenth for each use: six by a payer, and of the four that others want as many as their arm allows.
    let priced = try self.played(self.catalog(more: #", "costPerUse": { "story": "0.1" }"#), 4000)
    let three = Double(priced.arms.first { $0.arm == "three" }?.customers ?? 0)
    #expect(abs(priced.expected[0].costs.double - 0.1 * 0.5 * (4000 * 6 + three * 3 + (4000 - three) * 4)) < 1e-3)
    #expect(played.bands[0].low < 2000 && played.bands[0].high > 2000 && played.bands[0].high - played.bands[0].low < 150)
    #expect(abs(played.months[0].gross.double / gross - 1) < 0.05)
  }

  @Test("The arms of the log's figures have the customers, the payers and the sums of the log") func funnel() throws {
    let catalog = try catalog()
    let played = try played(catalog, 1000)
    let funnel = Funnel(EventLog(played.events), catalog, by: .experiment)
    let rows = try #require(funnel.split).rows
    #expect(Set(rows.map(\.group)) == ["limit five", "limit three", "price high", "price low"] && funnel.splitNotes.isEmpty)
    for row in rows {
      let arm = row.group.split(separator: " ").map(String.init)
      let customers = Set(
        played.events.filter { $0.experiment?.rawValue == arm[0] && $0.arm == arm[1] }.map(EventLog.customer))
      let paid = played.events.filter { $0.name == .purchaseCompleted && customers.contains(EventLog.customer(of: $0)) }
      let sum = paid.compactMap { $0.price?.amount }.reduce(0, +)
      #expect(row.cells[0].text == "\(customers.count)" && row.cells[1].text == "\(paid.count)")
      #expect(row.cells[4].text == "\(Money.text(sum, decimals: 2)) USD", "\(row)")
    }
  }

  @Test("Arms whose customers do not fit their weights are reported with the cause to look for") func mismatch() throws {
    let catalog = try catalog()
    let played = try played(catalog, 2000)
    let lost = played.events.filter { $0.arm != "five" || $0.customer?.hasSuffix("1") == true }
    let funnel = Funnel(EventLog(lost), catalog, by: .experiment)
    #expect(funnel.splitNotes.count == 1)
    #expect(funnel.splitNotes.first?.hasPrefix("The arms of limit do not fit their weights: three has ") == true)
    #expect(funnel.text.contains("\nThe arms of limit do not fit") && funnel.html.contains("The arms of limit do not fit"))
    #expect(Funnel(EventLog(lost), catalog).splitNotes.isEmpty)
    // After its end, an experiment has one arm, and old exposures of all.
    let ended = try self.catalog(
      Self.experiments.replacingOccurrences(of: #""limit": {"#, with: #""limit": { "stopped": "five","#))
    #expect(Funnel(EventLog(lost), ended, by: .experiment).splitNotes.isEmpty)
  }

  @Test("All customers can have the same arms, and overlays apply over arms") func chosen() throws {
    let catalog = try catalog()
    let high = try #require(catalog.experiments[0].arm(named: "high"))
    let chosen = try played(catalog, 400) { $0.arms = [high] }
    #expect(chosen.arms.isEmpty && !chosen.events.contains { $0.name == .experimentExposed } && !chosen.text.contains("Arms"))
    let products = Set(chosen.events.compactMap(\.product?.rawValue))
    #expect(products == ["p.high", "q"])
    let four = #"[{ "id": "four", "patch": { "freeTier": { "grants": { "story": 4 } } } }]"#
    let overlays = try Overlay.list(json: Data(four.utf8))
    let over = try played(catalog, 400) { $0.overlays = overlays }
    #expect(over.months[0].denials == 0 && over.arms.count == 4)
  }

  @Test("An ended experiment gives all customers its arm, and exposes none to it") func stopped() throws {
    let played = try played(
      catalog(Self.experiments.replacingOccurrences(of: #""limit": {"#, with: #""limit": { "stopped": "five","#)), 200)
    #expect(played.months[0].denials == 0 && !played.events.contains { $0.experiment == "limit" })
  }

  @Test("In an arm without monetization no customer pays or is refused; where no customer pays at all, there is no forecast") func off()
    throws
  {
    let catalog = try catalog(
      #""free": { "arms": [{ "id": "paid", "weight": 0.5 }, { "id": "off", "weight": 0.5, "set": { "monetization": "off" } }] }"#)
    let played = try played(catalog, 1000)
    let off = Set(played.events.filter { $0.arm == "off" }.map(EventLog.customer))
    #expect(off.count > 400)
    let others = played.events.filter { $0.name == .purchaseCompleted || $0.name == .usageLimitReached }
    #expect(!others.isEmpty && others.allSatisfy { !off.contains(EventLog.customer(of: $0)) })
    #expect(abs(played.expected[0].payments - Double(1000 - off.count) / 2) < 1e-6)
    let arm = try #require(catalog.experiments[0].arm(named: "off"))
    let problem = #expect(throws: ToolProblem.self) { try Forecast(catalog.applying(arms: [arm])) }
    #expect(problem?.description.contains("A sells nothing while \"monetization\" is \"off\".") == true)
    #expect(throws: ToolProblem.self) { try self.played(catalog, 10) { $0.arms = [arm] } }
  }

  @Test("An experiment by account is played as well: each customer has an account") func account() throws {
    let played = try played(catalog(Self.experiments.replacingOccurrences(of: #""limit": {"#, with: #""limit": { "unit": "account","#)), 50)
    #expect(played.events.filter { $0.experiment == "limit" }.count == 50)
  }

  @Test("More than a hundred combinations of arms are refused, with the way out") func many() throws {
    let all = (0..<7).map { #""e\#($0)": { "arms": [{ "id": "a", "weight": 0.5 }, { "id": "b", "weight": 0.5 }] }"# }
    let problem = #expect(throws: ToolProblem.self) { try played(catalog(all.joined(separator: ",")), 2000) }
    #expect(problem?.description.contains("combinations of arms") == true && problem?.description.contains("--arm") == true)
    _ = try played(catalog(all.prefix(6).joined(separator: ",")), 2000)
  }

  @Test("A product at another price has the share and the retention of the product whose place it takes") func assumptions() throws {
    let base = try catalog()
    let high = try #require(base.experiments[0].arm(named: "high"))
    let catalog = try base.applying(arms: [high])
    func plan(_ catalog: Catalog) throws -> ForecastPlan { try ForecastPlan(catalog, "x", #require(catalog.forecasts.first).assumptions) }
    #expect(try plan(catalog).products.map { "\($0.id) \($0.weight) \($0.price)" } == ["p.high 3 3", "q 1 9"])
    #expect(try plan(base).products.map { "\($0.id) \($0.weight) \($0.price)" } == ["p 3 2", "q 1 9"])
    var options = Forecast.Options()
    options.variant = "price=high"
    let forecast = try Forecast(catalog, options)
    #expect(forecast.text.hasPrefix("A with price=high: x\n") && forecast.html.contains("<title>A with price=high: forecast</title>"))
  }
}

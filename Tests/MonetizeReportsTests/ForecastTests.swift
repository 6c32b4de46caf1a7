// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools
import Testing

@testable import MonetizeReports

/// The seeds' own figures, to the digit.
@Suite("Forecast", .timeLimit(.minutes(30)))
struct ForecastTests {
  static func catalog(_ name: String) throws -> Catalog {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try Catalog(contentsOf: root.appendingPathComponent("Products/\(name).json"))
  }

  private func part(_ app: String, _ scenario: String? = nil, set: [String] = []) throws -> Forecast.Part {
    var options = Forecast.Options()
    (options.scenario, options.set, options.months) = (scenario, set, 12)
    return try #require(Forecast(Self.catalog(app), options).parts.first)
  }

  @Test("DOZZI-41, DOZZI-42: what a download costs and brings, gross and net of commission, and what breaks even") func download() throws {
    let units = try part("dozzi", "asPlanned").units
    #expect(Money.text(units.freeCost) == "0.024")
    let (gross, small, large) = (units.nets[0], units.nets[1], units.nets[2])
    #expect([gross, small, large].map(\.commission) == [0, 0.15, 0.3])
    #expect(Forecast.range(gross.perDownload.low, gross.perDownload.high) == "0.0897–0.1495")
    #expect(Forecast.range(small.perDownload.low, small.perDownload.high) == "0.0762–0.1271")
    #expect(Forecast.range(large.perDownload.low, large.perDownload.high) == "0.0628–0.1047")
    #expect([gross, small, large].map { $0.breakEvenPer100.map { Forecast.money($0, 3) } } == ["0.803", "0.944", "1.147"])
    #expect([gross, small, large].map(\.breakEvenPer100?.ceiling) == [1, 1, 2])
  }

  @Test("DOZZI-43: how many stories a buyer pays for, and what is left on both sides of that") func covered() throws {
    let units = try part("dozzi", "asPlanned").units
    #expect(units.nets.map { $0.coveredUses[0][0] } == [249, 211, 174])
    let (before, after) = (
      try part("dozzi", "asPlanned", set: ["uses.story.paid=210"]).units, try part("dozzi", "asPlanned", set: ["uses.story.paid=212"]).units
    )
    #expect(before.nets[1].margins[0][0].map { Money.text($0) } == "0.0215")
    #expect(after.nets[1].margins[0][0].map { Money.text($0) } == "-0.0025")
  }

  @Test("What the app is as built costs nothing while it is free") func asBuilt() throws {
    #expect(try part("dozzi", "asBuilt").units.freeCost == 0)
    #expect(try Forecast(Self.catalog("dozzi")).parts.map(\.plan.name) == ["asPlanned", "asBuilt"])
  }

  @Test("MAGIC-61: the free tier costs users × at most 3 × what a use costs") func freeTier() throws {
    let part = try part("magical-stories", set: ["costPerUse=0.05", "downloads=2000"])
    #expect(
      Forecast.freeTier(part) == ["Free tier: 2,000 users × at most 3 stories a month × 0.05 USD = 300.00 USD a month."])
  }

  @Test("A limit and a price are changed from the command line, and what would be needed then is said") func otherwise() throws {
    #expect(Money.text(try part("dozzi", "asPlanned", set: ["limit.story=5"]).units.freeCost) == "0.06")
    let dearer = try part("dozzi", "asPlanned", set: ["price.com.dozzi.unlimited_stories=4.00"])
    #expect(dearer.units.nets[0].proceeds == [4])
    let changes = try part("dozzi", "asPlanned").whatIf
    #expect(changes.map(\.change) == ["1 free story", "3 free stories", "a price of 2.39 USD", "a price of 3.74 USD"])
    // A fourth more for 4 % of downloads is as much as 3.2 % at a fourth more.
    #expect(changes[3].neededConversion.map(Words.percent) == "3.2 %")
    // 0.012 more a download, of which a payment at 30 % brings 2.093.
    #expect(changes[1].neededConversion.map(Words.percent) == "4.57 %")
  }

  @Test("N14: the assumed uses of a payment count for its break-even; where it leaves nothing there is none") func paidUses() throws {
    func payments(_ uses: Int) throws -> [String] {
      try part("dozzi", "asPlanned", set: ["uses.story.paid=\(uses)"]).units.nets.prefix(3).map { net in
        net.breakEvenPer100.map { Forecast.money($0) } ?? "never"
      }
    }
    #expect(try payments(0) == ["0.80", "0.94", "1.15"])
    #expect(try payments(100) == ["1.34", "1.79", "2.69"])
    #expect(try payments(175) == ["2.70", "5.44", "never"])
    let refunded = try part("dozzi", "asPlanned", set: ["refunds=1"])
    #expect(refunded.units.nets.allSatisfy { $0.breakEvenPer100 == nil } && refunded.whatIf.allSatisfy { $0.neededConversion == nil })
  }

  /// Three products of one price; stories that are free each month, and pictures that are free once.
  private func threeProducts(_ forecast: String) throws -> Forecast.Part {
    let products = ["a", "b", "c"].map {
      #"{ "kind": "nonConsumable", "id": "\#($0)", "name": "\#($0)", "grants": { "story": 9 }, "price": { "amount": "1.00", "currency": "USD" } }"#
    }
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 3, "picture": 2 } },
        "features": { "story": { "allowance": "count", "per": "month" }, "picture": { "allowance": "count" } },
        "products": [\#(products.joined(separator: ","))], "forecast": { "x": \#(forecast) } }
      """#
    return try #require(Forecast(Catalog(json: Data(json.utf8))).parts.first)
  }

  /// A product with a story a month for free, which cost 0.05 each.
  private func plan(_ period: String?, _ price: String, others: String = "", forecast: String) throws -> Forecast.Part {
    let (kind, terms) = period.map { ("subscription", #""group": "g", "level": 1, "period": "\#($0)","#) } ?? ("nonConsumable", "")
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 3 } },
        "features": { "story": { "allowance": "count", "per": "month" } },
        "products": [{ "kind": "\#(kind)", "id": "p", "name": "P", \#(terms) "grants": { "story": "unlimited" },
          "price": { "amount": "\#(price)", "currency": "USD" } }\#(others)],
        "forecast": { "x": { "costPerUse": { "story": "0.05" }, "uses": { "story": { "free": "3", "paid": "40" } }, "commission": "0.3", \#(forecast) } } }
      """#
    return try #require(Forecast(Catalog(json: Data(json.utf8))).parts.first)
  }

  @Test("A payment is for the uses of all its months: a year has twelve times those of a month, a week a part of them")
  func usesOfAPayment() throws {
    func left(_ period: String, _ price: String) throws -> [String] {
      let part = try plan(period, price, forecast: #""conversion": "0.5""#)
      let margin = try #require(part.units.nets[2].margins[0][0])
      return [Money.text(margin.rounded(3)), part.units.nets[2].breakEvenPer100.map { Money.text($0.rounded(3)) } ?? "never"]
    }
    // 89.99 × 0.7 − 12 × 40 × 0.05; 2.99 × 0.7 − 40 × 0.05 × 7 × 12 / 365.25.
    #expect(try left("P1Y", "89.99") == ["38.993", "0.385"])
    #expect(try left("P1W", "2.99") == ["1.633", "9.185"])
    #expect(try left("P1M", "8.99") == ["4.293", "3.494"])
    let text = try Forecast.tables(plan("P1Y", "89.99", forecast: #""conversion": "0.5""#))[1].rows.map { $0[0] }
    #expect(text.contains("  left after 480 uses"))
  }

  @Test("Owners of a product that is paid once are no free users, whatever else is sold") func owners() throws {
    func net(_ others: String, _ mix: String) throws -> [String] {
      let part = try plan(nil, "49.99", others: others, forecast: #""conversion": "0.5", "downloads": 1000, "mix": { "p": "1"\#(mix) }"#)
      return part.projection.expected.prefix(3).map { Money.text($0.costs.rounded(2)) }
    }
    let monthly = #"""
      , { "kind": "subscription", "id": "m", "name": "M", "group": "g", "level": 1, "period": "P1M", "grants": { "story": "unlimited" },
        "price": { "amount": "8.99", "currency": "USD" } }
      """#
    // 500 owners use 40 stories each, 500 others 3.
    #expect(try net("", "") == ["1075.00", "1075.00", "1075.00"])
    #expect(try net(monthly, #", "m": "0.0000000001""#) == net("", ""))
  }

  @Test(
    "A pass costs uses for as long as it lasts, credits as many as they are, and what is given back none",
    arguments: [
      (#""kind": "nonRenewing", "period": "P7D", "grants": { "story": 99 }"#, "0", ["192.55", "150.00", "150.00"]),
      (#""kind": "nonRenewing", "period": "P1M", "stacks": true, "grants": { "story": 99 }"#, "0", ["335.00", "150.00", "150.00"]),
      (#""kind": "nonConsumable", "grants": { "story": 99 }"#, "0.2", ["298.00", "298.00", "298.00"]),
      (#""kind": "consumable", "credits": { "story": 50 }"#, "0", ["400.00", "150.00", "150.00"]),
      (#""kind": "consumable""#, "0", ["150.00", "150.00", "150.00"]),
    ]) func access(product: String, refunds: String, costs: [String]) throws
  {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 3 } },
        "features": { "story": { "allowance": "count", "per": "month" } },
        "products": [{ "id": "p", "name": "P", \#(product), "price": { "amount": "2.00", "currency": "USD" } }],
        "forecast": { "x": { "downloads": 1000, "conversion": "0.1", "refunds": "\#(refunds)", "commission": "0.3", "costPerUse": { "story": "0.05" },
          "uses": { "story": { "free": "3", "paid": "40" } } } } }
      """#
    let part = try #require(Forecast(Catalog(json: Data(json.utf8))).parts.first)
    #expect(part.projection.expected.prefix(3).map { Money.text($0.costs.rounded(2)) } == costs)
    let canBeBoughtAgain = !product.contains("nonConsumable")
    #expect(part.notes.contains("P: each buyer buys it once, because its retention is not declared") == canBeBoughtAgain)
  }

  @Test("Money stays exact: shares of a third move no whole number of payments", arguments: [#"{}"#, #"{ "a": "2", "b": "1" }"#])
  func thirds(mix: String) throws {
    let part = try threeProducts(#"{ "costPerUse": { "picture": "0.005" }, "mix": \#(mix), "commission": "0" }"#)
    #expect(part.units.nets[0].breakEvenPer100 == 1 && part.units.nets[0].breakEvenPer100?.ceiling == 1)
    let refunded = try threeProducts(#"{ "costPerUse": { "story": "0.07" }, "mix": \#(mix), "refunds": "0.5" }"#)
    #expect(refunded.units.nets[0].breakEvenPer100 == 42 && refunded.units.nets[2].breakEvenPer100 == 60)
    #expect(refunded.units.nets[2].perDownload.low == Decimal(string: "0.00735"))
  }

  @Test("Free uses once and each month cost differently; payments cover the first month") func onceAndMonthly() throws {
    let part = try threeProducts(#"{ "costPerUse": { "story": "0.05", "picture": "0.1" }, "downloads": [100, 50] }"#)
    #expect(part.units.freeCostOnce == Decimal(string: "0.2") && part.units.freeCostPerMonth == Decimal(string: "0.15"))
    #expect(part.units.nets.map(\.breakEvenPer100?.ceiling) == [35, 42, 50])
    func rows(_ forecast: String) throws -> [String] {
      Forecast.tables(try threeProducts(forecast)).prefix(1).flatMap { $0.rows.dropFirst(2).map { $0[0] + ": " + $0[1] } }
    }
    #expect(
      try rows(#"{ "costPerUse": { "story": "0.05", "picture": "0.1" } }"#) == [
        "cost of free uses once: 0.2000", "cost of free uses a month: 0.1500",
        "payments per 100 downloads that cover the free uses of the first month: 35.000 (at least 35)",
      ])
    #expect(
      try rows(#"{ "costPerUse": { "picture": "0.1" } }"#) == [
        "cost of free uses: 0.2000", "payments per 100 downloads that cover the free uses: 20.000 (at least 20)",
      ])
    #expect(
      try rows(#"{ "costPerUse": { "story": "0.05" } }"#) == [
        "cost of free uses a month: 0.1500", "payments per 100 downloads that cover the free uses of a month: 15.000 (at least 15)",
      ])
  }

  /// A plan of 1,200 yen with an introductory offer.
  private func yen(_ offer: String, months: Int = 4) throws -> (forecast: Forecast, catalog: Catalog) {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": {} },
        "products": [{ "kind": "subscription", "id": "m", "name": "Monthly", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true },
          "price": { "amount": "1200", "currency": "JPY" },
          "offers": [{ "type": "introductory", \#(offer) }] }],
        "forecast": { "x": { "conversion": "0.1", "downloads": 1000, "retention": { "m": { "alpha": 1, "beta": 1 } } } } }
      """#
    let catalog = try Catalog(json: Data(json.utf8))
    var options = Forecast.Options()
    options.months = months
    return (try Forecast(catalog, options), catalog)
  }

  @Test(
    "Paid introductory offers are the first payments, of the forecast as of a population",
    arguments: [
      (
        #""mode": "payAsYouGo", "period": "P1M", "periods": 3, "price": { "amount": "600", "currency": "JPY" }"#,
        [60000, 30000, 20000, 30000]
      ),
      (#""mode": "payUpFront", "period": "P3M", "price": { "amount": "900", "currency": "JPY" }"#, [90000, 0, 0, 60000]),
      (#""mode": "freeTrial", "period": "P1W""#, [120_000, 60000, 40000, 30000]),
      (#""mode": "freeTrial", "period": "P1M""#, [0, 120_000, 60000, 40000]),
      (
        #""mode": "payUpFront", "period": "P3M", "price": { "amount": "900", "currency": "JPY" }, "until": "2026-02-01T00:00:00Z""#,
        [120_000, 60000, 40000, 30000]
      ),
    ])
  func offers(offer: String, gross: [Int]) throws {
    let (forecast, catalog) = try yen(offer)
    #expect(forecast.parts[0].projection.expected.map { $0.gross.rounded(0) } == gross.map { Decimal($0) })
    #expect(
      forecast.parts[0].notes.contains { $0.contains("the introductory offer") } == (offer.contains("amount") && !offer.contains("until")))
    // The currency has no decimals.
    #expect(forecast.text.contains("60000") && !forecast.text.contains("60000.0"))
    var options = Population.Options()
    (options.customers, options.months) = (4000, 4)
    let played = try Population(catalog, options)
    for (month, happened) in played.months.enumerated() {
      let rank = gross[0] == 0 ? month - 1 : month == 3 && gross[1] == 0 ? 1 : month
      let price = gross[month] * (rank + 1) / 100
      #expect(happened.gross == Decimal(happened.payments * price), "month \(month + 1)")
      let expected = played.expected[month].payments
      #expect(abs(Double(happened.payments) - expected) < 5 * max(1, expected.squareRoot()), "month \(month + 1)")
    }
  }

  @Test("Months at the end without payments and costs are one row") func quiet() throws {
    let rows = try part("dozzi", "asPlanned", set: ["downloads=100,100"])
    let table = try #require(Forecast.tables(rows).last)
    #expect(table.rows.dropFirst().map { $0[0] } == ["1", "2", "3 to 12"] && table.rows.last?[1] == "0.0")
  }

  @Test("Uses of several features have their names; a feature without free uses is not in the cost of the free tier") func names() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "edit": 5, "story": 2, "play": "PT30M" } },
        "features": { "edit": { "title": "Edits", "allowance": "count", "per": "month" }, "cloud": { "title": "Cloud", "allowance": "count" },
          "play": { "title": "Play", "allowance": "duration" }, "story": { "title": "Stories", "allowance": "count", "unit": { "one": "story", "other": "stories" } } },
        "products": [{ "kind": "nonConsumable", "id": "p", "name": "P", "price": { "amount": "2.00", "currency": "USD" },
          "grants": { "edit": "unlimited", "cloud": 9 } }],
        "forecast": { "x": { "costPerUse": { "edit": "0.02", "cloud": "0.02", "story": "0.02", "play": "0.001" },
          "uses": { "cloud": { "paid": "20" } } } } }
      """#
    let part = try #require(Forecast(Catalog(json: Data(json.utf8))).parts.first)
    #expect(
      Forecast.freeTier(part) == [
        "Free tier: 1,000 users × at most 5 uses of Edits a month × 0.02 USD = 100.00 USD a month.",
        "Free tier: 1,000 users × at most 1,800 seconds of Play × 0.001 USD = 1800.00 USD.",
        "Free tier: 1,000 users × at most 2 stories × 0.02 USD = 40.00 USD.",
      ])
    // A second more or less changes nothing that matters.
    #expect(part.whatIf.dropLast(2).map(\.change) == ["4 free uses of Edits", "6 free uses of Edits", "1 free story", "3 free stories"])
    let notes = part.notes.filter { $0.hasPrefix("uses of") }
    #expect(notes == ["uses of Edits by payers are not declared: they cost nothing"], "no product opens stories and play")
    let payment = Forecast.tables(part)[1].rows.map { $0[0].trimmingCharacters(in: .whitespaces) }
    #expect(payment.contains("left after 9 uses of Cloud") && payment.contains("stories that it covers"))
  }

  @Test("The average of several prices is shown as no price; more than all downloads cannot pay") func severalPrices() throws {
    #expect(try part("magical-stories").whatIf.map(\.change) == ["prices a fifth lower", "prices a quarter higher"])
    var options = Forecast.Options()
    (options.scenario, options.set, options.months) = ("asPlanned", ["conversion=1"], 1)
    let text = try Forecast(Self.catalog("dozzi"), options).text
    #expect(text.contains("125 %, which is not possible") && text.contains("1,000 downloads earn") && text.contains("net in 1 month;"))
  }

  @Test(
    "A change of a limit or a price names its feature or product",
    arguments: ["limit=3": "limit.story=3", "price=2.50": "price.com.dozzi.unlimited_stories=2.50"])
  func unnamed(change: String, meant: String) throws {
    var options = Forecast.Options()
    options.set = [change]
    let problem = #expect(throws: ToolProblem.self) { try Forecast(Self.catalog("dozzi"), options) }
    #expect(problem?.description.hasSuffix("Write \(meant), for example.") == true, "\(problem as Any)")
  }

  @Test(
    "A change that is not understood gets a message with how to write it",
    arguments: [
      "costPerUse", "=1", "churn=0.5", "costPerUse=much", "conversion=4", "downloads=-1", "downloads=", "downloads=1,,2",
      "downloads=\(String(repeating: "1,", count: 120))1", "limit.stroy=1", "price.x=1", "limit.story=-1",
      "price=3", "limit=3", "mix=1", "uses=3",
      "commission=0.1,0.2", "refunds=0.1,0.2", "conversion=0.05,0.03", "conversion=0.1,0.2,0.3", "conversion=0.1,", "refunds=2",
    ])
  func misunderstood(change: String) throws {
    let catalog = try Self.catalog("dozzi")
    var options = Forecast.Options()
    options.set = [change]
    #expect(throws: ToolProblem.self) { try Forecast(catalog, options) }
    options = Forecast.Options()
    options.scenario = "asDreamt"
    #expect(throws: ToolProblem.self) { try Forecast(catalog, options) }
    #expect(throws: ToolProblem.self) { try Forecast(Self.catalog("maxs-puzzles")) }
  }

  @Test("Changes of one side, of none and to the bounds are understood") func understood() throws {
    func cost(_ set: String...) throws -> [String?] {
      let cost = try #require(part("dozzi", "asPlanned", set: set).plan.features.first?.cost)
      return [cost.free, cost.paid].map { $0.map { Money.text($0) } }
    }
    #expect(try cost() == ["0.012", "0.012"])
    #expect(try cost("costPerUse.story=0.02") == ["0.02", "0.02"])
    #expect(try cost("costPerUse.story.free=0.02") == ["0.02", "0.012"])
    #expect(try cost("costPerUse.story.paid=0") == ["0.012", "0.00"])
    #expect(try cost("costPerUse=0.03") == ["0.03", "0.03"])
    let downloads = try part(
      "dozzi", "asPlanned", set: ["downloads=" + Array(repeating: "0", count: 119).joined(separator: ",") + ",100000000"])
    #expect(downloads.plan.downloads.count == 120 && downloads.plan.downloads.last == 100_000_000)
    #expect(try part("dozzi", "asPlanned", set: ["limit.story=0"]).plan.features.first?.limit == 0)
  }

  @Test(
    "A free limit is used up in each of its periods: 365 days, 52 weeks and a day, or one year in twelve months",
    arguments: [("day", "152.08"), ("week", "21.73"), ("month", "5.00"), ("year", "0.42"), ("lifetime", "5.00")])
  func perMonth(period: String, uses: String) throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 5 } },
        "features": { "story": { "allowance": "count", "per": "\#(period)" } },
        "products": [{ "kind": "nonRenewing", "period": "P1M", "id": "p", "name": "P", "grants": { "story": "unlimited" },
          "price": { "amount": "2.00", "currency": "USD" } }],
        "forecast": { "x": { "downloads": [0, 100], "conversion": "1", "commission": "0.2", "costPerUse": { "story": "1" },
          "uses": { "story": { "paid": "7" } } } } }
      """#
    let part = try #require(Forecast(Catalog(json: Data(json.utf8))).parts.first)
    #expect(Money.text(try #require(part.plan.features.first).freeUses.rounded(2)) == uses)
    // An own commission is a fourth column.
    #expect(part.units.nets.map(\.commission) == [0, Decimal(string: "0.15"), Decimal(string: "0.3"), Decimal(string: "0.2")])
    // The pass of the second month's customers is of that month, whose other days are few: a month is 30.4 days long.
    let costs = part.projection.expected.map(\.costs.double)
    let free = try #require(Decimal(string: uses)).double * 100
    #expect(costs[0] == 0)
    #expect(
      abs(costs[1] - (period == "lifetime" ? 700 + free : 700)) < 1 && abs(costs[2] - (period == "lifetime" ? 0 : free)) < 1,
      "\(costs.prefix(3))")
  }

  @Test("Uses of a payment for a lifetime are made once, in its month, and raise the share that has to pay") func lifetime() throws {
    let part = try part("dozzi", "asPlanned", set: ["uses.story.paid=100", "downloads=1000,500"])
    // 24.00 for 1,000 who use two each; 40 payers use 100 more, at 0.012 each.
    #expect(part.projection.expected.prefix(3).map { Money.text($0.costs.rounded(2)) } == ["72.00", "36.00", "0.00"])
    // A payment leaves 2.093 - 1.2; 0.04 of that - 0.024 as now, with 0.012 more for a third story.
    #expect(part.whatIf[1].neededConversion.map(Words.percent) == "5.34 %")
  }

  @Test("Months: payments follow the curve, commission falls after a year, refunds take it back, uses cost") func months() throws {
    let monthly = "com.magicalstories.premium.monthly"
    let part = try part(
      "magical-stories",
      set: ["downloads=1000", "conversion=0.1", "mix.\(monthly)=1", "refunds=0.02", "costPerUse=0.05", "uses.story.paid=10"])
    let months = part.projection.expected
    let left = RetentionCurve.monthly.survival(through: 11)
    for (month, expected) in months.enumerated() { #expect(abs(expected.payments - 100 * left[month]) < 1e-9) }
    #expect(Forecast.money(months[0].gross) == "899.00" && Forecast.money(months[0].refunds) == "17.98")
    #expect(Forecast.money(months[0].commission) == "264.31")
    // 900 who have not paid and 2 with a refund use 3 stories each, 98 others use 10.
    #expect(Forecast.money(months[0].costs) == "184.30")
    #expect(Forecast.money(months[0].net) == "432.41")
    var options = Forecast.Options()
    (options.set, options.months) = (["mix.\(monthly)=1", "conversion=0.1"], 14)
    let long = try #require(Forecast(Self.catalog("magical-stories"), options).parts.first).projection.expected
    let share = { (month: Projection.Month) in (month.commission / month.gross).rounded(6) }
    // The end of an id is enough.
    options.set = ["mix.monthly=1", "conversion=0.1"]
    #expect(
      try #require(Forecast(Self.catalog("magical-stories"), options).parts.first).projection.expected.map(\.gross) == long.map(\.gross))
    #expect(
      long[..<12].allSatisfy { share($0) == Decimal(string: "0.3") } && long[12...].allSatisfy { share($0) == Decimal(string: "0.15") })
  }

  @Test("A draw is one for each customer: counts are of a binomial distribution, and one seed gives one result") func draws() {
    for chance in [0.5, 0.03, 0.97, 0.123456] {
      var draws = Draws(seed: 7)
      let counts = (0..<400).map { _ in Double(draws.count(of: 1000, chance: chance)) }
      let mean = counts.reduce(0, +) / 400
      let variance = counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 399
      let expected = 1000 * chance * (1 - chance)
      // Five standard errors.
      #expect(abs(mean - 1000 * chance) < 5 * (expected / 400).squareRoot(), "\(chance): \(mean)")
      #expect(abs(variance / expected - 1) < 5 * (2.0 / 399).squareRoot(), "\(chance): \(variance)")
    }
    var draws = Draws(seed: 1)
    #expect(draws.count(of: 100, chance: 0) == 0 && draws.count(of: 100, chance: 1) == 100 && draws.count(of: 0, chance: 0.5) == 0)
    #expect(RetentionCurve.monthly.drawn(1000, through: 12, seed: 3) == RetentionCurve.monthly.drawn(1000, through: 12, seed: 3))
    #expect(RetentionCurve.monthly.drawn(1000, through: 12, seed: 3) != RetentionCurve.monthly.drawn(1000, through: 12, seed: 4))
  }

  @Test("Drawn deviations are of a normal distribution") func normal() {
    var draws = Draws(seed: 3)
    let drawn = (0..<20_000).map { _ in draws.normal() }
    let within = [0, 1, 2].map { limit in Double(drawn.count { $0 < limit }) / 20_000 }
    for (share, expected) in zip(within, [0.5, 0.8413, 0.9772]) { #expect(abs(share - expected) < 0.01, "\(share)") }
    #expect(abs(Double(drawn.count { $0 < -1 }) / 20_000 - 0.1587) < 0.01)
  }

  @Test("A download earns the average price of what is sold, by the shares of products") func average() throws {
    let mix = ["monthly=0.75", "yearly=0.25"].map { "mix.com.magicalstories.premium.\($0)" }
    let units = try part("magical-stories", set: ["conversion=0.02"] + mix).units
    // Three of four payments are of 8.99, and one of 89.99.
    #expect(units.nets[0].perDownload.low == Decimal(string: "0.58480") && units.nets[0].perDownload.high == units.nets[0].perDownload.low)
  }

  @Test("A forecast covers 1 to 120 months", arguments: [0, -1, 121]) func months(count: Int) {
    var options = Forecast.Options()
    options.months = count
    let problem = #expect(throws: ToolProblem.self) { try Forecast(Self.catalog("dozzi"), options) }
    #expect(problem?.description == "A forecast covers 1 to 120 months, not \(count).")
  }

  @Test("The bands hold what is expected, and a range of conversion makes them wide") func bands() throws {
    let narrow = try part("dozzi", "asPlanned", set: ["downloads=100000", "conversion=0.04"]).projection
    let wide = try part("dozzi", "asPlanned", set: ["downloads=100000"]).projection
    for projection in [narrow, wide] {
      let net = projection.expected[0].net.double
      #expect(projection.net[0].low < net && net < projection.net[0].high)
    }
    #expect(wide.total.high - wide.total.low > 5 * (narrow.total.high - narrow.total.low))
  }

  @Test("Text, JSON and page are made of the same report, and names are escaped") func forms() throws {
    let forecast = try Forecast(Self.catalog("dozzi"))
    #expect(forecast.text.contains("0.0762–0.1271") && forecast.json.contains("\"perDownload\""))
    let page = forecast.html
    #expect(page.contains("0.0762–0.1271") && page.contains("<svg") && !page.contains("<script") && !page.contains("http"))
    #expect(HTMLDocument.escaped("<b> & \"c\"") == "&lt;b&gt; &amp; &quot;c&quot;")
  }
}

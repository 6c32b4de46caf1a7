// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools
import Testing

@testable import MonetizeReports

/// What a forecast reckons is what the simulated store shows.
@Suite("Population", .timeLimit(.minutes(30)))
struct PopulationTests {
  private func population(_ behaviour: String, _ customers: Int, app: String = "magical-stories", seed: UInt64 = 1) throws -> Population {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let json = try Data(contentsOf: root.appendingPathComponent("Products/\(app).json"))
    var options = Population.Options()
    (options.customers, options.seed) = (customers, seed)
    return try Population(Population.catalog(json, behaviour: Data(behaviour.utf8)), options)
  }

  private static let monthly = #""mix": { "com.magicalstories.premium.monthly": "1" }"#

  @Test(
    "The same assumptions, played by the simulated store for a cohort, give the forecast's months within the band",
    arguments: [1, 2, 3] as [UInt64])
  func agrees(seed: UInt64) throws {
    let played = try population(#"{ "conversion": "0.5", \#(Self.monthly), "uses": { "story": "1" } }"#, 4000, seed: seed)
    let expected = played.expected.map(\.payments)
    #expect(abs(expected[0] - 2000) < 1e-6)
    for (month, happened) in played.months.enumerated() {
      // Five standard errors of a count, without the spread of a first guess that the bands have.
      let error = 5 * max(1, (expected[month] * (1 - expected[month] / 4000)).squareRoot())
      #expect(
        abs(Double(happened.payments) - expected[month]) < error, "month \(month + 1): \(happened.payments), expected \(expected[month])")
      #expect(played.bands[month].low <= Double(happened.payments) + error && Double(happened.payments) - error <= played.bands[month].high)
      #expect(happened.gross == Decimal(happened.payments) * (Decimal(string: "8.99") ?? 0))
    }
  }

  @Test("JSON for programs: months from 1, the forecast to the cent, and both ends of nine of ten runs") func json() throws {
    let played = try population(#"{ "conversion": "0.5", \#(Self.monthly) }"#, 100)
    let months = try #require(JSONSerialization.jsonObject(with: Data(played.json.utf8)) as? [[String: Any]])
    #expect(months.compactMap { $0["month"] as? Int } == Array(1...12))
    #expect(months[1]["expected"] as? Double == (played.expected[1].payments * 100).rounded() / 100)
    #expect(months.compactMap { $0["payments"] as? Int } == played.months.map(\.payments))
    #expect(months[0]["band"] as? [Double] == [played.bands[0].low, played.bands[0].high])
  }

  @Test("Weeks fall into the months of the calendar, in what is expected as in what is played") func weeks() throws {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": {} },
        "products": [{ "kind": "subscription", "id": "w", "name": "W", "group": "g", "level": 1, "period": "P1W", "grants": { "f": true },
          "price": { "amount": "2.99", "currency": "USD" } }],
        "forecast": { "x": { "conversion": "0.5", "retention": { "w": { "alpha": 1, "beta": 9 } } } } }
      """#
    var options = Population.Options()
    (options.customers, options.months) = (4000, 5)
    let played = try Population(Catalog(json: Data(json.utf8)), options)
    for (month, happened) in played.months.enumerated() {
      let expected = played.expected[month].payments
      #expect(
        abs(Double(happened.payments) - expected) < 5 * (5 * expected).squareRoot(), "month \(month + 1): \(happened.payments), \(expected)"
      )
    }
    // Five payments on January 1 to 29, four in each of February and March.
    let left = RetentionCurve(alpha: 1, beta: 9)?.survival(through: 12).map { $0 * 2000 } ?? []
    #expect(abs(played.expected[0].payments - left[..<5].reduce(0, +)) < 1e-6)
    #expect(abs(played.expected[1].payments - left[5..<9].reduce(0, +)) < 1e-6)
  }

  @Test("One seed gives one population, event for event; another gives another") func seeded() throws {
    let behaviour = #"{ "conversion": "0.2", \#(Self.monthly), "uses": { "story": "2" } }"#
    let (one, same, other) = (try population(behaviour, 200), try population(behaviour, 200), try population(behaviour, 200, seed: 2))
    #expect(one.events == same.events && one.events != other.events)
  }

  @Test(
    "A mistake in the behaviour is reported at its place in the behaviour",
    arguments: [
      (#"{"conversin":"0.04"}"#, "1:2"), ("{\n  \"conversion\": 0.04 }", "2:17"), ("[]", "1:1"), ("{", "1:2"),
      (#"{ "uses": { "stroy": "1" } }"#, "1:22"),
    ])
  func behaviour(text: String, place: String) throws {
    do throws(CatalogError) {
      _ = try Population.catalog(catalogJSON("dozzi"), behaviour: Data(text.utf8))
      Issue.record("\(text) was read")
    } catch { #expect(error.diagnostics.map { $0.position?.description } == [place], "\(error.diagnostics)") }
  }

  private func catalogJSON(_ app: String) -> Data {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return FileManager.default.contents(atPath: root.appendingPathComponent("Products/\(app).json").path) ?? Data()
  }

  @Test("Limits hold: a customer who has not paid uses no more than is free, one who has is never refused") func limits() throws {
    let played = try population(#"{ "conversion": "0.3", \#(Self.monthly), "uses": { "story": { "free": "5", "paid": "8" } } }"#, 100)
    let log = EventLog(played.events)
    let payers = Set(log.all(.purchaseCompleted).map(EventLog.customer))
    for (customer, events) in Dictionary(grouping: played.events, by: EventLog.customer) where !payers.contains(customer) {
      #expect(events.filter { $0.name == .used }.count == 3 * 12 && events.filter { $0.name == .usageLimitReached }.count == 2 * 12)
    }
    let first = played.events.filter { payers.contains($0.customer ?? "") && $0.at < PopulationTests.date("2026-02-01") }
    #expect(first.filter { $0.name == .used }.count == 8 * payers.count && !first.contains { $0.name == .usageLimitReached })
  }

  private static func date(_ day: String) -> Date { ISODate.parse(day + "T00:00:00Z", in: Calendar.storeCalendar.timeZone) ?? .distantPast }

  @Test("A lifetime's limit is used up once; a purchase that is given back is a refund") func once() throws {
    let played = try population(
      #"{ "conversion": "1", "refunds": "1", "uses": { "story": { "free": "1", "paid": "1" } } }"#, 20, app: "dozzi")
    #expect(played.months[0].payments == 20 && played.months[0].refunds == 20)
    #expect(played.events.filter { $0.name == .purchaseRevoked }.count == 20)
  }

  @Test("A log of a population is one that the funnel reads") func log() throws {
    let played = try population(#"{ "conversion": "0.1", \#(Self.monthly), "uses": { "story": "3" } }"#, 500)
    let text = played.events.map { $0.line() }.joined(separator: "\n")
    let log = try EventLog(Data(text.utf8))
    #expect(log.events == played.events)
    let payers = played.events.filter { $0.name == .purchaseCompleted }.count
    let funnel = try Funnel(log, ForecastTests.catalog("magical-stories"))
    #expect(funnel.figures.first { $0.name == "conversion" }?.value == Decimal(payers) / 500)
    // What no behaviour declares is no data, not a constant.
    for name in ["trialToPaid", "paywallToStart", "purchaseCompletion", "storeSuccess"] {
      #expect(funnel.figures.first { $0.name == name }?.value == nil, "\(name)")
    }
    // Three uses at any time of 31 days, and no other visit: payers come as others do.
    let back = try #require(funnel.figures.first { $0.name == "day7Retention" }?.value).double
    let chance = 1 - (30.0 * 30 * 30) / (31 * 31 * 31)
    #expect(abs(back - chance) < 5 * (chance * (1 - chance) / 500).squareRoot(), "\(back)")
  }

  @Test("Refunds are a share of all payments, each ends its plan, and the forecast has the same months", arguments: ["0.05", "0.5"])
  func refunds(share: String) throws {
    let played = try population(#"{ "conversion": "0.5", \#(Self.monthly), "refunds": "\#(share)", "uses": { "story": "0" } }"#, 4000)
    let refunds = try #require(Decimal(string: share)).double
    var left = 2000.0
    for (month, happened) in played.months.enumerated() {
      if month > 0 { left *= min(1 - refunds, RetentionCurve.monthly.retention(at: month)) }
      #expect(abs(played.expected[month].payments - left) < 1e-6)
      #expect(abs(Double(happened.payments) - left) < 5 * max(1, (left * (1 - left / 4000)).squareRoot()), "month \(month + 1)")
      #expect(abs(Double(happened.refunds) - left * refunds) < 5 * max(1, (left * refunds).squareRoot()), "month \(month + 1)")
      #expect(played.expected[month].refunds.rounded(2) == (played.expected[month].gross * Decimal(refunds)).rounded(2))
    }
    for (customer, events) in Dictionary(grouping: played.events, by: EventLog.customer) {
      let store = events.map(\.name).filter { $0 != .appLaunched }
      #expect(store.dropLast().allSatisfy { $0 != .purchaseRevoked }, "\(customer) pays after a refund")
    }
  }

  @Test("Assumed prices are paid and assumed limits hold, as in the forecast") func changed() throws {
    let played = try population(
      #"{ "conversion": "0.5", \#(Self.monthly), "price": { "com.magicalstories.premium.monthly": "3.99" }, "limit": { "story": 1 } }"#, 100
    )
    #expect(played.months[0].gross == Decimal(played.months[0].payments) * (Decimal(string: "3.99") ?? 0))
    let payers = Set(played.events.filter { $0.name == .purchaseCompleted }.map(EventLog.customer))
    let used = played.events.filter { $0.name == .used && !payers.contains(EventLog.customer(of: $0)) }
    #expect(used.count == 12 * (100 - payers.count))
    #expect(throws: ToolProblem.self) { try population(#"{ "uses": { "story": "1001" } }"#, 10) }
  }

  @Test("Downloads of a behaviour are refused: all customers download the app at the start") func downloads() throws {
    do throws(CatalogError) {
      _ = try Population.catalog(catalogJSON("dozzi"), behaviour: Data("{ \"conversion\": \"1\",\n  \"downloads\": [100, 100] }".utf8))
      Issue.record("downloads were read")
    } catch {
      #expect(error.diagnostics.map(\.code) == ["no-effect"] && error.diagnostics.map { $0.position?.description } == ["2:3"])
      #expect(error.diagnostics.first?.message.contains("--customers") == true)
    }
  }

  @Test("Uses of a lifetime limit are all uses ever, and no customer comes back to be refused") func lifetime() throws {
    let played = try population(#"{ "conversion": "0.5", "uses": { "story": { "free": "3", "paid": "20" } } }"#, 200, app: "dozzi")
    let payers = played.months[0].payments
    #expect(played.months.map(\.uses) == [payers * 20 + (200 - payers) * 2] + Array(repeating: 0, count: 11))
    #expect(played.months.map(\.denials) == [200 - payers] + Array(repeating: 0, count: 11))
  }

  @Test(
    "Each kind of product costs as many uses as are played: a pass while it lasts, credits once, a refunded purchase none",
    arguments: [
      (#""kind": "nonRenewing", "period": "P1M", "grants": { "story": 99 }"#, "0", 0.0, [40.0, 3, 3]),
      (#""kind": "consumable", "credits": { "story": 50 }"#, "0", 0, [53, 3, 3]),
      (#""kind": "consumable""#, "0", 0, [3, 3, 3]),
      (#""kind": "nonConsumable", "grants": { "story": 99 }"#, "0", 0, [40, 40, 40]),
      (#""kind": "nonConsumable", "grants": { "story": 99 }"#, "0.5", 0.15, [21.5, 21.5, 21.5]),
      (#""kind": "nonRenewing", "period": "P2M", "grants": { "story": 99 }"#, "0.5", 0.15, [21.5, 21.5, 3]),
      (
        #""kind": "subscription", "group": "g", "level": 1, "period": "P1M", "#
          + #""offers": [{ "type": "introductory", "mode": "freeTrial", "period": "P1M" }], "grants": { "story": 99 }"#, "0", 0,
        [40, 40, 40]
      ),
    ]) func kinds(product: String, refunds: String, error: Double, each: [Double]) throws
  {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 3 } },
        "features": { "story": { "allowance": "count", "per": "month" } },
        "products": [{ "id": "p", "name": "P", \#(product), "price": { "amount": "2.00", "currency": "USD" } }],
        "forecast": { "x": { "conversion": "1", "refunds": "\#(refunds)", "costPerUse": { "story": "1" },
          \#(product.contains("subscription") ? #""retention": { "p": { "alpha": 0.000001, "beta": 1000000 } },"# : "")
          "uses": { "story": { "free": "3", "paid": "40" } } } } }
      """#
    var options = Population.Options()
    (options.customers, options.months) = (400, 3)
    let played = try Population(Catalog(json: Data(json.utf8)), options)
    for (month, uses) in each.enumerated() {
      #expect(abs(played.expected[month].costs.double - 400 * uses) < 1e-6, "forecast of month \(month + 1)")
      let found = played.months[month].uses
      #expect(abs(Double(found) - 400 * uses) <= error * 400 * uses, "month \(month + 1): \(found), expected \(400 * uses)")
    }
  }

  /// A product of any kind and with any first offer.
  private static func someProduct(_ random: inout SplitMix64) -> String {
    let price = #""price": { "amount": "9.99", "currency": "USD" }"#
    let period = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"].randomElement(using: &random) ?? "P1M"
    let length = ["P3D", "P1W", "P2W", "P1M", "P3M"].randomElement(using: &random) ?? "P1M"
    let first = #""type": "introductory", "price": { "amount": "1.49", "currency": "USD" }"#
    let offer =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: #", "offers": [{ "type": "introductory", "mode": "freeTrial", "period": "\#(length)" }]"#
      case 1: #", "offers": [{ \#(first), "mode": "payUpFront", "period": "\#(length)" }]"#
      case 2:
        #", "offers": [{ \#(first), "mode": "payAsYouGo", "period": "\#(period)", "periods": \#(Int.random(in: 1...5, using: &random)) }]"#
      default: ""
      }
    return
      #""kind": "subscription", "group": "g", "level": 1, "period": "\#(period)", \#(price)\#(offer), "grants": { "story": "unlimited" }"#
  }

  @Test("Who never cancels pays in the months of the forecast, whatever the period, the first offer and the day", arguments: seeds)
  func payments(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let product = Self.someProduct(&random)
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 3 } },
        "features": { "story": { "allowance": "count", "per": "month" } }, "products": [{ "id": "p", "name": "P", \#(product) }],
        "forecast": { "x": { "conversion": "1", "retention": { "p": { "alpha": 0.0000001, "beta": 1000000 } } } } }
      """#
    var options = Population.Options()
    (options.customers, options.months, options.usesFeatures) = (5, 15, false)
    options.start = Self.date("2026-01-01") + Double(Int.random(in: 0..<730 * 24, using: &random)) * 3600
    let played = try Population(Catalog(json: Data(json.utf8)), options)
    #expect(
      played.months.map { Double($0.payments) } == played.expected.map { $0.payments.rounded() },
      "seed \(seed), \(options.start): \(product)")
    #expect(played.months.map(\.gross) == played.expected.map { $0.gross.rounded(2) }, "seed \(seed), \(options.start): \(product)")
    let funnel = try Funnel(EventLog(played.events), Catalog(json: Data(json.utf8)))
    func figure(_ name: String) -> Decimal? { funnel.figures.first { $0.name == name }?.value }
    #expect(figure("conversion") == 1 && figure("refunds") == 0, "seed \(seed): \(product)")
    #expect(figure("arpu") == played.months.reduce(0) { $0 + $1.gross } / 5, "seed \(seed): \(product)")
    #expect((figure("monthlyChurn") ?? 0) == 0, "seed \(seed): \(product)")
    let period = try #require(Catalog(json: Data(json.utf8)).product("p")?.subscription?.period)
    let last = try #require(played.events.last { $0.price != nil }?.price?.amount)
    if last == Decimal(string: "9.99") {
      let expected = (5 * last / period.exactMonths).double
      #expect(abs((figure("mrr")?.double ?? 0) - expected) < 0.01, "seed \(seed), \(options.start): \(product)")
    }
  }

  private static let seeds: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["MONETIZE_SEED"].flatMap(UInt64.init) ?? 1
    return first..<(first + (environment["MONETIZE_CATALOGS"].flatMap(UInt64.init) ?? 30))
  }()

  @Test("Thousands of credits are played, and more are refused with the product") func manyCredits() throws {
    func played(_ credits: Int) throws -> Population {
      let json = #"""
        { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 3 } },
          "features": { "story": { "allowance": "count", "per": "month" } },
          "products": [{ "kind": "consumable", "id": "p", "name": "P", "credits": { "story": \#(credits) },
            "price": { "amount": "2.00", "currency": "USD" } }], "forecast": { "x": { "conversion": "1" } } }
        """#
      var options = Population.Options()
      (options.customers, options.months) = (2, 2)
      return try Population(Catalog(json: Data(json.utf8)), options)
    }
    #expect(try played(3000).months.map(\.uses) == [2 * 3003, 2 * 3])
    let problem = #expect(throws: ToolProblem.self) { try played(10_001) }
    #expect(problem?.description.contains("\"p\"") == true)
  }

  @Test("A customer who wants fewer uses than others has them at any time of the month as well") func spread() throws {
    let played = try population(#"{ "conversion": "0.1", \#(Self.monthly), "uses": { "story": { "free": "3", "paid": "60" } } }"#, 1000)
    let free = played.events.filter { $0.name == .used && $0.paid == false && $0.at < Self.date("2026-02-01") }
    let late = free.filter { $0.at >= Self.date("2026-01-16") + 43200 }
    #expect(abs(Double(late.count) / Double(free.count) - 0.5) < 0.05, "\(late.count) of \(free.count)")
  }

  @Test(
    "A customer who has not paid costs as many uses as the limit allows, however many are wanted, as are played",
    arguments: [
      (#""per": "month""#, "5", 3.0), (#""per": "month""#, "2", 2), (#""per": "year""#, "5", 0.25), (#""per": "day""#, "5", 5),
      (#""per": "P7D""#, "40", 3 * 365.0 / 84), (#""per": "P7D""#, "2", 2),
    ] as [(String, String, Double)]) func capped(per: String, wanted: String, monthly: Double) throws
  {
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 3 } },
        "features": { "story": { "allowance": "count", \#(per) } },
        "products": [{ "kind": "nonConsumable", "id": "p", "name": "P", "price": { "amount": "2.00", "currency": "USD" },
          "grants": { "story": "unlimited" } }],
        "forecast": { "x": { "conversion": "0", "costPerUse": { "story": "1" }, "uses": { "story": { "free": "\#(wanted)" } } } } }
      """#
    var options = Population.Options()
    (options.customers, options.months) = (50, 12)
    let played = try Population(Catalog(json: Data(json.utf8)), options)
    #expect(played.expected.allSatisfy { abs($0.costs.double - 50 * monthly) < 1e-3 }, "\(played.expected[0].costs)")
    let uses = Double(played.months.reduce(0) { $0 + $1.uses }) / 50 / 12
    // A limit of seven days can refuse what a month would allow.
    #expect(uses <= monthly + 1e-9 && uses >= monthly * (per.contains("P7D") ? 0.8 : 1) - 1e-9, "\(uses)")
  }

  @Test(
    "A customer who has paid costs as many uses as the product and the free tier allow, however many are wanted, as are played",
    arguments: [
      ("10", 10.0), ("40", 30), (#""unlimited""#, 30), (#"{ "limit": 2, "per": "day" }"#, 30), (#"{ "limit": 120, "per": "year" }"#, 10),
      (nil, 3), ("1", 3),
    ] as [(String?, Double)]) func cappedPlan(grant: String?, monthly: Double) throws
  {
    let grants = grant.map { #""grants": { "story": \#($0) }"# } ?? #""grants": { "frame": true }"#
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "freeTier": { "grants": { "story": 3 } },
        "features": { "story": { "allowance": "count", "per": "month" }, "frame": {} },
        "products": [
          { "kind": "nonConsumable", "id": "p", "name": "P", "price": { "amount": "2.00", "currency": "USD" }, \#(grants) },
          { "kind": "nonConsumable", "id": "q", "name": "Q", "price": { "amount": "2.00", "currency": "USD" },
            "grants": { "story": 20 } }],
        "forecast": { "x": { "conversion": "1", "mix": { "p": "1", "q": "1" }, "costPerUse": { "story": { "free": "0", "paid": "1" } },
          "uses": { "story": { "free": "3", "paid": "30" } } } } }
      """#
    var options = Population.Options()
    (options.customers, options.months) = (200, 12)
    let played = try Population(Catalog(json: Data(json.utf8)), options)
    #expect(played.expected.allSatisfy { abs($0.costs.double - 100 * (monthly + 20)) < 1e-2 }, "\(played.expected[0].costs)")
    // Half of the customers, by chance, buy each product. A yearly limit of 120 is used up in the first months.
    let uses = Double(played.months.reduce(0) { $0 + $1.uses }) / 200 / 12
    #expect(abs(uses / ((monthly + 20) / 2) - 1) < 0.15, "\(uses)")
  }

  @Test(
    "What only a product opens is counted by the period of the feature or of the product, once only for a lifetime",
    arguments: [
      (#""per": "month","#, #""unlimited""#, 10.0, 10.0), (#""per": "month","#, "4", 4, 4), (#""per": "day","#, #""unlimited""#, 10, 10),
      ("", #"{ "limit": 4, "per": "month" }"#, 4, 4), ("", #""unlimited""#, 10, 0), ("", "4", 4, 0),
      (#""per": "lifetime","#, #""unlimited""#, 10, 0),
    ]) func paidOnly(per: String, grant: String, first: Double, later: Double) throws
  {
    // A cost of all uses is one of these as well.
    let cost = later == 4 ? #""1""# : #"{ "chat": "1" }"#
    let json = #"""
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" },
        "features": { "chat": { \#(per) "allowance": "count" } },
        "products": [
          { "kind": "nonConsumable", "id": "p", "name": "P", "price": { "amount": "2.00", "currency": "USD" },
            "grants": { "chat": \#(grant) } }],
        "forecast": { "x": { "conversion": "1", "costPerUse": \#(cost), "uses": { "chat": { "paid": "10" } } } } }
      """#
    var options = Population.Options()
    (options.customers, options.months) = (50, 3)
    let played = try Population(Catalog(json: Data(json.utf8)), options)
    #expect(played.expected.map { ($0.costs.double / 50).rounded() } == [first, later, later], "\(played.expected.map(\.costs))")
    // The purchase is somewhere in the first month.
    #expect(played.months.dropFirst().map { Double($0.uses) / 50 } == [later, later], "\(played.months.map(\.uses))")
  }

  @Test("A part of a use is a chance of one; a customer whose plan has ended uses what is free") func shares() throws {
    let played = try population(
      #"{ "conversion": "0.5", \#(Self.monthly), "uses": { "story": { "free": "0.5", "paid": "2.5" } } }"#, 2000)
    for (month, happened) in played.months.enumerated() {
      // Trials end on the eighth: until then those of the month before have paid.
      let (now, before) = (played.expected[month].payments, played.expected[max(0, month - 1)].payments)
      let payers = (before * 7 + now * 23) / 30
      let expected = payers * 2.5 + (2000 - payers) * 0.5
      #expect(abs(Double(happened.uses) / expected - 1) < 0.1, "month \(month + 1): \(happened.uses), expected \(expected)")
    }
  }

  @Test("Behaviour that is not understood is reported with its place") func mistakes() throws {
    let error = #expect(throws: CatalogError.self) { try population(#"{ "churn": "0.05" }"#, 10) }
    #expect(error?.diagnostics.contains { $0.code == "unknown-key" && $0.path == "churn" } == true)
    #expect(throws: CatalogError.self) { try population(#"{ "conversion": "#, 10) }
    #expect(throws: ToolProblem.self) { try population("{}", 0) }
    #expect(try population("{}", 1).events.contains { $0.name == .appLaunched })
  }

  @Test("The judge of uses agrees with a snapshot, whatever has happened") func judge() throws {
    let catalog = try ForecastTests.catalog("magical-stories")
    var judge = UseJudge(catalog)
    var state = CustomerState()
    let now = Self.date("2026-03-05")
    for step in 0..<200 {
      let date = now + Double(step) * 86400
      if step == 70 {
        judge.forget()
        state.insert(
          .transaction(
            StoreTransaction(
              id: "1", productID: "com.magicalstories.premium.monthly", purchaseDate: date, expirationDate: date + 30 * 86400)))
      }
      let snapshot = Snapshot(of: state, catalog: catalog, at: date)
      let answer = judge.judge("story", state, key: "\(step)", at: date)
      let found = try #require(answer)
      #expect(found.isAllowed == snapshot.allows("story"), "day \(step)")
      if let use = found.use { state.insert(.use(use)) }
    }
    let unknown = judge.judge("stroy", state, key: "", at: now)
    #expect(unknown == nil)
  }
}

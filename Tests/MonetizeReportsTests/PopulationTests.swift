// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
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
    let first = played.events.filter { payers.contains($0.customer ?? "") && $0.at < PopulationTests.date("2026-01-31") }
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
    let played = try population(#"{ "conversion": "0.1", \#(Self.monthly), "uses": { "story": "1" } }"#, 500)
    let text = played.events.map { $0.line() }.joined(separator: "\n")
    let log = try EventLog(Data(text.utf8))
    #expect(log.events == played.events)
    let payers = Set(played.events.filter { $0.name == .subscriptionRenewed }.map { $0.customer ?? "" }).count
    let funnel = try Funnel(log, ForecastTests.catalog("magical-stories"))
    #expect(funnel.figures.first { $0.name == "conversion" }?.value == Decimal(payers) / 500)
  }

  @Test("Behaviour that is not understood is reported with its place") func mistakes() throws {
    let error = #expect(throws: CatalogError.self) { try population(#"{ "churn": "0.05" }"#, 10) }
    #expect(error?.diagnostics.contains { $0.code == "unknown-key" && $0.path == "churn" } == true)
    #expect(throws: CatalogError.self) { try population(#"{ "conversion": "#, 10) }
    #expect(throws: ReportProblem.self) { try population("{}", 0) }
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

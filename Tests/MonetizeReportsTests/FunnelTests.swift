// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

@testable import MonetizeReports

/// Figures to the digit, on logs that are made by hand.
@Suite("Funnel", .timeLimit(.minutes(30)))
struct FunnelTests {
  static let start = Date(timeIntervalSince1970: 1_772_366_400)

  /// Some events of numbered customers, a minute apart.
  func events(
    _ name: MonetizeEvent.Name, _ customers: Range<Int>, after days: Double = 0, _ change: (inout EventRecord) -> Void = { _ in }
  ) -> [EventRecord] {
    customers.map { number in
      var record = EventRecord(name, at: Self.start + days * 86400 + Double(number) * 60, customer: "c\(number)")
      change(&record)
      return record
    }
  }

  func figure(_ name: String, _ log: [EventRecord], _ app: String = "dozzi", given: [String: Decimal] = [:]) throws -> Figure {
    try #require(Funnel(EventLog(log), ForecastTests.catalog(app), given: given).figures.first { $0.name == name })
  }

  func text(_ figure: Figure) -> String {
    "\(figure.value.map { NSDecimalNumber(decimal: $0).stringValue } ?? "none") \(figure.verdict?.rawValue ?? "none")"
  }

  @Test("DOZZI-40: shown, begun, completed: 100, 40 and 34 are 0.40 and 0.85") func purchase() throws {
    let log = events(.paywallShown, 0..<100) + events(.purchaseStarted, 0..<40) + events(.purchaseCompleted, 0..<34)
    let funnel = try Funnel(EventLog(log), ForecastTests.catalog("dozzi"))
    #expect(funnel.purchase.map(\.count) == [100, 40, 34])
    #expect(funnel.purchase.map { $0.ofPrevious.map { Money.text($0) } } == ["1.00", "0.40", "0.85"])
    #expect(try text(figure("paywallToStart", log)) == "0.4 tracked" && text(figure("purchaseCompletion", log)) == "0.85 missed")
  }

  @Test("A step after one without customers has no share; a given figure replaces the measured one") func noShare() throws {
    let funnel = try Funnel(EventLog(events(.paywallShown, 0..<3)), ForecastTests.catalog("dozzi"), given: ["conversion": 1])
    #expect(funnel.purchase.map { $0.ofPrevious == nil } == [false, false, true])
    #expect(funnel.figures.filter { $0.name == "conversion" }.map(\.value) == [1])
    #expect(funnel.text.contains("3 events of 3 customers") && funnel.purchase.last?.count == 0)
  }

  @Test("Amounts in several currencies have no sum; in one, the currency is shown") func currencies() throws {
    let prices = ["yen": ("100", "JPY"), "dinar": ("1.234", "KWD"), "euro": ("9.99", "EUR")]
    let products = prices.sorted { $0.key < $1.key }.map { id, price in
      #"{ "kind": "nonConsumable", "id": "\#(id)", "name": "\#(id)", "price": { "amount": "\#(price.0)", "currency": "\#(price.1)" }, "grants": { "x": true } }"#
    }
    let json =
      #"{ "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "x": {} }, "products": [\#(products.joined(separator: ","))] }"#
    let catalog = try Catalog(json: Data(json.utf8))
    func revenue(_ ids: [ProductID]) throws -> Figure {
      let log = ids.enumerated().flatMap { number, id in events(.purchaseCompleted, number..<(number + 1)) { $0.product = id } }
      return try #require(Funnel(EventLog(log), catalog).figures.first { $0.name == "arpu" })
    }
    #expect(try revenue(["yen", "dinar", "euro"]).value == nil)
    #expect(try revenue(["yen", "dinar", "euro"]).parts == "payments are in EUR, JPY, KWD")
    #expect(try revenue(["yen", "euro"]).parts == "payments are in EUR, JPY" && revenue(["yen", "euro"]).value == nil)
    #expect(try revenue(["yen", "yen"]).value == 100 && revenue(["yen"]).unit == " JPY")
  }

  @Test("Counts that are no counts are refused with their place, and a sum ends at the largest number") func counts() throws {
    func line(_ count: String) -> String {
      #"{"at":"2026-03-01T12:00:00Z","name":"used","feature":"story","customer":"c","count":\#(count)}"# + "\n"
    }
    let most = try EventLog(Data((line("9223372036854775807") + line("1")).utf8))
    #expect(try most.events.uses(in: ForecastTests.catalog("dozzi")) == .max)
    #expect(try Funnel(most, ForecastTests.catalog("dozzi")).text.contains("9,223,372,036,854,775,807"))
    for (text, place) in [
      (line("1") + line("0"), "2:85"), (line("-5"), "1:85"), (line("\"x\""), "1:85"), ("\n[1]", "2:1"), ("{\"at\"", "1:6"),
      (line("1").replacingOccurrences(of: "T12:00:00Z", with: ""), "1:7"), (#"{"name":"used","at":5}"#, "1:21"),
    ] {
      do throws(ToolProblem) {
        _ = try EventLog(Data(text.utf8))
        Issue.record("\(text) was read")
      } catch { #expect(error.mistake?.position?.description == place, "\(error)") }
    }
  }

  @Test("DOZZI-40: a purchase in the App Store, by a code or without a beginning completes none that was begun; free ones pay nothing")
  func elsewhere() throws {
    let product: ProductID = "com.dozzi.unlimited_stories"
    let log =
      events(.paywallShown, 0..<2) + events(.purchaseStarted, 0..<2) { $0.product = product }
      + events(.purchaseCompleted, 0..<1, after: 1) { $0.product = product } + events(.purchaseCompleted, 5..<8) { $0.product = product }
      + events(.purchaseCompleted, 1..<2, after: 1) { $0.product = "another" }
    #expect(try figure("purchaseCompletion", log).parts == "1 of 2" && figure("conversion", log).parts == "5 of 5")
    #expect(try Funnel(EventLog(log), ForecastTests.catalog("dozzi")).purchase.map(\.count) == [2, 2, 1])
    let free =
      events(.purchaseCompleted, 0..<3) { ($0.product, $0.price) = (product, Money(amount: $0.customer == "c0" ? 1 : 0, currency: "USD")) }
      + events(.purchaseRevoked, 1..<2, after: 1) { ($0.product, $0.price) = (product, Money(amount: 0, currency: "USD")) }
    #expect(try figure("conversion", free).parts == "1 of 3" && figure("refunds", free).parts == "0 of 1")
  }

  @Test("DOZZI-44: more than 85 % is not 85 %", arguments: [(85, "0.85 missed"), (86, "0.86 met")])
  func completion(count: Int, expected: String) throws {
    #expect(try text(figure("purchaseCompletion", events(.purchaseStarted, 0..<100) + events(.purchaseCompleted, 0..<count))) == expected)
  }

  @Test("DOZZI-44: failures of the store, and figures from elsewhere") func technical() throws {
    // 100 customers cancel. Those purchases do not count.
    func log(_ failed: Int, _ name: MonetizeEvent.Name = .purchaseFailed) -> [EventRecord] {
      events(.purchaseStarted, 0..<300) + events(.purchaseCompleted, failed..<200, after: 1) + events(name, 0..<failed, after: 1)
        + events(.purchaseCancelled, 200..<300, after: 1)
    }
    #expect(try text(figure("storeSuccess", log(2))) == "0.99 missed" && text(figure("storeSuccess", log(1))) == "0.995 met")
    #expect(try text(figure("storeSuccess", log(2, .purchaseUnverified))) == "0.99 missed")
    #expect(try text(figure("crashRate", log(0), given: ["crashRate": Decimal(string: "0.0009") ?? 0])) == "0.0009 met")
    #expect(try text(figure("crashRate", log(0))) == "none none")
    let crashes = try figure("crashRate", log(0), given: ["crashRate": Decimal(string: "0.0009") ?? 0])
    #expect(crashes.title == "Crash rate" && crashes.text(crashes.value ?? 0) == "0.09 %" && crashes.targetText == "< 0.1 %")
  }

  @Test("DOZZI-45: 4 of 100 who pay 2.99 are in range, and so is 0.1196 a customer") func business() throws {
    let log = events(.appLaunched, 0..<100) + events(.purchaseCompleted, 0..<4) { $0.product = "com.dozzi.unlimited_stories" }
    #expect(try text(figure("conversion", log)) == "0.04 in range")
    #expect(try text(figure("arpu", log)) == "0.1196 in range")
    let few = events(.appLaunched, 0..<100) + events(.purchaseCompleted, 0..<2) { $0.product = "com.dozzi.unlimited_stories" }
    #expect(try text(figure("conversion", few)) == "0.02 out of range")
  }

  @Test("DOZZI-45: more customers a month, and those who come back on the seventh day") func coming() throws {
    // 50 in the month before last, 60 in the last.
    let growth = events(.appLaunched, 0..<50, after: 10) + events(.appLaunched, 0..<60, after: 50)
    #expect(try text(figure("mauGrowth", growth + events(.appLaunched, 0..<1, after: -10))) == "0.2 met")
    // Ten of the 30 days before are not in this log.
    #expect(try text(figure("mauGrowth", growth)) == "none none")
    let back = events(.appLaunched, 0..<10) + events(.appLaunched, 0..<3, after: 7) + events(.appLaunched, 3..<9, after: 8.5)
    #expect(try text(figure("day7Retention", back)) == "0.3 met")
    // A renewal on that day is not a visit.
    #expect(try text(figure("day7Retention", back + events(.subscriptionRenewed, 3..<9, after: 7))) == "0.3 met")
  }

  @Test("DOZZI-46: 5 % of purchases given back is missed, 4 % is met", arguments: [(5, "0.05 missed"), (4, "0.04 met")])
  func refunds(count: Int, expected: String) throws {
    #expect(try text(figure("refunds", events(.purchaseCompleted, 0..<100) + events(.purchaseRevoked, 0..<count))) == expected)
  }

  @Test("DOZZI-46, MAGIC-46: adoption is the share of payers who used what they paid for in the last 30 days") func adoption() throws {
    let log =
      events(.purchaseCompleted, 0..<10) + events(.used, 0..<20, after: 1) { $0.paid = false }
      + events(.used, 0..<7, after: 20) { $0.paid = true } + events(.used, 10..<20, after: 20) { $0.paid = true }
    #expect(try text(figure("adoption", log)) == "0.7 met")
    // Sixty days later, one of them used it again.
    #expect(try text(figure("adoption", log + events(.used, 0..<1, after: 80) { $0.paid = true })) == "0.1 missed")
  }

  @Test("Refunds are a share of payments, renewals among them; trials are none") func refundsOfPlans() throws {
    let monthly: ProductID = "com.magicalstories.premium.monthly"
    let log =
      events(.purchaseCompleted, 0..<10) { ($0.product, $0.trial) = (monthly, true) }
      + events(.subscriptionRenewed, 0..<10, after: 7) { $0.product = monthly }
      + events(.subscriptionRenewed, 0..<10, after: 38) { $0.product = monthly }
      + events(.purchaseRevoked, 0..<1, after: 39) { $0.product = monthly }
    #expect(try text(figure("refunds", log, "magical-stories")) == "0.05 tracked")
  }

  @Test("MAGIC-45: 100 starts, 25 trials and 15 payments are 0.15 and 0.60") func trials() throws {
    let monthly: ProductID = "com.magicalstories.premium.monthly"
    let log =
      events("onboardingStarted", 0..<100)
      + events(.purchaseCompleted, 0..<25, after: 1) { ($0.product, $0.trial) = (monthly, true) }
      + events(.subscriptionRenewed, 0..<15, after: 8) { $0.product = monthly }
    #expect(try text(figure("onboardingToPaid", log, "magical-stories")) == "0.15 met")
    #expect(try text(figure("trialToPaid", log, "magical-stories")) == "0.6 met")
  }

  @Test("MAGIC-45: 10 monthly and 12 yearly plans are 179.89 a month") func mrr() throws {
    let log =
      events(.purchaseCompleted, 0..<10) { $0.product = "com.magicalstories.premium.monthly" }
      + events(.purchaseCompleted, 10..<22) { $0.product = "com.magicalstories.premium.yearly" }
    #expect(try text(figure("mrr", log, "magical-stories")) == "179.89 tracked")
    // A plan that was not renewed, and one that was taken back, are none.
    let later =
      log + events(.purchaseRevoked, 10..<11, after: 2) { $0.product = "com.magicalstories.premium.yearly" }
      + events(.appLaunched, 30..<31, after: 40)
    let value = try #require(figure("mrr", later, "magical-stories").value)
    #expect(Forecast.money(value) == "82.49")
  }

  @Test("MAGIC-45: recurring revenue is what was paid, in its currency; three months in advance are three months") func paidPerMonth()
    throws
  {
    func payment(_ customers: Range<Int>, _ amount: Decimal, days: Double) -> [EventRecord] {
      events(.purchaseCompleted, customers) {
        ($0.product, $0.price) = ("com.magicalstories.premium.monthly", Money(amount: amount, currency: "EUR"))
        ($0.purchased, $0.until) = (Self.start, Self.start + days * 86400)
      }
    }
    let figure = try figure("mrr", payment(0..<2, 9, days: 31) + payment(2..<3, 21, days: 92), "magical-stories")
    #expect(figure.value == 25)
    guard case .money("EUR") = figure.form else { return #expect(Bool(false), "\(figure.form)") }
  }

  @Test("MAGIC-45: subscribers lost in 30 days, of those who had a plan before") func churn() throws {
    let monthly: ProductID = "com.magicalstories.premium.monthly"
    let log =
      events(.purchaseCompleted, 0..<100) { $0.product = monthly }
      + events(.subscriptionRenewed, 0..<96, after: 31) { $0.product = monthly } + events(.appLaunched, 0..<1, after: 35)
    #expect(try text(figure("monthlyChurn", log, "magical-stories")) == "0.04 met")
    #expect(
      try text(figure("monthlyChurn", log.filter { $0.customer != "c95" || $0.name != .subscriptionRenewed }, "magical-stories"))
        == "0.05 missed")
  }

  @Test("MAGIC-45: a customer who was away is no subscriber of that time; a payment that the store repeats is") func pauses() throws {
    let monthly: ProductID = "com.magicalstories.premium.monthly"
    func lost(_ name: MonetizeEvent.Name, after days: Double) throws -> String {
      let log =
        events(.purchaseCompleted, 0..<1) { $0.product = monthly } + events(name, 0..<1, after: days) { $0.product = monthly }
        + events(.appLaunched, 0..<1, after: days + 10)
      return try figure("monthlyChurn", log, "magical-stories").parts
    }
    // Paid for 31 days, and again 11, 49 and 69 days later. The store repeats a payment for 60 days.
    #expect(try lost(.subscriptionRenewed, after: 42) == "0 of 1")
    #expect(try lost(.subscriptionRenewed, after: 80) == "0 of 1")
    #expect(try lost(.subscriptionRenewed, after: 100) == "")
    #expect(try lost(.purchaseCompleted, after: 80) == "")
    // A refund of a plan that has ended does not prolong it.
    let ended =
      events(.purchaseCompleted, 0..<1) { $0.product = monthly } + events(.purchaseRevoked, 0..<1, after: 40) { $0.product = monthly }
      + events(.appLaunched, 0..<1, after: 65)
    #expect(try figure("monthlyChurn", ended, "magical-stories").parts == "")
  }

  @Test("What two devices report of one transaction counts once; the price in the log counts before the catalog's") func devices() throws {
    let product: ProductID = "com.dozzi.unlimited_stories"
    func sale(_ name: MonetizeEvent.Name, _ id: TransactionID, after days: Double) -> [EventRecord] {
      events(name, 0..<1, after: days) { ($0.product, $0.transaction, $0.price) = (product, id, Money(amount: 1, currency: "USD")) }
    }
    let log =
      events(.purchaseStarted, 0..<1) + sale(.purchaseCompleted, "1", after: 0) + sale(.purchaseCompleted, "1", after: 3)
      + sale(.subscriptionRenewed, "1", after: 4) + sale(.purchaseRevoked, "1", after: 5) + sale(.purchaseRevoked, "1", after: 6)
    #expect(try figure("purchaseCompletion", log).parts == "1 of 1" && figure("arpu", log).value == 1)
    #expect(try figure("refunds", log).parts == "1 of 1")
    // A refund that the store takes back is none; two customers may have transactions of one id.
    #expect(try figure("refunds", log + sale(.purchaseReinstated, "1", after: 7)).parts == "0 of 1")
    let other = sale(.purchaseCompleted, "1", after: 1).map { event in
      var event = event
      event.customer = "other"
      return event
    }
    #expect(try figure("refunds", log + other).parts == "1 of 2")
  }

  @Test("Without a payment, the revenue per customer is 0") func noPayments() throws {
    let arpu = try figure("arpu", events(.appLaunched, 0..<100))
    #expect(try text(arpu) == "0 out of range" && arpu.unit == " USD" && figure("arpu", []).value == nil)
  }

  @Test("Keys that no event has are named; the guide lists all that one can have") func keys() throws {
    func summary(_ keys: String) throws -> String {
      let line = #"{"at":"2026-03-01T12:00:00Z","name":"used"\#(keys)}"# + "\n"
      return try Funnel(EventLog(Data((line + line).utf8)), ForecastTests.catalog("dozzi")).summary
    }
    #expect(try !summary(#","paid":true"#).contains("key"))
    #expect(try summary(#","isTrial":true"#).hasSuffix(#" The log has 1 key that no event has: "isTrial" (did you mean "trial"?)."#))
    #expect(try summary(#","a1":1,"b2":1,"c3":1,"d4":1"#).hasSuffix(#" 4 keys that no event has: "a1", "b2", "c3" and others."#))
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let guide = try String(contentsOf: root.appendingPathComponent("Docs/Guides/Funnel.md"), encoding: .utf8)
    let table = try #require(guide.components(separatedBy: "### Keys of a line").last?.components(separatedBy: "## Figures").first)
    let listed = table.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
      row.split(separator: "|")[0].split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
    #expect(listed.sorted() == EventRecord.CodingKeys.allCases.map(\.rawValue).sorted())
  }

  @Test("MAGIC-45: a payment counts when it was made, not when the app learned of it; a change at the next renewal is a completed purchase")
  func late() throws {
    let monthly: ProductID = "com.magicalstories.premium.monthly"
    func period(_ name: MonetizeEvent.Name, _ month: Int, seen days: Double) -> [EventRecord] {
      events(name, 0..<1, after: days) {
        ($0.product, $0.transaction) = (monthly, TransactionID("\(month)"))
        ($0.purchased, $0.until) = (Self.start + Double(month) * 30 * 86400, Self.start + Double(month + 1) * 30 * 86400)
      }
    }
    // Paid until day 90; the app is opened on day 110, and learns of two renewals, the later one first.
    let log =
      period(.purchaseCompleted, 0, seen: 0) + period(.subscriptionRenewed, 2, seen: 110) + period(.subscriptionRenewed, 1, seen: 110)
    #expect(try figure("mrr", log, "magical-stories").value == 0)
    #expect(try figure("monthlyChurn", log, "magical-stories").parts == "1 of 1")
    #expect(try figure("arpu", log, "magical-stories").value == Decimal(string: "26.97"))
    // The first period was refunded after the second one had begun: the second one stays.
    let refunded = log + period(.purchaseRevoked, 0, seen: 111)
    #expect(try figure("monthlyChurn", refunded, "magical-stories").parts == "1 of 1")
    let scheduled = events(.purchaseStarted, 0..<2) + events(.purchaseCompleted, 0..<1) + events(.planChangeScheduled, 1..<2)
    #expect(try figure("purchaseCompletion", scheduled, "magical-stories").parts == "2 of 2")
    let shown = EventLog(scheduled + events(.paywallShown, 0..<4))
    #expect(try Funnel(shown, ForecastTests.catalog("dozzi")).purchase.map(\.count) == [4, 2, 2])
  }

  @Test("MAGIC-46: 80 of 100 onboardings are met, 79 are missed", arguments: [(80, "0.8 met"), (79, "0.79 missed")])
  func onboarding(count: Int, expected: String) throws {
    let log = events("onboardingStarted", 0..<100) + events("onboardingCompleted", 0..<count, after: 0.1)
    #expect(try text(figure("onboardingCompletion", log, "magical-stories")) == expected)
  }

  @Test("MAGIC-42: steps with their rates, the step after which most are lost, seconds a step, and who pays") func steps() throws {
    func step(_ name: String, _ customers: Range<Int>, _ seconds: Double) -> [EventRecord] {
      events("onboardingStep", customers, after: seconds / 86400) { $0.properties = ["step": .text(name)] }
    }
    let log =
      events("onboardingStarted", 0..<10) + step("welcome", 0..<10, 1) + step("firstStory", 0..<9, 11) + step("preview", 0..<4, 41)
      + events("onboardingCompleted", 0..<2, after: 51.0 / 86400) + events("onboardingCompleted", 2..<4, after: 99.0 / 86400)
      + events(.purchaseCompleted, 0..<1, after: 1)
    let funnel = try Funnel(EventLog(log), ForecastTests.catalog("magical-stories"))
    #expect(funnel.onboarding.map(\.title) == ["started", "welcome", "firstStory", "preview", "completed", "paid"])
    #expect(funnel.onboarding.map { Money.text($0.ofFirst, decimals: 1) } == ["1.0", "1.0", "0.9", "0.4", "0.4", "0.1"])
    #expect(funnel.onboarding.map { $0.seconds.map { Money.text($0.rounded(3), decimals: 0) } } == [nil, "10", "30", "34", nil, nil])
    // 4 of 9 go on after the first story, and 1 of 4 pays: who does not pay has not left the onboarding.
    #expect(funnel.dropOff == "firstStory" && funnel.json.contains(#""dropOff" : "firstStory""#))
    for form in [funnel.text, funnel.html.replacingOccurrences(of: "&quot;", with: "\"")] {
      #expect(form.contains("The largest share is lost after the step \"firstStory\"."))
    }
  }

  @Test("A step takes the time until each customer's own next step, whatever the order of the others") func ownWay() throws {
    func step(_ name: String, _ customers: Range<Int>, _ seconds: Double) -> [EventRecord] {
      events("onboardingStep", customers, after: seconds / 86400) { $0.properties = ["step": .text(name)] }
    }
    let log =
      events("onboardingStarted", 0..<4) + step("a", 0..<1, 1) + step("b", 0..<1, 11) + step("b", 1..<4, 1) + step("a", 1..<4, 5)
      + step("c", 0..<4, 30)
    let steps = try Funnel(EventLog(log), ForecastTests.catalog("magical-stories")).onboarding
    #expect(steps.map { $0.seconds.map { Money.text($0.rounded(3), decimals: 0) } } == [nil, "25", "4", nil, nil, nil])
  }

  @Test("Seconds of a duration are not uses; names that the catalog does not have are reported") func amounts() throws {
    let log = events(.used, 0..<2) { ($0.feature, $0.count) = ("playTime", 600) }
    let funnel = try Funnel(EventLog(log), ForecastTests.catalog("maxs-puzzles"))
    #expect(funnel.figures.first { $0.name == "usesPerCustomer" }?.value == 1 && funnel.features.rows.first?.cells[1].text == "2")
    #expect(!funnel.summary.contains("catalog"))
    let other = log + events(.purchaseCompleted, 0..<1) { $0.product = "com.x" }
    #expect(
      try Funnel(EventLog(other), ForecastTests.catalog("dozzi")).summary.contains(
        " 1 product and 1 feature of the log are not in the catalog: com.x, playTime. Check that it is the log of this app."))
    let catalog = try ForecastTests.catalog("dozzi")
    #expect(
      ["raitng", "rating", "conversin", "nps"].map { Funnel.closestName(to: $0, in: catalog) } == ["rating", nil, "conversion", nil])
  }

  @Test("A customer of two devices is in the earlier arm, with the payments from then on; an amount in another currency meets no target")
  func oneArm() throws {
    let product: ProductID = "com.dozzi.unlimited_stories"
    let log =
      events(.experimentExposed, 0..<3) { ($0.experiment, $0.arm) = ("price", "low") }
      + events(.experimentExposed, 0..<1, after: -1) { ($0.experiment, $0.arm) = ("price", "high") }
      + events(.purchaseCompleted, 0..<1, after: 2) { $0.product = product }
      + events(.purchaseCompleted, 1..<2, after: -2) { $0.product = product }
    let rows = try #require(Funnel(EventLog(log), ForecastTests.catalog("dozzi"), by: .experiment).split).rows
    #expect(rows.map { [$0.group] + $0.cells.prefix(2).map(\.text) } == [["price high", "1", "1"], ["price low", "2", "0"]])
    let yen = events(.appLaunched, 0..<100) + events(.purchaseCompleted, 0..<4) { $0.price = Money(amount: 490, currency: "JPY") }
    let arpu = try figure("arpu", yen)
    #expect(text(arpu) == "19.6 tracked" && arpu.parts == "not compared: the target is in USD" && arpu.text(980) == "980")
    #expect(["0.1196", "112.4875", "0"].map { Figure.amount(Decimal(string: $0) ?? 0, "USD") } == ["0.1196", "112.49", "0.00"])
  }

  @Test("PUZZ-22: what children did adds up to the events; the customer, guests and demos are left out") func children() throws {
    func child(_ name: SubjectID, _ minutes: [Double]) -> [EventRecord] {
      minutes.map { minute in
        var record = EventRecord(.used, at: Self.start + minute * 60)
        (record.child, record.count, record.feature) = (name, 2, "story")
        return record
      }
    }
    let log = child("max", [0, 4, 20]) + child("mia", [1]) + child("\u{0}guest", [2]) + events(.used, 0..<3)
    let rows = try #require(Funnel(EventLog(log), ForecastTests.catalog("maxs-puzzles"), by: .child).split).rows
    #expect(rows.map(\.group) == ["max", "mia"])
    #expect(rows.map { $0.cells.prefix(4).map(\.text) } == [["3", "2", "4.0", "6"], ["1", "1", "0.0", "2"]])
  }

  @Test("Arms of experiments are counted separately, with the payments of their customers") func arms() throws {
    let log =
      events(.experimentExposed, 0..<10) { ($0.experiment, $0.arm) = ("price", "low") }
      + events(.experimentExposed, 10..<20) { ($0.experiment, $0.arm) = ("price", "high") }
      + events(.purchaseCompleted, 8..<11) { $0.product = "com.dozzi.unlimited_stories" }
      // Paid before the experiment, and reported in it.
      + events(.purchaseCompleted, 0..<1, after: 1) { ($0.product, $0.purchased) = ("com.dozzi.unlimited_stories", Self.start - 86400) }
    let rows = try #require(Funnel(EventLog(log), ForecastTests.catalog("dozzi"), by: .experiment).split).rows
    #expect(
      rows.map { [$0.group] + $0.cells.map(\.text) } == [
        ["price high", "10", "1", "10 %", "1.79 % to 40.42 %", "2.99 USD", "0.2990 USD", "–"],
        ["price low", "10", "2", "20 %", "5.67 % to 50.98 %", "5.98 USD", "0.5980 USD", "–"],
      ])
  }

  @Test("A payment for a product that the catalog does not price has no sum, and is reported") func unpriced() throws {
    let log =
      events(.purchaseCompleted, 0..<1) { $0.product = "com.dozzi.unlimited_stories" }
      + events(.purchaseCompleted, 1..<3) { $0.product = "com.gone" }
    let funnel = try Funnel(EventLog(log), ForecastTests.catalog("dozzi"))
    let arpu = try #require(funnel.figures.first { $0.name == "arpu" })
    #expect(text(arpu) == "none none" && arpu.parts == "the catalog has no price for 2 payments of com.gone")
    #expect(funnel.summary.hasSuffix("Money has no sum: the catalog has no price for 2 payments of com.gone."))
    #expect(try Funnel(EventLog(Array(log.prefix(1))), ForecastTests.catalog("dozzi")).summary.contains("sum") == false)
  }

  @Test("JSON for programs: counts are numbers, shares and amounts decimal strings, names have keys") func typed() throws {
    let log =
      events(.experimentExposed, 0..<2) { ($0.experiment, $0.arm) = ("price", "low") }
      + events(.purchaseCompleted, 1..<2) { $0.product = "com.dozzi.unlimited_stories" }
      + events(.used, 0..<1) { ($0.feature, $0.count, $0.child) = ("story", 1200, "max") }
    func object(_ split: Funnel.Split) throws -> [String: Any] {
      let json = try Funnel(EventLog(log), ForecastTests.catalog("dozzi"), by: split).json
      return try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }
    let arm = try #require((object(.experiment)["split"] as? [[String: Any]])?.first)
    #expect(arm["experiment"] as? String == "price" && arm["arm"] as? String == "low" && arm["customers"] as? Int == 2)
    #expect(arm["share"] as? String == "0.5" && arm["revenue"] as? [String: String] == ["amount": "2.99", "currency": "USD"])
    #expect(arm["shareInterval"] as? [String] == ["0.094531", "0.905469"] && arm["revenuePerCustomerInterval"] is NSNull)
    #expect(try object(.experiment)["splitNotes"] as? [String] == [])
    let child = try #require((object(.child)["split"] as? [[String: Any]])?.first)
    #expect(child["child"] as? String == "max" && child["customer"] as? String == "c0" && child["uses"] as? Int == 1200)
    let feature = try #require((object(.child)["features"] as? [[String: Any]])?.first)
    #expect(feature["feature"] as? String == "story" && feature["uses"] as? Int == 1200)
    let figure = try #require((object(.child)["figures"] as? [[String: Any]])?.first { $0["name"] as? String == "conversion" })
    #expect(figure["part"] as? Int == 1 && figure["whole"] as? Int == 2 && figure["value"] as? String == "0.5")
    let figures = try #require(object(.child)["figures"] as? [[String: Any]])
    let currencies = figures.compactMap { figure in (figure["currency"] as? String).map { "\(figure["name"] ?? "") \($0)" } }
    #expect(currencies == ["arpu USD", "mrr USD"])
  }

  @Test("Sandbox and simulator are left out where others are real, and reported; alone they are the log") func worlds() throws {
    let tests = events(.appLaunched, 0..<5) { $0.simulated = true } + events(.appLaunched, 5..<8) { $0.environment = .sandbox }
    let real = events(.appLaunched, 10..<12) { $0.environment = .production }
    #expect(EventLog(tests + real).customers == ["c10", "c11"])
    let funnel = try Funnel(EventLog(tests + real), ForecastTests.catalog("dozzi"))
    #expect(funnel.summary.contains("8 of sandbox and simulator are left out"))
    #expect(try Funnel(EventLog(tests), ForecastTests.catalog("dozzi")).summary.contains("all from the sandbox or the simulator"))
  }

  @Test("Events before the store's first answer have the environment of the customer's later ones") func firstEvents() throws {
    func launch(_ customer: Int, _ environment: StoreEnvironment?) -> [EventRecord] {
      events(.appLaunched, customer..<(customer + 1))
        + events(.paywallShown, customer..<(customer + 1), after: 1) { $0.environment = environment }
    }
    let test = EventLog(launch(0, .sandbox))
    #expect(test.events.count == 2 && test.isTest && test.ignored == 0)
    let mixed = EventLog(launch(0, .sandbox) + launch(1, .production) + launch(2, nil))
    #expect(mixed.events.compactMap(\.customer).sorted() == ["c1", "c1", "c2", "c2"] && !mixed.isTest && mixed.ignored == 2)
    let unknown = EventLog(launch(0, nil))
    #expect(unknown.events.count == 2 && !unknown.isTest)
    #expect(try EventLog(Data("\t\n{\"at\":\"2026-03-01T12:00:00Z\",\"name\":\"x\"}\n \t\r\n".utf8)).events.count == 1)
  }

  @Test("A log is read by its lines; one that is no event is named by its number") func reading() throws {
    let lines = events(.paywallShown, 0..<2).map { $0.line() }
    let log = try EventLog(Data((lines.joined(separator: "\r\n") + "\n\n").utf8))
    #expect(log.events.count == 2)
    let error = #expect(throws: ToolProblem.self) { try EventLog(Data((lines[0] + "\n{}\n").utf8)) }
    #expect(error?.mistake?.position?.line == 2)
    #expect(try Funnel(EventLog(Data()), ForecastTests.catalog("dozzi")).text.contains("The log is empty."))
  }

  @Test("The status is no where a target is missed, and the forms agree") func forms() throws {
    let good = events(.purchaseStarted, 0..<100) + events(.purchaseCompleted, 0..<90)
    let catalog = try Catalog(
      json: Data(
        #"{ "schemaVersion": 1, "app": { "id": "a", "name": "A <b>" }, "targets": { "purchaseCompletion": { "atLeast": "0.9" } } }"#.utf8))
    #expect(Funnel(EventLog(good), catalog).status == .fine)
    let bad = Funnel(EventLog(good.dropLast()), catalog)
    #expect(bad.status == .no && bad.text.contains("89 %") && bad.json.contains("\"0.89\"") && bad.html.contains("89 %"))
    #expect(bad.html.contains("A &lt;b&gt;") && !bad.html.contains("<b>") && !bad.html.contains("<script"))
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeSimulator

/// The world stays consistent under any events, in any order.
@Suite(.timeLimit(.minutes(30)))
struct RandomScheduleTests {
  /// The first seed, to try one seed alone or others than CI.
  static let first: UInt64 = ProcessInfo.processInfo.environment["MONETIZE_SEED"].flatMap(UInt64.init) ?? 0
  /// The number of schedules; more with `MONETIZE_SCHEDULES=100 swift test --filter RandomSchedule`.
  static let schedules: UInt64 = ProcessInfo.processInfo.environment["MONETIZE_SCHEDULES"].flatMap(UInt64.init) ?? 16

  /// The seed is the test's argument, so that a failure prints it.
  @Test(arguments: RandomScheduleTests.first..<RandomScheduleTests.first + RandomScheduleTests.schedules)
  func fiveHundredVerbsKeepTheWorldInOrder(seed: UInt64) throws {
    var schedule = Schedule(seed: seed)
    for step in 0..<500 {
      let (verb, events) = schedule.step()
      for (index, event) in events.enumerated() where index > 0 && events[index - 1].date > event.date {
        Issue.record("seed \(seed), step \(step), \(verb): events out of order")
      }
      // A law about money is checked after every verb, by the storefronts and consents of that time.
      guard step % 7 == 0 || step == 499 else {
        #expect(schedule.brokenMoney().isEmpty, "seed \(seed), step \(step), \(verb)")
        continue
      }
      let broken = schedule.brokenInvariants()
      #expect(broken.isEmpty, "seed \(seed), step \(step), \(verb)")
      if !broken.isEmpty { return }
    }
    #expect(!schedule.log.isEmpty)
  }

  /// A verb that throws has changed nothing, including accounts.
  @Test(arguments: UInt64(0)..<12) func aVerbThatThrowsChangesNothing(seed: UInt64) {
    var schedule = Schedule(seed: seed)
    var refusals: Set<String> = []
    for step in 0..<120 {
      schedule.refused = nil
      let verb = schedule.step().verb
      guard let before = schedule.refused else { continue }
      refusals.insert(String(verb.split(separator: " ")[1]))
      #expect(text(before) == text(schedule.world), "seed \(seed), step \(step), \(verb)")
    }
    #expect(refusals.count > 8)
  }

  private func text(_ world: StoreWorld) -> String {
    var text = ""
    dump(world, to: &text)
    return text
  }

  @Test(arguments: [UInt64(1), 2, 3]) func theSameSeedGivesTheSameBytes(seed: UInt64) {
    let logs = (0..<2).map { _ -> String in
      var schedule = Schedule(seed: seed)
      for _ in 0..<500 { _ = schedule.step() }
      return schedule.log.map(\.text).joined(separator: "\n")
    }
    #expect(logs[0] == logs[1])
    #expect(logs[0].count > 5_000)
  }

  @Test func anotherSeedGivesAnotherStory() {
    let logs = [UInt64(1), 2].map { seed -> [String] in
      var schedule = Schedule(seed: seed)
      for _ in 0..<100 { _ = schedule.step() }
      return schedule.log.map(\.text)
    }
    #expect(logs[0] != logs[1])
  }

  /// One large step of time equals many small ones.
  @Test(arguments: UInt64(0)..<10) func timeMayComeInAnySteps(seed: UInt64) {
    var once = Schedule(seed: seed)
    for _ in 0..<120 { _ = once.step() }
    var often = once.world
    let end = once.world.now.addingTimeInterval(3 * 365 * 86400)
    let inOne = once.world.advance(to: end)
    var inMany: [StoreEvent] = []
    while often.now < end { inMany += often.advance(to: min(end, often.now.addingTimeInterval(5 * 86400 + 7))) }
    #expect(inOne == inMany, "seed \(seed)")
  }
}

/// A story of random verbs.
struct Schedule {
  var world: StoreWorld
  var log: [ServerNotification] = []
  /// The world before the last verb that threw.
  var refused: StoreWorld?
  private var random: SplitMix64
  private var seen: [String: StoreTransaction] = [:]
  private var money = MoneyLaws()
  static let customers: [CustomerID] = ["ann", "bob", "kid", "mum"]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    world = Shop.world(at: "2024-01-31T10:00:00Z")
    let all: [GraceDays?] = [nil, .three, .sixteen, .twentyEight]
    world.configure { $0.gracePeriod = all.randomElement(using: &random) ?? nil }
    if Bool.random(using: &random) { world.configure { $0.monthEnd = .drifts } }
    if Bool.random(using: &random) { world.configure { $0.months = .pacific } }
    if Bool.random(using: &random) { world.configure { $0.graceFor = .paidToPaid } }
    for quirk in StoreQuirk.all where Int.random(in: 0..<6, using: &random) == 0 { world.configure { $0.quirks.insert(quirk) } }
    // Without quirks that make the list differ from the truth, because they would break the checks of the list.
    world.configure { $0.quirks.subtract([.upgradedStaysListed]) }
  }

  mutating func step() -> (verb: String, events: [StoreEvent]) {
    let customer = Self.customers.randomElement(using: &random) ?? "ann"
    let product = Shop.products.randomElement(using: &random)?.id ?? "pack"
    let verb = Int.random(in: 0..<26, using: &random)
    var events: [StoreEvent] = []
    let before = world
    do { events = try act(verb, customer, product) } catch { refused = before }
    log += events.compactMap(\.notification)
    return ("verb \(verb) \(customer) \(product)", events)
  }

  private mutating func act(_ verb: Int, _ customer: CustomerID, _ product: ProductID) throws -> [StoreEvent] {
    let isOn = Bool.random(using: &random)
    switch verb {
    case 0...4:
      let offers = world.products.first { $0.id == product }?.terms?.offers.compactMap(\.id) ?? []
      let offer = Int.random(in: 0..<3, using: &random) == 0 ? offers.randomElement(using: &random) : nil
      let sheet = Int.random(in: 0..<4, using: &random) == 0 ? Sheet.allCases.randomElement(using: &random) : nil
      return try world.purchase(PurchaseRequest(product, offerID: offer, quantity: isOn ? 2 : 1), by: customer, sheet: sheet).events
    case 5...9:
      return world.advance(to: world.now.addingTimeInterval(Double(Int.random(in: 0..<40 * 86400, using: &random))))
    case 10: return world.setAccount(customer) { $0.payment = isOn ? .works : .fails }
    case 11:
      return try world.refund(product, customer: customer, part: isOn ? .full : .prorated)
    case 12: return try world.reverseRefund(product, customer: customer)
    case 13: return try world.setAutoRenew(product, isOn, customer: customer)
    case 14: return try isOn ? world.approve(product, customer: customer) : world.decline(product, customer: customer)
    case 15: return try isOn ? world.renew(product, customer: customer) : world.expire(product, customer: customer)
    case 16: return try world.extend(product, by: Period(days: Int.random(in: 1...30, using: &random)), customer: customer)
    case 17:
      let price = Decimal(Int.random(in: 100...3000, using: &random)) / 100
      return try world.setPrice(
        product, Money(amount: price, currency: "USD"), consent: PriceConsent.allCases.randomElement(using: &random) ?? .byRule)
    case 18:
      try world.setOnSale(product, Int.random(in: 0..<4, using: &random) > 0)
      return []
    case 19: return try isOn ? world.joinFamily(customer, of: "mum") : world.leaveFamily(customer)
    case 20:
      guard Int.random(in: 0..<10, using: &random) == 0 else { return [] }
      seen = seen.filter { !$0.key.hasPrefix("\(customer)/") }
      return isOn ? world.forget(customer: customer) : try world.forget(product, newestOnly: true, customer: customer)
    case 21: return world.setAccount(customer) { $0.storefront = isOn ? "USA" : "DEU" }
    case 22: return world.setAccount(customer) { $0.environment = isOn ? .production : .sandbox }
    case 23:
      let price = Money(amount: Decimal(Int.random(in: 100...3000, using: &random)) / 100, currency: "EUR")
      if isOn { return try world.setPrice(product, price, consent: .required, storefront: "DEU") }
      try world.setPrice(ofOffer: "introductory", of: product, price, storefront: "DEU")
      return []
    case 24:
      return try isOn ? world.requestRefund(product, customer: customer) : world.declineRefund(product, customer: customer)
    default:
      return world.setAccount(customer) { $0.askToBuy = isOn }
    }
  }

  mutating func brokenMoney() -> [String] { money.check(world).map { "\($0.law): \($0.text)" } }

  /// The violations; empty when there are none.
  mutating func brokenInvariants() -> [String] {
    var broken: [String] = []
    if let next = world.nextEvent, next <= world.now { broken.append("something due has not happened") }
    broken += brokenMoney()
    for customer in Self.customers {
      let transactions = world.transactions(of: customer, in: .production) + world.transactions(of: customer, in: .sandbox)
      broken += lost(transactions, of: customer) + wrong(world.answer(for: customer), transactions, of: customer)
    }
    return broken
  }

  private mutating func lost(_ transactions: [StoreTransaction], of customer: CustomerID) -> [String] {
    var broken: [String] = []
    let now = Dictionary(uniqueKeysWithValues: transactions.map { ("\(customer)/\($0.id)", $0) })
    for (key, old) in seen where key.hasPrefix("\(customer)/") {
      guard let new = now[key] else {
        broken.append("\(key) is lost")
        continue
      }
      if new != old, new.revision <= old.revision { broken.append("\(key) changed without a later signature") }
    }
    seen.merge(now) { _, new in new }
    return broken
  }

  private func wrong(_ answer: StoreAnswer, _ transactions: [StoreTransaction], of customer: CustomerID) -> [String] {
    var broken: [String] = []
    let listed = answer.transactions.filter(\.isVerified).map(\.transaction)
    if listed.contains(where: { $0.revocation != nil }) { broken.append("\(customer): a revoked purchase is listed") }
    var groups: [String: Int] = [:]
    for transaction in listed where transaction.ownership == .purchased {
      guard let group = world.products.first(where: { $0.id == transaction.productID })?.terms?.group else { continue }
      // A renewal that was charged early is listed beside the running period.
      if transaction.purchaseDate <= world.now { groups[group, default: 0] += 1 }
      let info = answer.renewals.first { $0.originalID == transaction.originalID }
      let end = info?.graceUntil ?? transaction.expirationDate ?? .distantPast
      if end <= world.now { broken.append("\(customer): \(transaction.id) is listed after its end") }
      if info?.state != .subscribed, info?.state != .inGracePeriod {
        broken.append("\(customer): \(transaction.id) is listed and not active")
      }
    }
    if groups.values.contains(where: { $0 > 1 }) { broken.append("\(customer): two active subscriptions in a group") }
    for info in answer.renewals where info.state == .inBillingRetry && (info.retryUntil ?? .distantPast) <= world.now {
      broken.append("\(customer): retry of \(info.originalID) never ends")
    }
    for info in answer.renewals where info.state == .subscribed {
      guard
        !transactions.contains(where: {
          $0.originalID == info.originalID && $0.productID == info.productID && $0.expirationDate == info.expires
        })
      else { continue }
      broken.append("\(customer): no transaction of \(info.originalID) ends when the subscription does")
    }
    return broken
  }
}

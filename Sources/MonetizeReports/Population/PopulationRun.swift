// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// Customers who behave as a plan assumes, played through the simulated store and the engine, in order of time.
struct PopulationRun {
  /// What a month brought.
  struct Month: Sendable {
    var payments = 0
    var gross = Decimal()
    var refunds = 0
    var uses = 0
    var denials = 0
  }

  private enum Deed { case stop, giveBack }

  let plan: ForecastPlan
  let catalog: Catalog
  let count: Int
  let start: Date
  /// Where each month ends.
  let ends: [Date]
  /// Whether features are used as well.
  let uses: Bool
  private(set) var months: [Month]
  private(set) var events: [EventRecord] = []
  private var world: StoreWorld
  private var states: [CustomerState]
  private var judges: [UseJudge]
  private var bought: [ForecastPlan.Product?]
  private var deeds: [(date: Date, customer: Int, deed: Deed)] = []
  private var draws: Draws
  private let ids: [String]
  /// How often a customer wants to use each feature in a month; all that is free without an assumption, three times at most.
  private let wanted: [(free: Int, paid: Int)]

  init(_ plan: ForecastPlan, _ catalog: Catalog, customers: Int, months: Int, start: Date, seed: UInt64, uses: Bool) {
    (self.plan, self.catalog, count, self.start, self.uses) = (plan, catalog, customers, start, uses)
    ends = (1...max(1, months)).map { Period(months: $0).added(to: start, in: .storeCalendar) }
    self.months = Array(repeating: Month(), count: months)
    world = StoreWorld(products: catalog.simulatedProducts, now: start, seed: seed)
    states = Array(repeating: CustomerState(), count: customers)
    judges = Array(repeating: UseJudge(catalog), count: customers)
    bought = Array(repeating: nil, count: customers)
    draws = Draws(seed: seed)
    ids = (0..<customers).map { "c\($0)" }
    wanted = plan.features.map { feature in
      let free = feature.uses.free?.whole ?? min(feature.limit, 3)
      return (min(1000, free), min(1000, feature.uses.paid?.whole ?? free))
    }
  }

  mutating func play() throws(ReportProblem) {
    for customer in 0..<count { try arrive(customer) }
    deeds.sort { ($0.date, $0.customer) < ($1.date, $1.customer) }
    var next = 0
    for (month, end) in ends.enumerated() {
      if uses {
        let from = month == 0 ? start : ends[month - 1]
        let steps = wanted.map { max($0.free, $0.paid) }.max() ?? 0
        for step in 0..<steps {
          let date = from + end.timeIntervalSince(from) * (Double(step) + 0.5) / Double(steps)
          advance(to: date, &next)
          for customer in 0..<count { use(step, customer, at: date, in: month) }
        }
      }
      advance(to: end - 1, &next)
    }
  }

  // MARK: The store

  /// A customer downloads the app, and may buy at once: a trial comes first where there is one.
  private mutating func arrive(_ customer: Int) throws(ReportProblem) {
    note(.appLaunched, customer, at: start)
    let conversion = ((plan.conversion.low + plan.conversion.high) / 2).double
    guard Double.random(in: 0..<1, using: &draws) < conversion else { return }
    var share = Double.random(in: 0..<1, using: &draws)
    let product =
      plan.products.first { product in
        share -= product.share
        return share < 0
      } ?? plan.products[plan.products.count - 1]
    bought[customer] = product
    note(.paywallShown, customer, at: start)
    note(.purchaseStarted, customer, at: start) { $0.product = product.id }
    do throws(StoreError) {
      for event in try world.purchase(PurchaseRequest(product.id), by: CustomerID(ids[customer])).events { receive(event) }
    } catch { throw ReportProblem("The simulated store does not sell \(product.id): \(error).") }
    let trial = catalog.product(product.id)?.subscription?.introductoryOffer.flatMap { $0.mode == .freeTrial ? $0.period : nil }
    let paid = trial?.added(to: start, in: .storeCalendar) ?? start
    if let period = product.period { stop(product, period, customer, paid) }
    if let refunds = plan.assumptions.refunds, Double.random(in: 0..<1, using: &draws) < refunds.double {
      deeds.append((paid + 3 * 86400, customer, .giveBack))
    }
  }

  /// Draws how often a subscriber renews, and turns renewal off a day after the last time.
  private mutating func stop(_ product: ForecastPlan.Product, _ period: Period, _ customer: Int, _ paid: Date) {
    guard let end = ends.last else { return }
    for renewal in 1... {
      let last = period.added(to: paid, times: renewal - 1, in: .storeCalendar) + 86400
      if last >= end { return }
      if Double.random(in: 0..<1, using: &draws) < product.curve.retention(at: renewal) { continue }
      deeds.append((last, customer, .stop))
      return
    }
  }

  private mutating func advance(to date: Date, _ next: inout Int) {
    while next < deeds.count, deeds[next].date <= date {
      let (due, customer, deed) = deeds[next]
      next += 1
      receive(until: due)
      guard let product = bought[customer]?.id else { continue }
      let id = CustomerID(ids[customer])
      // Who has nothing any more has nothing to stop or to give back.
      let events =
        switch deed {
        case .stop: try? world.setAutoRenew(product, false, customer: id)
        case .giveBack: try? world.refund(product, customer: id)
        }
      for event in events ?? [] { receive(event) }
    }
    receive(until: date)
  }

  private mutating func receive(until date: Date) {
    var received: [StoreEvent] = []
    world.advance(to: date) { received.append($0) }
    for event in received { receive(event) }
  }

  private mutating func receive(_ event: StoreEvent) {
    guard let customer = Int(event.customer.rawValue.dropFirst()) else { return }
    for update in event.updates {
      switch update {
      case .transaction(let signed): receive(signed.transaction, customer, at: event.date)
      case .renewal(let info): states[customer].insert(.renewal(info))
      case .intent, .country: break
      }
    }
    if !event.updates.isEmpty { judges[customer].forget() }
  }

  private mutating func receive(_ transaction: StoreTransaction, _ customer: Int, at date: Date) {
    let (known, isFirst) = (states[customer].transactions[transaction.id], states[customer].transactions.isEmpty)
    guard states[customer].insert(.transaction(transaction)) else { return }
    let month = ends.firstIndex { date < $0 } ?? ends.count - 1
    if transaction.revocation != nil {
      guard known?.revocation == nil else { return }
      months[month].refunds += 1
      note(.purchaseRevoked, customer, at: date) { $0.product = transaction.productID }
    } else if known == nil {
      let isTrial = transaction.offer?.mode == .freeTrial
      if !isTrial {
        months[month].payments += 1
        months[month].gross += catalog.product(transaction.productID)?.price?.amount ?? 0
      }
      note(isFirst ? .purchaseCompleted : .subscriptionRenewed, customer, at: date) {
        $0.product = transaction.productID
        if isTrial { $0.trial = true }
      }
    }
  }

  // MARK: The engine

  private mutating func use(_ step: Int, _ customer: Int, at date: Date, in month: Int) {
    for (feature, wanted) in zip(plan.features, wanted) where step < (bought[customer] == nil ? wanted.free : wanted.paid) {
      let found = judges[customer].judge(feature.id, states[customer], key: "\(month)-\(step)", at: date)
      if let found, found.isAllowed {
        months[month].uses += 1
        if let use = found.use { states[customer].insert(.use(use)) }
        note(.used, customer, at: date) {
          ($0.feature, $0.count) = (feature.id, 1)
          $0.paid = found.use.map { !$0.counted || $0.credits > 0 }
        }
      } else {
        months[month].denials += 1
        note(.usageLimitReached, customer, at: date) { $0.feature = feature.id }
      }
    }
  }

  private mutating func note(_ name: MonetizeEvent.Name, _ customer: Int, at date: Date, _ change: (inout EventRecord) -> Void = { _ in }) {
    var record = EventRecord(name, at: date, customer: ids[customer])
    (record.simulated, record.environment) = (true, .production)
    change(&record)
    events.append(record)
  }
}

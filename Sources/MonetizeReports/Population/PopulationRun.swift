// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import MonetizeTools

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

  private enum Deed { case stop, giveBack, buyAgain }

  let parts: [PopulationPart]
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
  /// When what each customer has paid for ends, trials included.
  private var paidUntil: [Date]
  private var hasPaid: [Bool]
  /// How often each customer buys the product again.
  private var laterPurchases: [Int]
  private var deeds: [(date: Date, customer: Int, deed: Deed)] = []
  private var draws: Draws
  private let ids: [String]
  /// The index of each customer's part.
  private let part: [Int]
  /// How often a customer of each part wants to use each feature.
  private let wanted: [[(free: Decimal, paid: Decimal)]]

  /// One wish to use a feature.
  private struct Wish {
    let date: Date
    let customer: Int
    let feature: Int
    /// Its number among the customer's wishes of the time, from 0, in no order of dates: a customer with fewer wishes than others has them at
    /// any time as well.
    let rank: Int
  }

  /// - Parameter parts: Have each customer once, by an index from 0.
  init(_ parts: [PopulationPart], months: Int, start: Date, seed: UInt64, uses: Bool) {
    (self.parts, self.start, self.uses) = (parts, start, uses)
    let count = parts.reduce(0) { $0 + $1.customers.count }
    var part = Array(repeating: 0, count: count)
    for (index, customers) in parts.map(\.customers).enumerated() { for customer in customers { part[customer] = index } }
    self.part = part
    ends = (1...max(1, months)).map { Period(months: $0).added(to: start, in: .storeCalendar) }
    self.months = Array(repeating: Month(), count: months)
    let prices = Dictionary(parts.flatMap(\.plan.products).map { ($0.id, $0.price) }) { first, _ in first }
    world = StoreWorld(products: Self.sold(parts[0].catalog, prices), now: start, seed: seed)
    states = Array(repeating: CustomerState(), count: count)
    judges = part.map { UseJudge(parts[$0].catalog) }
    bought = Array(repeating: nil, count: count)
    paidUntil = Array(repeating: .distantPast, count: count)
    hasPaid = Array(repeating: false, count: count)
    laterPurchases = Array(repeating: 0, count: count)
    draws = Draws(seed: seed)
    ids = (0..<count).map(PopulationPart.id)
    wanted = parts.map(\.wanted)
  }

  /// What the store sells, at the assumed prices, without offers that the plan leaves out because not every customer gets them.
  private static func sold(_ catalog: Catalog, _ prices: [ProductID: Decimal]) -> [SimulatedProduct] {
    catalog.simulatedProducts.map { product in
      var product = product
      if let price = prices[product.id] { product.price = Money(amount: price, currency: product.price.currency) }
      if let terms = product.terms {
        let offers = terms.offers.filter { $0.type != .introductory || !$0.isDated }
        product.terms = SubscriptionTerms(group: terms.group, level: terms.level, period: terms.period, offers: offers)
      }
      return product
    }
  }

  mutating func play() throws(ToolProblem) {
    for customer in ids.indices { try arrive(customer) }
    deeds.sort { ($0.date, $0.customer) < ($1.date, $1.customer) }
    var next = 0
    for (month, end) in ends.enumerated() {
      for wish in uses ? wishes(in: month) : [] {
        advance(to: wish.date, &next)
        use(wish, in: month)
      }
      advance(to: end - 1, &next)
    }
  }

  /// All wishes of a month, each at any time of it. Uses that a lifetime limit counts are made in the first month, as in a forecast.
  private mutating func wishes(in month: Int) -> [Wish] {
    let from = month == 0 ? start : ends[month - 1]
    let length = ends[month].timeIntervalSince(from)
    var all: [Wish] = []
    for (part, wanted) in zip(parts, wanted) {
      for (index, feature) in part.plan.features.enumerated() where feature.isPeriodic || month == 0 {
        for customer in part.customers {
          let most = max(wanted[index].free, bought[customer] == nil ? 0 : wanted[index].paid) + credits(of: feature, customer, in: month)
          // Whole seconds, as in a log.
          for rank in 0..<most.ceiling {
            let date = from + (length * Double.random(in: 0..<1, using: &draws)).rounded(.down)
            all.append(Wish(date: date, customer: customer, feature: index, rank: rank))
          }
        }
      }
    }
    return all.sorted { ($0.date, $0.customer, $0.feature, $0.rank) < ($1.date, $1.customer, $1.feature, $1.rank) }
  }

  // MARK: The store

  /// A customer downloads the app, and may buy at once: a trial comes first where there is one.
  private mutating func arrive(_ customer: Int) throws(ToolProblem) {
    note(.appLaunched, customer, at: start)
    let (plan, arms) = (parts[part[customer]].plan, parts[part[customer]].arms)
    for (experiment, arm) in arms { note(.experimentExposed, customer, at: start) { ($0.experiment, $0.arm) = (experiment, arm) } }
    let conversion = ((plan.conversion.low + plan.conversion.high) / 2).double
    guard Double.random(in: 0..<1, using: &draws) < conversion else { return }
    var share = Double.random(in: 0..<1, using: &draws)
    let product =
      plan.products.first { product in
        share -= product.share
        return share < 0
      } ?? plan.products[plan.products.count - 1]
    bought[customer] = product
    do throws(StoreError) { try buy(product.id, customer) } catch {
      throw ToolProblem("The simulated store does not sell \(product.id): \(error).")
    }
    drawEnd(of: product, for: customer, refunds: (plan.assumptions.refunds ?? 0).double)
  }

  private mutating func buy(_ product: ProductID, _ customer: Int) throws(StoreError) {
    for event in try world.purchase(PurchaseRequest(product), by: CustomerID(ids[customer])).events { receive(event) }
  }

  /// Draws for each payment whether it is given back or not followed by another one, a day after the last one. A customer who gets the
  /// money back is one of those who do not renew.
  private mutating func drawEnd(of product: ForecastPlan.Product, for customer: Int, refunds: Double) {
    guard let end = ends.last else { return }
    for payment in 0... {
      let date = product.date(of: payment, from: start) + 86400
      if date >= end { return }
      let chance = Double.random(in: 0..<1, using: &draws)
      if chance < refunds {
        deeds.append((date, customer, .giveBack))
        return
      }
      guard product.period != nil else { return }
      let paysAgain = chance >= 1 - product.curve.retention(at: payment + 1)
      if product.isSubscription {
        // The store renews by itself.
        if !paysAgain { deeds.append((date, customer, .stop)) }
      } else if paysAgain {
        deeds.append((product.date(of: payment + 1, from: start), customer, .buyAgain))
        laterPurchases[customer] += 1
      }
      if !paysAgain { return }
    }
  }

  private mutating func advance(to date: Date, _ next: inout Int) {
    while next < deeds.count, deeds[next].date <= date {
      let (due, customer, deed) = deeds[next]
      next += 1
      receive(until: due)
      guard let product = bought[customer]?.id else { continue }
      let id = CustomerID(ids[customer])
      // A customer who owns nothing any more has nothing to stop or to give back.
      switch deed {
      case .stop: for event in (try? world.setAutoRenew(product, false, customer: id)) ?? [] { receive(event) }
      case .giveBack: for event in (try? world.refund(product, customer: id)) ?? [] { receive(event) }
      case .buyAgain: try? buy(product, customer)
      }
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
      // Payments never fail here, so that no renewal status matters.
      case .renewal, .intent, .country: break
      }
    }
    if !event.updates.isEmpty { judges[customer].forget() }
  }

  private mutating func receive(_ transaction: StoreTransaction, _ customer: Int, at date: Date) {
    let known = states[customer].transactions[transaction.id]
    guard states[customer].insert(.transaction(transaction)) else { return }
    let month = ends.firstIndex { date < $0 } ?? ends.count - 1
    if transaction.revocation != nil {
      guard known?.revocation == nil else { return }
      paidUntil[customer] = date
      months[month].refunds += 1
      note(.purchaseRevoked, customer, at: date) {
        ($0.product, $0.transaction, $0.purchased, $0.until) = (transaction.productID, transaction.id, transaction.purchaseDate, date)
      }
    } else if known == nil {
      paidUntil[customer] = end(of: transaction, customer)
      // The behaviour declares the payment after a trial, not its beginning.
      if transaction.offer?.mode == .freeTrial { return }
      months[month].payments += 1
      months[month].gross += transaction.price?.amount ?? 0
      note(hasPaid[customer] && bought[customer]?.isSubscription == true ? .subscriptionRenewed : .purchaseCompleted, customer, at: date) {
        ($0.product, $0.transaction) = (transaction.productID, transaction.id)
        ($0.purchased, $0.until, $0.price) = (transaction.purchaseDate, transaction.expirationDate, transaction.price)
      }
      hasPaid[customer] = true
    }
  }

  /// When the access of a payment ends: at once for credits, and never without a length.
  private func end(of transaction: StoreTransaction, _ customer: Int) -> Date {
    guard let product = bought[customer], product.credits == nil else { return transaction.purchaseDate }
    return transaction.expirationDate ?? product.length?.added(to: transaction.purchaseDate, in: .storeCalendar) ?? .distantFuture
  }

  // MARK: The engine

  /// The bought credits of a feature: used in the month of the purchase, beside what is free. Credits are bought once a month at most.
  private func credits(of feature: ForecastPlan.Feature, _ customer: Int, in month: Int) -> Decimal {
    Decimal(month <= laterPurchases[customer] ? bought[customer]?.credits?[feature.id] ?? 0 : 0)
  }

  private mutating func use(_ wish: Wish, in month: Int) {
    let (customer, date) = (wish.customer, wish.date)
    let feature = parts[part[customer]].plan.features[wish.feature]
    let credits = credits(of: feature, customer, in: month)
    let wanted = wanted[part[customer]][wish.feature]
    let count = (date < paidUntil[customer] ? wanted.paid : wanted.free) + credits
    // A part of a use is the chance of one.
    let chance = (count - Decimal(wish.rank)).double
    guard chance >= 1 || (chance > 0 && Double.random(in: 0..<1, using: &draws) < chance) else { return }
    let found = judges[customer].judge(feature.id, states[customer], key: "\(month)-\(wish.rank)", at: date)
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

  private mutating func note(_ name: MonetizeEvent.Name, _ customer: Int, at date: Date, _ change: (inout EventRecord) -> Void = { _ in }) {
    var record = EventRecord(name, at: date, customer: ids[customer])
    (record.simulated, record.environment) = (true, .production)
    change(&record)
    events.append(record)
  }
}

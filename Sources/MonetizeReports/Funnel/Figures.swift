// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

/// The figures of a log. `Docs/Guides/Funnel.md` defines each of them.
struct Figures {
  let log: EventLog
  let catalog: Catalog
  /// Sales that were paid for.
  let payments: [EventRecord]
  /// Sales that cost nothing: trials, and what was free.
  private let free: Set<Sale>

  init(log: EventLog, catalog: Catalog) {
    (self.log, self.catalog) = (log, catalog)
    let sales = log.events.filter(Self.isSale)
    payments = sales.filter { Self.isPaid($0, catalog) }
    free = Set(sales.filter { !Self.isPaid($0, catalog) }.compactMap(Sale.init))
  }

  /// A transaction of a customer.
  private struct Sale: Hashable {
    let customer: String
    let transaction: TransactionID

    init?(_ event: EventRecord) {
      guard let transaction = event.transaction else { return nil }
      (customer, self.transaction) = (EventLog.customer(of: event), transaction)
    }
  }

  /// The events about what was paid. The line of a revocation need not repeat that its transaction was a trial.
  private var paid: [EventRecord] {
    log.events.filter { event in Self.isPaid(event, catalog) && Sale(event).map { !free.contains($0) } ?? true }
  }
  private func count(ofPaid name: MonetizeEvent.Name) -> Int { paid.count { $0.name == name } }

  private static let day: TimeInterval = 86400

  private var end: Date { log.events.last?.at ?? .distantPast }

  /// First purchases and renewals, paid or on trial.
  private var sales: [EventRecord] { log.events.filter(Self.isSale) }
  private static func isSale(_ event: EventRecord) -> Bool { event.name == .purchaseCompleted || event.name == .subscriptionRenewed }

  /// What was paid: the price in the log, else the catalog's.
  private static func price(_ event: EventRecord, _ catalog: Catalog) -> Money? {
    event.price ?? event.product.flatMap(catalog.product)?.price
  }
  private func price(_ event: EventRecord) -> Money? { Self.price(event, catalog) }

  /// Whether an event is about a purchase that cost something: no trial, and nothing that was free.
  private static func isPaid(_ event: EventRecord, _ catalog: Catalog) -> Bool {
    event.trial != true && price(event, catalog)?.amount != 0
  }

  func sum(of payments: [EventRecord]) -> Decimal { payments.reduce(Decimal()) { $0 + (price($1)?.amount ?? 0) } }

  /// The currencies of what customers paid, sorted.
  var currencies: [String] { Set(payments.compactMap { price($0)?.currency }).sorted() }

  /// Why the amounts have no sum: they are in several currencies, or the catalog has no price for some; `nil` if they have one.
  var reasonWithoutSum: String? {
    if currencies.count > 1 { return "payments are in \(currencies.joined(separator: ", "))" }
    let unpriced = payments.filter { price($0) == nil }
    if unpriced.isEmpty { return nil }
    let names = Set(unpriced.compactMap(\.product?.rawValue)).sorted()
    return "the catalog has no price for \(Words.counted(unpriced.count, "payment"))"
      + (names.isEmpty ? "" : " of \(names.prefix(3).joined(separator: ", "))\(names.count > 3 ? " and others" : "")")
  }

  /// An amount of money; without a value if the amounts have no sum. An amount of no payments is in the currency of the catalog.
  private func money(_ name: String, _ title: String, _ value: Decimal?) -> Figure {
    if let reasonWithoutSum { return Figure(name, title, .money(nil), nil, parts: reasonWithoutSum) }
    return Figure(name, title, .money(currencies.first ?? catalog.products.lazy.compactMap { $0.price?.currency }.first), value)
  }

  var payers: Set<String> { Set(payments.map(EventLog.customer)) }

  /// The payers who used a feature in the last 30 days by what they had bought.
  private var adopters: Set<String> {
    let start = end - 30 * Self.day
    return payers.intersection(log.all(.used).filter { $0.paid == true && $0.at >= start }.map(EventLog.customer))
  }

  /// A figure that no log contains, with the title and the form of a known name.
  private static func elsewhere(_ name: String, _ value: Decimal?, parts: String = "") -> Figure {
    let known: [String: (title: String, form: Figure.Form)] = [
      "rating": ("Rating", .number), "crashRate": ("Crash rate", .share), "tickets": ("Support tickets", .share),
      "apiSeconds": ("Seconds of an API call", .number),
    ]
    return Figure(name, known[name]?.title ?? name, known[name]?.form ?? .number, value, parts: parts)
  }

  func all(given: [String: Decimal]) -> [Figure] {
    let (shown, started) = (log.all(.paywallShown).count, log.all(.purchaseStarted).count)
    let (completed, failed) = (log.completed, log.all(.purchaseFailed).count + log.all(.purchaseUnverified).count)
    let revoked = max(0, count(ofPaid: .purchaseRevoked) - count(ofPaid: .purchaseReinstated))
    let opened = log.customers("onboardingStarted")
    let trials = Set(sales.filter { $0.trial == true }.map(EventLog.customer))
    let used = log.all(.used)
    let uses = used.uses(in: catalog)
    let everyone = log.customers
    var figures = [
      Figure("onboardingToPaid", "Onboarding to paid", opened.intersection(payers).count, of: opened.count),
      Figure(
        "onboardingCompletion", "Onboarding completion", opened.intersection(log.customers("onboardingCompleted")).count, of: opened.count),
      Figure("trialToPaid", "Trial to paid", trials.intersection(payers).count, of: trials.count),
      Figure("paywallToStart", "Paywall to purchase started", started, of: shown),
      Figure("purchaseCompletion", "Purchase completion", completed, of: started),
      Figure("storeSuccess", "Purchases without a failure", completed, of: completed + failed),
      Figure("conversion", "Conversion", payers.count, of: everyone.count),
      Figure("refunds", "Refunds", revoked, of: payments.count),
      Figure("adoption", "Adoption among payers", adopters.count, of: payers.count),
      Figure(
        "usesPerCustomer", "Uses per customer", .number, everyone.isEmpty || used.isEmpty ? nil : Decimal(uses) / Decimal(everyone.count),
        parts: used.isEmpty ? "" : "\(Words.grouped(uses)) by \(Words.grouped(everyone.count))"),
      money(
        "arpu", "Revenue per customer (ARPU)", everyone.isEmpty ? nil : sum(of: payments) / Decimal(everyone.count)),
      money("mrr", "Monthly recurring revenue (MRR)", hasSubscriptions ? mrr(at: end) : nil), churn, day7, growth,
    ]
    // A given figure replaces the measured one.
    figures = figures.map { figure in
      given[figure.name].map { Figure(figure.name, figure.title, figure.form, $0, parts: "given") } ?? figure
    }
    let others = given.filter { name, _ in !figures.contains { $0.name == name } }.sorted { $0.key < $1.key }
    return targeted(figures + others.map { Self.elsewhere($0.key, $0.value, parts: "given") })
  }

  /// Adds the catalog's targets. A target without a measured figure has no value. A target for an amount is in the currency of the catalog's
  /// prices, and an amount in another one is not compared with it.
  private func targeted(_ figures: [Figure]) -> [Figure] {
    let known = Set(figures.map(\.name))
    let own = Set(catalog.products.compactMap { $0.price?.currency })
    let targets = catalog.targets
    let missing = targets.filter { !known.contains($0.name) }.map { Self.elsewhere($0.name, nil) }
    return (figures + missing).map { figure in
      var figure = figure
      guard let target = targets.first(where: { $0.name == figure.name })?.target else { return figure }
      if case .money(let currency?) = figure.form, figure.value != nil, !own.isEmpty, !own.contains(currency) {
        figure.parts = "not compared: the target is in \(own.sorted().joined(separator: " or "))"
      } else {
        figure.target = target
      }
      return figure
    }
  }

  // MARK: Subscriptions

  private var hasSubscriptions: Bool { sales.contains { $0.product.flatMap(catalog.product)?.subscription != nil } }

  private struct PaidTime {
    let start: Date
    var end: Date
    /// The last payment: its transaction, the end that it paid for, its amount, and the number of months.
    let transaction: TransactionID?
    let paidEnd: Date
    let amount: Decimal
    let months: Double

    /// Whether an event can be about the last payment.
    func includes(_ event: EventRecord) -> Bool { transaction == nil || event.transaction == nil || transaction == event.transaction }
  }

  /// The times paid for in each subscription group by each customer. A time goes from its first payment to the end of its last one, or to
  /// its revocation. A renewal up to 60 days later, as long as the App Store repeats a failed payment, continues it. A payment may reach an
  /// app long after it was made, so the dates of the payment count where the log has them.
  private var paidTimes: [PaidTime] {
    var times: [String: [PaidTime]] = [:]
    // A device can report a revocation before another one reports the purchase.
    let dated = paid.map {
      (date: $0.purchased ?? $0.at, rank: Self.isSale($0) ? 0 : 1, event: $0)
    }
    .sorted { ($0.date, $0.rank, $0.event.at) < ($1.date, $1.rank, $1.event.at) }
    for (date, _, event) in dated {
      guard let product = event.product.flatMap(catalog.product), let terms = product.subscription else { continue }
      let key = "\(EventLog.customer(of: event)) \(terms.group)"
      var known = times[key] ?? []
      let last = known.indices.last
      switch event.name {
      case .purchaseRevoked:
        // A log that was not written by an app may repeat the end that was paid for. The time ends when it is revoked.
        if let last, known[last].includes(event) { known[last].end = min(known[last].end, event.until ?? event.at, event.at) }
      case .purchaseReinstated:
        if let last, known[last].includes(event) { known[last].end = max(known[last].paidEnd, event.until ?? known[last].paidEnd) }
      case .purchaseCompleted, .subscriptionRenewed:
        let end = event.until ?? terms.period.added(to: date, in: .storeCalendar)
        let pause = event.name == .subscriptionRenewed ? 60 * Self.day : 0
        let isContinued = last.map { date <= known[$0].end + pause } ?? false
        let start = isContinued ? known.removeLast().start : date
        known.append(
          PaidTime(
            start: start, end: end, transaction: event.transaction, paidEnd: end, amount: price(event)?.amount ?? 0,
            months: Self.months(of: terms.period, from: date, to: end)))
      default: continue
      }
      times[key] = known
    }
    return times.values.flatMap { $0 }
  }

  /// The months of a payment: those of whole periods, because an offer can pay for several periods in advance.
  private static func months(of period: Period, from start: Date, to end: Date) -> Double {
    let one = period.added(to: start, in: .storeCalendar).timeIntervalSince(start)
    return period.months(times: max(1, Int((end.timeIntervalSince(start) / one).rounded())))
  }

  /// The active subscriptions by what was paid last, per month. Sums payments of one length before dividing them, so that twelve twelfths
  /// are one.
  private func mrr(at date: Date) -> Decimal {
    var sums: [Double: Decimal] = [:]
    for time in paidTimes where time.start <= date && date < time.end {
      sums[time.months, default: 0] += time.amount
    }
    return sums.reduce(Decimal()) { $0 + $1.value / ($1.key == $1.key.rounded() ? Decimal(Int($1.key)) : Decimal($1.key)) }
  }

  /// The share of the subscribers of 30 days before the end who have no paid subscription at the end.
  private var churn: Figure {
    let (from, to) = (end - 30 * Self.day, end)
    let before = paidTimes.filter { $0.start <= from && from < $0.end }
    return Figure("monthlyChurn", "Monthly churn", before.filter { $0.end <= to }.count, of: before.count)
  }

  // MARK: Coming back

  private var firstSeen: [String: Date] {
    Dictionary(log.events.map { (EventLog.customer(of: $0), $0.at) }) { first, _ in first }
  }

  /// The events that the store reports, also of customers who are not there.
  private static let reported: Set<MonetizeEvent.Name> = [
    .purchaseCompleted, .subscriptionRenewed, .purchaseRestored, .purchaseRevoked, .purchaseReinstated,
  ]

  /// The share of the customers first seen at least eight days before the end who did something on their eighth day.
  private var day7: Figure {
    let first = firstSeen.filter { $0.value <= end - 8 * Self.day }
    let back = Set(
      log.events.filter { event in
        guard !Self.reported.contains(event.name), let start = first[EventLog.customer(of: event)] else { return false }
        return (7 * Self.day..<8 * Self.day).contains(event.at.timeIntervalSince(start))
      }.map(EventLog.customer))
    return Figure("day7Retention", "Day-7 retention", back.count, of: first.count)
  }

  /// The customers of the last 30 days compared with those of the 30 days before.
  private var growth: Figure {
    func active(_ from: Int, _ to: Int) -> Int {
      let range = (end - TimeInterval(from) * Self.day)..<(end - TimeInterval(to) * Self.day)
      return Set(log.events.filter { range.contains($0.at) || (to == 0 && $0.at == end) }.map(EventLog.customer)).count
    }
    // A log that begins later shows only a part of the earlier 30 days.
    let isLong = log.events.first.map { $0.at <= end - 60 * Self.day } ?? false
    let (now, before) = (active(30, 0), isLong ? active(60, 30) : 0)
    let value = before > 0 ? (Decimal(now) - Decimal(before)) / Decimal(before) : nil
    let parts = before > 0 ? "\(Words.grouped(before)) to \(Words.grouped(now))" : ""
    return Figure("mauGrowth", "MAU growth", .share, value, parts: parts)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

/// Judges the events of a log one by one, with the facts of each customer so far.
struct ReplayRun {
  /// What the log has of a customer so far.
  private struct Customer {
    var state = CustomerState()
    var judges: [SubjectID: UseJudge] = [:]
    /// The transaction of the last payment for each product, for events without an id.
    var last: [ProductID: TransactionID] = [:]
  }

  private let catalog: Catalog
  private let zone: TimeZone
  private let experiments: [Experiment]
  private let exposures: [ExperimentID: [String: (date: Date, arm: String)]]
  /// The catalogs of customers with arms, by the arms in the order of the experiments.
  private var catalogs: [[String?]: Catalog] = [:]
  private var customers: [String: Customer] = [:]
  private var events = 0
  private(set) var rows: [FeatureID: Replay.Row] = [:]
  private(set) var leftOut = 0

  init(_ log: EventLog, _ catalog: Catalog, zone: TimeZone, appliesArms: Bool) {
    (self.catalog, self.zone, exposures) = (catalog, zone, log.exposures)
    experiments = appliesArms ? catalog.experiments : []
    for event in log.events { take(event) }
  }

  private mutating func take(_ event: EventRecord) {
    events += 1
    switch event.name {
    case .purchaseCompleted, .purchaseRestored, .subscriptionRenewed: buy(event)
    case .purchaseRevoked: revoke(event, StoreTransaction.Revocation(date: event.until ?? event.at))
    case .purchaseReinstated: revoke(event, nil)
    case .used, .usageLimitReached: request(event)
    default: break
    }
  }

  // MARK: Arms

  /// The catalog as a customer has it: with the final arms of ended experiments, and otherwise those of the exposures.
  private mutating func catalog(of customer: String) -> Catalog {
    let names = experiments.map { $0.stopped ?? exposures[$0.id]?[customer]?.arm }
    if let known = catalogs[names] { return known }
    let arms = zip(experiments, names).compactMap { experiment, name in name.flatMap { experiment.arm(named: $0) } }
    // Arms that break a rule together do not apply.
    let applied = (try? catalog.applying(arms: arms)) ?? catalog
    catalogs[names] = applied
    return applied
  }

  // MARK: Purchases

  private mutating func buy(_ event: EventRecord) {
    guard let product = event.product else { return }
    let begin = event.purchased ?? event.at
    let period = catalog.product(product)?.subscription?.period
    insert(
      StoreTransaction(
        id: event.transaction ?? TransactionID(rawValue: "event \(events)"), productID: product, purchaseDate: begin,
        expirationDate: event.until ?? period?.added(to: begin, in: .storeCalendar), signed: event.at),
      of: EventLog.customer(of: event))
  }

  private mutating func revoke(_ event: EventRecord, _ revocation: StoreTransaction.Revocation?) {
    let name = EventLog.customer(of: event)
    guard let customer = customers[name], let id = event.transaction ?? event.product.flatMap({ customer.last[$0] }),
      var transaction = customer.state.transactions[id]
    else { return }
    transaction.revocation = revocation
    transaction.revision = Revision(max(event.at, transaction.revision.date + 1))
    insert(transaction, of: name)
  }

  private mutating func insert(_ transaction: StoreTransaction, of name: String) {
    var customer = customers.removeValue(forKey: name) ?? Customer()
    customer.state.insert(.transaction(transaction))
    customer.last[transaction.productID] = transaction.id
    for subject in customer.judges.keys { customer.judges[subject]?.forget() }
    customers[name] = customer
  }

  // MARK: Requests

  private mutating func request(_ event: EventRecord) {
    guard let feature = event.feature.flatMap(catalog.feature), type(of: feature.shape).isMetered else { return }
    let name = EventLog.customer(of: event)
    var customer = customers.removeValue(forKey: name) ?? Customer()
    defer { customers[name] = customer }
    if event.paid == true, !hasPurchase(customer.state, at: event.at) {
      leftOut += 1
      return
    }
    let isRefusal = event.name == .usageLimitReached
    // A use has the time that has passed, a refusal the time that was requested.
    let isTime = type(of: feature.shape).countsSeconds
    let subject = event.child ?? .customer
    let member = subject == .customer ? Member.customer : Member(role: .child, subject: subject)
    var judge = customer.judges[subject] ?? UseJudge(catalog(of: name), situation: Situation(member: member, zone: zone))
    let found = judge.judge(feature.id, customer.state, amount: isTime && !isRefusal ? 1 : event.count ?? 1, key: "\(events)", at: event.at)
    customer.judges[subject] = judge
    guard let found else { return }
    let whole = feature.part.flatMap { catalog.feature($0.whole) } ?? feature
    rows[whole.id, default: Replay.Row(whole)].count(name, wasRefused: isRefusal, isRefused: !found.isAllowed)
    if var use = found.use {
      // Time is recorded when it has passed, as far as it has.
      if isTime { use.amount = event.count ?? 0 }
      customer.state.insert(.use(use))
    }
  }

  /// Whether the log has a purchase that runs at a date, of any product: also of one that the catalog no longer has.
  private func hasPurchase(_ state: CustomerState, at date: Date) -> Bool {
    state.transactions.values.contains { transaction in
      transaction.revocation == nil && transaction.purchaseDate <= date && transaction.expirationDate.map { date < $0 } ?? true
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A catalog prepared for a search: the questions, the actions, and the equivalences. Made once.
struct CheckModel: Sendable {
  /// A question that represents all questions with the same answer.
  struct Probe: Sendable {
    let feature: Int
    /// The feature that this one is a part of, or itself.
    let whole: Int
    let request: AccessRequest
    /// The age in seconds of the data in question; the request has no date then.
    let age: TimeInterval?
  }

  let catalog: Catalog
  /// The start of the search.
  let start: Date
  let options: CatalogCheck.Options
  /// Products that differ in their name only: buying one is like buying another.
  let classes: [[Int]]
  /// The first product that each one differs from in its name only; itself if there is none before it.
  let first: [Int]
  /// The indexes of the products.
  let productIndex: [ProductID: Int]
  /// The features whose uses are counted.
  let metered: [Int]
  let probes: [Probe]
  /// The number of questions that always have the same answer as another.
  let alike: Int
  /// The indexes of released features, which have to be open to some customer.
  let due: [Int]
  let needsGate: Bool
  /// Whether there is a product on sale that the store does not list and no server of the app restores.
  let hasUnlisted: Bool
  /// Whether ownership depends on uses, which other devices do not have.
  let looksAtUses: Bool
  /// The placements with a paywall of their own.
  let placements: [PlacementID]

  static let child = Member.child("max")

  init(_ catalog: Catalog, hasServer: Bool, options: CatalogCheck.Options) {
    (self.catalog, self.options) = (catalog, options)
    let isKept = hasServer || catalog.sync != nil
    hasUnlisted = !isKept && catalog.products.contains { !type(of: $0.kind).isListed }
    looksAtUses = !isKept && catalog.products.contains { type(of: $0.kind).looksAtUses }
    start = ISODate.parse("2026-03-01T12:00:00Z", in: Calendar.storeCalendar.timeZone) ?? Date(timeIntervalSince1970: 1_772_366_400)
    productIndex = Dictionary(catalog.products.enumerated().map { ($1.id, $0) }) { first, _ in first }
    let groups = Dictionary(grouping: catalog.products.indices) { ProductClass(catalog.products[$0]) }
    classes = groups.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
    first = groups.values.reduce(into: Array(catalog.products.indices)) { first, alike in for index in alike { first[index] = alike[0] } }
    metered = catalog.features.indices.filter { catalog.features[$0].part == nil && type(of: catalog.features[$0].shape).isMetered }
    (probes, alike) = Self.probes(catalog, start)
    due = catalog.features.indices.filter { index in
      catalog.features[index].release.map { catalog.releases.contains($0) } ?? true
    }
    needsGate = catalog.parentalGate?.covers(.purchase) ?? false
    placements = catalog.paywalls.isEmpty ? [.default] : catalog.paywalls.keys.sorted()
  }

  // MARK: Questions

  private static func probes(_ catalog: Catalog, _ start: Date) -> ([Probe], Int) {
    var probes: [Probe] = []
    var alike = 0
    let indexes = Dictionary(catalog.features.enumerated().map { ($1.id, $0) }) { first, _ in first }
    let hasItems = catalog.features.contains { $0.part == nil && type(of: $0.shape).isAboutItems }
    let worlds = hasItems ? examples(catalog, start) : []
    for (index, feature) in catalog.features.enumerated() {
      let whole = feature.part.flatMap { indexes[$0.whole] } ?? index
      let requests: [(request: AccessRequest, age: TimeInterval?)]
      if feature.part == nil, type(of: feature.shape).isAboutItems {
        // Items with the same answers in every example are one question.
        var seen: Set<[Bool]> = []
        let paths = catalog.collections(of: feature).flatMap(\.paths)
        let different = paths.filter { path in seen.insert(worlds.map { $0.decision(for: feature.id, item: path).isAllowed }).inserted }
        alike += paths.count - different.count
        requests = different.map { (AccessRequest(feature.id, item: $0), nil) }
      } else {
        requests = questions(about: feature)
      }
      probes += requests.map { Probe(feature: index, whole: whole, request: $0.request, age: $0.age) }
    }
    return (probes, alike)
  }

  /// The questions about a feature that opens no items, each with the age of the data in question.
  private static func questions(about feature: Feature) -> [(request: AccessRequest, age: TimeInterval?)] {
    let (plain, shape) = (AccessRequest(feature.id), type(of: feature.shape))
    if feature.part != nil { return [(plain, nil)] }
    if shape.needsHeld { return [0, 1, 4, 99].map { (AccessRequest(feature.id, held: $0), nil) } }
    if shape.isAboutDates { return [(plain, nil)] + [1.0, 20, 400].map { (plain, $0 * 86400) } }
    let levels = feature.shape.levels.map { (request: AccessRequest(feature.id, level: $0), age: TimeInterval?.none) }
    return levels.isEmpty ? [(plain, nil)] : levels
  }

  /// A customer without purchases, and one for each product that differs from those before it in more than its name.
  private static func examples(_ catalog: Catalog, _ start: Date) -> [Snapshot] {
    var seen: Set<ProductClass> = []
    let purchases = catalog.products.filter { seen.insert(ProductClass($0)).inserted }.map { product in
      let end = product.subscription.map { $0.period.added(to: start, in: .storeCalendar) }
      return [Fact.transaction(StoreTransaction(id: "example", productID: product.id, purchaseDate: start, expirationDate: end))]
    }
    let states: [[Fact]] = [[]] + purchases
    return states.map { Snapshot(of: CustomerState($0), catalog: catalog, at: start) }
  }

  // MARK: Facts

  func date(_ seconds: Int) -> Date { start.addingTimeInterval(TimeInterval(seconds)) }

  func seconds(_ date: Date) -> Int { Int(date.timeIntervalSince(start).rounded(.up)) }

  /// The store's facts of a customer.
  func storeFacts(_ customer: CheckFacts) -> [Fact] {
    customer.purchases.made.flatMap { entry in
      catalog.products[entry.product].storeType == .autoRenewable
        ? plan(entry.product, entry.purchase, at: date(customer.now)) : [purchase(entry.product, entry.purchase)].map(Fact.transaction)
    }
  }

  private func purchase(_ index: Int, _ purchase: CheckState.Purchase) -> StoreTransaction {
    var transaction = StoreTransaction(
      id: TransactionID("t\(index)"), productID: catalog.products[index].id, purchaseDate: date(purchase.since),
      quantity: max(1, purchase.quantity))
    if purchase.standing == .refunded { transaction.revocation = .init(date: transaction.purchaseDate) }
    return transaction
  }

  /// A plan's introductory period, if it had one, its paid periods as one, and its renewal.
  private func plan(_ index: Int, _ purchase: CheckState.Purchase, at now: Date) -> [Fact] {
    let (product, id) = (catalog.products[index], TransactionID("t\(index)"))
    func period(_ number: TransactionID, _ from: Int, _ to: Int) -> StoreTransaction {
      StoreTransaction(id: number, originalID: id, productID: product.id, purchaseDate: date(from), expirationDate: date(to))
    }
    let introduction = purchase.introductionEnd
    var periods = [period(id, purchase.since, introduction > 0 ? introduction : purchase.end)]
    if introduction > 0 {
      periods[0].offer = .init(type: .introductory, mode: product.subscription?.introductoryOffer?.mode ?? .freeTrial)
      if purchase.end > introduction { periods.append(period(TransactionID("t\(index) paid"), introduction, purchase.end)) }
    }
    let last = periods.count - 1
    periods[last].isUpgraded = purchase.standing == .replaced
    if purchase.standing == .refunded { periods[last].revocation = .init(date: periods[last].purchaseDate) }
    let isOn = purchase.standing == .active
    let renewal = RenewalInfo(
      originalID: id, productID: product.id, state: isOn ? .subscribed : purchase.standing == .refunded ? .revoked : .expired,
      willRenew: isOn, expires: date(purchase.end), expirationReason: isOn ? nil : .autoRenewDisabled, signed: now)
    return periods.map(Fact.transaction) + [.renewal(renewal)]
  }

  private func useFacts(_ customer: CheckFacts) -> [Fact] {
    customer.uses.enumerated().map { index, use in
      .use(
        Use(
          key: "u\(index)", feature: catalog.features[use.feature].id, amount: use.amount, date: date(use.at), day: use.day, zone: "UTC",
          counted: use.isCounted, credits: use.credits))
    }
  }

  /// The answers of the customer's device in a state.
  func snapshot(_ customer: CheckFacts) -> Snapshot {
    Snapshot(of: CustomerState(storeFacts(customer) + useFacts(customer)), catalog: catalog, at: date(customer.now))
  }

  /// The same with the answers to all questions, derived from the customer without uses.
  func answers(_ customer: CheckFacts, from base: CheckCache.Base) -> (snapshot: Snapshot, decisions: [Decision]) {
    let used = Set(customer.uses.map(\.feature))
    if used.isEmpty { return (base.snapshot, base.decisions) }
    var facts = base.facts
    for use in useFacts(customer) { facts.insert(use) }
    let snapshot = used.reduce(base.snapshot) { $0.updating($1, facts, at: base.snapshot.date) }
    // If ownership depends on uses, nothing of the base is reused.
    let decisions = zip(probes, base.decisions).map { probe, decision in
      looksAtUses || used.contains(probe.whole) ? self.decision(probe, snapshot) : decision
    }
    return (snapshot, decisions)
  }

  func decision(_ probe: Probe, _ snapshot: Snapshot) -> Decision { snapshot.decision(for: request(probe, at: snapshot.date)) }

  func request(_ probe: Probe, at now: Date) -> AccessRequest {
    guard let age = probe.age else { return probe.request }
    var request = probe.request
    request.date = now - age
    return request
  }

  /// The key of a state: equal for states that differ only in which of several equivalent products were bought.
  func key(_ state: CheckState) -> CheckState {
    if classes.isEmpty { return state }
    var key = state
    key.purchases = state.purchases.grouped(by: first)
    return key
  }
}

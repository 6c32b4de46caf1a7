// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// A question of a customer with one product or none, with the facts before it.
public struct OwnerQuestion: Sendable, Hashable {
  /// The question.
  public let request: AccessRequest
  /// The facts besides the purchase.
  public let facts: [Fact]
  /// The time of the question.
  public let date: Date
  /// The member who asks.
  public let member: Member
  /// Whether the product was bought, or is shared by a family member.
  public let ownership: StoreTransaction.OwnershipType
  /// How often the product was bought, from 1.
  public let purchases: Int

  /// The answer of a catalog to an owner of the product, or to anyone if it is `nil`.
  public func decision(under catalog: Catalog, owning product: ProductID?) -> Decision {
    ProbedOwner(under: catalog, of: product).decisions(
      Probe(requests: [request], facts: facts, date: date, member: member, ownership: ownership, purchases: purchases))[0]
  }
}

/// Questions of one customer with the same facts and time.
struct Probe {
  var requests: [AccessRequest]
  var facts: [Fact] = []
  var date = Probe.start
  var member = Member.customer
  var ownership = StoreTransaction.OwnershipType.purchased
  var purchases = 1
  /// Whether the question is about the moment just before the end of a purchase for a limited time.
  var isAtEnd = false

  /// A Tuesday in the middle of a month: a day, week, month and year end at different times after it.
  static let start = Date(timeIntervalSince1970: 1_773_144_000)
  /// An amount above any limit.
  static let much = 1_000_000_000

  /// A single question.
  func question(_ request: AccessRequest) -> OwnerQuestion {
    OwnerQuestion(request: request, facts: facts, date: date, member: member, ownership: ownership, purchases: purchases)
  }

  /// The same customer with other questions.
  func asking(_ requests: [AccessRequest], facts: [Fact] = [], at date: Date? = nil) -> Probe {
    var probe = self
    (probe.requests, probe.facts, probe.date) = (requests, facts, date ?? self.date)
    return probe
  }

  /// The same about a feature under another name. Uses keep theirs: amounts are compared as long as nothing is used.
  func asking(about name: FeatureID) -> Probe {
    var probe = self
    for index in requests.indices { probe.requests[index].feature = name }
    return probe
  }
}

/// The owner of a product, or someone without it, under a catalog.
struct ProbedOwner {
  let catalog: Catalog
  let product: ProductID?
  /// What the customer owns besides, bought once each.
  let others: [ProductID]
  /// The answers right after the purchase: most questions are about them.
  let first: Snapshot

  init(under catalog: Catalog, of product: ProductID?, besides others: [ProductID] = []) {
    (self.catalog, self.product, self.others) = (catalog, product, others)
    first = Self.snapshot(Probe(requests: []), catalog, product, others)
  }

  func decisions(_ probe: Probe) -> [Decision] {
    let snapshot = snapshot(probe)
    return probe.requests.map { snapshot.decision(for: $0) }
  }

  /// All answers to the customer of a question.
  func snapshot(_ probe: Probe) -> Snapshot {
    let isFirst =
      probe.facts.isEmpty && probe.date == Probe.start && probe.member == .customer && probe.ownership == .purchased && probe.purchases == 1
    return isFirst ? first : Self.snapshot(probe, catalog, product, others)
  }

  /// The answer right after the purchase.
  func decision(_ request: AccessRequest) -> Decision { first.decision(for: request) }

  /// The end of access after a number of purchases at once; `nil` for a product without an end.
  func end(afterPurchases purchases: Int) -> Date? {
    product.flatMap { snapshot(Probe(requests: [], purchases: purchases)).status(of: $0)?.accessUntil }
  }

  private static func snapshot(_ probe: Probe, _ catalog: Catalog, _ product: ProductID?, _ others: [ProductID]) -> Snapshot {
    func bought(_ id: ProductID, _ transaction: String, _ ownership: StoreTransaction.OwnershipType = .purchased) -> Fact {
      .transaction(.init(id: TransactionID(transaction), productID: id, purchaseDate: Probe.start, ownership: ownership))
    }
    let own = product.map { id in (1...probe.purchases).map { bought(id, "\($0)", probe.ownership) } } ?? []
    let besides = others.enumerated().map { bought($1, "other \($0)") }
    return Snapshot(
      of: CustomerState(own + besides + probe.facts), catalog: catalog, situation: Situation(member: probe.member), at: probe.date)
  }
}

/// Makes the questions that show the access to one feature, from a catalog's current answers.
struct ProbeMaker {
  let owner: ProbedOwner
  /// The customer whose answers are compared with the owner's.
  let other: ProbedOwner
  let feature: Feature

  /// Empty if only a demo may use the feature, because nothing is paid for then.
  var probes: [Probe] {
    let roles = (feature.roles ?? [.customer, .parent, .child, .guest]).filter { $0 != .demo }
    guard let main = roles.first(where: { $0 == .customer }) ?? roles.first else { return [] }
    let askers = [main] + (hasConditions ? roles.filter { $0 != main } : [])
    let all = askers.map { Probe(requests: [AccessRequest(feature.id, held: 0)], member: Member(role: $0, subject: .customer)) }
    let probes = ([all[0]] + lasting(all[0])).flatMap { [$0] + amounts(owner.decisions($0)[0], $0) } + all.dropFirst()
    guard owner.product.flatMap(owner.catalog.product)?.isFamilyShareable == true else { return probes }
    return probes
      + probes.map { probe in
        var probe = probe
        probe.ownership = .familyShared
        return probe
      }
  }

  /// Whether either catalog has conditions for the feature. Nothing else depends on the role, except that a demo has no facts.
  private var hasConditions: Bool {
    ([feature] + ([feature.id] + feature.aliases).compactMap(other.catalog.feature)).contains { !$0.conditions.isEmpty }
  }

  private var shape: any AllowanceShape { feature.shape }

  /// The questions about amounts, of the same customer at the same time, who has these left.
  private func amounts(_ now: Decision, _ customer: Probe) -> [Probe] {
    // A part is all or nothing.
    if feature.part != nil { return [] }
    if type(of: shape).isAboutItems { return items(customer) }
    if !shape.levels.isEmpty { return [customer.asking(shape.levels.map { AccessRequest(feature.id, level: $0) })] }
    let far = now.cutoff.map { $0 + 1 } ?? customer.date - 100 * 366 * 86400
    if type(of: shape).isAboutDates { return [customer.asking([AccessRequest(feature.id, date: far)])] }
    if type(of: shape).isMetered { return counted(now, customer) }
    return [customer.asking([AccessRequest(feature.id, held: now.limit.map { max(0, $0 - 1) } ?? Probe.much)])]
  }

  /// Every item, and the parts of one item per collection, because parts are the same for all. Asked once without a history; and, where the
  /// answer depends on it, once with everything completed and exactly the coins of each price.
  private func items(_ customer: Probe) -> [Probe] {
    let collections = owner.catalog.collections(of: feature)
    let paths = collections.flatMap { collection in
      let first = collection.items.first.map { item in
        collection.parts.map { ItemPath(collection: collection.id, item: item.id, part: $0) }
      }
      return collection.paths + (first ?? [])
    }
    let requests = paths.map { AccessRequest(feature.id, item: $0) }
    let plain = customer.asking(requests)
    let before = owner.decisions(plain).map(\.isAllowed)
    let done = paths.map { Fact.completion(Completion(item: $0)) }
    let prices = Set(collections.flatMap { $0.items.compactMap(\.coins) }).sorted()
    let later = (prices.isEmpty ? [0] : prices).map { price in
      var probe = customer.asking(requests, facts: done + [.wallet(WalletEntry(id: "1", earned: price))])
      probe.requests = zip(requests, zip(before, owner.decisions(probe))).filter { $0.1.0 != $0.1.1.isAllowed }.map(\.0)
      return probe
    }
    return [plain] + later.filter { !$0.requests.isEmpty }
  }

  // MARK: Counted features

  /// All uses at once; all uses of one period just before its end, and of the next; and so on for as long as the other limit may matter, from
  /// now on and from the beginnings of the other limit's next two periods: of these, May has 31 days, and 2028 has 366. A pass may have ended
  /// by then.
  private func counted(_ now: Decision, _ customer: Probe) -> [Probe] {
    func ask(_ count: Int, _ facts: [Fact] = [], at date: Date? = nil) -> Probe {
      customer.asking([AccessRequest(feature.id, count: count)], facts: facts, at: date)
    }
    guard let left = now.remaining, left > 0 else { return now.isAllowed ? [ask(Probe.much)] : [] }
    guard let step = step(now.measure) else { return [ask(left)] }
    /// All that is left in each of some periods, and once more in the next.
    func spread(over periods: Int, from begin: Date) -> Probe? {
      let used = owner.decisions(ask(1, at: begin)).first?.resetsAt.map { $0 - 3600 } ?? begin
      guard let reset = owner.decisions(ask(1, [use(left, used)], at: used)).first?.resetsAt else { return nil }
      let later = (1..<periods).map { use(left, step(reset, $0 - 1)) }
      return ask(left, [use(left, used)] + later, at: step(reset, periods - 1))
    }
    let limit = other.decision(AccessRequest(feature.id))
    let probes = [ask(left), spread(over: 1, from: customer.date)].compactMap { $0 }
    // As many periods as the other limit allows: one more use is too much for it.
    guard let most = limit.limit.map({ min(400, $0 / left) }), most > 1 else { return probes }
    let next = limit.resetsAt
    let second = next.flatMap { other.decisions(ask(1, at: $0)).first?.resetsAt }
    return probes + [customer.date, next, second].compactMap { $0 }.compactMap { spread(over: most, from: $0) }
  }

  private func use(_ amount: Int, _ date: Date) -> Fact {
    .use(
      Use(
        key: "\(date.timeIntervalSince1970)", feature: feature.id, amount: amount, date: date,
        day: Int((date.timeIntervalSince1970 / 86400).rounded(.down)), zone: Calendar.storeCalendar.timeZone.identifier))
  }

  /// The date after a number of periods; `nil` for a limit that never resets.
  private func step(_ measure: Measure?) -> ((Date, Int) -> Date)? {
    let period: Period
    switch measure {
    case nil, .lifetime: return nil
    case .rolling(let seconds): period = Period(seconds: seconds)
    case .anchored(let length, _): period = length
    case .calendar(let unit):
      switch unit.rawValue {
      case "day": period = Period(days: 1)
      case "week": period = Period(days: 7)
      case "month": period = Period(months: 1)
      default: period = Period(years: 1)
      }
    }
    return { period.added(to: $0, times: $1, in: .storeCalendar) }
  }

  /// Just before the end of something bought for a time, with one purchase, and with two if they last longer.
  private func lasting(_ first: Probe) -> [Probe] {
    // By law 2, a second purchase ends nothing that has no end.
    guard let once = owner.end(afterPurchases: 1), let twice = owner.end(afterPurchases: 2) else { return [] }
    return (once == twice ? [(1, once)] : [(1, once), (2, twice)]).map { purchases, end in
      var last = first.asking(first.requests, at: end - 1)
      (last.purchases, last.isAtEnd) = (purchases, true)
      return last
    }
  }
}

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
  /// Whether the question is about the end of a purchase for a limited time.
  var isAtEnd = false

  /// A Tuesday in the middle of a month: a day, week, month and year end at different times after it.
  static let start = Date(timeIntervalSince1970: 1_773_144_000)
  /// More than the days of a year.
  static let mostPeriods = 400
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
    first = Snapshot(of: Self.state(Probe(requests: []), product, others), catalog: catalog, at: Probe.start)
  }

  func decisions(_ probe: Probe) -> [Decision] {
    let snapshot = snapshot(probe)
    return probe.requests.map { snapshot.decision(for: $0) }
  }

  /// All answers to the customer of a question.
  func snapshot(_ probe: Probe) -> Snapshot {
    let isFirst =
      probe.facts.isEmpty && probe.date == Probe.start && probe.member == .customer && probe.ownership == .purchased && probe.purchases == 1
    return isFirst ? first : snapshot(of: state(probe), probe)
  }

  /// All answers to the customer of a question, whose purchases and facts are given.
  func snapshot(of state: CustomerState, _ probe: Probe) -> Snapshot {
    Snapshot(of: state, catalog: catalog, situation: Situation(member: probe.member), at: probe.date)
  }

  /// The purchases and the facts of a question.
  func state(_ probe: Probe) -> CustomerState { Self.state(probe, product, others) }

  /// The end of access after a number of purchases at once; `nil` for a product without an end.
  func end(afterPurchases purchases: Int) -> Date? {
    product.flatMap { snapshot(Probe(requests: [], purchases: purchases)).status(of: $0)?.accessUntil }
  }

  private static func state(_ probe: Probe, _ product: ProductID?, _ others: [ProductID]) -> CustomerState {
    func bought(_ id: ProductID, _ transaction: String, _ ownership: StoreTransaction.OwnershipType = .purchased) -> Fact {
      .transaction(.init(id: TransactionID(transaction), productID: id, purchaseDate: Probe.start, ownership: ownership))
    }
    let own = product.map { id in (1...probe.purchases).map { bought(id, "\($0)", probe.ownership) } } ?? []
    let besides = others.enumerated().map { bought($1, "other \($0)") }
    return CustomerState(own + besides + probe.facts)
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
    let isShareable = owner.product.flatMap(owner.catalog.product)?.isFamilyShareable == true
    return (isShareable ? [StoreTransaction.OwnershipType.purchased, .familyShared] : [.purchased]).flatMap { ownership in
      let all = askers.map { role in
        Probe(requests: [AccessRequest(feature.id, held: 0)], member: Member(role: role, subject: .customer), ownership: ownership)
      }
      return ([all[0]] + lasting(all[0])).flatMap { [$0] + amounts(owner.decisions($0)[0], $0) } + all.dropFirst()
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

  /// All that is left at once; and all that is left in one period after another, from now on and from the beginnings of the other limit's
  /// next two periods. Of these, May has 31 days, and 2028 has 366. A pass may have ended by then.
  private func counted(_ now: Decision, _ customer: Probe) -> [Probe] {
    guard let left = now.remaining, left > 0 else {
      return now.isAllowed ? [customer.asking([AccessRequest(feature.id, count: Probe.much)])] : []
    }
    func reset(after date: Date) -> Date? { other.decisions(customer.asking([AccessRequest(feature.id)], at: date))[0].resetsAt }
    let next = reset(after: customer.date)
    let later = [next, next.flatMap(reset)].compactMap { $0 }
    return [customer.asking([AccessRequest(feature.id, count: left)])]
      + ([nil, 0, 1].map { usedUp(from: customer.date, late: $0, customer) } + later.map { usedUp(from: $0, customer) }).compactMap { $0 }
  }

  /// The first question that the other catalog denies to a customer who uses all that is left whenever something is; `nil` if that catalog's
  /// limit is full again first, or has lasted for long enough. Several limits refill at different times, so each period is asked.
  /// - Parameter late: 0 or 1 if the uses of the even or odd periods come just before these end, close to those of the next.
  private func usedUp(from start: Date, late: Int? = nil, _ customer: Probe) -> Probe? {
    let request = AccessRequest(feature.id)
    // The states grow with the uses, because a year of days has hundreds.
    var (own, others, uses, date) = (owner.state(customer), other.state(customer), [Fact](), start)
    func now() -> Snapshot { owner.snapshot(of: own, customer.asking([], at: date)) }
    func otherwise() -> Snapshot { other.snapshot(of: others, customer.asking([], at: date)) }
    let full = otherwise().decision(for: request).remaining
    for period in 0..<Probe.mostPeriods {
      if period % 2 == late, let reset = now().decision(for: request).resetsAt { date = max(date, reset - 3600) }
      let answers = now()
      guard let left = answers.decision(for: request).remaining, left > 0,
        let use = answers.use(of: feature.id, amount: left, key: "\(period)")
      else { return nil }
      let all = AccessRequest(feature.id, count: left)
      let answer = otherwise().decision(for: all)
      if !answer.isAllowed { return customer.asking([all], facts: uses, at: date) }
      if period > 1, answer.remaining == full { return nil }
      uses.append(.use(use))
      own.insert(.use(use))
      others.insert(.use(use))
      guard let reset = now().decision(for: request).resetsAt else { return nil }
      date = reset
    }
    return nil
  }

  /// Just before the end of something bought for a time, with one purchase, and with two if they last longer; and at its end in the other
  /// catalog if that is earlier.
  private func lasting(_ first: Probe) -> [Probe] {
    // By law 2, a second purchase ends nothing that has no end.
    guard let once = owner.end(afterPurchases: 1), let twice = owner.end(afterPurchases: 2) else { return [] }
    return (once == twice ? [(1, once)] : [(1, once), (2, twice)]).flatMap { purchases, end in
      let earlier = other.end(afterPurchases: purchases).map { $0 < end ? [$0] : [] } ?? []
      return ([end - 1] + earlier).map { date in
        var last = first.asking(first.requests, at: date)
        (last.purchases, last.isAtEnd) = (purchases, true)
        return last
      }
    }
  }
}

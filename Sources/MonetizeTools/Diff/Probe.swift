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

  /// The answer of a catalog to an owner of the product, or to anyone if it is `nil`.
  public func decision(under catalog: Catalog, owning product: ProductID?) -> Decision {
    ProbedOwner(under: catalog, of: product).decisions(
      Probe(requests: [request], facts: facts, date: date, member: member, ownership: ownership))[0]
  }
}

/// Questions of one customer with the same facts and time.
struct Probe {
  var requests: [AccessRequest]
  var facts: [Fact] = []
  var date = Probe.start
  var member = Member.customer
  var ownership = StoreTransaction.OwnershipType.purchased

  /// A Tuesday in the middle of a month: a day, week, month and year end at different times after it.
  static let start = Date(timeIntervalSince1970: 1_773_144_000)
  /// An amount above any limit.
  static let much = 1_000_000_000

  /// A single question.
  func question(_ request: AccessRequest) -> OwnerQuestion {
    OwnerQuestion(request: request, facts: facts, date: date, member: member, ownership: ownership)
  }
}

/// The owner of a product, or someone without one, under a catalog.
struct ProbedOwner {
  let catalog: Catalog
  let product: ProductID?
  /// The answers right after the purchase: most questions are about them.
  let first: Snapshot

  init(under catalog: Catalog, of product: ProductID?) {
    (self.catalog, self.product) = (catalog, product)
    first = Self.snapshot(Probe(requests: []), catalog, product)
  }

  func decisions(_ probe: Probe) -> [Decision] {
    let isFirst = probe.facts.isEmpty && probe.date == Probe.start && probe.member == .customer && probe.ownership == .purchased
    let snapshot = isFirst ? first : Self.snapshot(probe, catalog, product)
    return probe.requests.map { snapshot.decision(for: $0) }
  }

  /// The answer right after the purchase.
  func decision(_ request: AccessRequest) -> Decision { first.decision(for: request) }

  private static func snapshot(_ probe: Probe, _ catalog: Catalog, _ product: ProductID?) -> Snapshot {
    let bought = product.map { id in
      [Fact.transaction(.init(id: "1", productID: id, purchaseDate: Probe.start, ownership: probe.ownership))]
    }
    return Snapshot(
      of: CustomerState((bought ?? []) + probe.facts), catalog: catalog, situation: Situation(member: probe.member), at: probe.date)
  }
}

/// Makes the questions that show the access to one feature, from a catalog's current answers.
struct ProbeMaker {
  let owner: ProbedOwner
  let feature: Feature
  /// The limit under the other catalog, if it has one: uses are spread over enough periods to show it.
  let otherLimit: Int?

  /// Empty if only a demo may use the feature, because nothing is paid for then.
  var probes: [Probe] {
    let roles = (feature.roles ?? [.customer, .parent, .child, .guest]).filter { $0 != .demo }
    guard let main = roles.first(where: { $0 == .customer }) ?? roles.first else { return [] }
    let member = Member(role: main, subject: .customer)
    let plain = AccessRequest(feature.id, held: 0)
    let others = roles.filter { $0 != main }.map { Probe(requests: [plain], member: Member(role: $0, subject: .customer)) }
    guard let now = owner.decisions(Probe(requests: [plain], member: member)).first else { return [] }
    var probes = [Probe(requests: [plain])] + amounts(now) + lasting(now)
    for index in probes.indices { probes[index].member = member }
    return probes + others
  }

  private var shape: any AllowanceShape { feature.shape }

  private func amounts(_ now: Decision) -> [Probe] {
    // A part is all or nothing.
    if feature.part != nil { return [] }
    if type(of: shape).isAboutItems { return items }
    if let levels = (shape as? LevelShape)?.levels {
      return [Probe(requests: levels.map { AccessRequest(feature.id, level: $0) })]
    }
    let far = now.cutoff.map { $0 + 1 } ?? Probe.start - 100 * 366 * 86400
    if shape is WindowShape { return [Probe(requests: [AccessRequest(feature.id, date: far)])] }
    if type(of: shape).isMetered { return counted(now) }
    return [Probe(requests: [AccessRequest(feature.id, held: now.limit.map { max(0, $0 - 1) } ?? Probe.much)])]
  }

  /// Every item, and the parts of one item per collection, because parts are the same for all. Asked once without a history, and once with
  /// everything completed and all coins.
  private var items: [Probe] {
    let collections = feature.collections?.compactMap(owner.catalog.collection) ?? owner.catalog.collections
    let paths = collections.flatMap { collection in
      let first = collection.items.first.map { item in
        collection.parts.map { ItemPath(collection: collection.id, item: item.id, part: $0) }
      }
      return collection.paths + (first ?? [])
    }
    let requests = paths.map { AccessRequest(feature.id, item: $0) }
    if shape is ItemsShape { return [Probe(requests: requests)] }
    let done = paths.map { Fact.completion(Completion(item: $0)) }
    return [
      Probe(requests: requests), Probe(requests: requests, facts: done + [.wallet(WalletEntry(id: "1", earned: Probe.much))]),
    ]
  }

  // MARK: Counted features

  /// All uses at once; all uses of one period just before its end, and of the next; and so on for as long as the other limit may matter.
  private func counted(_ now: Decision) -> [Probe] {
    guard let left = now.remaining, left > 0 else { return now.isAllowed ? [ask(Probe.much)] : [] }
    var probes = [ask(left)]
    let used = now.resetsAt.map { $0 - 3600 } ?? Probe.start
    let spent = Probe(requests: [AccessRequest(feature.id)], facts: [use(left, used)], date: used)
    guard let reset = owner.decisions(spent).first?.resetsAt, let step = step(now.measure) else { return probes }
    let most = otherLimit.map { min(400, $0 / left + 1) } ?? 1
    for periods in Set([1, most]) {
      let later = (1..<max(1, periods)).map { use(left, step(reset, $0 - 1)) }
      probes.append(ask(left, [use(left, used)] + later, at: step(reset, periods - 1)))
    }
    return probes
  }

  private func ask(_ count: Int, _ facts: [Fact] = [], at date: Date = Probe.start) -> Probe {
    Probe(requests: [AccessRequest(feature.id, count: count)], facts: facts, date: date)
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

  /// Just before the end of something bought for a time.
  private func lasting(_ now: Decision) -> [Probe] {
    guard let kind = owner.product.flatMap(owner.catalog.product)?.kind as? NonRenewing else { return [] }
    return [Probe(requests: [AccessRequest(feature.id, held: 0)], date: kind.period.added(to: Probe.start, in: Calendar.storeCalendar) - 1)]
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// Random facts about one catalog. Ids, dates and revisions come from small pools, so facts often contradict each other.
struct RandomFacts {
  static let start = Date(timeIntervalSince1970: 1_772_366_400)
  static let zones = ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "Pacific/Honolulu"]
  static let children = ["max", "mia"]
  /// The account of each transaction id: a purchase never changes it.
  private static let accounts = [nil, "ann", nil, nil, "bob", nil, "ann", nil]

  var random: SplitMix64
  let catalog: Catalog
  private let metered: [FeatureID]

  init(_ random: SplitMix64, catalog: Catalog) {
    self.random = random
    self.catalog = catalog
    metered = catalog.features.filter { $0.part == nil && type(of: $0.shape).isMetered }.map(\.id)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
  mutating func pick<C: Collection>(_ elements: C) -> C.Element? { elements.randomElement(using: &random) }
  /// A time within four months; often one of a few, so that times coincide.
  mutating func date(_ days: ClosedRange<Int> = -60...60) -> Date {
    Self.start + TimeInterval(Int.random(in: days, using: &random) * 86400 + (Int.random(in: 0..<4, using: &random)) * 21600)
  }
  mutating func zone() -> TimeZone { TimeZone(identifier: pick(Self.zones) ?? "UTC") ?? Calendar.storeCalendar.timeZone }
  mutating func subject() -> SubjectID { chance(70) ? .customer : SubjectID(pick(Self.children) ?? "max") }

  mutating func situation() -> Situation {
    let member: Member =
      chance(70) ? .customer : chance(60) ? .child(pick(Self.children) ?? "max") : chance(50) ? .parent("mum") : chance(70) ? .guest : .demo
    var earlier = StoreKnowledge.waiting
    earlier.asOf = date()
    let answers = [.waiting, .unreachable, .answered(at: date()), earlier]
    return Situation(
      member: member, zone: zone(), store: chance(60) ? .answered : pick(answers) ?? .answered,
      environment: chance(50) ? .production : nil, account: chance(50) ? "ann" : nil)
  }

  /// A purchase of a product that counts in every situation.
  mutating func validPurchase(of product: CatalogProduct, at date: Date, id: TransactionID) -> StoreTransaction {
    StoreTransaction(
      id: id, productID: product.id, purchaseDate: date,
      expirationDate: product.subscription.map { $0.period.added(to: date, in: .storeCalendar) }, appID: chance(50) ? catalog.app.id : nil)
  }

  mutating func transaction() -> StoreTransaction? {
    guard let product = pick(catalog.products) else { return nil }
    let number = Int.random(in: 0..<8, using: &random)
    let bought = date()
    var transaction = StoreTransaction(
      id: TransactionID("t\(number)"), originalID: TransactionID("t\(chance(60) ? number : number / 2)"),
      productID: chance(95) ? product.id : "gone.product", purchaseDate: bought,
      expirationDate: product.subscription.map { $0.period.added(to: bought, in: .storeCalendar) },
      isUpgraded: chance(10), ownership: chance(15) ? .familyShared : .purchased,
      quantity: product.storeType == .consumable && chance(30) ? Int.random(in: 1...3, using: &random) : 1,
      environment: chance(90) ? .production : .sandbox,
      appID: chance(50) ? (chance(90) ? "test.app" : "other.app") : nil, account: Self.accounts[number],
      offer: chance(30) ? .init(type: .introductory, mode: .freeTrial) : nil, signed: chance(50) ? Self.start : date())
    if chance(20) { transaction.revocation = .init(date: date(), reason: chance(50) ? .other : .gone) }
    if chance(30) { transaction.revision.sequence = Int.random(in: 0..<3, using: &random) }
    return transaction
  }

  mutating func use() -> Use? { pick(metered).map { use(of: $0, at: date(), in: zone()) } }

  private mutating func use(of feature: FeatureID, at when: Date, in zone: TimeZone) -> Use {
    let day = Int(((when.timeIntervalSince1970 + TimeInterval(zone.secondsFromGMT(for: when))) / 86400).rounded(.down))
    return Use(
      key: "k\(Int.random(in: 0..<10, using: &random))", feature: feature, subject: subject(), source: chance(80) ? .device : "watch",
      amount: Int.random(in: 0...2, using: &random), date: when, day: day, zone: zone.identifier, counted: chance(75),
      credits: chance(30) ? Int.random(in: 0...2, using: &random) : 0,
      status: pick([Use.Status.released, .reserved, .committed, .committed]) ?? .committed,
      environment: chance(15) ? pick([.sandbox, .xcode]) : nil, run: chance(50) ? "run1" : "run2",
      attempt: chance(30) ? 1 : 0)
  }

  mutating func total() -> ReportedTotal? {
    guard let feature = pick(metered) else { return nil }
    let day = Int((date().timeIntervalSince1970 / 86400).rounded(.down))
    return ReportedTotal(
      feature: feature, subject: subject(), source: chance(60) ? "server" : .device, amount: Int.random(in: 0...3, using: &random),
      unit: chance(40) ? nil : pick(CalendarUnit.allCases), day: day)
  }

  mutating func cap() -> Cap? {
    guard let feature = pick(catalog.features) else { return nil }
    let amounts: [String?] = ["1", "2", "true", "false", "\"PT1M\"", "\"basic\"", "\"P7D\"", "\"unlimited\"", "not JSON", nil]
    return Cap(feature: feature.id, subject: subject(), amount: pick(amounts) ?? nil, revision: revision())
  }

  private mutating func revision() -> Revision {
    Revision(chance(50) ? Self.start : date(), sequence: Int.random(in: 0..<2, using: &random))
  }

  mutating func renewal() -> RenewalInfo? {
    guard let product = pick(catalog.products.filter { $0.subscription != nil }) else { return nil }
    let states: [RenewalInfo.State] = [.subscribed, .expired, .inBillingRetry, .inGracePeriod, .revoked]
    let state = pick(states) ?? .subscribed
    return RenewalInfo(
      originalID: TransactionID("t\(Int.random(in: 0..<8, using: &random))"), productID: product.id, state: state, willRenew: chance(70),
      renewsInto: chance(70) ? product.id : nil, expires: date(), graceUntil: state == .inGracePeriod || chance(10) ? date() : nil,
      retryUntil: chance(50) ? date() : nil, signed: chance(50) ? Self.start : date())
  }

  mutating func fact() -> Fact? {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<35: return transaction().map(Fact.transaction)
    case 35..<45: return renewal().map(Fact.renewal)
    case 45..<50:
      let since = date()
      return pick(catalog.products).map {
        .pending(PendingPurchase(productID: $0.id, since: since, lapses: since + 86400, isOpen: chance(70), revision: revision()))
      }
    case 50..<75: return chance(12) ? total().map(Fact.total) : use().map(Fact.use)
    case 75..<81:
      let from = date()
      let credits = chance(40) ? pick(catalog.features).map { [$0.id: Int.random(in: 0...3, using: &random)] } : nil
      return .grant(
        ComplimentaryGrant(
          id: "gift\(Int.random(in: 0..<3, using: &random))", entitlements: [chance(50) ? "e0" : "e1"], credits: credits ?? [:], from: from,
          until: chance(50) ? from + TimeInterval(Int.random(in: 1...40, using: &random) * 43200) : nil, isRevoked: chance(20),
          revision: revision()))
    case 81..<87: return cap().map(Fact.cap)
    case 87..<92:
      let item = pick(["a/1", "a/1", "a/2", "a/4", "a/2/hard", "b/x"] as [ItemPath]) ?? "a/1"
      return .completion(Completion(item: item, subject: subject(), date: chance(70) ? date() : nil))
    case 92..<95:
      return .wallet(
        WalletEntry(
          id: "w\(Int.random(in: 0..<3, using: &random))", subject: subject(), source: chance(50) ? .device : "watch",
          earned: Int.random(in: 0...9, using: &random), spent: Int.random(in: 0...4, using: &random)))
    case 95:
      return .assignment(
        ArmAssignment(experiment: chance(50) ? "x" : "y", arm: chance(50) ? "a" : "b", date: date(), isOfAccount: chance(30)))
    case 96:
      let child = SubjectID(pick(Self.children) ?? "max")
      return .child(FamilyChild(id: child, name: chance(50) ? "Max" : "Mia", isRemoved: chance(30), revision: revision()))
    case 97..<99:
      let rule = pick([MergeRule(.max), MergeRule(.min, above: 0), MergeRule(.min), MergeRule(.or)]) ?? MergeRule(.max)
      return .progress(
        ProgressEntry(
          subject: subject(), module: chance(50) ? "m" : "n", item: chance(50) ? "" : "a/1", field: chance(50) ? "stars" : "best",
          source: chance(50) ? .device : "watch", rule: rule, value: Int.random(in: -1...4, using: &random)))
    default:
      let corrected = chance(50) ? date() : nil
      return .time(TimeSeen(correction: Int.random(in: 0..<2, using: &random), latest: date(), corrected: corrected))
    }
  }

  mutating func facts(_ count: ClosedRange<Int> = 0...16) -> [Fact] {
    var facts = (0..<Int.random(in: count, using: &random)).compactMap { _ in fact() }
    if chance(30) {
      facts += ["a/1", "a/2", "a/4"].filter { _ in chance(60) }.map { .completion(Completion(item: $0, subject: .customer)) }
    }
    if chance(20) { facts.append(.time(TimeSeen(correction: 1, latest: date(), corrected: date()))) }
    return facts + facts.flatMap { followers(of: $0) }
  }

  /// What the store adds to the period of a subscription: its renewal status, and the period after it.
  private mutating func followers(of fact: Fact) -> [Fact] {
    guard case .transaction(let period) = fact.sort, let end = period.expirationDate,
      let terms = catalog.product(period.productID)?.subscription
    else { return [] }
    var facts: [Fact] = []
    if chance(40) {
      let state = pick([RenewalInfo.State.subscribed, .expired, .inBillingRetry, .inGracePeriod, .inGracePeriod, .revoked]) ?? .expired
      facts.append(
        .renewal(
          RenewalInfo(
            originalID: period.originalID, productID: period.productID, state: state, willRenew: chance(70), expires: end,
            graceUntil: state == .inGracePeriod ? end + TimeInterval(Int.random(in: 1...16, using: &random)) * 86400 : nil,
            signed: chance(50) ? end : date())))
    }
    if chance(40) {
      var next = period
      (next.id, next.purchaseDate, next.offer) = (TransactionID("r\(period.id)"), end, nil)
      next.expirationDate = terms.period.added(to: end, in: .storeCalendar)
      next.revision = Revision(chance(50) ? end : end - 3600)
      facts.append(.transaction(next))
    }
    return facts
  }

  /// Some uses of one feature in the two days before a time, in one zone.
  mutating func recentUses(by subject: SubjectID, before now: Date) -> [Fact] {
    guard chance(50), let feature = pick(metered) else { return [] }
    let zone = zone()
    return (0..<Int.random(in: 1...4, using: &random)).map { number in
      var use = use(of: feature, at: now - TimeInterval(Int.random(in: 0..<48 * 4, using: &random) * 900), in: zone)
      (use.key, use.subject, use.environment) = ("recent\(number)", subject, nil)
      return .use(use)
    }
  }

  /// A time that is often beside one of the facts, where answers change.
  mutating func moment(near facts: [Fact]) -> Date {
    guard chance(60), let fact = pick(facts) else { return date() }
    let dates: [Date?] =
      switch fact.sort {
      case .transaction(let transaction): [transaction.purchaseDate, transaction.expirationDate]
      case .renewal(let renewal): [renewal.expires, renewal.graceUntil, renewal.retryUntil]
      case .pending(let request): [request.lapses]
      case .use(let use): [use.value.date]
      case .grant(let gift): [gift.from, gift.until]
      default: []
      }
    let offset = pick([0, 0, -1, 1, 30, 3600, -3600, 6 * 3600, 86400, 3 * 86400, 20 * 86400]) ?? 0
    return (pick(dates.compactMap { $0 }) ?? date()) + TimeInterval(offset)
  }

  /// Every kind of question about the catalog, including wrong ones.
  mutating func requests(at now: Date) -> [AccessRequest] {
    var requests = catalog.features.map { AccessRequest($0.id) }
    requests += catalog.features.flatMap(\.aliases).map { AccessRequest($0) }
    let items: [ItemPath] = ["a/1", "a/2", "a/3/hard", "a/5", "a/6", "b/x", "b/z", "c/1"]
    for feature in catalog.features {
      requests.append(AccessRequest(feature.id, item: pick(items)))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: requests.append(AccessRequest(feature.id, level: pick(["basic", "more", "full", "no such level"])))
      case 1:
        let age = TimeInterval((chance(50) ? 7 : 30) * 86400 + Int.random(in: -8...8, using: &random) * 10800)
        requests.append(AccessRequest(feature.id, date: chance(70) ? now - age : date()))
      case 2: requests.append(AccessRequest(feature.id, held: Int.random(in: 0...6, using: &random)))
      default: requests.append(AccessRequest(feature.id, count: Int.random(in: 2...4, using: &random)))
      }
    }
    requests.append(AccessRequest("no such feature"))
    return requests
  }
}

/// A random catalog with random facts, a situation and a time: one sample for a law.
struct RandomWorld: CustomStringConvertible {
  /// The text of the catalog.
  let text: String
  let catalog: Catalog
  let facts: [Fact]
  let situation: Situation
  let now: Date
  let requests: [AccessRequest]
  var random: RandomFacts

  /// Only a seventh of the seeds make new catalogs, because reading one costs more than judging it.
  init(seed: UInt64, anchored: Bool = false) throws {
    (text, catalog) = try RandomWorld.catalog(seed: seed / 7, anchored: anchored)
    random = RandomFacts(SplitMix64(seed: seed), catalog: catalog)
    let past = random.facts()
    situation = random.situation()
    now = random.moment(near: past)
    facts = past + random.recentUses(by: situation.member.subject, before: now)
    requests = random.requests(at: now)
  }

  var description: String { "at \(now), \(situation)\n\(text)\n\(Self.text(facts))" }

  /// A line for each fact.
  static func text(_ facts: [Fact]) -> String { facts.map { $0.use.map { "\($0)" } ?? "\($0.sort)" }.joined(separator: "\n") }

  private static let cache = Locked<[UInt64: (String, Catalog)]>([:])

  private static func catalog(seed: UInt64, anchored: Bool) throws -> (String, Catalog) {
    let key = seed &* 2 &+ (anchored ? 1 : 0)
    if let known = cache.withLock({ $0[key] }) { return known }
    var random = SplitMix64(seed: seed)
    let catalog = RandomCatalog(&random, anchored: anchored)
    let pair = (catalog.text, try catalog.read())
    cache.withLock { $0[key] = pair }
    return pair
  }
}

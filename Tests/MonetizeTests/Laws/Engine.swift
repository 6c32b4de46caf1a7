// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Monetize

/// The pure core as functions, so that laws can check the real one and broken ones.
struct Engine: Sendable {
  /// Merges facts from several places into one state.
  var fold: @Sendable ([[Fact]]) -> CustomerState = { parts in
    parts.map { CustomerState($0) }.reduce(into: CustomerState()) { $0.merge($1) }
  }
  var snapshot: @Sendable (CustomerState, Catalog, Situation, Date) -> Snapshot = { Snapshot(of: $0, catalog: $1, situation: $2, at: $3) }
  var decide: @Sendable (Snapshot, AccessRequest) -> Decision = { $0.decision(for: $1) }
  var nextChange: @Sendable (Snapshot) -> Date? = { $0.nextChange }

  static let real = Engine()

  func snapshot(_ world: RandomWorld, _ facts: [Fact]? = nil) -> Snapshot {
    snapshot(fold([facts ?? world.facts]), world.catalog, world.situation, world.now)
  }
}

/// The laws as properties: the input, and the first violation.
enum Laws {
  /// Law 1: any order, any copies, any partition.
  static func isOrderFree(_ seed: UInt64, _ engine: Engine, orders: Int = 5) throws -> Violation? {
    var world = try RandomWorld(seed: seed)
    let state = engine.fold([world.facts])
    let snapshot = engine.snapshot(state, world.catalog, world.situation, world.now)
    for order in 0..<orders {
      var facts = world.facts.shuffled(using: &world.random.random)
      for fact in facts where world.random.chance(20) {
        facts.insert(fact, at: Int.random(in: 0...facts.count, using: &world.random.random))
      }
      var parts: [[Fact]] = [[], [], []]
      for fact in facts { parts[Int.random(in: 0..<3, using: &world.random.random)].append(fact) }
      let other = engine.fold(order == 0 ? [facts] : parts)
      if other != state { return Violation("order \(order) gives another state: \(world.facts)") }
      let same = engine.snapshot(other, world.catalog, world.situation, world.now)
      if same != snapshot { return Violation("order \(order) gives another snapshot of an equal state") }
      let request = world.requests[order % world.requests.count]
      if engine.decide(same, request) != engine.decide(snapshot, request) {
        return Violation("order \(order) answers \(request) otherwise")
      }
    }
    if engine.fold([state.facts]) != state { return Violation("the state's own facts make another state") }
    return nil
  }

  static func amount(_ decision: Decision) -> Int { decision.isAllowed ? decision.remaining ?? .max : decision.remaining ?? 0 }

  /// Law 2: another valid purchase denies nothing and leaves no less.
  static func payingNeverTakesAway(_ seed: UInt64, _ engine: Engine, anchored: Bool = false) throws -> Violation? {
    var world = try RandomWorld(seed: seed, anchored: anchored)
    guard let product = world.random.pick(world.catalog.products) else { return nil }
    let purchase = world.random.validPurchase(of: product, at: world.random.date(-90...90), id: "new")
    let before = engine.snapshot(world)
    let after = engine.snapshot(world, world.facts + [.transaction(purchase)])
    for request in world.requests {
      let (old, new) = (engine.decide(before, request), engine.decide(after, request))
      if old.isAllowed && !new.isAllowed { return Violation("\(product.id) denies \(request): \(new)") }
      if amount(new) < amount(old) { return Violation("\(product.id) leaves \(amount(new)) of \(amount(old)) for \(request)") }
    }
    return nil
  }

  /// Everything stays open without a plan that is reported as no longer needed. Counts these plans in `found`.
  static func redundantPlansGiveNothing(
    _ seed: UInt64, _ found: Locked<Int> = Locked(0), _ redundant: (Snapshot) -> [ProductID] = { $0.redundantSubscriptions }
  ) throws -> Violation? {
    var world = try RandomWorld(seed: seed)
    var facts = world.facts
    for product in world.catalog.products where world.random.chance(60) {
      let id = TransactionID("bought \(product.id)")
      facts.append(.transaction(world.random.validPurchase(of: product, at: world.now - 3 * 86400, id: id)))
      guard product.subscription != nil else { continue }
      facts.append(.renewal(RenewalInfo(originalID: id, productID: product.id, state: .subscribed, willRenew: true, signed: world.now)))
    }
    let with = Engine.real.snapshot(world, facts)
    for plan in redundant(with) {
      found.withLock { $0 += 1 }
      let without = Engine.real.snapshot(
        world,
        facts.filter { fact in
          switch fact.sort {
          case .transaction(let transaction): transaction.productID != plan
          case .renewal(let renewal): renewal.productID != plan
          default: true
          }
        })
      for request in world.requests {
        let (old, new) = (with.decision(for: request), without.decision(for: request))
        if old.isAllowed && !new.isAllowed { return Violation("\(request) is closed without \(plan): \(new)") }
        if amount(new) < amount(old) { return Violation("\(request) has \(amount(new)) of \(amount(old)) without \(plan)") }
      }
    }
    return nil
  }

  /// Law 3: equal questions have equal answers, and leave the facts unchanged.
  static func readingChangesNothing(_ seed: UInt64, _ engine: Engine) throws -> Violation? {
    let world = try RandomWorld(seed: seed)
    let state = engine.fold([world.facts])
    let snapshot = engine.snapshot(state, world.catalog, world.situation, world.now)
    let first = world.requests.map { engine.decide(snapshot, $0) }
    let second = world.requests.reversed().map { engine.decide(snapshot, $0) }
    if first != second.reversed() { return Violation("asking again gives another answer") }
    if engine.snapshot(state, world.catalog, world.situation, world.now) != snapshot {
      return Violation("making a snapshot changed something")
    }
    return state == engine.fold([world.facts]) ? nil : Violation("a decision changed the state")
  }

  /// Law 8: until `nextChange`, every answer stays the same, except for a window's cutoff.
  static func nothingHappensBetweenChanges(_ seed: UInt64, _ engine: Engine, anchored: Bool = false) throws -> Violation? {
    var world = try RandomWorld(seed: seed, anchored: anchored)
    let state = engine.fold([world.facts])
    let snapshot = engine.snapshot(state, world.catalog, world.situation, world.now)
    let end = engine.nextChange(snapshot) ?? world.now + 400 * 86400
    if end <= world.now { return Violation("the next change, \(end), is not after \(world.now)") }
    let length = end.timeIntervalSince(world.now)
    let instants = [
      world.now + length / 2, end - min(1, length / 2), world.now + length * Double.random(in: 0..<1, using: &world.random.random),
    ]
    // The next representable time has none before it.
    for instant in instants where instant < end {
      let later = engine.snapshot(state, world.catalog, world.situation, instant)
      if later.products != snapshot.products { return Violation("a product's status changes by \(instant), before \(end)") }
      for request in world.requests {
        var (old, new) = (engine.decide(snapshot, request), engine.decide(later, request))
        if request.date != nil, instant >= old.validUntil ?? .distantFuture { continue }
        func constant(_ content: inout Decision.Content) {
          content.cutoff = nil
          if request.date != nil { (content.validUntil, content.verdict.changesAt) = (nil, nil) }
        }
        (old, new) = (old.changed(constant), new.changed(constant))
        if old != new { return Violation("\(request) changes by \(instant), before \(end): \(old) -> \(new)") }
        if snapshot.decision(for: request, at: instant).isAllowed != new.isAllowed {
          return Violation("\(request): a snapshot asked later answers otherwise than a new one")
        }
      }
    }
    return nil
  }

  /// Law 11: a cap allows nothing that the grants deny, leaves no more than they do, and no purchase lifts it.
  static func aCapOnlyNarrows(_ seed: UInt64, _ engine: Engine, anchored: Bool = false) throws -> Violation? {
    var world = try RandomWorld(seed: seed, anchored: anchored)
    let free = world.facts.filter { if case .cap = $0.sort { false } else { true } }
    let caps = (0..<4).compactMap { _ in world.random.cap() }.map(Fact.cap)
    let (without, with) = (engine.snapshot(world, free), engine.snapshot(world, free + caps))
    let bought =
      free + caps
      + world.catalog.products.enumerated().map { index, product in
        Fact.transaction(world.random.validPurchase(of: product, at: world.now, id: TransactionID("new\(index)")))
      }
    let rich = engine.snapshot(world, bought)
    for request in world.requests {
      let (own, capped) = (engine.decide(without, request), engine.decide(with, request))
      if capped.isAllowed && !own.isAllowed { return Violation("a cap allows \(request)") }
      if own.isAllowed, amount(capped) > amount(own) { return Violation("a cap leaves \(amount(capped)) of \(amount(own)) for \(request)") }
      if !own.isAllowed, let left = own.remaining, let more = capped.remaining, more > left {
        return Violation("a cap leaves \(more) where \(left) are left for \(request)")
      }
      if capped.reason == .parentalLimit {
        if engine.decide(rich, request).isAllowed { return Violation("buying everything lifts the cap on \(request)") }
        if !capped.unlockedBy.isEmpty || capped.placement != nil { return Violation("a paywall for what a parent limited: \(request)") }
      }
    }
    return nil
  }

  /// Law 11: a part is open when the amount that is granted to its whole reaches the part's, and so does every cap: no error, and never
  /// closed by uses.
  static func aPartAsksAboutTheAmount(_ seed: UInt64, _ engine: Engine) throws -> Violation? {
    var world = try RandomWorld(seed: seed, anchored: true)
    let subject = world.situation.member.subject
    let caps = world.catalog.features.compactMap { feature -> Cap? in
      let amount = world.random.pick(["1", "2", "5", "true"])
      return world.random.chance(40) ? Cap(feature: feature.id, subject: subject, amount: amount, revision: Revision(world.now)) : nil
    }
    let facts = world.facts.filter { if case .cap = $0.sort { false } else { true } } + caps.map(Fact.cap)
    let snapshot = engine.snapshot(world, facts)
    let gifts = CustomerState(facts).grants.sorted
    for (index, feature) in world.catalog.features.enumerated() {
      guard let part = feature.part else { continue }
      let decision = engine.decide(snapshot, AccessRequest(feature.id))
      if decision.reason.isError { return Violation("an error for a part: \(decision)") }
      guard feature.conditions.isEmpty else { continue }
      let (grants, sources) = (world.catalog.index.grants[index], snapshot.rows[index].sources)
      let granted = sources.grantors.flatMap { grantor -> [Granted] in
        switch grantor.source {
        case .freeTier: [grants.free].compactMap { $0 }
        case .monetizationOff: [grants.withoutMoney].compactMap { $0 }
        case .product(let id): grants.products.filter { world.catalog.products[$0.index].id == id }.compactMap(\.granted)
        case .complimentary(let id): gifts.first { $0.id == id }?.entitlements.compactMap { grants.entitlements[$0] } ?? []
        case .credits: []
        }
      }
      let amount = granted.dropFirst().reduce(granted.first) { $0?.joined(with: $1) }
      let reaches = amount?.gives(atLeast: part.atLeast) ?? false
      let limits = sources.caps.allSatisfy { $0.gives(atLeast: part.atLeast) }
      if decision.isAllowed != (reaches && limits) {
        return Violation("\(feature.id): \(decision), granted: \(reaches), capped: \(!limits)")
      }
      if !limits, decision.reason != .parentalLimit { return Violation("\(feature.id) is limited by a parent: \(decision)") }
    }
    return nil
  }

  /// Law 12: the offers are exactly the products that help when they are bought now, and nothing else leads to a paywall.
  static func offersExactlyWhatHelps(_ seed: UInt64, _ engine: Engine, anchored: Bool = false) throws -> Violation? {
    var world = try RandomWorld(seed: seed, anchored: anchored)
    let facts = world.facts + (anchored ? world.usedUp() : [])
    let now = engine.snapshot(world, facts)
    var bought: [ProductID: Snapshot] = [:]
    for product in world.catalog.products where product.isOnSale && world.catalog.isMonetized {
      bought[product.id] = engine.snapshot(world, facts + world.purchase(of: product, owning: now))
    }
    for request in world.requests {
      let decision = engine.decide(now, request)
      // A wrong question has no paywall, even if its missing part would not matter to a product.
      if decision.reason == .heldMissing, decision.unlockedBy.isEmpty, decision.placement == nil { continue }
      let helping = world.catalog.products.map(\.id).filter { id in bought[id].map { engine.decide($0, request).isAllowed } ?? false }
      let expected = decision.isAllowed ? [] : helping
      if decision.unlockedBy != expected {
        return Violation("\(request) offers \(decision.unlockedBy), but \(expected) would help: \(decision)")
      }
      if decision.placement != nil, decision.unlockedBy.isEmpty || !world.situation.store.hasAnswered {
        return Violation("a paywall for \(request) where buying does not help or it is unknown")
      }
    }
    return nil
  }
}

extension RandomWorld {
  /// What the store adds when a product is bought now: nothing for what it does not sell again, and nothing yet for a change of plan that
  /// begins at the next renewal.
  fileprivate mutating func purchase(of product: CatalogProduct, owning snapshot: Snapshot) -> [Fact] {
    let isOwned = snapshot.status(of: product.id)?.isOwned == true
    if isOwned, product.storeType == .nonConsumable || product.storeType == .autoRenewable { return [] }
    // The store returns the purchase of a trial that has ended.
    let isPast = CustomerState(facts).transactions.values.contains {
      $0.productID == product.id && $0.isValid && $0.ownership == .purchased && situation.concerns($0, app: catalog.app.id)
    }
    if isPast, product.storeType == .nonConsumable { return [] }
    if let terms = product.subscription {
      for current in catalog.products {
        guard let plan = current.subscription, plan.group == terms.group, let status = snapshot.status(of: current.id), status.isOwned,
          status.ownership == .purchased
        else { continue }
        let isUpgrade = terms.level < plan.level
        let isLike = terms.level == plan.level && terms.period == plan.period
        if !isUpgrade && !isLike { return [] }
      }
    }
    return [.transaction(random.validPurchase(of: product, at: now, id: "new"))]
  }

  /// A plan or a pass that the customer has, with every limit that counts from its purchase used up.
  fileprivate mutating func usedUp() -> [Fact] {
    let kinds = catalog.products.filter { $0.storeType == .autoRenewable || $0.storeType == .nonRenewing }
    guard let product = random.pick(kinds) else { return [] }
    let day = Int(now.timeIntervalSince1970) / 86400
    let uses = catalog.features.filter { type(of: $0.shape).isMetered && $0.part == nil }.map { feature in
      Fact.use(
        Use(
          key: "used up", feature: feature.id, subject: situation.member.subject, amount: 9, date: now - 3600, day: day, zone: "UTC",
          environment: situation.environment))
    }
    return [.transaction(random.validPurchase(of: product, at: now - 2 * 86400, id: "used"))] + uses
  }
}

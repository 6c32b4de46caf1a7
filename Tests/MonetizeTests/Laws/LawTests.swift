// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// The laws of the pure core over random catalogs, facts and times, each also checked on an engine that breaks it.
@Suite(.timeLimit(.minutes(30)))
struct LawTests {
  @Test("Law 1: any order, copies and partition of facts give the same state, snapshot and decisions", arguments: 0..<8)
  func orderFree(part: Int) throws {
    try expectHolds(Seed.run(1250, from: part * 1250)) { try Laws.isOrderFree($0, .real) }
  }

  @Test("Everything stays open without a plan that is reported as no longer needed") func redundantPlans() throws {
    let found = Locked(0)
    try expectHolds(Seed.run(2000)) { try Laws.redundantPlansGiveNothing($0, found) }
    #expect(found.copy > 50, "Only \(found.copy) plans were no longer needed.")
    try expectFinds("every plan that renews", Seed.run(200)) {
      try Laws.redundantPlansGiveNothing($0) { $0.products.filter { $0.willRenew == true }.map(\.product) }
    }
  }

  @Test("Law 1 notices a merge that takes the last fact, and one that forgets revocations")
  func orderFreeIsSensitive() throws {
    var last = Engine.real
    last.fold = { parts in
      var state = CustomerState()
      var kept: [TransactionID: StoreTransaction] = [:]
      for fact in parts.joined() {
        if case .transaction(let transaction) = fact.sort { kept[transaction.id] = transaction } else { state.insert(fact) }
      }
      for transaction in kept.values { state.insert(.transaction(transaction)) }
      return state
    }
    try expectFinds("the last transaction wins", Seed.run(200)) { try Laws.isOrderFree($0, last) }

    var first = Engine.real
    first.fold = { parts in
      var state = CustomerState()
      var seen: Set<String> = []
      for fact in parts.joined() {
        if let use = fact.use, !seen.insert("\(use.feature)|\(use.subject)|\(use.key)").inserted { continue }
        state.insert(fact)
      }
      return state
    }
    try expectFinds("the first word about a use wins", Seed.run(400)) { try Laws.isOrderFree($0, first) }

    var sums = Engine.real
    sums.fold = { parts in
      // Totals that are added instead of merged: a copy counts twice.
      var earned: [String: Int] = [:]
      var state = CustomerState()
      for fact in parts.joined() {
        if case .wallet(let entry) = fact.sort { earned[entry.id, default: 0] += entry.earned } else { state.insert(fact) }
      }
      for (id, total) in earned { state.insert(.wallet(WalletEntry(id: id, earned: total))) }
      return state
    }
    try expectFinds("totals are added up", Seed.run(400)) { try Laws.isOrderFree($0, sums) }

    // An explanation by the first grant instead of the one that leaves most.
    var explanation = Engine.real
    let calls = Locked(0)
    explanation.decide = { snapshot, request in
      var decision = snapshot.decision(for: request)
      if decision.isAllowed {
        let isEven =
          calls.withLock {
            $0 += 1; return $0
          } % 2 == 0
        decision = decision.changed { $0.reason = isEven ? .free : .owned }
      }
      return decision
    }
    try expectFinds("explanations vary", Seed.run(50)) { try Laws.isOrderFree($0, explanation) }
  }

  @Test("Law 2: a valid purchase denies nothing that was allowed and leaves no less")
  func payingNeverTakesAway() throws {
    try expectHolds(Seed.run(3000)) { try Laws.payingNeverTakesAway($0, .real) }
  }

  @Test("Law 2 notices an engine that uses only the latest purchase, and one in which a purchase hides the free tier")
  func payingIsSensitive() throws {
    var latest = Engine.real
    latest.snapshot = { state, catalog, situation, now in
      let newest = state.transactions.values.max { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
      let facts = state.facts.filter { if case .transaction(let transaction) = $0.sort { transaction == newest } else { true } }
      return Snapshot(of: CustomerState(facts), catalog: catalog, situation: situation, at: now)
    }
    try expectFinds("only the latest purchase counts", Seed.run(500)) { try Laws.payingNeverTakesAway($0, latest) }

    var noGifts = Engine.real
    noGifts.snapshot = { state, catalog, situation, now in
      let facts = state.facts.filter { if case .grant = $0.sort { state.transactions.isEmpty } else { true } }
      return Snapshot(of: CustomerState(facts), catalog: catalog, situation: situation, at: now)
    }
    try expectFinds("a purchase hides gifts", Seed.run(3000)) { try Laws.payingNeverTakesAway($0, noGifts) }
  }

  @Test("Law 3: a decision changes nothing, and equal questions have equal answers")
  func readingChangesNothing() throws {
    try expectHolds(Seed.run(1000)) { try Laws.readingChangesNothing($0, .real) }
    let asked = Locked(0)
    var counts = Engine.real
    counts.decide = { snapshot, request in
      var decision = snapshot.decision(for: request)
      let number = asked.withLock {
        $0 += 1; return $0
      }
      if number.isMultiple(of: 3) { decision = decision.changed { $0.verdict.isAllowed = false } }
      return decision
    }
    try expectFinds("asking counts as using", Seed.run(50)) { try Laws.readingChangesNothing($0, counts) }
  }

  @Test("Law 8: nothing changes before the snapshot's next change", arguments: [false, true])
  func nothingHappensBetweenChanges(anchored: Bool) throws {
    try expectHolds(Seed.run(2500)) { try Laws.nothingHappensBetweenChanges($0, .real, anchored: anchored) }
  }

  @Test("Law 8 notices an engine that forgets the periods of limits, and one that never changes")
  func changesAreSensitive() throws {
    var forgetful = Engine.real
    forgetful.nextChange = { $0.sourcesChangeAt }
    try expectFinds("periods of limits are forgotten", Seed.run(300)) { try Laws.nothingHappensBetweenChanges($0, forgetful) }
    var never = Engine.real
    never.nextChange = { _ in nil }
    try expectFinds("nothing ever changes", Seed.run(100)) { try Laws.nothingHappensBetweenChanges($0, never) }
    var past = Engine.real
    past.nextChange = { $0.date }
    try expectFinds("the next change is now", Seed.run(3)) { try Laws.nothingHappensBetweenChanges($0, past) }
  }

  @Test("Law 11: a cap only narrows, and no purchase lifts it")
  func aCapOnlyNarrows() throws {
    try expectHolds(Seed.run(2500)) { try Laws.aCapOnlyNarrows($0, .real) }
    try expectHolds(Seed.run(1000)) { try Laws.aCapOnlyNarrows($0, .real, anchored: true) }
    var lifts = Engine.real
    lifts.decide = { snapshot, request in
      var decision = snapshot.decision(for: request)
      if let index = snapshot.catalog.index.features[request.feature], !snapshot.rows[index].sources.caps.isEmpty {
        decision = decision.changed { $0.verdict.isAllowed = true }
      }
      return decision
    }
    try expectFinds("a cap counts as a grant", Seed.run(200)) { try Laws.aCapOnlyNarrows($0, lifts) }
    var sold = Engine.real
    sold.snapshot = { state, catalog, situation, now in
      let owns = state.transactions.count > 7
      let facts = state.facts.filter { if case .cap = $0.sort { !owns } else { true } }
      return Snapshot(of: CustomerState(facts), catalog: catalog, situation: situation, at: now)
    }
    try expectFinds("buying lifts caps", Seed.run(500)) { try Laws.aCapOnlyNarrows($0, sold) }
  }

  @Test("Law 11: a part asks about the amount, of the plan and of every cap")
  func aPartAsksAboutTheAmount() throws {
    try expectHolds(Seed.run(1500)) { try Laws.aPartAsksAboutTheAmount($0, .real) }
    var usedUp = Engine.real
    usedUp.decide = { snapshot, request in
      let decision = snapshot.decision(for: request)
      return decision.isAllowed && decision.remaining == 0 ? decision.changed { $0.verdict.isAllowed = false } : decision
    }
    try expectFinds("a part closes when its whole is used up", Seed.run(1500)) { try Laws.aPartAsksAboutTheAmount($0, usedUp) }
  }

  @Test("Law 12: `unlockedBy` is exactly the products that help", arguments: [false, true])
  func offersExactlyWhatHelps(anchored: Bool) throws {
    try expectHolds(Seed.run(1500)) { try Laws.offersExactlyWhatHelps($0, .real, anchored: anchored) }
  }

  @Test("Law 12 notices an engine that offers everything, one that offers nothing, and one that offers too little")
  func offersAreSensitive() throws {
    var everything = Engine.real
    everything.decide = { snapshot, request in
      var decision = snapshot.decision(for: request)
      if !decision.isAllowed { decision = decision.changed { $0.unlockedBy = snapshot.catalog.products.filter(\.isOnSale).map(\.id) } }
      return decision
    }
    try expectFinds("everything is offered", Seed.run(50)) { try Laws.offersExactlyWhatHelps($0, everything) }
    var first = Engine.real
    first.decide = { snapshot, request in
      var decision = snapshot.decision(for: request)
      decision = decision.changed { $0.unlockedBy = Array($0.unlockedBy.prefix(1)) }
      return decision
    }
    try expectFinds("only the first is offered", Seed.run(200)) { try Laws.offersExactlyWhatHelps($0, first) }
  }

  @Test("Law 12 notices an engine that offers no pass again, and one that offers a plan which begins later")
  func salesAreSensitive() throws {
    var once = Engine.real
    once.decide = { snapshot, request in
      snapshot.decision(for: request).changed { $0.unlockedBy.removeAll { snapshot.status(of: $0)?.isOwned == true } }
    }
    try expectFinds("a pass is not offered again", Seed.run(300)) { try Laws.offersExactlyWhatHelps($0, once, anchored: true) }
    var hasty = Engine.real
    hasty.decide = { snapshot, request in
      let (decision, catalog) = (snapshot.decision(for: request), snapshot.catalog)
      guard decision.reason == .limitReached, snapshot.situation.member.role != .demo, let index = catalog.index.features[request.feature]
      else { return decision }
      let row = snapshot.rows[index]
      let context = AllowanceContext(now: snapshot.date, background: row.background)
      let helping = catalog.index.grants[index].products.filter { product, granted, _ in
        guard let granted, catalog.products[product].isOnSale, !snapshot.products[product].isOwned else { return false }
        let bought = granted.anchored(at: [snapshot.date])
        return (row.sources.granted?.joined(with: bought) ?? bought).allowance?.judge(request, in: context).isAllowed ?? true
      }
      let all = decision.unlockedBy + helping.map { catalog.products[$0.index].id }
      return decision.changed { $0.unlockedBy = catalog.products.map(\.id).filter(all.contains) }
    }
    try expectFinds("a plan that begins later is offered", Seed.run(1500)) { try Laws.offersExactlyWhatHelps($0, hasty, anchored: true) }
  }
}

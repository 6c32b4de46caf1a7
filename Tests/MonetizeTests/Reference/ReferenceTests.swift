// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import Testing

@testable import Monetize

/// The rules are written twice: the engine joins grants and keeps indices, `ReferenceRules` judges each grant by itself, from the JSON. Both
/// give the same answers about random catalogs, facts, members and times.
struct ReferenceTests {
  @Test("A second implementation of the rules gives the same answers", arguments: [false, true], 0..<2)
  func agrees(anchored: Bool, part: Int) throws {
    try expectHolds(Seed.run(Self.worlds, from: part * Self.worlds)) { try Self.firstDifference($0, anchored: anchored, .real) }
  }

  /// The number of random worlds of one run. `MONETIZE_WORLDS=100000` compares that many.
  private static let worlds = ProcessInfo.processInfo.environment["MONETIZE_WORLDS"].flatMap(Int.init) ?? 1000

  @Test("The comparison notices an engine that forgets a rule")
  func isSensitive() throws {
    func finds(_ mistake: String, _ change: @escaping @Sendable (inout [Fact], inout Situation, inout Date) -> Void) throws {
      var broken = Engine.real
      broken.snapshot = { state, catalog, situation, now in
        var (facts, situation, now) = (state.facts, situation, now)
        change(&facts, &situation, &now)
        return Snapshot(of: CustomerState(facts), catalog: catalog, situation: situation, at: now)
      }
      try expectFinds(mistake, Seed.run(2000)) { try Self.firstDifference($0, anchored: true, broken) }
    }
    func keeping(_ isKept: @escaping @Sendable (Fact.Sort) -> Bool) -> @Sendable (inout [Fact], inout Situation, inout Date) -> Void {
      { facts, _, _ in facts = facts.filter { isKept($0.sort) } }
    }
    try finds("requests that wait are forgotten", keeping { if case .pending = $0 { false } else { true } })
    try finds("renewal statuses are forgotten", keeping { if case .renewal = $0 { false } else { true } })
    try finds("totals of servers are forgotten", keeping { if case .total = $0 { false } else { true } })
    try finds("corrections of the clock are forgotten", keeping { if case .time = $0 { false } else { true } })
    try finds("completions are forgotten", keeping { if case .completion = $0 { false } else { true } })
    try finds("environments are mixed") { _, situation, _ in situation.environment = nil }
    try finds("accounts are mixed") { _, situation, _ in situation.account = nil }
    try finds("an old answer counts for ever") { _, situation, _ in if situation.store.hasAnswered { situation.store = .answered } }
    try finds("a day is one of UTC") { _, situation, _ in situation.zone = Calendar.storeCalendar.timeZone }
    try finds("an end includes its moment") { _, _, now in now -= 0.001 }
  }

  @Test("The comparison notices an engine that changes one part of an answer")
  func partsOfAnswers() throws {
    func finds(_ mistake: String, _ change: @escaping @Sendable (inout Decision.Content) -> Void) throws {
      var broken = Engine.real
      broken.decide = { $0.decision(for: $1).changed(change) }
      try expectFinds(mistake, Seed.run(400)) { try Self.firstDifference($0, anchored: false, broken) }
    }
    try finds("the count never starts again") { $0.verdict.resetsAt = nil }
    try finds("the count starts again a second later") { $0.verdict.resetsAt = $0.verdict.resetsAt.map { $0 + 1 } }
    try finds("no use is shown") { $0.verdict.used = $0.verdict.used.map { _ in 0 } }
    try finds("one more is left") { $0.verdict.remaining = $0.verdict.remaining.map { $0 + 1 } }
    try finds("what is given counts as owned") { if $0.reason == .complimentary { $0.reason = .owned } }
    try finds("what is not offered requires a purchase") { if $0.reason == .notOffered { $0.reason = .requiresPurchase } }
    try finds("a request that waits is unknown") { if $0.reason == .pending { $0.reason = .unknown } }
    try finds("the last offer is missing") { _ = $0.unlockedBy.popLast() }
  }

  static func firstDifference(_ seed: UInt64, anchored: Bool, _ engine: Engine) throws -> Violation? {
    let world = try RandomWorld(seed: seed, anchored: anchored)
    // A demo has no history.
    let facts = world.situation.member.role == .demo ? [] : CustomerState(world.facts).facts
    let rules = ReferenceRules(
      catalog: try ReferenceCatalog(world.text), facts: ReferenceFacts(facts), situation: world.situation, now: world.now)
    let snapshot = engine.snapshot(world)
    for product in rules.catalog.products where product.kind != "consumable" {
      let isOwned = snapshot.status(of: ProductID(product.id))?.isOwned
      if isOwned != rules.ownership(of: product).isOwned { return Violation("\(product.id) is owned: \(isOwned == true)\n\(world)") }
    }
    for request in world.requests {
      if let difference = difference(engine.decide(snapshot, request), rules, request) { return Violation("\(difference)\n\(world)") }
    }
    return nil
  }

  /// How the engine's answer differs from the reference's; `nil` when both are the same.
  static func difference(_ decision: Decision, _ rules: ReferenceRules, _ request: AccessRequest) -> String? {
    let expected = rules.answer(request)
    var found = ReferenceAnswer(
      isAllowed: decision.isAllowed, reason: decision.reason, remaining: decision.remaining, unlockedBy: decision.unlockedBy)
    if expected.count != nil {
      found.count = ReferenceCount(used: decision.used ?? -1, limit: decision.limit ?? -1, resetsAt: decision.resetsAt)
    }
    return found == expected ? nil : "\(request)\nthe engine: \(decision)\nthe reference: \(expected)"
  }
}

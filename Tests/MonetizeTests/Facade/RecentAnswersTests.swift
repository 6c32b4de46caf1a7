// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// The facade keeps answers to questions that were asked before. Nobody may be able to tell.
@Suite(.timeLimit(.minutes(10)))
struct RecentAnswersTests {
  /// Asks every question twice after each of some random steps: facts, time passing, a clock set back, the store's word.
  static func violation(_ seed: UInt64, tampering: (Monetizer) -> Void = { _ in }) async throws -> Violation? {
    var world = try RandomWorld(seed: seed)
    let time = TestTime(world.now)
    let records = [try JSONEncoder().encode(world.facts)]
    let monetizer = Monetizer(catalog: world.catalog) {
      $0.time = time
      $0.storage = MemoryStorage(records)
      $0.startsByItself = false
      $0.zone = { Instant.utc.timeZone }
    }
    for step in 0..<8 {
      for request in world.requests + world.requests {
        let answer = monetizer.decision(for: request)
        let snapshot = monetizer.snapshot
        let judged = snapshot.decision(for: request, at: max(snapshot.date, monetizer.now))
        if answer != judged { return Violation("step \(step), \(request): \(answer), judged \(judged)") }
      }
      switch Int.random(in: 0..<5, using: &world.random.random) {
      case 0: time.set(time.now - 86400)
      case 1: time.advance(Double.random(in: 1...40 * 86400, using: &world.random.random))
      case 2: if let next = monetizer.snapshot.nextChange { time.set(max(time.now, next)) }
      case 3: await monetizer.refresh()
      default: if let fact = world.random.fact() { await monetizer.record(fact, by: .customer) }
      }
      tampering(monetizer)
    }
    return nil
  }

  @Test("An answer that is kept is the one that a judgement gives")
  func keptAnswersAreJudged() async throws {
    for seed in Seed.run(400) {
      if let violation = try await Self.violation(seed) {
        Issue.record("seed \(seed): \(violation)")
        return
      }
    }
  }

  @Test("That is noticed when an answer is kept although the facts have changed")
  func isSensitive() async throws {
    for seed in Seed.run(200) {
      // The facts change, and nobody says so: what is kept stays as if it were of these facts.
      let found = try await Self.violation(seed) { monetizer in
        let (version, old) = (monetizer.core.withLock { $0.version }, monetizer.snapshot)
        monetizer.core.withLock { core in
          for feature in core.catalog.features {
            let request = AccessRequest(feature.id, count: 2)
            core.recent.keep(.denied(.unknown), to: request, version: version, until: old.nextChange ?? .distantFuture)
          }
        }
      }
      if found != nil { return }
    }
    Issue.record("no seed noticed it")
  }

  @Test("A question is not mistaken for another one that shares its place")
  func placesAreShared() {
    var recent = RecentAnswers()
    let requests = (1...4000).flatMap { number in
      [AccessRequest("story", item: ItemPath(collection: "a", item: "\(number)")), AccessRequest("story", level: "\(number)")]
    }
    for request in requests {
      recent.keep(.denied(request.item == nil ? .unknownLevel : .unknownItem), to: request, version: 1, until: .distantFuture)
    }
    let known = requests.filter { recent.answer(to: $0, version: 1) != nil }
    #expect(known.count > 250 && known.count <= 512)
    for request in known {
      #expect(recent.answer(to: request, version: 1)?.decision.reason == (request.item == nil ? .unknownLevel : .unknownItem))
      #expect(recent.answer(to: request, version: 2) == nil)
    }
  }

  /// An app's own shape: one item is open for an hour, and nothing else ever changes.
  private struct Happening: AllowanceShape {
    static let name = "testHappening"
    struct Grant: Allowance, Decodable {
      let until: String
      func joined(with other: Self) -> Self { until < other.until ? other : self }
      func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
        guard request.held != nil, let end = Instant.parse(until, in: Instant.utc.timeZone) else { return .allowed }
        var verdict = Verdict(isAllowed: context.now < end, reason: "over")
        verdict.changesAt = context.now < end ? end : nil
        return verdict
      }
    }
  }

  @Test("Law 8: an answer is kept no longer than it says itself, also where the plain question never changes") func ownEnd() throws {
    let time = TestTime()
    let json = """
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "party": { "allowance": "testHappening" } },
        "freeTier": { "grants": { "party": { "until": "2026-03-01T13:00:00Z" } } } }
      """
    let catalog = try Catalog(json: Data(json.utf8), shapes: .standard.adding(Happening.self))
    let monetizer = try TestShop.monetizer(time: time, catalog: catalog)
    let request = AccessRequest("party", held: 1)
    #expect(monetizer.decision(for: request).isAllowed)
    time.set(RandomFacts.start + 3600)
    #expect(!monetizer.decision(for: request).isAllowed)
  }
}

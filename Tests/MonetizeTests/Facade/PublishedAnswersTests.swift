// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// The facade's published answers equal a judgement at the same time.
@Suite(.timeLimit(.minutes(30)))
struct PublishedAnswersTests {
  /// Asks every question twice after each of some random steps: uses, facts, time passing, a clock set back, answers of the store. After a
  /// use, only some rows of the published snapshot are new.
  static func violation(_ seed: UInt64) async throws -> Violation? {
    var world = try RandomWorld(seed: seed)
    let time = TestTime(world.now)
    let records = [try JSONEncoder().encode(world.facts)]
    let monetizer = Monetizer(catalog: world.catalog) {
      $0.time = time
      $0.storage = MemoryStorage(records)
      $0.startsByItself = false
      $0.zone = { Calendar.storeCalendar.timeZone }
    }
    let members = [Member.customer, .child("max")]
    for step in 0..<8 {
      for request in world.requests + world.requests {
        let answer = monetizer.decision(for: request)
        let snapshot = monetizer.snapshot
        let judged = snapshot.decision(for: request, at: max(snapshot.date, monetizer.now))
        if monetizer.allows(request.feature) != snapshot.allows(request.feature) { return Violation("step \(step), \(request.feature)") }
        if answer != judged { return Violation("step \(step), \(request): \(answer), judged \(judged)") }
      }
      for member in members {
        let snapshot = monetizer.as(member).snapshot
        let whole = Snapshot(of: monetizer.state, catalog: world.catalog, situation: snapshot.situation, at: snapshot.date)
        for request in world.requests {
          let (answer, judged) = (snapshot.decision(for: request), whole.decision(for: request))
          if answer != judged { return Violation("step \(step), \(member), \(request): \(answer), by all facts \(judged)") }
        }
        if snapshot.nextChange != whole.nextChange {
          return Violation("step \(step): the next change is \(snapshot.nextChange as Any), by all facts \(whole.nextChange as Any)")
        }
      }
      switch Int.random(in: 0..<8, using: &world.random.random) {
      case 0: time.set(time.now - 86400)
      case 1: time.advance(Double.random(in: 1...40 * 86400, using: &world.random.random))
      case 2: if let next = monetizer.snapshot.nextChange { time.set(max(time.now, next)) }
      case 3: await monetizer.refresh()
      case 4..<7:
        guard let feature = world.catalog.features.randomElement(using: &world.random.random) else { continue }
        let member = members.randomElement(using: &world.random.random) ?? .customer
        _ = try? await monetizer.as(member).spend(feature.id, count: .random(in: 1...3, using: &world.random.random))
      default: if let fact = world.random.fact() { await monetizer.record(fact, by: .customer) }
      }
    }
    return nil
  }

  @Test("A published answer equals a judgement of the facts")
  func answersAreJudged() async throws {
    for seed in Seed.run(400) {
      if let violation = try await Self.violation(seed) {
        Issue.record("seed \(seed): \(violation)")
        return
      }
    }
  }

  /// An app's own shape: one item is open for an hour, and no other answer ever changes.
  private struct Happening: AllowanceShape {
    static let name = "testHappening"
    struct Grant: Allowance, Decodable {
      let until: String
      func joined(with other: Self) -> Self { until < other.until ? other : self }
      func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
        guard request.held != nil, let end = ISODate.parse(until, in: Calendar.storeCalendar.timeZone) else { return .allowed }
        var verdict = Verdict(isAllowed: context.now < end, reason: "over")
        verdict.changesAt = context.now < end ? end : nil
        return verdict
      }
    }
  }

  @Test("Law 8: an answer is kept no longer than its own validity, even if the plain question never changes") func ownEnd() throws {
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

  @Test("A change that comes while an answer is made is in the answer") func changeMeanwhile() throws {
    let text = """
      { "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "story": { "allowance": "count", "per": "month" } },
        "freeTier": { "grants": { "story": 3 } } }
      """
    let overlays = try Overlay.list(json: Data(#"[{ "id": "five", "patch": { "freeTier": { "grants": { "story": 5 } } } }]"#.utf8))
    let (time, meanwhile) = (TestTime(), Locked<(@Sendable () -> Void)?>(nil))
    let monetizer = try TestShop.monetizer(time: time, catalog: try Catalog(json: Data(text.utf8))) {
      $0.zone = {
        let change = meanwhile.withLock { change in
          defer { change = nil }
          return change
        }
        change?()
        return Calendar.storeCalendar.timeZone
      }
    }
    #expect(monetizer.decision(for: "story").limit == 3)
    // In another month the answer is made again.
    time.set(time.now + 40 * 86400)
    meanwhile.set { try? monetizer.apply(overlays, for: "ann") }
    #expect(monetizer.snapshot.decision(for: "story").limit == 5 && meanwhile.copy == nil)
  }
}

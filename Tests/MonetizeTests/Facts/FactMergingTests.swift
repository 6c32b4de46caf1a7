// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Which of two copies of a fact is kept.
@Suite("Merging of facts", .timeLimit(.minutes(30)))
struct FactMergingTests {
  private let now = RandomFacts.start

  /// Checks that of two different copies the first is kept, in either order.
  private func expect<F: MergingFact>(_ kept: F, over other: F, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(kept.key == other.key && kept != other, comment, sourceLocation: sourceLocation)
    #expect(kept.merged(with: other) == kept && other.merged(with: kept) == kept, comment, sourceLocation: sourceLocation)
  }

  @Test("The later revision wins; within one date the higher number") func revisions() {
    func cap(_ amount: String?, _ seconds: Double, _ sequence: Int = 0) -> Cap {
      Cap(feature: "f", subject: .customer, amount: amount, revision: Revision(now + seconds, sequence: sequence))
    }
    expect(cap("1", 1), over: cap("2", 0), "later")
    expect(cap("1", 1), over: cap("2", 0, 9), "the date before the number")
    expect(cap("1", 0, 1), over: cap("2", 0), "the number")
    expect(cap(nil, 1), over: cap("2", 0), "a limit that was removed")
  }

  @Test("Within one revision the stricter copy wins: revoked, closed, limited") func stricter() {
    let revision = Revision(now)
    let cap = { (amount: String?) in Cap(feature: "f", subject: "max", amount: amount, revision: revision) }
    expect(cap("9"), over: cap(nil), "limit")
    let gift = { (isRevoked: Bool) in
      ComplimentaryGrant(id: "g", entitlements: ["e"], from: now, isRevoked: isRevoked, revision: revision)
    }
    expect(gift(true), over: gift(false), "gift")
    let pending = { (isOpen: Bool) in
      PendingPurchase(productID: "p", since: now, lapses: now + 9, isOpen: isOpen, revision: revision)
    }
    expect(pending(false), over: pending(true), "pending")
    let renewal = { (state: RenewalInfo.State) in RenewalInfo(originalID: "1", productID: "p", state: state, signed: now) }
    expect(renewal(.revoked), over: renewal(.subscribed), "renewal")
    var refunded = StoreTransaction(id: "1", productID: "p", purchaseDate: now)
    let bought = refunded
    refunded.revocation = .init(date: now)
    expect(refunded, over: bought, "transaction")
  }

  @Test("The earlier completion, the higher total, the earlier assignment and the removal of a child are kept") func others() {
    let completion = { (date: Date?) in Completion(item: "a/1", subject: "max", date: date) }
    expect(completion(now), over: completion(now + 1), "earlier")
    expect(completion(now), over: completion(nil), "dated")
    let total = { (amount: Int, day: Int) in ReportedTotal(feature: "f", source: "server", amount: amount, unit: .month, day: day) }
    expect(total(3, 20_515), over: total(2, 20_514), "higher")
    expect(total(3, 20_514), over: total(3, 20_515), "of equal ones the earlier day")
    let arm = { (name: String, seconds: Double, isOfAccount: Bool) in
      ArmAssignment(experiment: "x", arm: name, date: now + seconds, isOfAccount: isOfAccount)
    }
    expect(arm("b", 0, true), over: arm("a", 1, false), "earlier")
    expect(arm("a", 0, true), over: arm("b", 0, false), "of one time the first by name")
    expect(arm("a", 0, false), over: arm("a", 0, true), "the installation's")
    let child = { (name: String, isRemoved: Bool, seconds: Double) in
      FamilyChild(id: "max", name: name, isRemoved: isRemoved, revision: Revision(now + seconds))
    }
    expect(child("", true, 0), over: child("Max", false, 9), "removed for ever")
    expect(child("Mia", false, 1), over: child("Max", false, 0), "the later name")
    expect(Installation(id: "a"), over: Installation(id: "b"), "installation")
    let answer = { (number: Int, seconds: Double, environment: StoreEnvironment?) in
      AnswerSeen(number: number, asOf: now + seconds, environment: environment)
    }
    expect(answer(2, 0, nil), over: answer(1, 9, .sandbox), "the number before the date")
    expect(answer(1, 1, nil), over: answer(1, 0, .sandbox), "the later date")
    expect(answer(1, 0, .sandbox), over: answer(1, 0, nil), "a known environment")
  }

  @Test("Of what was earned and of what was spent, the higher is kept, each for itself") func wallet() {
    let merged = WalletEntry(id: "w", earned: 5, spent: 1).merged(with: WalletEntry(id: "w", earned: 3, spent: 2))
    #expect(merged == WalletEntry(id: "w", earned: 5, spent: 2))
  }

  @Test("Values of progress are in one order: by subject, module, item, field, source, rule, and the rule's bound") func progress() {
    func key(
      _ subject: SubjectID = "a", _ module: String = "a", _ item: String = "a", _ field: String = "a", _ source: SourceID = "a",
      _ rule: MergeRule = MergeRule(.max)
    ) -> ProgressEntry.Key {
      ProgressEntry(subject: subject, module: module, item: item, field: field, source: source, rule: rule, value: 9).key
    }
    let sorted = [
      key(), key("a", "a", "a", "a", "a", MergeRule(.max, above: 0)), key("a", "a", "a", "a", "a", MergeRule(.max, above: 5)),
      key("a", "a", "a", "a", "a", MergeRule(.min, above: 0)), key("a", "a", "a", "a", "a", MergeRule(.or)), key("a", "a", "a", "a", "b"),
      key("a", "a", "a", "b"), key("a", "a", "b"), key("a", "b"), key("b"),
    ]
    for (a, one) in sorted.enumerated() {
      for (b, other) in sorted.enumerated() { #expect((one < other) == (a < b), "\(one) \(other)") }
    }
  }

  @Test("A change by a device that knows an earlier one has a later date or the next number") func next() {
    #expect(Revision.next(after: nil, at: now) == Revision(now))
    #expect(Revision.next(after: Revision(now), at: now) == Revision(now, sequence: 1))
    #expect(Revision.next(after: Revision(now + 9, sequence: 4), at: now) == Revision(now + 9, sequence: 5))
    #expect(Revision.next(after: Revision(now, sequence: 4), at: now + 9) == Revision(now + 9, sequence: 5))
  }

  @Test(
    "A fact that a wrong clock dated more than two days ahead moves to the corrected time; any other keeps its date",
    arguments: [false, true])
  func forgiven(isTooFar: Bool) {
    let found = RandomFacts.start
    let date = found + TimeSeen.tolerance + (isTooFar ? 1 : 0)
    let (revision, moved) = (Revision(date, sequence: 2), Revision(isTooFar ? found : date, sequence: 2))
    func facts(_ revision: Revision) -> [Fact] {
      [
        .cap(Cap(feature: "story", subject: "mia", amount: "1", revision: revision)),
        .grant(ComplimentaryGrant(id: "g", entitlements: ["pro"], from: revision.date, revision: revision)),
        .pending(PendingPurchase(productID: "pro", since: revision.date, lapses: revision.date + 60, revision: revision)),
        .child(FamilyChild(id: "mia", name: "Mia", revision: revision)),
      ]
    }
    let time = TimeSeen(correction: 1, latest: found, corrected: found)
    #expect(facts(revision).map { $0.forgiven(time) } == facts(moved))
    let later = TimeSeen(correction: 1, latest: found + 86400, corrected: found)
    #expect(facts(revision).map { $0.forgiven(later) } == facts(revision), "the time has gone on since the correction")
  }

  @Test("Of two different facts of one revision, every device keeps the same one") func oneRevision() {
    func child(_ name: String) -> FamilyChild { FamilyChild(id: "a", name: name, revision: Revision(RandomFacts.start)) }
    #expect(child("Max").merged(with: child("Mia")) == child("Mia").merged(with: child("Max")))
    #expect(child("Max").merged(with: child("Max")) == child("Max"))
  }

  @Test("Monetize's own marks are those of one module, and of the customer") func marks() {
    func entry(_ subject: SubjectID, _ module: String, _ item: String, _ value: Int) -> Fact {
      .progress(ProgressEntry(subject: subject, module: module, item: item, field: "mark", rule: MergeRule(.max), value: value))
    }
    let state = CustomerState([
      entry(.customer, "monetize.prompts", "a", 1), entry(.customer, "monetize.prompts", "a", 2), entry("max", "monetize.prompts", "b", 3),
      entry(.customer, "puzzles", "c", 4), entry(.customer, "monetize.onboarding", "d", 5),
    ])
    #expect(state.marks(.prompts) == ["a": 2] && state.marks(.onboarding) == ["d": 5])
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeSimulator
import Testing

@testable import Monetize

/// The rules for copies of one fact a second time: what identifies it, and which copy wins.
struct ReferenceCopy {
  let key: [String]
  /// Compared in order: the highest wins. Copies with equal ranks contradict each other within one revision, and either may win.
  let rank: [Double]

  private init(_ key: [String], _ rank: [Double]) { (self.key, self.rank) = (key, rank) }

  /// `nil` for what is combined instead of chosen.
  init?(_ fact: Fact) {
    func revision(_ revision: Revision, _ wins: Bool) -> [Double] {
      [revision.date.timeIntervalSince1970, Double(revision.sequence), wins ? 1 : 0]
    }
    switch fact.sort {
    case .transaction(let fact): self.init(["transaction", fact.id.rawValue], revision(fact.revision, fact.revocation != nil))
    case .renewal(let fact): self.init(["renewal", fact.originalID.rawValue], revision(fact.revision, fact.state == .revoked))
    case .pending(let fact): self.init(["pending", fact.productID.rawValue], revision(fact.revision, !fact.isOpen))
    case .grant(let fact): self.init(["grant", fact.id], revision(fact.revision, fact.isRevoked))
    case .cap(let fact): self.init(["cap", fact.feature.rawValue, fact.subject.rawValue], revision(fact.revision, fact.amount != nil))
    case .child(let fact): self.init(["child", fact.id.rawValue], [fact.isRemoved ? 1 : 0] + revision(fact.revision, false))
    case .use(let use):
      let (use, order) = (use.value, [Use.Status.released, .reserved, .committed])
      self.init(
        ["use", use.feature.rawValue, use.subject.rawValue, use.environment?.rawValue ?? "", use.key],
        [use.status == .committed ? 1 : 0, Double(use.attempt), Double(order.firstIndex(of: use.status) ?? 0)])
    case .total(let fact):
      let period = fact.unit.map { "\($0) \(ReferenceTime.days(of: $0.rawValue, containing: fact.day).lowerBound)" } ?? ""
      self.init(
        ["total", fact.feature.rawValue, fact.subject.rawValue, fact.source.rawValue, period], [Double(fact.amount), -Double(fact.day)])
    case .completion(let fact):
      let date = fact.date ?? .distantFuture
      self.init(["completion", fact.item.description, fact.subject.rawValue], [-date.timeIntervalSince1970])
    case .assignment(let fact):
      self.init(["assignment", fact.experiment.rawValue], [-fact.date.timeIntervalSince1970, fact.arm == "a" ? 1 : 0])
    case .time(let fact):
      let corrected = fact.corrected ?? .distantPast
      self.init(["time"], [Double(fact.correction), fact.latest.timeIntervalSince1970, corrected.timeIntervalSince1970])
    default: return nil
    }
  }

  /// The facts that may remain of some facts, by what identifies them. Coins and progress are combined: the higher of each total, and the
  /// value that the field's rule names.
  static func remaining(_ facts: [Fact]) -> [[String]: [Fact]] {
    var (remaining, ranks): ([[String]: [Fact]], [[String]: [Double]]) = ([:], [:])
    for fact in facts {
      if let copy = ReferenceCopy(fact) {
        let known = ranks[copy.key]
        if known == nil || known?.lexicographicallyPrecedes(copy.rank) == true {
          (remaining[copy.key], ranks[copy.key]) = ([fact], copy.rank)
        } else if known == copy.rank {
          remaining[copy.key]?.append(fact)
        }
      } else if case .wallet(var entry) = fact.sort {
        let key = ["wallet", entry.id, entry.subject.rawValue, entry.source.rawValue]
        if case .wallet(let known) = remaining[key]?.first?.sort {
          (entry.earned, entry.spent) = (max(entry.earned, known.earned), max(entry.spent, known.spent))
        }
        remaining[key] = [.wallet(entry)]
      } else if case .progress(var entry) = fact.sort {
        let key = ["progress", entry.subject.rawValue, entry.module, entry.item, entry.field, entry.source.rawValue, "\(entry.rule)"]
        if case .progress(let known) = remaining[key]?.first?.sort {
          let values = [entry.value, known.value].sorted()
          let valid = values.filter { entry.rule == .init(.min, above: 0) ? $0 > 0 : true }
          entry.value =
            entry.rule == MergeRule(.or)
            ? (values.contains { $0 != 0 } ? 1 : 0)
            : entry.rule == MergeRule(.max) || valid.isEmpty ? values[1] : valid[0]
        }
        remaining[key] = [.progress(entry)]
      }
    }
    // A removed child takes its records along.
    let removed = remaining.values.flatMap { $0 }.compactMap { fact -> String? in
      if case .child(let child) = fact.sort, child.isRemoved { child.id.rawValue } else { nil }
    }
    return remaining.filter { key, _ in key[0] == "child" || !removed.contains { key.dropFirst().contains($0) } }
  }
}

struct ReferenceMergeTests {
  private static func firstDifference(_ seed: UInt64, _ fold: ([Fact]) -> [Fact]) throws -> Violation? {
    var world = try RandomWorld(seed: seed)
    let facts = world.facts + world.random.facts() + world.random.facts()
    var expected = ReferenceCopy.remaining(facts)
    for fact in fold(facts) {
      guard let key = ReferenceCopy.remaining([fact]).keys.first else { continue }
      guard expected.removeValue(forKey: key)?.contains(fact) == true else {
        return Violation("\(fact) remains of\n\(RandomWorld.text(facts))")
      }
    }
    return expected.first.map { Violation("\($0.value) is missing of\n\(RandomWorld.text(facts))") }
  }

  @Test("Of copies of one fact the one remains that the rules name") func agrees() throws {
    try expectHolds(Seed.run(2000)) { try Self.firstDifference($0) { CustomerState($0).facts } }
  }

  @Test("The comparison notices a state in which the last copy of a fact wins, and one without removals") func isSensitive() throws {
    func last(_ facts: [Fact], of sort: String) -> [Fact] {
      let others = CustomerState(facts).facts.filter { ReferenceCopy.remaining([$0]).keys.first?.first != sort }
      let copies = facts.filter { ReferenceCopy.remaining([$0]).keys.first?.first == sort }
      return others + Dictionary(copies.map { (ReferenceCopy.remaining([$0]).keys.first ?? [], $0) }) { $1 }.values
    }
    for sort in ["transaction", "renewal", "pending", "grant", "cap", "child", "use", "total", "completion", "wallet", "progress", "time"] {
      try expectFinds("the last \(sort) wins", Seed.run(4000)) { try Self.firstDifference($0) { last($0, of: sort) } }
    }
    try expectFinds("a removal is forgotten", Seed.run(300)) { seed in
      try Self.firstDifference(seed) { CustomerState($0.filter { if case .child = $0.sort { false } else { true } }).facts }
    }
  }
}

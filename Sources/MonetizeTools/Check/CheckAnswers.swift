// SPDX-License-Identifier: Apache-2.0
import Monetize

/// The part of a state from which the engine computes its answers. Different states have the same facts: with other uses lost, after
/// another number of steps of time.
struct CheckFacts: Hashable {
  let now: Int
  var purchases = CheckState.Purchases()
  var uses: [CheckState.Uses] = []
}

extension CheckState {
  /// The facts on the customer's device.
  var facts: CheckFacts { CheckFacts(now: now, purchases: purchases, uses: uses.filter { !$0.isForgotten }.map(\.asFact)) }

  /// The facts of a customer who never paid and did the same: of the uses only what no purchase contributed to.
  var factsWithoutPurchases: CheckFacts {
    CheckFacts(now: now, uses: uses.filter { !$0.isForgotten && $0.unpaid > 0 }.map(\.unpaidPart.asFact))
  }
}

extension CheckState.Uses {
  /// The same without the values that the engine does not get.
  fileprivate var asFact: Self {
    var copy = self
    copy.unpaid = 0
    return copy
  }

  /// The part to which no purchase contributed.
  fileprivate var unpaidPart: Self {
    var copy = self
    if unpaid < amount { (copy.amount, copy.credits) = (unpaid, 0) }
    return copy
  }
}

/// All answers that the search needs about a state, the same for all states with the same facts.
struct CheckAnswers: Sendable {
  /// What is compared with the states before and after a purchase.
  struct Summary: Sendable, Hashable {
    /// A product that opens a closed question.
    struct Key: Sendable, Hashable {
      let probe: Int
      let product: Int
    }
    /// The answer to each question.
    let allowed: [Bool]
    /// The remaining amount of each metered feature; `Int.max` without a limit, 0 for a closed feature.
    let left: [Int]
    let keys: [Key]
  }

  /// How an open metered feature may be used.
  struct Meter: Sendable {
    /// The remaining amount; `nil` without a limit.
    let left: Int?
    /// How a single use counts, and one of all that is left; `nil` when it is not counted.
    let one: Metering?
    let all: Metering?

    func allows(_ amount: Int) -> Bool { left.map { amount <= $0 } ?? true }
  }

  let summary: Summary
  /// By metered feature; `nil` for a closed one.
  let meters: [Meter?]
  /// The ends of access by product, in seconds since the start.
  let ends: [Int?]
  /// The next moment at which an answer changes by itself, in seconds since the start.
  let nextChange: Int?
  /// The violations that depend on nothing else.
  let findings: [CheckFinding]

  init(_ model: CheckModel, _ snapshot: Snapshot, _ decisions: [Decision], _ findings: [CheckFinding]) {
    let plain = model.metered.map { snapshot.decision(for: model.catalog.features[$0].id) }
    let keys = decisions.enumerated().flatMap { probe, decision in
      decision.unlockedBy.compactMap { id in model.productIndex[id].map { Summary.Key(probe: probe, product: $0) } }
    }
    summary = Summary(allowed: decisions.map(\.isAllowed), left: plain.map { $0.remaining ?? ($0.isAllowed ? .max : 0) }, keys: keys)
    meters = zip(model.metered, plain).map { feature, decision in
      let id = model.catalog.features[feature].id
      func metering(_ amount: Int) -> Metering? { snapshot.metering(AccessRequest(id, count: amount), at: snapshot.date) }
      return decision.isAllowed ? Meter(left: decision.remaining, one: metering(1), all: decision.remaining.flatMap(metering)) : nil
    }
    ends = snapshot.products.map { $0.accessUntil.map(model.seconds) }
    nextChange = snapshot.nextChange.map(model.seconds)
    self.findings = findings
  }
}

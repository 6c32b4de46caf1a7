// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Monetize
@testable import MonetizeSimulator

/// The laws of sign-ins, sign-outs and exchanges between devices, by an account kept beside the engine.
struct OwnerLaws {
  /// The state that a device showed after a step.
  struct Moment {
    let run: String
    let account: String?
    let now: Date
    var recorded: Recorded
    let hints: Decision
    let owned: Set<ProductID>
  }

  /// The app's records for one owner.
  struct Recorded {
    var settled: Set<Fact> = []
    /// Keys of uses whose work is in progress, or was when the app ended: their settlement is open.
    var open: Set<String> = []

    init() {}

    init(_ monetizer: Monetizer) {
      // Purchases of credits go along with uses, but a store may send one to either owner at any time.
      settled = Set(monetizer.sharedFacts.filter { $0.policy(in: FactScope()).isRecorded })
      open = Set(monetizer.state.usage.uses.filter { $0.status == .reserved }.map(\.key))
    }

    func merged(_ other: Self) -> Self {
      var merged = Self()
      merged.settled = Set(CustomerState(settled.union(other.settled)).facts)
      merged.open = open.union(other.open)
      return merged
    }

    func isSame(_ other: Self) -> Bool {
      if settled == other.settled { return true }
      let open = open.union(other.open)
      func certain(_ fact: Fact) -> Bool { if let use = fact.use { !open.contains(use.key) } else { true } }
      return settled.filter(certain) == other.settled.filter(certain)
    }

    /// The number of hints that count against grants; `nil` if some were used in the sandbox, or their work may be in progress.
    var hintsUsed: Int? {
      var sum = 0
      for use in settled.compactMap(\.use) where use.feature == "hint" && use.subject == .customer && use.status == .committed {
        if use.environment != nil { return nil }
        if use.counted { sum += use.amount }
      }
      return open.isEmpty ? sum : nil
    }

    var gifts: Set<Fact> { settled.filter { if case .grant = $0.sort { true } else { false } } }
    var caps: Set<Fact> { settled.filter { if case .cap = $0.sort { true } else { false } } }
  }

  var isConcerned: Bool?
  var known: [Owner: Recorded] = [:]
  var last: [String: Moment] = [:]
  /// Devices whose disk has lost facts: their knowledge of other accounts is undefined.
  var unsure: Set<String> = []
  var waiting: [String: Int] = [:]
  /// Whether a message was in transit before this step.
  var hadWaiting = false
  var partners: [String: Set<String>] = [:]
  /// Pairs of devices that have exchanged everything since the last change on either.
  var equal: Set<String> = []

  /// Devices that may hold facts of another account or device.
  private(set) var mixed: Set<String> = []
  /// Devices that received facts of another one in this step.
  private(set) var arrived: Set<String> = []
  /// The owners that have handed over everything in this step.
  var givenAway: Owner?

  mutating func begin(_ world: ScenarioWorld, _ step: ScenarioStep) {
    let before = waiting
    hadWaiting = !before.isEmpty
    waiting = Dictionary(world.messages.map { ($0.receiver.name, 1) }, uniquingKeysWith: +)
    arrived = Set(before.filter { $0.value > waiting[$0.key] ?? 0 }.keys)
    givenAway = nil
    guard case .act(let verb, let frame) = step.content, let device = frame.device else { return }
    switch verb {
    case is ScenarioVerbs.Account: mixed.insert(device)
    case let sync as ScenarioVerbs.Sync:
      mixed.formUnion([device, sync.with])
      arrived.formUnion([device, sync.with])
      partners[device, default: []].insert(sync.with)
      partners[sync.with, default: []].insert(device)
    case is ScenarioVerbs.Reinstall: unsure.insert(device)
    case let set as ScenarioVerbs.SetWorld where set.changes("damage"): unsure.insert(device)
    default: break
    }
    if equal.contains(device) { equal = [] }
    if let sync = verb as? ScenarioVerbs.Sync, equal.contains(sync.with) { equal = [] }
  }

  mutating func check(_ world: ScenarioWorld, _ step: ScenarioStep) -> [Violation] {
    // Most stories have no accounts and exchanges.
    guard concerned(world.scenario) else { return [] }
    var moments: [String: Moment] = [:]
    for session in world.sessions {
      guard let monetizer = session.monetizer else { continue }
      moments[session.name] = Moment(
        run: monetizer.parts.run, account: session.account, now: monetizer.now, recorded: Recorded(monetizer),
        hints: monetizer.decision(for: "hint"),
        owned: Set(monetizer.snapshot.products.filter(\.isOwned).map(\.product)))
    }
    defer {
      last = moments
      for (device, moment) in moments { known[Owner(device: device, account: moment.account)] = moment.recorded }
    }
    guard case .act(let verb, let frame) = step.content, let device = frame.device else { return stayEqual(moments) }
    switch verb {
    case let change as ScenarioVerbs.Account:
      return handedOver(device, to: change.account, change.policy, moments) + stayEqual(moments)
    case let sync as ScenarioVerbs.Sync where world.lastStep.outcome == "exchanged": return exchanged(device, sync, moments)
    default: return stayEqual(moments)
    }
  }

  private mutating func concerned(_ scenario: Scenario) -> Bool {
    if let isConcerned { return isConcerned }
    let found = scenario.steps.contains { $0.does(ScenarioVerbs.Account.self) != nil || $0.does(ScenarioVerbs.Sync.self) != nil }
    isConcerned = found
    return found
  }
}

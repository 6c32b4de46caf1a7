// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The one way for a fact: merge, durable, publish the new answers, tell. Nothing else adds one while the app runs, and nothing is told before
/// it can be asked.
final class FactWriter: Sendable {
  /// What came of some facts.
  struct Result: Sendable {
    /// Whether they were looked at: `false` when the answers that they were judged by are older than the facts. Nothing has happened then.
    var isCurrent = true
    /// What was not known before.
    var news: [Fact] = []
    /// Whether all of them are on disk, with whatever the disk refused before.
    var isDurable = true
  }

  private let answers: Answers
  private let journal: Journal
  private let clock: BelievedClock

  /// What goes with the first fact; `nil` where the app names its devices.
  private let installation: Fact?
  /// Reads storages again that could not be read at the start; `nil` once they were.
  private let unread: Locked<(@Sendable () -> Stored)?>

  init(_ answers: Answers, _ journal: Journal, _ clock: BelievedClock, _ installation: Fact?, unread: (@Sendable () -> Stored)?) {
    (self.answers, self.journal, self.clock, self.installation) = (answers, journal, clock, installation)
    self.unread = Locked(unread)
    journal.whenLost { [weak answers] in answers?.facts.facts ?? [] }
  }

  /// Reads what could not be read at the start, and takes back what was closed because of that.
  func readAgain() {
    guard let read = unread.copy else { return }
    let again = read()
    guard !again.isUnread,
      unread.withLock({ unread in
        defer { unread = nil }
        return unread != nil
      })
    else { return }
    answers.change { state in
      var facts = again.facts
      facts.insert(contentsOf: state.facts.facts.filter { if case .use(let use) = $0.sort { use.key != again.closingKey } else { true } })
      state.facts = facts
      state.changed()
    }
    clock.remember(answers.facts.time[0])
    answers.announce()
  }

  /// Adds facts.
  /// - Parameters:
  ///   - facts: What has happened. What is known of it already may still wait for a disk that refused it, and is tried again.
  ///   - version: The version of the answers that they were judged by; `nil` when nothing was judged.
  ///   - rows: The only features whose answers can be different for the customer; `nil` when all can be.
  ///   - restored: Whether purchases were made before, or elsewhere.
  ///   - change: What changes in the same step, and whether that alone makes answers different.
  @discardableResult
  func add(
    _ facts: [Fact], ifVersion version: Int? = nil, rows: Set<Int>? = nil, restored: Bool = false,
    change: (inout Answers.State) -> Bool = { _ in false }
  ) async -> Result {
    readAgain()
    var (result, added, events) = merge(facts, version, rows, restored, change)
    guard result.isCurrent else { return result }
    result.isDurable = await journal.write(result.news.isEmpty ? [] : result.news + added + [clock.fact()])
    if !result.isDurable, let first = result.news.first { events.append(Self.failure(first, at: clock.now)) }
    answers.announce(events)
    return result
  }

  /// That a fact is only in memory: what it is about.
  private static func failure(_ fact: Fact, at now: Date) -> MonetizeEvent {
    var event = MonetizeEvent(.storageFailed, at: now)
    event.error = .notDurable
    switch fact.sort {
    case .transaction(let transaction): event.product = transaction.productID
    case .use(let use): event.feature = use.feature
    default: break
    }
    return event
  }

  /// Makes this installation's name durable: which share of a rollout it belongs to depends on that.
  func nameInstallation() {
    if let installation { Task { await add([installation]) } }
  }

  private func merge(
    _ facts: [Fact], _ version: Int?, _ rows: Set<Int>?, _ restored: Bool, _ change: (inout Answers.State) -> Bool
  ) -> (result: Result, added: [Fact], events: [MonetizeEvent]) {
    let now = clock.now
    let (result, added, events) = answers.change { state -> (Result, [Fact], [MonetizeEvent]) in
      if let version, state.version != version { return (Result(isCurrent: false), [], []) }
      var result = Result()
      var events = PurchaseEvents(state.facts, facts, restored: restored, at: now)
      for fact in facts {
        events.look(at: fact, state.facts)
        if state.facts.insert(fact) { result.news.append(fact) } else { events.takeBack() }
      }
      let isFirst = !result.news.isEmpty && installation.map { state.facts.insert($0) } ?? false
      let isChanged = change(&state)
      if isChanged || !result.news.isEmpty { state.changed(rows: isChanged ? nil : rows) }
      return (result, isFirst ? [installation].compactMap { $0 } : [], events.all)
    }
    if result.news.contains(where: { if case .time = $0.sort { true } else { false } }) { clock.remember(answers.facts.time[0]) }
    return (result, added, events)
  }
}

/// One event for each thing that was bought, renewed or taken back, however often and from wherever the store says so.
private struct PurchaseEvents {
  private(set) var all: [MonetizeEvent] = []
  /// The chains of renewals that something is known of.
  private var chains: Set<TransactionID> = []
  private let restored: Bool
  private let now: Date
  private var isLast = false

  init(_ state: CustomerState, _ facts: [Fact], restored: Bool, at now: Date) {
    (self.restored, self.now) = (restored, now)
    guard facts.contains(where: { if case .transaction = $0.sort { true } else { false } }) else { return }
    chains = Set(state.transactions.values.map(\.originalID))
  }

  /// Looks at a fact before it is known.
  mutating func look(at fact: Fact, _ state: CustomerState) {
    isLast = false
    guard case .transaction(let transaction) = fact.sort else { return }
    let known = state.transactions[transaction.id]
    let isRenewal = !chains.insert(transaction.originalID).inserted
    let name: MonetizeEvent.Name? =
      if transaction.revocation != nil {
        known.map { $0.revocation == nil } == true ? .purchaseRevoked : nil
      } else if known == nil {
        isRenewal ? .subscriptionRenewed : restored ? .purchaseRestored : .purchaseCompleted
      } else { nil }
    guard let name else { return }
    isLast = true
    all.append(MonetizeEvent(name, at: now, product: transaction.productID))
  }

  /// The fact was known already.
  mutating func takeBack() { if isLast { all.removeLast() } }
}

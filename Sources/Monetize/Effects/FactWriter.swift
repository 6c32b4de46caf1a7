// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The one way for a fact: merge, durable, publish the new answers, tell. Nothing else adds one while the app runs, and nothing is told before
/// it can be asked.
final class FactWriter: Sendable {
  /// What came of some facts.
  struct Result: Sendable {
    /// What was not known before.
    var news: [Fact] = []
    /// Whether all of them are on disk, with whatever the disk refused before.
    var isDurable = true
  }

  /// Facts that follow from answers.
  struct Judged: Sendable {
    var facts: [Fact]
    /// The version of the answers that they follow from; `nil` when they hold in any case.
    var version: Int?
    /// The only features whose answers can be different for the customer; `nil` when all can be.
    var rows: Set<Int>?
    /// Called when they are known, before they are written.
    var then: @Sendable () -> Void = {}
  }

  private let answers: Answers
  private let journal: Journal
  private let clock: BelievedClock

  /// What goes with the first fact; `nil` where the app names its devices.
  private let installation: Fact?
  /// Reads storages again that could not be read at the start; `nil` once they were.
  private let unread: Locked<(@Sendable () -> Stored)?>

  init(
    _ answers: Answers, _ journal: Journal, _ clock: BelievedClock, _ installation: Fact?, source: SourceID,
    unread: (@Sendable () -> Stored)?
  ) {
    (self.answers, self.journal, self.clock, self.installation) = (answers, journal, clock, installation)
    self.unread = Locked(unread)
    journal.belong(
      to: Journal.Owner(
        facts: { [weak answers] in answers?.facts.facts ?? [] },
        folded: { [weak answers] in answers?.fold(source, at: clock.now).facts ?? [] },
        takeOver: { [weak answers] facts in
          guard let answers else { return }
          answers.change { state in
            let time = state.facts.time[0]
            let isNews = facts.reduce(false) { state.facts.insert($1.forgiven(time)) || $0 }
            if isNews { state.changed() }
          }
          clock.remember(answers.facts.time[0])
        }, tell: { [weak answers] in answers?.announce() }))
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

  /// Takes over what another process has written.
  func catchUp() async {
    readAgain()
    await journal.catchUp()
  }

  /// Adds facts.
  /// - Parameters:
  ///   - facts: What has happened. What is known of it already may still wait for a disk that refused it, and is tried again.
  ///   - restored: Whether purchases were made before, or elsewhere.
  ///   - change: What changes in the same step, and whether that alone makes answers different.
  @discardableResult
  func add(_ facts: [Fact], restored: Bool = false, change: (inout Answers.State) -> Bool = { _ in false }) async -> Result {
    readAgain()
    guard let merged = merge(Judged(facts: facts), restored, change) else { return Result() }
    return await finish(merged, isDurable: journal.write(merged.toWrite))
  }

  /// Judges and adds in one step: what other processes have written is known to `judge`, and none of them writes before its facts are on disk.
  /// It is asked again when something else has changed meanwhile. It may ask for answers, and waits for nothing.
  @discardableResult
  func add(_ judge: @escaping @Sendable () -> Judged?) async -> Result {
    readAgain()
    let found = Locked(Merged())
    let isDurable = await journal.write { [self] in
      while let judged = judge() {
        guard let merged = merge(judged) else { continue }
        judged.then()
        found.set(merged)
        return merged.toWrite
      }
      return []
    }
    return await finish(found.copy, isDurable: isDurable)
  }

  private func finish(_ merged: Merged, isDurable: Bool) async -> Result {
    var events = merged.events
    if !isDurable, let first = merged.news.first { events.append(Self.failure(first, at: clock.now)) }
    answers.announce(events)
    return Result(news: merged.news, isDurable: isDurable)
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

  /// What has become of facts in memory.
  private struct Merged: Sendable {
    var news: [Fact] = []
    /// The news, and what goes with them.
    var toWrite: [Fact] = []
    var events: [MonetizeEvent] = []
  }

  /// `nil` when the answers that they follow from are older than the facts. Nothing has happened then.
  private func merge(
    _ judged: Judged, _ restored: Bool = false, _ change: (inout Answers.State) -> Bool = { _ in false }
  ) -> Merged? {
    let now = clock.now
    let merged = answers.change { state -> Merged? in
      if let version = judged.version, state.version != version { return nil }
      var merged = Merged()
      var events = PurchaseEvents(state.facts, judged.facts, restored: restored, at: now)
      for fact in judged.facts {
        events.look(at: fact, state.facts)
        if state.facts.insert(fact) { merged.news.append(fact) } else { events.takeBack() }
      }
      let isFirst = !merged.news.isEmpty && installation.map { state.facts.insert($0) } ?? false
      let isChanged = change(&state)
      if isChanged || !merged.news.isEmpty { state.changed(rows: isChanged ? nil : judged.rows) }
      (merged.toWrite, merged.events) = (merged.news + (isFirst ? [installation].compactMap { $0 } : []), events.all)
      return merged
    }
    guard var merged else { return nil }
    if merged.news.contains(where: { if case .time = $0.sort { true } else { false } }) { clock.remember(answers.facts.time[0]) }
    if !merged.news.isEmpty { merged.toWrite.append(clock.fact()) }
    return merged
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

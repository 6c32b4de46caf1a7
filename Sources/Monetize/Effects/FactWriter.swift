// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Adds facts: merges them, makes them durable, publishes the answers, then sends events. No other type adds facts at run time.
final class FactWriter: Sendable {
  struct Result: Sendable {
    var news: [Fact] = []
    /// Whether all of the facts are on disk, together with those that the disk refused before.
    var isDurable = true
  }

  /// Facts derived from answers.
  struct Judged: Sendable {
    var facts: [Fact]
    /// The version of those answers; `nil` when the facts hold in any case.
    var version: Int?
    /// The only features whose answers can change for the customer; `nil` for all.
    var rows: Set<Int>?
    /// Called once the facts are in memory, before they are written.
    var then: @Sendable () -> Void = {}
  }

  /// The origin of the purchases among new facts.
  enum Origin: Sendable {
    /// A purchase that a person made in this app.
    case bought
    /// The store sent it as an update. A purchase dated before the first start here was made on another device.
    case update(firstStart: Date?)
    /// The store listed it.
    case listing

    /// Whether the purchase may have been made here.
    func isHere(_ transaction: StoreTransaction) -> Bool {
      switch self {
      case .bought: true
      case .update(let firstStart): firstStart.map { $0 <= transaction.purchaseDate } ?? true
      case .listing: false
      }
    }
  }

  private let answers: Answers
  private let journal: Journal
  private let clock: TrustedClock
  private let names: UnknownNames

  /// The fact that is added with the first one; `nil` when the app names its devices.
  private let installation: Fact?
  /// Reads storages that could not be read at launch; `nil` once all have been read.
  private let unread: Locked<(@Sendable () -> Stored)?>

  /// - Parameter unwrittenKey: The key of uses that are kept in memory only, while a storage cannot be read.
  init(
    _ answers: Answers, _ journal: Journal, _ clock: TrustedClock, _ names: UnknownNames, _ installation: Fact?, source: SourceID,
    unwrittenKey: String?, unread: (@Sendable () -> Stored)?
  ) {
    (self.answers, self.journal, self.clock, self.names, self.installation) = (answers, journal, clock, names, installation)
    self.unread = Locked(unread)
    journal.belong(
      to: Journal.Owner(
        facts: { [weak answers] in answers?.facts.facts(withoutUses: unwrittenKey) },
        state: { [weak answers] in answers?.facts },
        folded: { [weak answers] in answers?.fold(source, at: clock.now).facts(withoutUses: unwrittenKey) },
        takeOver: { [weak answers] facts, isAll in
          guard let answers else { return }
          answers.change { state in
            let time = state.facts.time[0]
            if isAll { state.facts = CustomerState() }
            let isNews = facts.reduce(isAll) { state.facts.insert($1.forgiven(time)) || $0 }
            if isNews { state.changed() }
          }
          clock.remember(answers.facts.time[0])
        }, announce: { [weak answers] in answers?.announce() }))
  }

  /// Retries storages that could not be read at launch. Lifts the limits that were closed because of that.
  func readAgain() {
    guard let read = unread.copy else { return }
    let again = read()
    guard !again.isUnread else { return }
    unread.set(nil)
    answers.change { state in
      var facts = again.facts
      facts.insert(contentsOf: state.facts.facts(withoutUses: again.closingKey))
      state.facts = facts
      state.changed()
    }
    clock.remember(answers.facts.time[0])
    answers.announce()
  }

  func catchUp() async {
    readAgain()
    await journal.catchUp()
  }

  /// Adds facts. Skips those that the next launch could not read, such as one with a NaN date: they would keep others from being written.
  /// - Parameters:
  ///   - facts: The facts. Known ones may still wait for a disk that refused them, and are tried again.
  ///   - origin: The origin of the purchases among them.
  ///   - change: A change in the same step. Returns whether it alone changes answers.
  @discardableResult
  func add(_ facts: [Fact], from origin: Origin = .listing, change: (inout Answers.State) -> Bool = { _ in false }) async -> Result {
    readAgain()
    guard let merged = merge(Judged(facts: facts.compactMap(readable)), origin, change) else { return Result() }
    return await finish(merged, isDurable: journal.write(merged.toWrite))
  }

  private func readable(_ fact: Fact) -> Fact? {
    if let found = journal.readable(fact) { return found }
    if case .custom(let own) = fact.sort {
      names.report(
        "A fact \"\(own.name)\" is not recorded, because it could not be read back. Add its type to `facts`, under a name that no fact of Monetize has, and give it finite numbers."
      )
    }
    return nil
  }

  /// Judges and adds facts in one step. `judge` runs after everything that other processes have written was adopted, and none of them
  /// writes before these facts are on disk. `judge` runs again when something else has changed. It may read answers and must not wait.
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

  private static func failure(_ fact: Fact, at now: Date) -> MonetizeEvent {
    var event = MonetizeEvent(.storageFailed, at: now)
    event.error = .notDurable
    switch fact.sort {
    case .transaction(let transaction): event.product = transaction.productID
    case .use(let use): event.feature = use.value.feature
    default: break
    }
    return event
  }

  /// This installation's name, until it is among the facts. It decides the installation's share of a rollout.
  var unwrittenName: Fact? { installation.flatMap { answers.facts.news(in: [$0]).first } }

  private struct Merged: Sendable {
    var news: [Fact] = []
    var toWrite: [Fact] = []
    var events: [MonetizeEvent] = []
  }

  /// Merges facts into memory. Returns `nil`, without any effect, when the answers behind them are outdated.
  private func merge(
    _ judged: Judged, _ origin: Origin = .listing, _ change: (inout Answers.State) -> Bool = { _ in false }
  ) -> Merged? {
    let now = clock.now
    let merged = answers.change { state -> Merged? in
      if let version = judged.version, state.version != version { return nil }
      var merged = Merged()
      let events = PurchaseEvents(catalog: state.sharedCatalog, origin: origin, now: now)
      for fact in judged.facts {
        let event = events.event(of: fact, state.facts)
        guard state.facts.insert(fact) else { continue }
        merged.news.append(fact)
        if let event { merged.events.append(event) }
      }
      let first = installation.flatMap { !merged.news.isEmpty && state.facts.insert($0) ? $0 : nil }
      let isChanged = change(&state)
      if isChanged || !merged.news.isEmpty { state.changed(rows: isChanged ? nil : judged.rows) }
      merged.toWrite = merged.news + [first].compactMap { $0 }
      return merged
    }
    guard var merged else { return nil }
    if !merged.news.isEmpty { merged.toWrite.append(clock.fact()) }
    return merged
  }
}

/// Creates one event for each purchase, renewal or revocation, however often and from wherever the store reports it to this device.
private struct PurchaseEvents {
  let catalog: Shared<Catalog>
  let origin: FactWriter.Origin
  let now: Date

  /// The event of a fact that is about to be added; `nil` for none.
  func event(of fact: Fact, _ state: CustomerState) -> MonetizeEvent? {
    // Nothing was paid for a copy that the family shares.
    guard case .transaction(let transaction) = fact.sort, transaction.ownership == .purchased else { return nil }
    let isFirst = !state.purchases.contains(chain: transaction.originalID)
    guard let name = name(transaction, state.transactions[transaction.id], isFirst) else { return nil }
    var event = MonetizeEvent(name, at: now, product: transaction.productID)
    event.payment = .init(transaction)
    event.isTrial = transaction.offer?.mode == .freeTrial || catalog.value.product(transaction.productID)?.isTrial == true
    return event
  }

  private func name(_ transaction: StoreTransaction, _ known: StoreTransaction?, _ isFirst: Bool) -> MonetizeEvent.Name? {
    if let known {
      return switch (known.revocation, transaction.revocation) {
      case (nil, _?): .purchaseRevoked
      case (_?, nil): .purchaseReinstated
      default: nil
      }
    }
    if transaction.revocation != nil { return nil }
    if !isFirst, transaction.reason ?? .renewal == .renewal { return .subscriptionRenewed }
    // The store lists only the latest period of a subscription that began elsewhere.
    return origin.isHere(transaction) && transaction.reason != .renewal ? .purchaseCompleted : .purchaseRestored
  }
}

extension CustomerState {
  /// All facts but the uses with a key.
  fileprivate func facts(withoutUses key: String?) -> [Fact] {
    guard let key else { return facts }
    return facts.filter { fact in fact.use.map { $0.key != key } ?? true }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// Begins to listen to the store, delivers what is unfinished, and asks what the customer has. Called once by itself, right after the
  /// start; calling it again does nothing.
  public func start() async {
    guard listens() else { return }
    await deliverUnfinished()
    await refresh(delivering: false)
  }

  /// Listens before anything is asked: what happens meanwhile must not be missed. `false` when that was begun before, or must not begin.
  private func listens() -> Bool {
    guard begins() else { return false }
    defer { ends() }
    let isFirst = core.withLock { core in
      defer { core.isStarting = true }
      return !core.isStarting
    }
    guard isFirst else { return false }
    let listening = configuration.store.listen { [weak self] update in await self?.receive(update) }
    core.withLock { $0.listening = listening }
    return true
  }

  /// Asks the store what the customer has; call it when the app comes to the foreground. Never shows a prompt. Calls at the same time share
  /// one answer.
  /// - Returns: why the store could not answer, or `nil` when it did. What was known before still counts.
  @discardableResult
  public func refresh() async -> StoreError? { await refresh(delivering: true) }

  /// - Parameter delivering: Whether what could not be delivered and finished before is tried again as well.
  @discardableResult
  private func refresh(delivering: Bool) async -> StoreError? {
    if delivering, core.withLock({ $0.owesDelivery }) { await deliverUnfinished() }
    return await reading().value
  }

  private func reading() -> Task<StoreError?, Never> {
    core.withLock { core in
      if let running = core.refreshing { return running }
      // A task of its own: a caller that goes away must not turn "no answer" into "nothing".
      let task = Task { await self.readStore() }
      core.refreshing = task
      return task
    }
  }

  /// Waits for what was begun without anybody waiting for it: an answer that a clock asked for, and the note about a damaged state. For
  /// simulations, in which nothing else happens meanwhile.
  package func settled() async {
    let (reading, noting) = core.withLock { ($0.refreshing, $0.noting) }
    _ = await reading?.value
    await noting?.value
  }

  private func readStore() async -> StoreError? {
    defer { core.withLock { $0.refreshing = nil } }
    // Where the device is needs no store.
    let zone = configuration.zone()
    core.withLock { if $0.snapshot.situation.zone != zone { $0.changed() } }
    let answer: StoreAnswer
    do throws(StoreError) { answer = try await configuration.store.read() } catch {
      core.withLock { core in
        if core.store == .waiting {
          core.store = .unreachable
          core.changed()
        }
      }
      announceChange()
      return error
    }
    adjustClock(to: answer.date)
    let listed = answer.transactions.filter(\.isVerified).map(\.transaction)
    var facts = listed.map { Fact.transaction(contradicting($0)) } + answer.renewals.map(Fact.renewal)
    facts += await wordsAboutMissing(listed: Set(listed.map(\.id)), environment: answer.environment)
    // Not before: a hand-over does not wait for the store.
    guard begins() else { return StoreError(.cancelled) }
    defer { ends() }
    let news = core.withLock { core in facts.filter { core.state.isNews($0) } }
    if !news.isEmpty { _ = await journal.write(news + [timeFact()]) }
    let (_, events) = core.withLock { core in
      let environment = answer.environment ?? core.environment
      let result = insert(news, restored: true, &core)
      // An answer that says nothing new leaves the snapshot as it is.
      if result.isNews || core.store != .answered || core.environment != environment { core.changed() }
      (core.store, core.environment) = (.answered, environment)
      return result
    }
    for purchase in events { event(purchase.name, product: purchase.product) }
    announceChange()
    return nil
  }

  /// Asks about each recorded purchase that gives access and that the store did not list. Silence ends nothing.
  private func wordsAboutMissing(listed: Set<TransactionID>, environment: StoreEnvironment?) async -> [Fact] {
    let now = now
    let (missing, recordedAt) = core.withLock { core in
      // The store of one world knows nothing about the purchases of another.
      let world = environment ?? core.environment
      let held = core.state.transactions.values.filter {
        (world == nil || $0.environment == world) && !listed.contains($0.id) && $0.revocation == nil && !$0.isUpgraded
          && now < ($0.expirationDate ?? .distantFuture)
          && isAskedAbout($0, core.snapshot)
      }
      return (held.sorted { $0.id < $1.id }, core.recordedAt)
    }
    var facts: [Fact] = []
    for transaction in missing {
      if let date = recordedAt[transaction.id], configuration.time.now < date + configuration.listingGrace {
        // A purchase just made may be listed late: ask again later, not at once.
        askAgainLater(at: date + configuration.listingGrace)
        continue
      }
      switch try? await configuration.store.standing(of: transaction.id) {
      case .held(let signed)?, .revoked(let signed)?:
        if signed.isVerified { facts.append(.transaction(contradicting(signed.transaction))) }
      case .gone?:
        var gone = transaction
        gone.revocation = .init(date: now, reason: .gone)
        gone.revision.sequence += 1
        facts.append(.transaction(gone))
      case nil: break
      }
    }
    return facts
  }

  /// A finished consumable is listed by no store. Of a pass only the latest is (app-store-rules E.4), and one that is over ends nothing more.
  private func isAskedAbout(_ transaction: StoreTransaction, _ snapshot: Snapshot) -> Bool {
    switch catalog.product(transaction.productID)?.storeType {
    case .consumable: false
    case .nonRenewing: snapshot.status(of: transaction.productID)?.isOwned ?? true
    default: true
    }
  }

  private func askAgainLater(at date: Date) {
    let wake = configuration.time.wake(at: date) { [weak self] in
      _ = self?.reading()
    }
    let old = core.withLock { core -> WakeUp? in
      defer { core.listingWake = wake }
      return core.listingWake
    }
    withExtendedLifetime(old) {}
  }

  /// The store lists again what it said was gone: within one signature the device has to count its own words.
  private func contradicting(_ transaction: StoreTransaction) -> StoreTransaction {
    let known = core.withLock { $0.state.transactions[transaction.id] }
    guard let known, known.revocation?.reason == .gone, transaction.revision <= known.revision else { return transaction }
    var again = transaction
    again.revision = Revision(known.revision.date, sequence: known.revision.sequence + 1)
    return again
  }

  /// Something happened at the store without being asked for.
  func receive(_ update: StoreUpdate) async {
    // What comes after a hand-over stays unfinished, and is delivered to whoever took over.
    guard begins() else { return }
    defer { ends() }
    switch update {
    case .transaction(let signed): _ = await accept(signed, restored: false)
    case .renewal(let renewal):
      guard core.withLock({ $0.state.isNews(.renewal(renewal)) }) else { return }
      _ = await journal.write([.renewal(renewal), timeFact()])
      publish([.renewal(renewal)])
    }
  }

  private func deliverUnfinished() async {
    core.withLock { $0.owesDelivery = false }
    guard let unfinished = try? await configuration.store.unfinished(), begins() else { return core.withLock { $0.owesDelivery = true } }
    defer { ends() }
    for signed in unfinished { _ = await accept(signed, restored: false) }
  }

  /// Records a transaction, durably, then grants, then finishes. `false` when its signature is wrong: then nothing happens at all.
  func accept(_ signed: SignedTransaction, restored: Bool) async -> Bool {
    guard signed.isVerified else {
      let isNew = core.withLock { core in
        core.owesDelivery = true
        return core.unverified.insert(signed.transaction.id).inserted
      }
      if isNew { event(.purchaseUnverified, product: signed.transaction.productID) }
      return false
    }
    let transaction = contradicting(signed.transaction)
    var facts: [Fact] = [.transaction(transaction)]
    let isNew = core.withLock { core in
      if let pending = core.state.pending[transaction.productID], pending.isOpen, transaction.revocation == nil {
        var closed = pending
        closed.isOpen = false
        closed.revision.sequence += 1
        facts.append(.pending(closed))
      }
      // Whoever signs now says which world it is, also between two answers.
      if let world = core.environment, world != transaction.environment {
        core.environment = transaction.environment
        core.changed()
      }
      core.recordedAt[transaction.id] = core.recordedAt[transaction.id] ?? configuration.time.now
      return facts.contains { core.state.isNews($0) }
    }
    // What is known already may still wait for a disk that refused it.
    let isDurable = await journal.write(isNew ? facts + [timeFact()] : [])
    if isNew { publish(facts, restored: restored) }
    if isDurable { await finish(transaction) } else { core.withLock { $0.owesDelivery = true } }
    return true
  }

  /// Finished once, after the fact is durable; never for a product that the catalog does not know, whose purchase waits for an update of the app.
  private func finish(_ transaction: StoreTransaction) async {
    guard catalog.product(transaction.productID) != nil else { return }
    let begins = core.withLock { $0.finished.insert(transaction.id).inserted }
    guard begins else { return }
    do throws(StoreError) { try await configuration.store.finish(transaction.id) } catch {
      core.withLock { core in
        core.finished.remove(transaction.id)
        core.owesDelivery = true
      }
    }
  }

  /// Adds facts to memory. One event for each thing that was bought, renewed or taken back, however often and from wherever the store says so:
  /// what is new is found in the same step.
  func insert(_ facts: [Fact], restored: Bool, _ core: inout Core)
    -> (isNews: Bool, events: [(name: MonetizeEvent.Name, product: ProductID)])
  {
    var events: [(name: MonetizeEvent.Name, product: ProductID)] = []
    var isNews = false
    for fact in facts {
      guard case .transaction(let transaction) = fact else {
        if core.state.insert(fact) { isNews = true }
        continue
      }
      let known = core.state.transactions[transaction.id]
      let isRenewal = core.state.transactions.values.contains { $0.originalID == transaction.originalID && $0.id != transaction.id }
      guard core.state.insert(fact) else { continue }
      isNews = true
      if transaction.revocation != nil {
        if known != nil, known?.revocation == nil { events.append((.purchaseRevoked, transaction.productID)) }
      } else if known == nil {
        events.append((isRenewal ? .subscriptionRenewed : restored ? .purchaseRestored : .purchaseCompleted, transaction.productID))
      }
    }
    return (isNews, events)
  }

  // MARK: Time

  /// How far ahead a time may be and still be believed, in seconds: a traveller's is up to two days.
  static let aheadOfBelief: TimeInterval = 2 * 86400

  /// The fact that goes with any other: the time at which it was written.
  func timeFact() -> Fact {
    .time(
      core.withLock { core in
        let seen = core.state.time[0]
        return TimeSeen(correction: seen?.correction ?? 0, latest: effectiveNow(&core), corrected: seen?.corrected)
      })
  }

  /// The store's signed time is a time seen: a clock that is behind extends nothing. A time that only the device's clock named gives way to it
  /// when it is more than two days ahead.
  private func adjustClock(to date: Date?) {
    guard let date else { return }
    core.withLock { core in
      let wall = configuration.time.now
      let tolerance = Self.aheadOfBelief
      let ahead = wall.timeIntervalSince(date)
      let before = core.clockAhead
      core.clockAhead = ahead > tolerance ? ahead : 0
      // The next wake-up is on the wall's clock.
      if core.clockAhead != before { core.changed() }
      let seen = core.state.time[0]
      guard max(seen?.latest ?? .distantPast, core.latestSeen) > date + tolerance else {
        core.latestSeen = max(core.latestSeen, date)
        return
      }
      core.latestSeen = wall - core.clockAhead
      // Also when only the disk has the wrong time, from a fact of this run: the next fact carries the correction there.
      let found = wall - core.clockAhead
      core.state.insert(.time(TimeSeen(correction: (seen?.correction ?? 0) + 1, latest: found, corrected: found)))
      core.changed()
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Listens to the store, reads it, asks about what it does not list, delivers what is unfinished, and finishes.
actor StoreSync {
  private let parts: Parts
  private let listening = Locked<StoreListening?>(nil)
  private var isStarted = false
  /// The read that has begun last, and the one that begins when it is over.
  private var running: Task<StoreError?, Never>?
  private var waiting: Task<StoreError?, Never>?
  /// The read that a clock has asked for.
  private let ordered = Locked<Task<Void, Never>?>(nil)
  /// Calls that wait for the first answer, or for the first failure.
  private var firstWaiters: [@Sendable () -> Void] = []
  private var hasRead = false
  /// When a purchase was recorded in this run, for the listing's grace.
  nonisolated let recordedAt = Locked<[TransactionID: Date]>([:])
  private var finished: Set<TransactionID> = []
  /// Whether something could not be delivered, written or finished, so that what is unfinished is asked for again with the next answer.
  private var owesDelivery = false
  /// Wrong signatures that were told about already.
  private var unverified: Set<TransactionID> = []

  init(_ parts: Parts) { self.parts = parts }

  private var store: any StoreBackend { parts.configuration.store }

  // MARK: Reading

  /// Listens before anything is asked: what happens meanwhile must not be missed. Then delivers and reads.
  func start() async {
    guard !isStarted, parts.work.begin() else { return }
    isStarted = true
    let handle = store.listen { [weak self] update in await self?.receive(update) }
    listening.set(handle)
    parts.work.end()
    await deliverUnfinished()
    _ = await read()
  }

  func refresh() async -> StoreError? {
    await parts.writer.catchUp()
    if owesDelivery { await deliverUnfinished() }
    return await read()
  }

  /// An answer of a read that begins after this call. Calls that come before it begins share it.
  private func read() async -> StoreError? { await ask().value }

  private func ask() -> Task<StoreError?, Never> {
    if let waiting { return waiting }
    let before = running
    // A task of its own: a caller that goes away must not turn "no answer" into "nothing".
    let task = Task { () -> StoreError? in
      _ = await before?.value
      (self.running, self.waiting) = (self.waiting, nil)
      let error = await self.readStore()
      self.hasRead = true
      for done in self.firstWaiters { done() }
      self.firstWaiters = []
      return error
    }
    waiting = task
    return task
  }

  /// Waits for what was begun without a caller that waits for it.
  nonisolated func settled() async {
    await ordered.copy?.value
    await quiet()
  }

  private func quiet() async {
    _ = await waiting?.value
    _ = await running?.value
  }

  /// Waits for the first answer of this run, where one was asked for, but not for long.
  func firstAnswer(within seconds: TimeInterval) async {
    guard isStarted || parts.configuration.startsByItself, !hasRead else { return }
    await parts.clock.wait(untilWall: parts.clock.wall + seconds) { firstWaiters.append($0) }
  }

  private func readStore() async -> StoreError? {
    // Where the device is needs no store.
    parts.answers.followSurroundings()
    let began = parts.clock.now
    let answer: StoreAnswer
    do throws(StoreError) { answer = try await store.read() } catch {
      parts.answers.change { state in
        guard !state.store.isFailing else { return }
        state.store.isFailing = true
        state.changed()
      }
      parts.answers.announce()
      return error
    }
    if let date = answer.date { hear(date) }
    let listed = answer.transactions.filter(\.isVerified).map(\.transaction)
    var facts = (listed.map { Fact.transaction(contradicting($0)) } + answer.renewals.map(Fact.renewal)).compactMap(parts.journal.readable)
    facts += await asked(besides: Set(listed.map(\.id)), environment: answer.environment)
    // Not before: a hand-over does not wait for the store.
    guard parts.work.begin() else { return StoreError(.cancelled) }
    defer { parts.work.end() }
    await parts.writer.add(facts + seen(answer, asOf: answer.date ?? began), restored: true) { state in
      let environment = answer.environment ?? state.environment
      // An answer that says nothing new leaves the snapshot as it is.
      let isChanged = !state.store.hasAnswered || state.store.isFailing || state.environment != environment
      (state.store, state.environment) = (.answered(at: answer.date ?? began), environment)
      return isChanged
    }
    return nil
  }

  /// That the store has answered: a fact where a later launch needs it, because a purchase may have ended since, or was made in another
  /// environment.
  private func seen(_ answer: StoreAnswer, asOf date: Date) -> [Fact] {
    let state = parts.answers.now
    let known = state.facts.answer[0]
    let environment = answer.environment ?? state.environment
    let isNeeded =
      !answer.renewals.isEmpty || !state.facts.renewals.isEmpty || !state.facts.pending.isEmpty
      || state.facts.transactions.values.contains { $0.expirationDate != nil }
    guard isNeeded || known?.environment != environment else { return [] }
    return [.answer(AnswerSeen(number: (known?.number ?? 0) + 1, asOf: date, environment: environment))]
  }

  /// The store's signed time.
  private func hear(_ date: Date) {
    let (correction, isMoved) = parts.clock.hear(date)
    guard isMoved else { return }
    parts.answers.change { state in
      // In memory at once; the next fact that is written carries it to the disk.
      if let correction { state.facts = CustomerState(Fact.forgiven(state.facts.facts + [.time(correction)])) }
      state.changed()
    }
  }

  /// Asks about each recorded purchase that gives access and that the store did not list. Silence ends nothing.
  private func asked(besides listed: Set<TransactionID>, environment: StoreEnvironment?) async -> [Fact] {
    // The snapshot first: where the store has just corrected a wrong future, what has ended there has not ended now.
    let snapshot = parts.answers.current(.customer).snapshot
    let (now, state) = (parts.clock.now, parts.answers.now)
    // The store of one world knows nothing about the purchases of another.
    let world = environment ?? state.environment
    let missing = state.facts.transactions.values.filter {
      (world == nil || $0.environment == world) && !listed.contains($0.id) && $0.revocation == nil && !$0.isUpgraded
        && now < ($0.expirationDate ?? .distantFuture) && isAskedAbout($0, snapshot)
    }
    let recorded = recordedAt.copy
    var facts: [Fact] = []
    for transaction in missing.sorted(by: { $0.id < $1.id }) {
      let grace = recorded[transaction.id].map { $0 + parts.configuration.listingGrace } ?? .distantPast
      if parts.clock.wall < grace {
        // A purchase just made may be listed late: ask again later, not at once.
        parts.clock.wake(.listing, at: grace) { [weak self, ordered] in
          let read = Task { _ = await self?.read() }
          ordered.set(read)
        }
        continue
      }
      switch try? await store.standing(of: transaction.id) {
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
    guard let product = parts.catalog.product(transaction.productID) else { return true }
    return type(of: product.kind).isListed && snapshot.status(of: product.id)?.isOwned ?? true
  }

  /// The store lists again what it said was gone: within one signature the device has to count its own words.
  private func contradicting(_ transaction: StoreTransaction) -> StoreTransaction {
    let known = parts.answers.facts.transactions[transaction.id]
    guard let known, known.revocation?.reason == .gone, transaction.revision <= known.revision else { return transaction }
    var again = transaction
    again.revision = Revision(known.revision.date, sequence: known.revision.sequence + 1)
    return again
  }

  // MARK: Delivering

  /// Something happened at the store without being asked for.
  func receive(_ update: StoreUpdate) async {
    // What comes after a hand-over stays unfinished, and is delivered to the monetizer that took over.
    guard parts.work.begin() else { return }
    defer { parts.work.end() }
    switch update {
    case .transaction(let signed): _ = await accept(signed)
    case .renewal(let renewal): await parts.writer.add([.renewal(renewal)])
    }
  }

  private func deliverUnfinished() async {
    owesDelivery = false
    guard let unfinished = try? await store.unfinished(), parts.work.begin() else {
      owesDelivery = true
      return
    }
    defer { parts.work.end() }
    for signed in unfinished { _ = await accept(signed) }
  }

  /// Records a transaction, durably, then grants, then finishes. `false` when its signature is wrong: then nothing happens at all.
  func accept(_ signed: SignedTransaction) async -> Bool {
    guard signed.isVerified else {
      owesDelivery = true
      if unverified.insert(signed.transaction.id).inserted { parts.tell(.purchaseUnverified, product: signed.transaction.productID) }
      return false
    }
    // What could not be read at the next start is believed as little as a wrong signature.
    guard case .transaction(let transaction)? = parts.journal.readable(.transaction(contradicting(signed.transaction)))?.sort else {
      owesDelivery = true
      return false
    }
    // A clock that is behind extends nothing, and no limit that counts from this purchase forgets uses that come after it.
    parts.clock.hear(noEarlierThan: transaction.revision.date)
    var facts: [Fact] = [.transaction(transaction)]
    if var pending = parts.answers.facts.pending[transaction.productID], pending.isOpen, transaction.revocation == nil {
      pending.isOpen = false
      pending.revision.sequence += 1
      facts.append(.pending(pending))
    }
    let (wall, state) = (parts.clock.wall, parts.answers.now)
    recordedAt.withLock { $0[transaction.id] = $0[transaction.id] ?? wall }
    // A signature says which world it is also between two answers.
    let isElsewhere = state.environment.map { $0 != transaction.environment } ?? false
    if isElsewhere, let known = state.facts.answer[0] {
      facts.append(.answer(AnswerSeen(number: known.number + 1, asOf: known.asOf, environment: transaction.environment)))
    }
    let result = await parts.writer.add(facts) { state in
      guard isElsewhere else { return false }
      state.environment = transaction.environment
      return true
    }
    if result.isDurable { await finish(transaction) } else { owesDelivery = true }
    return true
  }

  /// Finished once, after the fact is durable; never for a product that the catalog does not know, whose purchase waits for an update of the app.
  private func finish(_ transaction: StoreTransaction) async {
    guard parts.catalog.product(transaction.productID) != nil, finished.insert(transaction.id).inserted else { return }
    do throws(StoreError) { try await store.finish(transaction.id) } catch {
      finished.remove(transaction.id)
      owesDelivery = true
    }
  }

  /// What the store says from now on may not be listened to: it is asked for again.
  func owe() { owesDelivery = true }

  /// Listens no longer. At once, so that nothing is delivered to a monetizer that is gone.
  nonisolated func stop() { listening.copy?.stop() }
}

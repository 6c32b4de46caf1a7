// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Follows the store's updates, reads the store, checks purchases that its list lacks, and delivers and finishes transactions.
actor StoreSync {
  /// How long a tap or a purchase waits for an answer of the store, in seconds.
  static let patience: TimeInterval = 3
  /// How long a read waits for the one before, in seconds. A store may never answer.
  static let longRead: TimeInterval = 30

  private let parts: Parts
  private let listening = Locked<StoreListening?>(nil)
  /// The scheduled check of purchases that the store may list late.
  private let nextCheck = Locked<WakeUp?>(nil)
  private var isStarted = false
  /// The current read, and the one that starts after it.
  private var running: Task<StoreError?, Never>?
  private var waiting: Task<StoreError?, Never>?
  /// The number of reads, and the latest one that was answered.
  private var (reads, ended) = (0, 0)
  /// The read that a scheduled call started.
  private let scheduledRead = Locked<Task<Void, Never>?>(nil)
  /// Makes a purchase that a person began in the store.
  nonisolated let intended = Locked<(@Sendable (PurchaseRequest) -> Void)?>(nil)
  /// When each purchase was recorded in this run, for the listing's grace.
  nonisolated let recordedAt = Locked<[TransactionID: Date]>([:])
  /// The transactions that are being finished, and those that are finished.
  private var finishing: [TransactionID: Task<Void, Never>] = [:]
  private var finished: Set<TransactionID> = []
  /// How often something could not be delivered, written or finished, in all and before the store last listed what is unfinished. Unless
  /// the two are equal, unfinished transactions are read again with the next answer.
  private var (debts, settledDebts) = (0, 0)
  /// The ids of unverified transactions that were reported already.
  private var unverified: Set<TransactionID> = []

  init(_ parts: Parts) { self.parts = parts }

  private var store: any StoreBackend { parts.configuration.store }

  // MARK: Reading

  /// Starts listening before it reads, so that no update is missed. Then delivers unfinished transactions and reads.
  func start() async {
    guard !isStarted, parts.work.begin() else { return }
    isStarted = true
    let handle = store.listen { [weak self] update in await self?.receive(update) }
    listening.set(handle)
    parts.work.end()
    await wait(for: Task { await deliverUnfinished() }, atMost: Self.patience)
    _ = await read()
  }

  func refresh() async -> StoreError? {
    await parts.writer.catchUp()
    if debts > settledDebts { await wait(for: Task { await deliverUnfinished() }, atMost: Self.patience) }
    return await read()
  }

  /// Refreshes, and waits for it for a limited time.
  func refresh(within seconds: TimeInterval) async { await wait(for: Task { await refresh() }, atMost: seconds) }

  /// Returns the result of a read that begins after this call. Calls made before it begins share it.
  private func read() async -> StoreError? { await ask().value }

  private func ask() -> Task<StoreError?, Never> {
    if let waiting { return waiting }
    let before = running
    // Runs in its own task, because a cancelled read would look like an empty answer.
    let task = Task { () -> StoreError? in
      if let before { await self.wait(for: before, atMost: Self.longRead) }
      (self.running, self.waiting) = (self.waiting, nil)
      return await self.readStore()
    }
    waiting = task
    return task
  }

  private nonisolated func wait<Value: Sendable>(for task: Task<Value, Never>, atMost seconds: TimeInterval) async {
    await parts.clock.wait(untilWall: parts.clock.wall + seconds) { end in
      Task {
        _ = await task.value
        end()
      }
    }
  }

  func settled() async {
    await scheduledRead.copy?.value
    _ = await waiting?.value
    _ = await running?.value
    for task in finishing.values { await task.value }
  }

  /// Waits for an answer of the store, for a limited time: the first of this run, or else a new one. Does nothing before `start()`.
  func answer(within seconds: TimeInterval) async {
    guard isStarted || parts.configuration.startsByItself else { return }
    let isFirst = !parts.answers.now.store.hasAnswered && !parts.answers.now.store.isFailing
    await wait(for: isFirst ? running ?? ask() : ask(), atMost: seconds)
  }

  private func readStore() async -> StoreError? {
    // The device's surroundings do not depend on the store.
    parts.answers.followSurroundings()
    reads += 1
    let (number, began) = (reads, parts.clock.now)
    var answer: StoreAnswer
    do throws(StoreError) { answer = try await store.read() } catch {
      if number > ended { noteFailure() }
      return error
    }
    // The answer to a later read may have come before.
    if number < ended { return nil }
    ended = number
    // No store signs an infinite date, and no time after it could be written.
    if answer.date?.timeIntervalSinceReferenceDate.isFinite == false { answer.date = nil }
    let listed = answer.transactions.filter(\.isVerified).map(\.transaction)
    if let date = answer.date {
      synchronizeClock(with: date)
    } else if let signed = (listed.map(\.revision) + answer.renewals.map(\.revision)).max() {
      // An answer from a cache has no current time, but no signature is dated in the future.
      parts.clock.raise(to: signed.date)
    }
    var facts = listed.map { Fact.transaction(contradicting($0)) } + answer.renewals.flatMap(facts(of:))
    facts += await checked(besides: Set(listed.map(\.id)), environment: answer.environment)
    // Begins only now, so that a hand-over does not wait for the store.
    guard await parts.work.record() else { return StoreError(.cancelled) }
    defer { parts.work.end() }
    // A later read may have answered meanwhile.
    let isLatest = number == ended
    await parts.writer.add(facts + (isLatest ? seen(answer, asOf: answer.date ?? began) : [])) { state in
      if !isLatest { return false }
      let environment = answer.environment ?? state.environment
      // An answer without changes leaves the snapshot unchanged.
      let isChanged = !state.store.hasAnswered || state.store.isFailing || state.environment != environment
      (state.store, state.environment) = (.answered(at: answer.date ?? began), environment)
      return isChanged
    }
    return nil
  }

  private func noteFailure() {
    parts.answers.change { state in
      if state.store.isFailing { return }
      state.store.isFailing = true
      state.changed()
    }
    parts.answers.announce()
  }

  /// The fact that the store has answered, if a later launch needs it: a purchase can have ended since, or the environment has changed.
  private func seen(_ answer: StoreAnswer, asOf date: Date) -> [Fact] {
    let state = parts.answers.now
    let known = state.facts.answer[0]
    let environment = answer.environment ?? state.environment
    let isNeeded =
      !answer.renewals.isEmpty || !state.facts.renewals.isEmpty || !state.facts.pending.isEmpty
      || state.facts.transactions.values.contains { $0.expirationDate != nil }
    guard isNeeded || known?.environment != environment else { return [] }
    return [.answer(AnswerSeen(number: (known?.number ?? 0).next, asOf: date, environment: environment))]
  }

  private func synchronizeClock(with date: Date) {
    let (correction, isMoved) = parts.clock.synchronize(with: date)
    guard isMoved else { return }
    parts.answers.change { state in
      // In memory at once; written with the next fact.
      if let correction { state.facts = CustomerState(Fact.forgiven(state.facts.facts + [.time(correction)])) }
      state.changed()
    }
  }

  /// Checks each recorded purchase that gives access and is missing from the list. Without an answer, no purchase ends.
  private func checked(besides listed: Set<TransactionID>, environment: StoreEnvironment?) async -> [Fact] {
    // Makes the snapshot first. If a wrong future was just corrected, purchases that ended in it have not ended now.
    let snapshot = parts.answers.current(.customer).snapshot
    let (now, state) = (parts.clock.now, parts.answers.now)
    // A store has no record of purchases in another environment.
    let current = environment ?? state.environment
    let missing = state.facts.purchases.all
      .filter { history in
        let first = history.transactions[0]
        return (current == nil || first.environment == current) && first.isValid && isAskedAbout(first.productID, snapshot)
      }
      .flatMap { history in history.running(at: now).map { history.transactions[$0] } }.filter { !listed.contains($0.id) }
    let recorded = recordedAt.copy
    var facts: [Fact] = []
    var next: Date?
    for transaction in missing.sorted(by: { $0.id < $1.id }) {
      // The store may list a recent purchase late, so ask again later.
      if let grace = recorded[transaction.id].map({ $0 + parts.configuration.listingGrace }), parts.clock.wall < grace {
        next = earlier(next, grace)
        continue
      }
      switch try? await store.standing(of: transaction.id) {
      case .held(let signed)?, .revoked(let signed)?:
        if signed.isVerified { facts.append(.transaction(contradicting(signed.transaction))) }
      case .gone?:
        // Has the same revision: within one signature, a revocation wins.
        var gone = transaction
        gone.revocation = .init(date: now, reason: .gone)
        facts.append(.transaction(gone))
      case nil: break
      }
    }
    checkAgain(at: next)
    return facts
  }

  private func checkAgain(at date: Date?) {
    let call = date.map { date in
      parts.clock.source.wake(at: date) { [weak self, scheduledRead] in scheduledRead.set(Task { _ = await self?.read() }) }
    }
    // Releasing the earlier call runs code of the time source, so it happens outside the lock.
    withExtendedLifetime(nextCheck.replace(with: call)) {}
  }

  /// Whether the purchase should be checked at the store. No store lists a finished consumable. Only the latest purchase of a pass is
  /// listed (app-store-rules E.4), and an ended one changes nothing.
  private func isAskedAbout(_ product: ProductID, _ snapshot: Snapshot) -> Bool {
    guard let product = parts.catalog.product(product) else { return true }
    return type(of: product.kind).isListed && snapshot.status(of: product.id)?.isOwned ?? true
  }

  /// Raises the sequence of a transaction that is listed again after it was gone, so that it wins within the same signature date.
  private func contradicting(_ transaction: StoreTransaction) -> StoreTransaction {
    let known = parts.answers.facts.transactions[transaction.id]
    guard let known, known.revocation?.reason == .gone, transaction.revision <= known.revision else { return transaction }
    var again = transaction
    again.revision = .next(after: known.revision, at: known.revision.date)
    return again
  }

  // MARK: Delivering

  func receive(_ update: StoreUpdate) async {
    switch update {
    case .transaction(let signed): await deliver([signed])
    case .renewal(let renewal):
      guard await parts.work.record() else { return }
      await parts.writer.add(facts(of: renewal))
      parts.work.end()
    // Delivered once, so a monetizer that hands over passes it on.
    case .intent(let request): intended.copy?(request)
    case .country: parts.send(.countryChanged)
    }
  }

  /// Accepts transactions and waits until they are finished. After a hand-over they stay unfinished and go to the new monetizer.
  private func deliver(_ transactions: [SignedTransaction]) async {
    guard await parts.work.record() else { return }
    for signed in transactions { _ = await accept(signed) }
    parts.work.end()
    await finished(transactions)
  }

  /// A renewal status, and the end of the wait for the product that it renews into: a request to renew again, or to change the plan later,
  /// was approved, and no transaction arrives before the renewal.
  private func facts(of renewal: RenewalInfo) -> [Fact] {
    let plan = renewal.renewsInto ?? renewal.productID
    guard renewal.willRenew, renewal.state != .inBillingRetry, let since = parts.answers.facts.pending[plan]?.since,
      renewal.revision.date >= since, let answered = endOfWait(for: plan)
    else { return [.renewal(renewal)] }
    return [.renewal(renewal), answered]
  }

  /// The end of the wait for a product; `nil` when nothing waits.
  private func endOfWait(for product: ProductID) -> Fact? {
    guard var pending = parts.answers.facts.pending[product], pending.isOpen else { return nil }
    // Within one revision, the end of the wait wins.
    pending.isOpen = false
    return .pending(pending)
  }

  private func deliverUnfinished() async {
    // Counted before the store answers, because it may never answer. Its answer settles nothing that comes after the question.
    debts += 1
    let known = debts
    guard let unfinished = try? await store.unfinished() else { return }
    settledDebts = max(settledDebts, known)
    await deliver(unfinished)
  }

  /// Records a transaction durably, grants it, then begins to finish it. Returns `false` for a wrong signature: nothing is recorded or finished.
  /// - Parameter isAsked: Whether a person has just asked for it in this app.
  func accept(_ signed: SignedTransaction, isAsked: Bool = false) async -> Bool {
    guard signed.isVerified else {
      debts += 1
      if unverified.insert(signed.transaction.id).inserted { parts.send(.purchaseUnverified, product: signed.transaction.productID) }
      return false
    }
    // A transaction that the next launch could not read is treated as unverified.
    guard case .transaction(let transaction)? = parts.journal.readable(.transaction(contradicting(signed.transaction)))?.sort else {
      debts += 1
      return false
    }
    // A slow clock must not extend access, and limits that count from this purchase must include the uses after it.
    parts.clock.raise(to: transaction.revision.date)
    var facts: [Fact] = [.transaction(transaction)]
    var origin = isAsked ? FactWriter.Origin.bought : .update(firstStart: parts.firstStart)
    if transaction.revocation == nil, let answered = endOfWait(for: transaction.productID) {
      facts.append(answered)
      origin = .bought
    }
    let (wall, environment) = (parts.clock.wall, parts.answers.now.environment)
    recordedAt.withLock { $0[transaction.id] = $0[transaction.id] ?? wall }
    // A signature shows the environment even between two answers.
    let isElsewhere = environment.map { $0 != transaction.environment } ?? false
    if isElsewhere, let known = parts.answers.facts.answer[0] {
      facts.append(.answer(AnswerSeen(number: known.number.next, asOf: known.asOf, environment: transaction.environment)))
    }
    let result = await parts.writer.add(facts, from: origin) { state in
      guard isElsewhere else { return false }
      state.environment = transaction.environment
      return true
    }
    if result.isDurable { finish(signed) } else { debts += 1 }
    return true
  }

  /// Begins to finish a transaction, once, after its fact is durable and the app has passed it on. A product that is not in the catalog
  /// waits for an update of the app.
  private func finish(_ signed: SignedTransaction) {
    let id = signed.transaction.id
    guard parts.catalog.product(signed.transaction.productID) != nil, finishing[id] == nil && !finished.contains(id) else { return }
    if parts.configuration.storage is MemoryStorage, !store.isSimulated {
      parts.names.report("A purchase is finished, and kept in memory only until the app ends. Set `storage`, such as `.file(url)`.")
    }
    finishing[id] = Task { await self.passOn(signed) }
  }

  /// Waits until these transactions are finished, so that an app that ends now leaves none behind. For a limited time, because the store may
  /// never answer, and not at all for the app's server.
  func finished(_ accepted: [SignedTransaction]) async {
    let tasks = accepted.compactMap { finishing[$0.transaction.id] }
    if tasks.isEmpty || parts.configuration.beforeFinishing != nil { return }
    await wait(for: Task { for task in tasks { await task.value } }, atMost: Self.patience)
  }

  private func passOn(_ signed: SignedTransaction) async {
    defer { finishing[signed.transaction.id] = nil }
    do throws(StoreError) {
      guard await parts.configuration.beforeFinishing?(signed) ?? true else { throw StoreError(.notDurable) }
      try await store.finish(signed)
      finished.insert(signed.transaction.id)
    } catch { debts += 1 }
  }

  /// Stops listening and cancels the scheduled check immediately, so that nothing is delivered to a released monetizer.
  nonisolated func stop() {
    listening.copy?.cancel()
    nextCheck.copy?.cancel()
  }
}

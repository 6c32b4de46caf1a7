// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// What is behind the lock. Foreign code (kinds, allowances, stores, observers) is never called while it is held.
  struct Core: Sendable {
    /// The catalog with its overlays, which never change its features, collections and products.
    var catalog: Catalog
    /// The ids of the overlays in it.
    var overlays: [String] = []
    var state: CustomerState
    /// The customer's published snapshot; made from `state` at `snapshotVersion`.
    var snapshot: Snapshot { didSet { (answers, decisions) = (snapshot.answers, snapshot.decisions) } }
    /// The published snapshot's, without the way through it: `allows` counts no reference.
    private(set) var answers: [Snapshot.Answer]
    /// The published snapshot's, by feature.
    private(set) var decisions: [Decision]
    /// Answers to other questions.
    var recent = RecentAnswers()
    /// The snapshot that everyone has been told about, and whether that is the published one: each change is announced once, whoever finds it.
    var announced: Snapshot
    var isAnnounced = true
    /// Snapshots of other members, made when asked for.
    var members: [Member: Snapshot] = [:]
    /// Counts changes of `state`, `store` and everything else that a snapshot is made from.
    var version = 0
    var snapshotVersion = 0
    /// The features whose rows alone have changed since the snapshot; `nil` when everything may have.
    var changedRows: Set<Int>? = []
    var store = Situation.StoreKnowledge.waiting
    var environment: StoreEnvironment?
    /// What the device's clock is ahead of the store's signed time by, when that is more than two days.
    var clockAhead: TimeInterval = 0
    /// The latest time that a decision of this run was made at; the facts' own is written only together with a fact.
    var latestSeen = Date.distantPast
    /// When a purchase was recorded in this run, for the listing's grace.
    var recordedAt: [TransactionID: Date] = [:]
    var finished: Set<TransactionID> = []
    /// Whether something could not be delivered, written or finished, so that what is unfinished is asked for again with the next answer.
    var owesDelivery = false
    /// Wrong signatures that were told about already.
    var unverified: Set<TransactionID> = []
    var purchases: [ProductID: Task<PurchaseOutcome, Never>] = [:]
    var refreshing: Task<StoreError?, Never>?
    /// Writes down that the state was damaged.
    var noting: Task<Void, Never>?
    /// What writes facts at the moment, and whether anything still may.
    var work = Work()
    /// The hand-over that was begun, and to whom.
    var handOver: (account: String?, task: Task<Result<Monetizer, StorageError>, Never>)?
    /// Reservations that are not settled, and how many calls hold each.
    var held: [Held: Int] = [:]
    var passes: [GatePass: PassState] = [:]
    var nextPass = 0
    var listening: StoreListening?
    var isStarting = false
    var wake: WakeUp?
    var listingWake: WakeUp?
    var wakeDate: Date?
    var watchers: [Int: AsyncStream<Snapshot>.Continuation] = [:]
    var eventWatchers: [Int: AsyncStream<MonetizeEvent>.Continuation] = [:]
    var nextWatcher = 0

    init(catalog: Catalog, state: CustomerState, snapshot: Snapshot) {
      self.catalog = catalog
      self.state = state
      self.snapshot = snapshot
      (answers, decisions) = (snapshot.answers, snapshot.decisions)
      announced = snapshot
    }

    /// The snapshot of a member, when it is made from the state as it is.
    func published(_ member: Member) -> Snapshot? {
      member == .customer ? (snapshotVersion == version ? snapshot : nil) : members[member]
    }

    mutating func changed(row: Int? = nil) {
      version += 1
      members.removeAll(keepingCapacity: true)
      if let row { changedRows?.insert(row) } else { changedRows = nil }
    }
  }

  /// The time that decisions are made at: the wall's, but never earlier than what was seen, and corrected by the store when it is days ahead.
  var now: Date { core.withLock { effectiveNow(&$0) } }

  func effectiveNow(_ core: inout Core) -> Date {
    let now = max(configuration.time.now - core.clockAhead, core.state.time[0]?.latest ?? .distantPast, core.latestSeen)
    core.latestSeen = now
    return now
  }

  /// A snapshot that is up to date, with the version of the state that it was made from.
  func current(_ member: Member) -> (version: Int, snapshot: Snapshot) {
    while true {
      let published = core.withLock { core -> (Int, Snapshot)? in
        guard let snapshot = core.published(member) else { return nil }
        if let change = snapshot.nextChange, change <= effectiveNow(&core) { return nil }
        return (core.version, snapshot)
      }
      if let published { return published }
      let (version, fresh, isPartial) = remade(member)
      let isPublished = core.withLock { core in
        guard core.version == version else { return false }
        if member != .customer {
          core.members[member] = fresh
          return true
        }
        core.snapshot = fresh
        // Uses are no news of their own.
        core.isAnnounced = core.isAnnounced && isPartial
        if core.isAnnounced { core.announced = fresh }
        core.snapshotVersion = version
        core.changedRows = []
        // Inside the lock, so that the last one delivered is the current one.
        for watcher in core.watchers.values { watcher.yield(fresh) }
        return true
      }
      if isPublished {
        if member == .customer { scheduleWake() }
        return (version, fresh)
      }
    }
  }

  /// A new snapshot from copies, made outside the lock because kinds and allowances are foreign code. Where only some rows have changed, only
  /// these are made anew.
  private func remade(_ member: Member) -> (version: Int, snapshot: Snapshot, isPartial: Bool) {
    let zone = configuration.zone()
    let (version, catalog, state, old, rows, situation, now) = core.withLock { core in
      let situation = Situation(
        member: member, zone: zone, store: core.store, environment: core.environment, account: configuration.account)
      return (core.version, core.catalog, core.state, core.snapshot, core.changedRows, situation, effectiveNow(&core))
    }
    if let rows, member == .customer, old.situation == situation, now < (old.nextChange ?? .distantFuture) {
      return (version, rows.reduce(old) { $0.updating($1, state, at: now) }, true)
    }
    return (version, Snapshot(of: state, catalog: catalog, situation: situation, at: now), false)
  }

  /// Adds facts to memory, publishes what follows from them, and tells everyone what is new.
  func publish(_ facts: [Fact], restored: Bool = false) {
    let (isNews, events) = core.withLock { core in
      let result = insert(facts, restored: restored, &core)
      if result.isNews { core.changed() }
      return result
    }
    guard isNews else { return }
    for purchase in events { event(purchase.name, product: purchase.product) }
    announceChange()
  }

  func announceChange() {
    _ = current(.customer)
    let change = core.withLock { core -> (Snapshot, Snapshot)? in
      if core.isAnnounced { return nil }
      defer { (core.announced, core.isAnnounced) = (core.snapshot, true) }
      return (core.announced, core.snapshot)
    }
    guard let (before, after) = change else { return }
    var event = MonetizeEvent(.accessChanged, at: after.date)
    event.newlyAllowed = after.newlyAllowed(since: before)
    event.noLongerAllowed = before.newlyAllowed(since: after)
    if !event.newlyAllowed.isEmpty || !event.noLongerAllowed.isEmpty { emit(event) }
  }

  func emit(_ event: MonetizeEvent) {
    core.withLock { core in for watcher in core.eventWatchers.values { watcher.yield(event) } }
    configuration.onEvent?(event)
  }

  func event(_ name: MonetizeEvent.Name, product: ProductID? = nil, error: StoreError.Code? = nil) {
    var event = MonetizeEvent(name, at: now, product: product)
    event.error = error
    emit(event)
  }

  /// Asks to be woken when the snapshot can next change by itself. Reads do not depend on it; watchers do.
  func scheduleWake() {
    let due = core.withLock { core -> Date? in
      guard let next = core.snapshot.nextChange else {
        core.wake = nil
        core.wakeDate = nil
        return nil
      }
      let wall = next + core.clockAhead
      if core.wakeDate == wall { return nil }
      core.wakeDate = wall
      return wall
    }
    guard let due else { return }
    let wake = configuration.time.wake(at: due) { [weak self] in self?.wakeUp(due) }
    // The old one is dropped outside the lock: cancelling calls into the time source.
    let old = core.withLock { core -> WakeUp? in
      guard core.wakeDate == due else { return wake }
      defer { core.wake = wake }
      return core.wake
    }
    withExtendedLifetime(old) {}
  }

  private func wakeUp(_ due: Date) {
    core.withLock { if $0.wakeDate == due { $0.wakeDate = nil } }
    announceChange()
    scheduleWake()
  }

  /// A stored state that could not be believed: purchases come back from the store; what had been used is not known.
  ///
  /// That is written before, and with, whatever is written first, because the damaged file is replaced then. Where the file could not be read
  /// at all it is left alone, and so nothing is written: it may be readable next time.
  /// - Parameters:
  ///   - isReadable: Whether the file could be read.
  ///   - safe: Features whose uses are known all the same, from the secure storage.
  ///   - only: The only features that are concerned; `nil` for all.
  func dealWithDamage(isReadable: Bool, except safe: Set<FeatureID> = [], only: Set<FeatureID>? = nil) {
    let now = now
    var facts: [Fact] = []
    for feature in catalog.features
    where type(of: feature.shape).isMetered && feature.part == nil && !safe.contains(feature.id) && only?.contains(feature.id) ?? true {
      let (day, zone) = feature.shape.day(in: AllowanceContext(now: now, zone: configuration.zone(), usage: UsageTotals()))
      let use = Use(
        key: "damage-\(run)", feature: feature.id, subject: .everyone, source: configuration.source, amount: Use.unknownAmount, date: now,
        day: day,
        zone: zone.identifier, run: run)
      facts.append(.use(use))
      core.withLock { core in
        core.state.insert(.use(use))
        core.changed()
      }
    }
    // What was published before is not true any more.
    _ = current(.customer)
    if isReadable, !facts.isEmpty {
      journal.hold(facts, forSecond: facts.filter { journal.second?.keeps($0) == true })
      let noting = Task { _ = await self.journal.write([]) }
      core.withLock { $0.noting = noting }
    }
    emit(MonetizeEvent(.stateDamaged, at: now))
  }
}

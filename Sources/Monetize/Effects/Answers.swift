// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Holds the facts and the snapshots computed from them. Never returns an answer that is older than the facts.
final class Answers: Sendable {
  /// The state behind the lock. The only foreign code that runs while the lock is held merges an app's own facts.
  struct State: Sendable {
    /// The catalog with overlays applied, in O(1) for a copy. Overlays never change its features, collections and products.
    private(set) var sharedCatalog: Shared<Catalog>
    var catalog: Catalog {
      get { sharedCatalog.value }
      set { sharedCatalog = Shared(newValue) }
    }
    var overlays: [Overlay] = []
    var arms: [ExperimentID: Experiment.Arm] = [:]
    var facts: CustomerState
    /// The state of the store. At first it has not answered in this run.
    var store: StoreKnowledge
    /// The store's environment, from its last signature or answer.
    var environment: StoreEnvironment?
    /// The number of changes to the state above.
    fileprivate(set) var version = 0
    /// The customer's published snapshot, made from version `snapshotVersion`.
    fileprivate(set) var snapshot: Snapshot
    fileprivate var snapshotVersion = 0
    /// The only features whose rows changed since the snapshot; `nil` when all may have changed.
    fileprivate var changedRows: Set<Int>? = []
    /// The latest snapshots of other members, each with its version.
    fileprivate var members: [Member: (version: Int, snapshot: Snapshot)] = [:]
    /// The last announced snapshot, and whether it is the published one. Ensures that each change is announced once.
    fileprivate var announced: Snapshot
    fileprivate var isAnnounced = true
    fileprivate var watchers = Watchers<Snapshot>()

    /// Marks answers as outdated: the given rows of the customer, or all rows, and all rows of other members.
    mutating func changed(rows: Set<Int>? = nil) {
      version += 1
      if let rows { changedRows?.formUnion(rows) } else { changedRows = nil }
    }

    /// The latest snapshot of a member; `nil` when there is none.
    fileprivate func latest(_ member: Member) -> (version: Int, snapshot: Snapshot)? {
      member == .customer ? (snapshotVersion, snapshot) : members[member]
    }
  }

  private let configuration: MonetizeConfiguration
  private let clock: TrustedClock
  private let events: EventQueue
  private let journal: Journal
  private let state: Locked<State>

  init(
    _ catalog: Catalog, _ facts: CustomerState, _ configuration: MonetizeConfiguration, _ clock: TrustedClock, _ events: EventQueue,
    _ journal: Journal
  ) {
    (self.configuration, self.clock, self.events, self.journal) = (configuration, clock, events, journal)
    let answer = facts.answer[0]
    var store = configuration.knownStore
    store.asOf = store.asOf ?? answer?.asOf
    let situation = configuration.situation(of: .customer, store, answer?.environment)
    let snapshot = Snapshot(of: facts, catalog: catalog, situation: situation, at: clock.now)
    state = Locked(
      State(
        sharedCatalog: Shared(catalog), facts: facts, store: store, environment: answer?.environment, snapshot: snapshot,
        announced: snapshot))
  }

  // MARK: Reading answers

  /// The published answer for a feature without parameters; `nil` when the facts are newer.
  @inline(__always)
  func answer(_ feature: Int) -> Snapshot.Answer? {
    state.withLock { $0.snapshotVersion == $0.version ? $0.snapshot.content.answers[feature] : nil }
  }

  /// The published decision for a feature without parameters; `nil` when outdated, or for a window, whose cutoff moves with time.
  @inline(__always)
  func decision(_ feature: Int) -> (decision: Decision, changesAt: Date)? {
    state.withLock { state in
      guard state.snapshotVersion == state.version else { return nil }
      let row = state.snapshot.content.rows[feature]
      return row.decision.slidingWindow == nil ? (row.decision, row.changesAt) : nil
    }
  }

  var now: State { state.copy }

  var facts: CustomerState { state.withLock { $0.facts } }

  /// The recorded uses, without a copy of the other facts.
  var usage: UsageLedger { state.withLock { $0.facts.usage } }

  /// The number of changes that may have changed an answer.
  var version: Int { state.withLock { $0.version } }

  /// Changes the state under the lock. `body` must not call foreign code, and calls ``State/changed(rows:)`` when answers may differ.
  func change<Result>(_ body: (inout State) -> Result) -> Result { state.withLock(body) }

  /// Replaces a source's uses that are long past with sums. No answer changes.
  func fold(_ source: SourceID, at now: Date) -> CustomerState {
    while true {
      let known = self.now
      let folded = known.facts.folded(by: known.catalog, of: source, at: now)
      // Facts that arrived meanwhile are missing from the folded state.
      let isCurrent = change { state in
        guard state.version == known.version else { return false }
        state.facts = folded
        // Uses that were judged by the facts before may now belong elsewhere. No row changes.
        state.changed(rows: [])
        return true
      }
      if isCurrent { return folded }
    }
  }

  /// An up-to-date snapshot, with the version of the facts behind it.
  func current(_ member: Member) -> (version: Int, snapshot: Snapshot) {
    while true {
      let now = clock.now
      let known = change { state in state.latest(member).flatMap { $0.version == state.version ? $0 : nil } }
      if let (version, snapshot) = known, now < snapshot.nextChange ?? .distantFuture {
        return (version, snapshot.dated(max(now, snapshot.date)))
      }
      if let made = publish(member) {
        if member == .customer || made.snapshot.nextChange != nil { scheduleWake() }
        return made
      }
    }
  }

  /// Makes a snapshot from copies, outside the lock, because kinds and allowances are foreign code. Reuses unchanged rows. Publishes it, unless
  /// the facts have changed since; returns `nil` then.
  private func publish(_ member: Member) -> (version: Int, snapshot: Snapshot)? {
    let ground = now
    // Read after the facts, so that no fact is later.
    let now = clock.now
    let situation = configuration.situation(of: member, ground.store, ground.environment)
    let end = ground.latest(member)?.snapshot.nextChange ?? .distantFuture
    let isPartial = member == .customer && ground.changedRows != nil && ground.snapshot.situation == situation && now < end
    let snapshot =
      isPartial
      ? (ground.changedRows ?? []).reduce(ground.snapshot.dated(now)) { $0.updating($1, ground.facts, at: now) }
      : Snapshot(of: ground.facts, catalog: ground.catalog, situation: situation, at: now)
    let isPublished = change { state in
      guard state.version == ground.version else { return false }
      guard member == .customer else {
        state.members[member] = (ground.version, snapshot)
        return true
      }
      state.snapshot = snapshot
      // A use alone announces no change of access.
      state.isAnnounced = state.isAnnounced && isPartial
      if state.isAnnounced { state.announced = snapshot }
      (state.snapshotVersion, state.changedRows) = (ground.version, [])
      // Inside the lock, so that watchers receive the current snapshot last.
      state.watchers.yield(snapshot)
      return true
    }
    guard isPublished else { return nil }
    // Law 7: a relaunch must not bring back access that has ended.
    if end <= now, let time = clock.note() { journal.post(time) }
    return (ground.version, snapshot)
  }

  // MARK: Overlays and arms

  /// Applies arms, then overlays, so that remote configuration reaches every customer. If the arms do not fit, no arm applies.
  /// - Parameters:
  ///   - overlays: The overlays.
  ///   - base: The catalog without them.
  ///   - arms: The arms.
  /// - Throws: ``CatalogError`` when an overlay breaks a rule. Nothing changes then.
  func apply(_ overlays: [Overlay], to base: Catalog, arms: [ExperimentID: Experiment.Arm]) throws(CatalogError) {
    var changed = base
    for overlay in overlays { changed = try changed.applying(overlay) }
    let fitting = try? base.applying(arms: base.experiments.compactMap { arms[$0.id] }, then: overlays)
    change { state in
      (state.catalog, state.overlays, state.arms) = (fitting ?? changed, overlays, fitting == nil ? [:] : arms)
      state.changed()
    }
  }

  // MARK: Publishing

  /// The current snapshot, then each new one. Buffers only the newest.
  func stream() -> AsyncStream<Snapshot> {
    let (stream, continuation) = AsyncStream.makeStream(of: Snapshot.self, bufferingPolicy: .bufferingNewest(1))
    _ = current(.customer)
    change { state in
      // The published snapshot may be newer than the one just computed. A later one must not be lost.
      continuation.yield(state.snapshot)
      state.watchers.add(continuation)
    }
    return stream
  }

  /// Publishes the snapshot for the current facts, then sends events, including a change of access.
  func announce(_ events: [MonetizeEvent] = []) {
    _ = current(.customer)
    let change = change { state -> (Snapshot, Snapshot)? in
      if state.isAnnounced { return nil }
      defer { (state.announced, state.isAnnounced) = (state.snapshot, true) }
      return (state.announced, state.snapshot)
    }
    var events = events
    if let (before, after) = change { events += resets(from: before, to: after) }
    // Compares every item of every collection, so it runs only when there is a listener.
    if let (before, after) = change, self.events.hasListeners {
      var event = MonetizeEvent(.accessChanged, at: after.date)
      event.newlyAllowed = after.newlyAllowed(since: before)
      event.noLongerAllowed = before.newlyAllowed(since: after)
      if !event.newlyAllowed.isEmpty || !event.noLongerAllowed.isEmpty { events.append(event) }
    }
    self.events.send(events)
  }

  /// Sends an event for each limit whose period has ended since the recorded time, while the app was not running.
  func announceResets(since seen: Date) {
    let (known, now) = (now, clock.now)
    guard known.catalog.events != nil else { return }
    var situation = known.snapshot.situation
    // The recorded purchases decide; the store may answer later.
    situation.store = .answered
    let before = Snapshot(of: known.facts, catalog: known.catalog, situation: situation, at: seen)
    guard let change = before.nextChange, change <= now else { return }
    let events = resets(from: before, to: Snapshot(of: known.facts, catalog: known.catalog, situation: situation, at: now))
    // Sends each event once: the next launch starts from this time.
    if !events.isEmpty, let time = clock.note() { journal.post(time) }
    self.events.send(events)
  }

  private func resets(from before: Snapshot, to after: Snapshot) -> [MonetizeEvent] {
    guard after.catalog.events != nil else { return [] }
    return after.resets(since: before).map { MonetizeEvent(.allowanceReset, at: after.date, feature: $0) }
  }

  /// Marks the current snapshot as announced. Its contents were known before the app could read an answer.
  func markAnnounced() {
    let snapshot = current(.customer).snapshot
    change { ($0.announced, $0.isAnnounced) = (snapshot, true) }
  }

  /// Applies changes of the device's zone and the app's attributes.
  func followSurroundings() {
    let (zone, attributes) = (configuration.zone(), configuration.attributes())
    change { if $0.snapshot.situation.zone != zone || $0.snapshot.situation.attributes != attributes { $0.changed() } }
  }

  // MARK: Changes over time

  /// When any answer can next change by itself: for the customer, or for a member with uses or limits, or one whose answers were read.
  var nextChange: Date? {
    let known = now
    return Set(known.members.keys).union(known.facts.members).union([.customer])
      .compactMap { current($0).snapshot.nextChange }.min()
  }

  /// Schedules a call at the next change. Watchers and durability depend on it; reads do not.
  func scheduleWake() {
    var next = nextWake
    while true {
      clock.wake(at: next) { [weak self] in self?.wakeUp() }
      // Another thread may have published, and scheduled an earlier change, between the two steps.
      let last = next
      next = nextWake
      if next == last { return }
    }
  }

  private var nextWake: Date? {
    let (snapshot, next) = change { state in
      (state.snapshot, state.members.values.reduce(state.snapshot.nextChange) { earlier($0, $1.snapshot.nextChange) })
    }
    // A window's cutoff moves all the time. Recording it once a day is enough for a relaunch.
    return snapshot.hasWindow ? earlier(next, max(clock.written, snapshot.date) + 86400) : next
  }

  private func wakeUp() {
    followSurroundings()
    let now = clock.now
    let due = self.now.members.filter { $0.value.snapshot.nextChange ?? .distantFuture <= now }.keys
    for member in due { _ = current(member) }
    // Watchers may read members as well, and the cutoff of a window has moved.
    if !due.isEmpty || self.now.snapshot.hasWindow { change { $0.watchers.yield($0.snapshot.dated(max(now, $0.snapshot.date))) } }
    announce()
    if now >= clock.written + 86400, let time = clock.note() { journal.post(time) }
    scheduleWake()
  }

  func end() { for continuation in change({ $0.watchers.end() }) { continuation.finish() } }
}

extension MonetizeConfiguration {
  fileprivate func situation(of member: Member, _ store: StoreKnowledge, _ environment: StoreEnvironment?) -> Situation {
    Situation(member: member, zone: zone(), store: store, environment: environment, account: account, attributes: attributes())
  }
}

extension CustomerState {
  /// The members that have uses or limits of their own.
  fileprivate var members: [Member] {
    usage.subjects.union(caps.values.map(\.subject)).subtracting([.customer, .everyone]).map { Member(role: .child, subject: $0) }
  }
}

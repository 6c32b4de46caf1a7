// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The facts, and the answers that follow from them. No answer that is given is older than the facts.
final class Answers: Sendable {
  /// What is behind the lock. Foreign code (kinds, allowances, observers) is never called while it is held.
  struct State: Sendable {
    /// The catalog with its overlays, which never change its features, collections and products.
    var catalog: Catalog
    /// The overlays in it.
    var overlays: [Overlay] = []
    /// The arm of each experiment that is in it.
    var arms: [ExperimentID: Experiment.Arm] = [:]
    var facts: CustomerState
    /// What is known of the store; it has not answered yet in this run at first.
    var store: StoreKnowledge
    /// The store's environment, as its last signature or answer says.
    var environment: StoreEnvironment?
    /// Counts changes of all of the above.
    fileprivate(set) var version = 0
    /// The customer's published snapshot, which is of `snapshotVersion`.
    fileprivate(set) var snapshot: Snapshot
    fileprivate var snapshotVersion = 0
    /// The features whose rows alone have changed since the snapshot; `nil` when everything may have.
    fileprivate var changedRows: Set<Int>? = []
    /// Snapshots of other members that are of this version, and when each that was asked about can change by itself.
    fileprivate var members: [Member: Snapshot] = [:]
    fileprivate var memberChanges: [Member: Date] = [:]
    /// The snapshot that was announced last, and whether that is the published one: each change is announced once.
    fileprivate var announced: Snapshot
    fileprivate var isAnnounced = true
    fileprivate var watchers = Watchers<Snapshot>()

    /// Says that something has changed: all answers, or these of the customer's and all of others.
    mutating func changed(rows: Set<Int>? = nil) {
      version += 1
      members.removeAll(keepingCapacity: true)
      if let rows { changedRows?.formUnion(rows) } else { changedRows = nil }
    }

    fileprivate func published(_ member: Member) -> Snapshot? {
      member == .customer ? (snapshotVersion == version ? snapshot : nil) : members[member]
    }
  }

  private let configuration: MonetizeConfiguration
  private let clock: BelievedClock
  private let events: EventQueue
  private let journal: Journal
  private let state: Locked<State>

  init(
    _ catalog: Catalog, _ facts: CustomerState, _ configuration: MonetizeConfiguration, _ clock: BelievedClock, _ events: EventQueue,
    _ journal: Journal
  ) {
    (self.configuration, self.clock, self.events, self.journal) = (configuration, clock, events, journal)
    let answer = facts.answer[0]
    var store = configuration.knownStore
    store.asOf = store.asOf ?? answer?.asOf
    let situation = Situation(
      zone: configuration.zone(), store: store, environment: answer?.environment, account: configuration.account,
      attributes: configuration.attributes())
    let snapshot = Snapshot(of: facts, catalog: catalog, situation: situation, at: clock.now)
    state = Locked(
      State(catalog: catalog, facts: facts, store: store, environment: answer?.environment, snapshot: snapshot, announced: snapshot))
  }

  // MARK: Asking

  /// The published answer to the plain question about a feature; `nil` when the facts are newer.
  @inline(__always)
  func answer(_ feature: Int) -> Snapshot.Answer? {
    state.withLock { $0.snapshotVersion == $0.version ? $0.snapshot.content.answers[feature] : nil }
  }

  /// The same with all that is said; `nil` as well for a window, whose cutoff moves with the moment of asking.
  @inline(__always)
  func decision(_ feature: Int) -> (decision: Decision, changesAt: Date)? {
    state.withLock { state in
      guard state.snapshotVersion == state.version else { return nil }
      let row = state.snapshot.content.rows[feature]
      return row.decision.window == nil ? (row.decision, row.changesAt) : nil
    }
  }

  /// A copy of everything: what is read from it agrees with itself.
  var now: State { state.copy }

  /// All facts.
  var facts: CustomerState { now.facts }

  /// Changes something, and says what came of it. `body` calls no foreign code, and ``State/changed(rows:)`` where answers may differ.
  func change<Result>(_ body: (inout State) -> Result) -> Result { state.withLock(body) }

  /// A snapshot that is up to date, with the version of the facts that it was made from.
  func current(_ member: Member) -> (version: Int, snapshot: Snapshot) {
    while true {
      let now = clock.now
      let known = change { state in state.published(member).map { (state.version, $0) } }
      if let known, now < known.1.nextChange ?? .distantFuture { return known }
      let made = make(member)
      if publish(made, member) {
        if member == .customer || made.snapshot.nextChange != nil { scheduleWake() }
        return (made.version, made.snapshot)
      }
    }
  }

  /// The decision about a question at this moment.
  func decision(for request: AccessRequest, by member: Member) -> (decision: Decision, snapshot: Snapshot) {
    let snapshot = current(member).snapshot
    return (snapshot.decision(for: request, at: max(snapshot.date, clock.now)), snapshot)
  }

  private struct Made {
    let version: Int
    let snapshot: Snapshot
    /// Whether only some rows were made anew.
    let isPartial: Bool
    /// Whether time has passed a change of the snapshot before.
    let hasPassed: Bool
  }

  /// A new snapshot from copies, made outside the lock because kinds and allowances are foreign code. Where only some rows have changed, only
  /// these are made anew.
  private func make(_ member: Member) -> Made {
    let (zone, attributes) = (configuration.zone(), configuration.attributes())
    let ground = now
    // After the facts were copied, none of which is then later.
    let now = clock.now
    let situation = Situation(
      member: member, zone: zone, store: ground.store, environment: ground.environment, account: configuration.account,
      attributes: attributes)
    let end = (member == .customer ? ground.snapshot.nextChange : ground.memberChanges[member]) ?? .distantFuture
    if member == .customer, let rows = ground.changedRows, ground.snapshot.situation == situation, now < end {
      let snapshot = rows.reduce(ground.snapshot) { $0.updating($1, ground.facts, at: now) }
      return Made(version: ground.version, snapshot: snapshot, isPartial: true, hasPassed: false)
    }
    let snapshot = Snapshot(of: ground.facts, catalog: ground.catalog, situation: situation, at: now)
    return Made(version: ground.version, snapshot: snapshot, isPartial: false, hasPassed: end <= now)
  }

  /// Publishes a snapshot, unless the facts have changed since it was made.
  private func publish(_ made: Made, _ member: Member) -> Bool {
    let isPublished = change { state in
      guard state.version == made.version else { return false }
      guard member == .customer else {
        state.members[member] = made.snapshot
        state.memberChanges[member] = made.snapshot.nextChange
        return true
      }
      state.snapshot = made.snapshot
      // Uses are no news of their own.
      state.isAnnounced = state.isAnnounced && made.isPartial
      if state.isAnnounced { state.announced = made.snapshot }
      (state.snapshotVersion, state.changedRows) = (made.version, [])
      // Inside the lock, so that the last one delivered is the current one.
      state.watchers.yield(made.snapshot)
      return true
    }
    // Law 7: a relaunch must not bring back what has ended.
    if isPublished, made.hasPassed, let time = clock.note() { journal.post(time) }
    return isPublished
  }

  // MARK: Telling

  /// The snapshot now and after each change, the newest only.
  func stream() -> AsyncStream<Snapshot> {
    let (stream, continuation) = AsyncStream.makeStream(of: Snapshot.self, bufferingPolicy: .bufferingNewest(1))
    _ = current(.customer)
    change { state in
      // The published one, also when it is newer than what was just made current: a later one of the same instant must not be lost.
      continuation.yield(state.snapshot)
      state.watchers.add(continuation)
    }
    return stream
  }

  /// Publishes what follows from the facts, then tells events, and that other things are allowed than before.
  func announce(_ events: [MonetizeEvent] = []) {
    _ = current(.customer)
    let change = change { state -> (Snapshot, Snapshot)? in
      if state.isAnnounced { return nil }
      defer { (state.announced, state.isAnnounced) = (state.snapshot, true) }
      return (state.announced, state.snapshot)
    }
    var events = events
    // Every item of every collection is compared: not where nobody listens.
    if let (before, after) = change, self.events.isHeard {
      var event = MonetizeEvent(.accessChanged, at: after.date)
      event.newlyAllowed = after.newlyAllowed(since: before)
      event.noLongerAllowed = before.newlyAllowed(since: after)
      if !event.newlyAllowed.isEmpty || !event.noLongerAllowed.isEmpty { events.append(event) }
    }
    self.events.tell(events)
  }

  /// What the snapshot says is no news: it was known before anybody could ask.
  func keepQuiet() {
    let snapshot = current(.customer).snapshot
    change { ($0.announced, $0.isAnnounced) = (snapshot, true) }
  }

  /// Follows the device's zone and the app's attributes.
  func followSurroundings() {
    let (zone, attributes) = (configuration.zone(), configuration.attributes())
    change { if $0.snapshot.situation.zone != zone || $0.snapshot.situation.attributes != attributes { $0.changed() } }
  }

  // MARK: Changes by themselves

  /// When any answer can next change by itself: the customer's, or that of a member who has uses or limits or was asked about.
  var nextChange: Date? {
    let known = now
    return Set(known.memberChanges.keys).union(known.facts.members).union([.customer])
      .compactMap { current($0).snapshot.nextChange }.min()
  }

  /// Asks to be woken at the next change. Reads do not depend on it; watchers and what is durable do.
  func scheduleWake() {
    let known = now
    var next = known.memberChanges.values.reduce(known.snapshot.nextChange) { earlier($0, $1) }
    // The cutoff of a window moves by itself all the time: once a day is often enough to know it after a relaunch.
    if known.snapshot.rows.contains(where: { $0.decision.window != nil }) {
      next = earlier(next, max(clock.written, known.snapshot.date) + 86400)
    }
    clock.wake(.nextChange, at: next) { [weak self] in self?.wakeUp() }
  }

  private func wakeUp() {
    followSurroundings()
    let now = clock.now
    let due = self.now.memberChanges.filter { $0.value <= now }.keys
    for member in due { _ = current(member) }
    // Who watches asks for members as well.
    if !due.isEmpty { change { $0.watchers.yield($0.snapshot) } }
    announce()
    if now >= clock.written + 86400, let time = clock.note() { journal.post(time) }
    scheduleWake()
  }

  func end() { for continuation in change({ $0.watchers.end() }) { continuation.finish() } }
}

extension CustomerState {
  /// The members that have uses or limits of their own.
  fileprivate var members: [Member] {
    usage.subjects.union(caps.values.map(\.subject)).subtracting([.customer, .everyone]).map { Member(role: .child, subject: $0) }
  }
}

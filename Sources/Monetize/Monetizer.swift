// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Answers what a customer may do, sells what opens the rest, and remembers: the one place with effects.
///
/// ```swift
/// let monetizer = Monetizer(catalog: catalog) { $0.store = .appStore; $0.storage = .file(stateURL) }
/// monetizer.allows("growthPathCollections")                                  // synchronous, safe in a view's body
/// let decision = monetizer.decision(for: "story.play", item: "forest/4")      // why, and what would open it
/// ```
///
/// It starts at once with the stored answer and asks the store behind it. All reads are synchronous, take well under a microsecond and write
/// nothing. Several monetizers in one process share nothing.
public final class Monetizer: Sendable {
  /// What the app sells.
  public let catalog: Catalog
  let configuration: Configuration
  let journal: Journal
  let core: Locked<Core>
  /// Names this run of the process: a reservation of another run has lapsed.
  let run: String

  /// Starts with what is stored, and asks the store behind it.
  public convenience init(catalog: Catalog, _ configure: (inout Configuration) -> Void = { _ in }) {
    var configuration = Configuration()
    configure(&configuration)
    self.init(catalog: catalog, configuration: configuration)
    if configuration.startsByItself { Task { [weak self] in await self?.start() } }
  }

  /// Starts with what is stored, and asks nobody yet.
  init(catalog: Catalog, configuration: Configuration) {
    self.catalog = catalog
    self.configuration = configuration
    run = configuration.makeID()
    let loaded = Journal.load(configuration.storage)
    let secure = SecureState(configuration.secureStorage, catalog: catalog)
    journal = Journal(storage: configuration.storage, second: secure?.second)
    var state = loaded.state
    secure?.exchange(with: &state, journal)
    // The processes that made these are gone, and nothing says that their work was done.
    for use in state.usage.lapsed(besides: run) {
      var released = use
      released.status = .released
      released.attempt += 1
      state.insert(.use(released))
    }
    let now = max(configuration.time.now, state.time[0]?.latest ?? .distantPast)
    let situation = Situation(zone: configuration.zone(), store: .waiting, account: configuration.account)
    core = Locked(Core(catalog: catalog, state: state, snapshot: Snapshot(of: state, catalog: catalog, situation: situation, at: now)))
    if loaded.isDamaged {
      dealWithDamage(isReadable: loaded.isReadable, except: secure?.isWhole == true ? secure?.features ?? [] : [])
    } else if let secure, !secure.isWhole, loaded.state.isEmpty {
      // Perhaps a reinstallation, and nobody can say what had been used.
      dealWithDamage(isReadable: secure.isReadable, only: secure.features)
    }
    scheduleWake()
  }

  // MARK: Asking

  /// Whether the customer may use a feature now. `false` for a feature that the catalog does not have. O(1), no allocation.
  public func allows(_ feature: FeatureID) -> Bool {
    guard let place = catalog.index.features[feature] else { return false }
    let (answer, seen) = core.withLock { ($0.answers[place], $0.latestSeen) }
    return isYet(answer.changesAt, seen) ? answer.isAllowed : snapshot.allows(feature)
  }

  /// The whole answer for a feature: why, how much is left, and what would open it.
  public func decision(for feature: FeatureID) -> Decision {
    guard let place = catalog.index.features[feature] else { return .denied(.unknownFeature) }
    let (decision, changesAt, seen) = core.withLock { ($0.decisions[place], $0.answers[place].changesAt, $0.latestSeen) }
    return isYet(changesAt, seen) && decision.window == nil ? decision : judgedDecision(for: AccessRequest(feature))
  }

  /// Whether a time is still to come. Only what can change by itself needs the clock; what is due is made anew.
  private func isYet(_ change: Date, _ seen: Date) -> Bool { change == .distantFuture || max(configuration.time.now, seen) < change }

  /// The whole answer for one item of a collection.
  public func decision(for feature: FeatureID, item: ItemPath) -> Decision {
    let (known, seen) = core.withLock { ($0.recent.answer(to: feature, item: item, version: $0.version), $0.latestSeen) }
    if let known, isYet(known.until, seen) { return known.decision }
    return judgedDecision(for: AccessRequest(feature, item: item))
  }

  /// The whole answer to a question.
  public func decision(for request: AccessRequest) -> Decision {
    if request.isPlain { return decision(for: request.feature) }
    let (known, seen) = core.withLock { ($0.recent.answer(to: request, version: $0.version), $0.latestSeen) }
    if let known, isYet(known.until, seen) { return known.decision }
    return judgedDecision(for: request)
  }

  private func judgedDecision(for request: AccessRequest) -> Decision {
    let (version, snapshot) = current(.customer)
    let decision = snapshot.decision(for: request, at: max(snapshot.date, now))
    // A window's cutoff moves with the moment of asking; all else is constant while the snapshot is.
    if decision.window == nil, request.date == nil {
      // An app's own allowance may say that the answer about one item ends earlier than what the snapshot looks at.
      let until = earlier(snapshot.nextChange, decision.validUntil) ?? .distantFuture
      core.withLock { $0.recent.keep(decision, to: request, version: version, until: until) }
    }
    return decision
  }

  /// All answers at this moment, as a value: several questions to it agree with each other.
  public var snapshot: Snapshot { current(.customer).snapshot }

  /// The snapshot now and after each change, the newest only: a slow reader skips what is no longer true.
  public var snapshots: AsyncStream<Snapshot> {
    let (stream, continuation) = AsyncStream.makeStream(of: Snapshot.self, bufferingPolicy: .bufferingNewest(1))
    _ = snapshot
    let number = core.withLock { core in
      core.nextWatcher += 1
      // The published one, also when it is newer than what was just made current: a later one of the same instant must not be lost.
      continuation.yield(core.snapshot)
      if core.work.isOver { continuation.finish() } else { core.watchers[core.nextWatcher] = continuation }
      return core.nextWatcher
    }
    continuation.onTermination = { [weak self] _ in self?.core.withLock { $0.watchers[number] = nil } }
    return stream
  }

  /// Everything that happens from now on, each event once, in order.
  public var events: AsyncStream<MonetizeEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: MonetizeEvent.self)
    let number = core.withLock { core in
      core.nextWatcher += 1
      if core.work.isOver { continuation.finish() } else { core.eventWatchers[core.nextWatcher] = continuation }
      return core.nextWatcher
    }
    continuation.onTermination = { [weak self] _ in self?.core.withLock { $0.eventWatchers[number] = nil } }
    return stream
  }
}

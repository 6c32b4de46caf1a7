// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Decides about requests, sells products and records facts. All effects on an account go through it.
///
/// ```swift
/// let monetizer = Monetizer(catalog: catalog) { $0.store = .appStore; $0.storage = .file(stateURL) }
/// monetizer.allows("growthPathCollections")                                  // synchronous, safe in a view's body
/// let decision = monetizer.decision(for: "story.play", item: "forest/4")      // why, and what would open it
/// ```
///
/// Starts immediately with the stored facts and reads the store in the background. All reads are synchronous and write nothing. Several
/// monetizers in one process share nothing.
public final class Monetizer: Sendable {
  /// The dependencies and options of a monetizer, each replaceable.
  public typealias Configuration = MonetizeConfiguration

  /// The catalog that this monetizer was made with, without overlays and arms. ``catalog`` has them.
  public let baseCatalog: Catalog
  let parts: Parts
  let passes: GatePasses
  let sync: StoreSync
  let purchases: Purchases
  let reservations: Reservations
  /// The hand-over in progress or done, and its account.
  let handOver = Locked<(account: String?, task: Task<Result<Monetizer, StorageError>, Never>)?>(nil)
  /// Writes from the start that no caller waits for.
  let writing = Locked<[Task<Void, Never>]>([])
  private let answers: Answers
  private let clock: TrustedClock

  /// Starts from stored facts, then reads the store in the background. Reads the storage on the caller's thread: a few milliseconds for
  /// years of facts (Docs/Benchmarks.md). Where that is too long, use ``load(catalog:_:)``.
  public convenience init(catalog: Catalog, _ configure: (inout Configuration) -> Void = { _ in }) {
    var configuration = Configuration()
    configure(&configuration)
    self.init(catalog, configuration)
    // Sent before anything that starts another task, such as an experiment's first exposure.
    if catalog.events != nil { parts.send(.appLaunched) }
    begin()
  }

  /// The same, with the storage read on another thread. The caller's thread is free meanwhile, for example to draw a launch screen.
  public static func load(catalog: Catalog, _ configure: @escaping @Sendable (inout Configuration) -> Void) async -> Monetizer {
    await Task.detached(priority: .userInitiated) { Monetizer(catalog: catalog, configure) }.value
  }

  /// Starts from stored facts. Does not read the store before ``begin()``.
  init(_ catalog: Catalog, _ configuration: Configuration) {
    let run = configuration.makeID()
    let stored = Stored(configuration, catalog, run: run)
    parts = Parts(catalog, configuration, run: run, stored)
    (baseCatalog, answers, clock) = (catalog, parts.answers, parts.clock)
    passes = GatePasses(clock, run: run)
    sync = StoreSync(parts)
    purchases = Purchases(parts, sync)
    reservations = Reservations(parts)
    if stored.recordsDamage { writing.set([Task { _ = await stored.journal.write([]) }]) }
    answers.scheduleWake()
    if stored.isDamaged { parts.send(.stateDamaged) }
    if catalog.events != nil, let seen = stored.facts.time[0]?.latest { answers.announceResets(since: seen) }
  }

  func begin() {
    assignArms()
    sync.intended.set { [weak self] request in Task { [weak self] in await self?.purchaseIntended(request) } }
    if parts.configuration.startsByItself { Task { [sync] in await sync.start() } }
  }

  /// Ends streams, scheduled calls and listening, when this is gone or another monetizer has taken over.
  func stop() {
    answers.end()
    parts.events.end()
    clock.wake(at: nil) {}
    sync.stop()
  }

  deinit { stop() }

  // MARK: Questions

  /// Whether the customer may use a feature now. `false` for a feature that is not in the catalog. O(1), no allocation.
  public func allows(_ feature: FeatureID) -> Bool {
    guard let index = baseCatalog.index.features[feature] else {
      parts.names.look(at: feature)
      return false
    }
    if let answer = answers.answer(index), clock.isBefore(answer.changesAt) { return answer.isAllowed }
    return snapshot.allows(feature)
  }

  /// The decision for a feature: why, how much is left, what would unlock it. O(1). Allocates only for a feature with a window.
  public func decision(for feature: FeatureID) -> Decision {
    guard let index = baseCatalog.index.features[feature] else {
      parts.names.look(at: feature)
      return .denied(.unknownFeature)
    }
    if let (decision, changesAt) = answers.decision(index), clock.isBefore(changesAt) { return decision }
    return snapshot.decision(for: feature)
  }

  /// The decision for a request. A request with an item, a level or another parameter is judged each time, in about a microsecond.
  public func decision(for request: AccessRequest) -> Decision {
    if request.isPlain { return decision(for: request.feature) }
    parts.names.look(at: request.feature)
    return snapshot.decision(for: request)
  }

  /// All answers at this moment, as a consistent value.
  public var snapshot: Snapshot { answers.current(.customer).snapshot }

  /// When an answer can next change by itself, for the customer or for a member of the family; `nil` when no such time is known.
  public var nextChange: Date? { answers.nextChange }

  /// The current snapshot, then each new one. A slow reader gets only the newest. Also yields when only answers for a member changed. Ends
  /// when the monetizer is released or has handed over.
  public var snapshots: AsyncStream<Snapshot> { answers.stream() }

  /// All events since the start and from now on, each once, in order. A reader that is slow or starts late gets the latest 1,000.
  /// ``MonetizeEvent/Name/accessChanged`` is sent only while something listens. Ends when the monetizer is released or hands over.
  public var events: AsyncStream<MonetizeEvent> { parts.events.stream() }

  /// All facts, for export and support: a copy in O(1). Its `facts` is O(n log n).
  public var state: CustomerState { answers.facts }

  // MARK: The store

  /// Starts listening to the store, delivers unfinished transactions and reads the customer's purchases. Called automatically at the start;
  /// another call does nothing.
  public func start() async { await sync.start() }

  /// Reads the customer's purchases from the store. Call it when the app comes to the foreground. Never shows a prompt. Uses an answer that
  /// began after this call; concurrent calls share one.
  /// - Returns: The error when the store failed; `nil` on success. Known facts still count after an error.
  @discardableResult
  public func refresh() async -> StoreError? { await sync.refresh() }

  /// Waits for work that no caller waits for: a scheduled read, the record of a damaged state, a change over time. For simulations, in
  /// which nothing else runs meanwhile.
  package func settled() async {
    for task in writing.copy { await task.value }
    await sync.settled()
    await written()
  }

  /// Waits until pending writes are on disk or refused. For simulations.
  package func written() async { _ = await parts.journal.write([]) }

  package var now: Date { clock.now }

  /// The number of changes that may have changed an answer. Changes by time alone do not count.
  package var version: Int { answers.version }
}

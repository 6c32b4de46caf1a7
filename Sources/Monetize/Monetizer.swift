// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Answers what a customer may do, sells what opens the rest, and remembers: the one place with effects.
///
/// ```swift
/// let monetizer = Monetizer(catalog: catalog) { $0.store = .appStore; $0.storage = .file(stateURL) }
/// monetizer.allows("growthPathCollections")                                  // synchronous, safe in a view's body
/// let decision = monetizer.decision(for: "story.play", item: "forest/4")      // why, and what would open it
/// ```
///
/// It starts at once with the stored answer and asks the store behind it. All reads are synchronous and write nothing. Several monetizers in
/// one process share nothing.
public final class Monetizer: Sendable {
  /// What a monetizer works with: everything outside of it, each replaceable.
  public typealias Configuration = MonetizeConfiguration
  /// Uses reserved for work that is under way.
  public typealias Reservation = Monetize.Reservation

  /// What the app sells.
  public let catalog: Catalog
  let effects: Effects
  /// The hand-over that was begun, and to which account.
  let handOver = Locked<(account: String?, task: Task<Result<Monetizer, StorageError>, Never>)?>(nil)
  private let answers: Answers
  private let clock: BelievedClock

  /// Starts with what is stored, and asks the store behind it.
  public convenience init(catalog: Catalog, _ configure: (inout Configuration) -> Void = { _ in }) {
    var configuration = Configuration()
    configure(&configuration)
    self.init(Effects(catalog: catalog, configuration: configuration))
  }

  init(_ effects: Effects) {
    self.effects = effects
    (catalog, answers, clock) = (effects.parts.catalog, effects.parts.answers, effects.parts.clock)
    effects.assignArms()
    if effects.parts.configuration.startsByItself { Task { [sync = effects.sync] in await sync.start() } }
  }

  deinit { effects.stop() }

  var parts: Parts { effects.parts }

  // MARK: Asking

  /// Whether the customer may use a feature now. `false` for a feature that the catalog does not have. O(1), no allocation.
  public func allows(_ feature: FeatureID) -> Bool {
    guard let index = catalog.index.features[feature] else {
      parts.names.look(at: feature)
      return false
    }
    if let answer = answers.answer(index), clock.isBefore(answer.changesAt) { return answer.isAllowed }
    return answers.current(.customer).snapshot.allows(feature)
  }

  /// The whole answer for a feature: why, how much is left, and what would open it. O(1), no allocation but for a feature with a window.
  public func decision(for feature: FeatureID) -> Decision {
    guard let index = catalog.index.features[feature] else {
      parts.names.look(at: feature)
      return .denied(.unknownFeature)
    }
    if let (decision, changesAt) = answers.decision(index), clock.isBefore(changesAt) { return decision }
    return answers.decision(for: AccessRequest(feature), by: .customer).decision
  }

  /// The whole answer for one item of a collection.
  public func decision(for feature: FeatureID, item: ItemPath) -> Decision { decision(for: AccessRequest(feature, item: item)) }

  /// The whole answer to a question. One with an item, a level or another parameter is judged anew: about a microsecond.
  public func decision(for request: AccessRequest) -> Decision {
    if request.isPlain { return decision(for: request.feature) }
    parts.names.look(at: request.feature)
    return answers.decision(for: request, by: .customer).decision
  }

  /// All answers at this moment, as a value: several questions to it agree with each other.
  public var snapshot: Snapshot { answers.current(.customer).snapshot }

  /// When an answer can next change by itself, for the customer or for a member of the family; `nil` when no such time is known.
  public var nextChange: Date? { answers.nextChange }

  /// The snapshot now and after each change, the newest only: a slow reader skips what is no longer true. Also given when only answers for a
  /// member have changed. It ends when the monetizer is gone or has handed over.
  public var snapshots: AsyncStream<Snapshot> { answers.stream() }

  /// Everything that happens from now on, each event once, in order; what has happened before is not told again. A reader who is slow keeps
  /// the latest 1,000. It ends when the monetizer is gone or has handed over.
  public var events: AsyncStream<MonetizeEvent> { parts.events.stream() }

  /// All facts, for export and support. O(n log n).
  public var state: CustomerState { answers.facts }

  // MARK: The store

  /// Begins to listen to the store, delivers what is unfinished, and asks what the customer has. Called once by itself, right after the
  /// start; calling it again does nothing.
  public func start() async { await effects.sync.start() }

  /// Asks the store what the customer has; call it when the app comes to the foreground. Never shows a prompt. The answer is one that began
  /// after this call; calls that wait for the same one share it.
  /// - Returns: why the store could not answer, or `nil` when it did. What was known before still counts.
  @discardableResult
  public func refresh() async -> StoreError? { await effects.sync.refresh() }

  /// Waits for what was begun without a caller that waits for it. For simulations, in which nothing else happens meanwhile.
  package func settled() async { await effects.settled() }

  /// Waits until what was handed to the storage is written. For simulations.
  package func written() async { await effects.written() }

  /// The time that decisions are made at.
  var now: Date { clock.now }
}

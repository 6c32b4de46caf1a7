// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// Hands over to another account: somebody signs in, or out.
  ///
  /// An account does not change under a monetizer: this gives another one of the same configuration, with the facts of the other account in a
  /// storage of its own, and the app goes on with that. This one is closed then: it no longer listens to the store, its streams end, it
  /// answers from what it has left, and denies every use with ``Reason/handedOver``.
  ///
  /// Who has which facts afterwards is said at ``HandOverPolicy``. It waits for uses, purchases and writes that are under way, and nothing new is
  /// recorded or bought meanwhile, so do not call it from the work of ``withSpending(_:item:count:key:_:)``, and settle what you reserved. The
  /// new account's facts are durable before the old one's are emptied; whoever is killed in between has them in both places, and handing over
  /// again merges them by their keys into the same. Overlays stay applied, so that nobody changes the arm of an experiment by signing in.
  /// Calling it again for the same account gives the same monetizer, and for the account that this one is for gives this one.
  /// - Parameters:
  ///   - account: Who uses the app from now on; `nil` for nobody, a guest.
  ///   - policy: What becomes of what was recorded here. Default: each keeps their own.
  ///   - storage: Where the other account's facts are kept, and nobody else's: a transfer into the storage that it empties is refused.
  ///   - secureStorage: The same for what a reinstallation does not reach. Default: nowhere, also where this monetizer has one: then the
  ///     account's credits, and its uses of features that say `survivesReinstall`, are gone with the app.
  /// - Returns: The monetizer that goes on. It asks the store by itself where this one did.
  /// - Throws: ``StorageError`` when a storage refused. This monetizer goes on as before then, and nothing is lost.
  public func handOver(
    to account: String?, policy: HandOverPolicy = .keep, storage: any StateStorage, secureStorage: (any StateStorage)? = nil
  ) async throws(StorageError) -> Monetizer {
    if account == configuration.account, !core.withLock({ $0.work.isClosed }) { return self }
    let (recipient, task) = core.withLock { core -> (String?, Task<Result<Monetizer, StorageError>, Never>) in
      if let begun = core.handOver { return (begun.account, begun.task) }
      core.work.isClosed = true
      var next = configuration
      (next.account, next.storage, next.secureStorage) = (account, storage, secureStorage)
      let task = Task { [next] in await self.handOver(with: next, policy) }
      core.handOver = (account, task)
      return (account, task)
    }
    guard recipient == account else {
      throw StorageError("Another account has taken over already. Hand over the monetizer that you got for it.")
    }
    return try await task.value.get()
  }

  private func handOver(with next: Configuration, _ policy: HandOverPolicy) async -> Result<Monetizer, StorageError> {
    _ = await core.withLock { $0.noting }?.value
    await quiet()
    let heir = Monetizer(catalog: catalog, configuration: next)
    await heir.settled()
    do throws(StorageError) { try await give(to: heir, policy) } catch {
      core.withLock { core in
        core.work.isClosed = false
        core.handOver = nil
        // What the store has said meanwhile was not listened to.
        core.owesDelivery = true
      }
      return .failure(error)
    }
    close()
    if next.startsByItself { Task { [weak heir] in await heir?.start() } }
    return .success(heir)
  }

  private func give(to heir: Monetizer, _ policy: HandOverPolicy) async throws(StorageError) {
    var state = core.withLock { $0.state }
    state.insert(timeFact())
    let overlaid = core.withLock { ($0.catalog, $0.overlays) }
    let handOver = HandOver(
      policy: policy, accounts: (configuration.account, heir.configuration.account), credits: catalog.creditProducts,
      lasting: catalog.lastingFeatures)
    let (left, taken) = handOver.between(state, heir.state)
    let refused = StorageError("The facts could not be written to the new account's storage. Nothing has changed; try again.")
    let news = heir.news(in: taken)
    guard await heir.journal.write(news) else { throw refused }
    heir.core.withLock { core in
      core.state.insert(contentsOf: news)
      (core.catalog, core.overlays) = overlaid
      core.changed()
    }
    // Nobody has been told anything yet, so that there is nothing to announce.
    let snapshot = heir.current(.customer).snapshot
    heir.core.withLock { ($0.announced, $0.isAnnounced) = (snapshot, true) }
    if policy == .transfer {
      try await empty(leaving: left, of: state, besides: heir)
    } else {
      guard await journal.write(self.news(in: left)) else { throw refused }
    }
    core.withLock { core in
      core.state = left
      core.changed()
    }
    _ = current(.customer)
  }

  private func empty(leaving left: CustomerState, of state: CustomerState, besides heir: Monetizer) async throws(StorageError) {
    let written = try heir.storedRecords()
    do throws(StorageError) { try await journal.replace(with: left.facts) } catch {
      // The second storage may have been replaced already.
      journal.hold([], forSecond: journal.second?.kept(state.facts) ?? [])
      throw error
    }
    guard try heir.storedRecords() != written else { return }
    // One storage for both: what was written there for the new account has just been taken away.
    try await journal.replace(with: state.facts)
    throw StorageError("The new account has the same storage as the old one, which a transfer empties. Give it one of its own.")
  }

  private func storedRecords() throws(StorageError) -> [[Data]] {
    [try configuration.storage.load().records, try configuration.secureStorage?.load().records ?? []]
  }

  private func news(in state: CustomerState) -> [Fact] {
    let facts = state.facts
    return core.withLock { core in facts.filter { core.state.isNews($0) } }
  }

  private func close() {
    let (listening, wakes, watchers, eventWatchers) = core.withLock { core in
      defer { (core.listening, core.wake, core.listingWake, core.watchers, core.eventWatchers) = (nil, nil, nil, [:], [:]) }
      core.work.isOver = true
      return (core.listening, [core.wake, core.listingWake], core.watchers, core.eventWatchers)
    }
    // Outside the lock: all of these call foreign code.
    listening?.stop()
    withExtendedLifetime(wakes) {}
    for watcher in watchers.values { watcher.finish() }
    for watcher in eventWatchers.values { watcher.finish() }
  }

  // MARK: Work under way

  /// What writes facts at the moment: a hand-over has to wait for it.
  struct Work: Sendable {
    /// Whether nothing new may begin.
    var isClosed = false
    /// Whether another monetizer has taken over.
    var isOver = false
    var underWay = 0
    var waiting: CheckedContinuation<Void, Never>?
  }

  /// Begins something that writes facts, unless everything has been handed over.
  /// - Parameter ends: Whether it ends something that was begun before, which is always allowed.
  func begins(ending ends: Bool = false) -> Bool {
    core.withLock { core in
      if core.work.isClosed, !ends { return false }
      core.work.underWay += 1
      return true
    }
  }

  /// Ends what was begun.
  func ends() {
    let waiting = core.withLock { core -> CheckedContinuation<Void, Never>? in
      core.work.underWay -= 1
      guard core.work.waiting != nil, isQuiet(core) else { return nil }
      defer { core.work.waiting = nil }
      return core.work.waiting
    }
    waiting?.resume()
  }

  private func isQuiet(_ core: Core) -> Bool { core.work.underWay == 0 && core.held.isEmpty }

  private func quiet() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isOver = core.withLock { core in
        if isQuiet(core) { return true }
        core.work.waiting = continuation
        return false
      }
      if isOver { continuation.resume() }
    }
  }
}

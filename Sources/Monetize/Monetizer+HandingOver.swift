// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// Hands the facts over to another account when a person signs in or out.
  ///
  /// The account of a monetizer never changes. This returns another monetizer with the same configuration and the other account's facts in
  /// a storage of its own; the app continues with that one. This one closes: it stops listening to the store, ends its streams, answers
  /// from its remaining facts, and denies every use with ``Reason/handedOver``.
  ///
  /// ``HandOverPolicy`` lists which account has which facts afterwards. The hand-over waits up to 60 seconds for uses, purchases and writes
  /// under way, and nothing new is used or bought meanwhile. Do not call it inside ``AccessControl/withSpending(_:item:count:key:_:)``, and settle
  /// every reservation first. The new account's facts are durable before the old one's are removed. If the process ends in between, both
  /// have them, and handing over again merges them by their keys. Overlays stay applied, so that signing in does not change the arm of an
  /// experiment. Calling it again for the same account returns the same monetizer; for this monetizer's own account it returns this one.
  /// - Parameters:
  ///   - account: The account that uses the app from now on; `nil` for a guest.
  ///   - policy: What happens to the facts recorded here. Default: each account keeps its own.
  ///   - heir: With `transfer`, the new subject of the customer's own uses, completions, progress and coins. A guest has no name, and an
  ///     account may have several children, so let a parent choose. Default: the customer. Other facts always belong to the account.
  ///   - storage: The storage of the other account's facts alone. A transfer into the storage that it empties is refused.
  ///   - secureStorage: Storage that survives a reinstallation, for the other account. Default: `nil`, even if this monetizer has one: the
  ///     account's credits, and its uses of features with `survivesReinstall`, are then lost with the app.
  /// - Returns: The monetizer to continue with. It reads the store by itself if this one did.
  /// - Throws: ``StorageError`` when a storage refuses, or work is under way after 60 seconds. This monetizer then continues unchanged.
  public func handOver(
    to account: String?, policy: HandOverPolicy = .keep, heir: Member = .customer, storage: any StateStorage,
    secureStorage: (any StateStorage)? = nil
  ) async throws(StorageError) -> Monetizer {
    if account == parts.configuration.account, !parts.work.isClosed { return self }
    var next = parts.configuration
    (next.account, next.storage, next.secureStorage) = (account, storage, secureStorage)
    let (recipient, task) = handOver.withLock { begun -> (String?, Task<Result<Monetizer, StorageError>, Never>) in
      if let begun { return begun }
      let task = Task { [next] () -> Result<Monetizer, StorageError> in
        do throws(StorageError) { return .success(try await self.hand(over: next, policy, heir.subject)) } catch {
          self.handOver.set(nil)
          return .failure(error)
        }
      }
      begun = (account, task)
      return (account, task)
    }
    guard recipient == account else {
      throw StorageError("Another account has already taken over. Hand over the monetizer that the first hand-over returned.")
    }
    return try await task.value.get()
  }

  /// How long a hand-over waits for work under way, in seconds.
  static let handOverPatience: TimeInterval = 60

  /// Hands the facts over to a new monetizer, while nothing else is written, and stops this one. When it fails, this one continues unchanged.
  private func hand(over next: Configuration, _ policy: HandOverPolicy, _ heir: SubjectID) async throws(StorageError) -> Monetizer {
    guard await parts.work.close(by: parts.clock, within: Self.handOverPatience) else {
      throw StorageError(
        "Uses, purchases or writes are still under way after \(Int(Self.handOverPatience)) seconds. Nothing has changed. Settle every reservation, then hand over again."
      )
    }
    for task in writing.copy { await task.value }
    // Another process may use the same storage.
    await parts.writer.catchUp()
    let other = Monetizer(baseCatalog, next)
    await other.settled()
    do throws(StorageError) { try await give(to: other.parts, policy, heir) } catch {
      parts.work.conclude(handedOver: false)
      throw error
    }
    parts.work.conclude(handedOver: true)
    stop()
    other.begin()
    return other
  }

  private func give(to theirs: Parts, _ policy: HandOverPolicy, _ heir: SubjectID) async throws(StorageError) {
    var state = parts.answers.now
    state.facts.insert(parts.clock.fact())
    let handOver = HandOver(
      policy: policy, accounts: (parts.configuration.account, theirs.configuration.account), scope: baseCatalog.factScope,
      heir: heir, guest: baseCatalog.sync?.merge[SyncPolicy.coins]?.way == .max ? parts.source : nil)
    let (left, taken) = handOver.between(state.facts, theirs.answers.facts)
    let refused = StorageError("The facts could not be written to the new account's storage. Nothing has changed; try again.")
    let news = theirs.answers.facts.news(in: taken.facts)
    guard await theirs.journal.write(news) else { throw refused }
    Self.replace(taken, in: theirs) { ($0.catalog, $0.overlays, $0.arms) = (state.catalog, state.overlays, state.arms) }
    theirs.answers.markAnnounced()
    if policy == .transfer {
      try await empty(leaving: left, of: state.facts, besides: theirs)
    } else {
      guard await parts.journal.write(parts.answers.facts.news(in: left.facts)) else { throw refused }
    }
    Self.replace(left, in: parts)
    _ = parts.answers.current(.customer)
  }

  private func empty(leaving left: CustomerState, of facts: CustomerState, besides theirs: Parts) async throws(StorageError) {
    let journal = parts.journal
    let written = try Self.records(of: theirs.configuration)
    do throws(StorageError) { try await journal.replace(with: left.facts) } catch {
      // The secure storage may have been replaced already.
      journal.hold([], forSecureCopy: journal.secureCopy?.kept(facts.facts) ?? [])
      throw error
    }
    guard try Self.records(of: theirs.configuration) != written else { return }
    // Both accounts use one storage, so the new account's facts were just removed.
    try await journal.replace(with: facts.facts)
    throw StorageError("The new account has the same storage as the old one, which a transfer empties. Use a separate storage.")
  }

  private static func records(of configuration: MonetizeConfiguration) throws(StorageError) -> [[Data]] {
    [try configuration.storage.load().records, try configuration.secureStorage?.load().records ?? []]
  }

  private static func replace(_ facts: CustomerState, in parts: Parts, _ change: (inout Answers.State) -> Void = { _ in }) {
    parts.clock.remember(facts.time[0])
    parts.answers.change { state in
      state.facts = facts
      change(&state)
      state.changed()
    }
  }
}

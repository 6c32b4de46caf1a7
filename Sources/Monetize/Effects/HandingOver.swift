// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Hands the facts of one account over to another, while nothing else is written.
struct HandingOver {
  /// For how long work that is under way is waited for, in seconds.
  static let patience: TimeInterval = 60

  let from: Effects
  let policy: HandOverPolicy
  /// Whose it becomes, where it was the customer's and is transferred.
  var heir = SubjectID.customer

  /// The effects that go on, for another configuration. These are stopped then, or go on as before when it failed.
  func hand(over next: MonetizeConfiguration) async -> Result<Effects, StorageError> {
    let parts = from.parts
    guard await parts.work.close(by: parts.configuration.time, within: Self.patience) else {
      return .failure(
        StorageError(
          "Uses, purchases or writes are still under way after \(Int(Self.patience)) seconds. Nothing has changed. Settle every reservation, then hand over again."
        ))
    }
    await from.noted()
    let heir = Effects(catalog: parts.catalog, configuration: next)
    await heir.settled()
    do throws(StorageError) { try await give(to: heir) } catch {
      parts.work.open()
      // What the store has said meanwhile was not listened to.
      await from.sync.owe()
      return .failure(error)
    }
    from.stop()
    return .success(heir)
  }

  private func give(to heir: Effects) async throws(StorageError) {
    let (parts, theirs) = (from.parts, heir.parts)
    var state = parts.answers.now
    state.facts.insert(parts.clock.fact())
    let handOver = HandOver(
      policy: policy, accounts: (parts.configuration.account, theirs.configuration.account), scope: parts.catalog.factScope,
      heir: self.heir, guest: parts.catalog.sync?.merge[SyncPolicy.coins]?.way == .max ? parts.source : nil)
    let (left, taken) = handOver.between(state.facts, theirs.answers.facts)
    let refused = StorageError("The facts could not be written to the new account's storage. Nothing has changed; try again.")
    let news = Self.news(in: taken, for: theirs)
    guard await theirs.journal.write(news) else { throw refused }
    Self.replace(taken, in: theirs) { ($0.catalog, $0.overlays, $0.arms) = (state.catalog, state.overlays, state.arms) }
    theirs.answers.keepQuiet()
    if policy == .transfer {
      try await empty(leaving: left, of: state.facts, besides: theirs)
    } else {
      guard await parts.journal.write(Self.news(in: left, for: parts)) else { throw refused }
    }
    Self.replace(left, in: parts)
    _ = parts.answers.current(.customer)
  }

  private func empty(leaving left: CustomerState, of facts: CustomerState, besides theirs: Parts) async throws(StorageError) {
    let journal = from.parts.journal
    let written = try Self.records(of: theirs.configuration)
    do throws(StorageError) { try await journal.replace(with: left.facts) } catch {
      // The second storage may have been replaced already.
      journal.hold([], forSecond: journal.second?.kept(facts.facts) ?? [])
      throw error
    }
    guard try Self.records(of: theirs.configuration) != written else { return }
    // One storage for both: what was written there for the new account has just been taken away.
    try await journal.replace(with: facts.facts)
    throw StorageError("The new account has the same storage as the old one, which a transfer empties. Give it one of its own.")
  }

  private static func records(of configuration: MonetizeConfiguration) throws(StorageError) -> [[Data]] {
    [try configuration.storage.load().records, try configuration.secureStorage?.load().records ?? []]
  }

  private static func news(in facts: CustomerState, for parts: Parts) -> [Fact] {
    let known = parts.answers.facts
    return known.news(in: facts.facts)
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

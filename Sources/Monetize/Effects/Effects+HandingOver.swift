// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Effects {
  /// How long a hand-over waits for work under way, in seconds.
  static let handOverPatience: TimeInterval = 60

  /// Hands the facts over to another account, while nothing else is written. Returns the effects for the other configuration and stops
  /// these. When it fails, these continue unchanged.
  /// - Parameter heir: The new subject of the customer's own facts when they are transferred.
  func handOver(to next: MonetizeConfiguration, policy: HandOverPolicy, heir: SubjectID) async -> Result<Effects, StorageError> {
    guard await parts.work.close(by: parts.configuration.time, within: Self.handOverPatience) else {
      return .failure(
        StorageError(
          "Uses, purchases or writes are still under way after \(Int(Self.handOverPatience)) seconds. Nothing has changed. Settle every reservation, then hand over again."
        ))
    }
    await noted()
    // Another process may use the same storage.
    await parts.writer.catchUp()
    let other = Effects(catalog: parts.catalog, configuration: next)
    await other.settled()
    do throws(StorageError) { try await give(to: other.parts, policy, heir) } catch {
      parts.work.conclude(handedOver: false)
      return .failure(error)
    }
    parts.work.conclude(handedOver: true)
    stop()
    return .success(other)
  }

  private func give(to theirs: Parts, _ policy: HandOverPolicy, _ heir: SubjectID) async throws(StorageError) {
    var state = parts.answers.now
    state.facts.insert(parts.clock.fact())
    let handOver = HandOver(
      policy: policy, accounts: (parts.configuration.account, theirs.configuration.account), scope: parts.catalog.factScope,
      heir: heir, guest: parts.catalog.sync?.merge[SyncPolicy.coins]?.way == .max ? parts.source : nil)
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

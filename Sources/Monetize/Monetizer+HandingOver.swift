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
      let task = Task { [next] in await self.hand(over: next, policy, heir.subject) }
      begun = (account, task)
      return (account, task)
    }
    guard recipient == account else {
      throw StorageError("Another account has already taken over. Hand over the monetizer that the first hand-over returned.")
    }
    return try await task.value.get()
  }

  private func hand(over next: Configuration, _ policy: HandOverPolicy, _ heir: SubjectID) async -> Result<Monetizer, StorageError> {
    let result = await effects.handOver(to: next, policy: policy, heir: heir).map { Monetizer($0) }
    if case .failure = result { handOver.set(nil) }
    return result
  }
}

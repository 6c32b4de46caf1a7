// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Monetizer {
  /// Hands over to another account: somebody signs in, or out.
  ///
  /// An account does not change under a monetizer: this gives another one of the same configuration, with the facts of the other account in a
  /// storage of its own, and the app goes on with that. This one is closed then: it no longer listens to the store, its streams end, it
  /// answers from what it has left, and denies every use with ``Reason/handedOver``.
  ///
  /// Who has which facts afterwards is said at ``HandOverPolicy``. It waits up to 60 seconds for uses, purchases and writes that are under way, and
  /// nothing new is recorded or bought meanwhile, so do not call it from the work of ``withSpending(_:item:count:key:_:)``, and settle what you
  /// reserved. The
  /// new account's facts are durable before the old one's are emptied; whoever is killed in between has them in both places, and handing over
  /// again merges them by their keys into the same. Overlays stay applied, so that nobody changes the arm of an experiment by signing in.
  /// Calling it again for the same account gives the same monetizer, and for the account that this one is for gives this one.
  /// - Parameters:
  ///   - account: Who uses the app from now on; `nil` for nobody, a guest.
  ///   - policy: What becomes of what was recorded here. Default: each keeps their own.
  ///   - heir: With `transfer`, whose the customer's own uses, completions, progress and coins become: a guest has no name, and an account may have
  ///     several children, so let a parent choose. Default: the customer's. Purchases, gifts and caps are the account's whoever it is.
  ///   - storage: Where the other account's facts are kept, and nobody else's: a transfer into the storage that it empties is refused.
  ///   - secureStorage: The same for what a reinstallation does not reach. Default: nowhere, also where this monetizer has one: then the
  ///     account's credits, and its uses of features that say `survivesReinstall`, are gone with the app.
  /// - Returns: The monetizer that goes on. It asks the store by itself where this one did.
  /// - Throws: ``StorageError`` when a storage refused, or work is still under way after 60 seconds. This monetizer goes on as before then, and nothing is lost.
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
      throw StorageError("Another account has taken over already. Hand over the monetizer that you got for it.")
    }
    return try await task.value.get()
  }

  private func hand(over next: Configuration, _ policy: HandOverPolicy, _ heir: SubjectID) async -> Result<Monetizer, StorageError> {
    let result = await HandingOver(from: effects, policy: policy, heir: heir).hand(over: next).map { Monetizer($0) }
    if case .failure = result { handOver.set(nil) }
    return result
  }
}

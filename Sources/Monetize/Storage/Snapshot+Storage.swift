// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Snapshot {
  /// The answers at one moment, from a storage, for a widget. Uses the same code as the app, waits for no lock and writes no fact.
  /// O(facts).
  /// - Parameters:
  ///   - storage: The app's storage, such as a file in their shared app group.
  ///   - catalog: The app's catalog, with the same plug-ins.
  ///   - situation: The member and the surroundings. The store's last answer comes from the storage, if absent.
  ///   - sorts: The sorts of facts that the app defines.
  ///   - now: The time of the question. A later stored time replaces it.
  /// - Throws: ``StorageError`` when the storage cannot be read or is damaged. The app then closes metered features and records the damage.
  public init(
    storedIn storage: any StateStorage, catalog: Catalog, situation: Situation = Situation(store: .waiting),
    facts sorts: FactSorts = .standard,
    at now: Date
  ) throws(StorageError) {
    let loaded = Journal.load(storage, sorts)
    guard loaded.isReadable, !loaded.isDamaged else {
      throw StorageError("The state could not be read, or is damaged. Show the free features, and let the customer open the app.")
    }
    var situation = situation
    situation.store.asOf = situation.store.asOf ?? loaded.state.answer[0]?.asOf
    situation.environment = situation.environment ?? loaded.state.answer[0]?.environment
    var state = loaded.state
    // Any other storage is used by this process alone, which may hold the reservation itself.
    if storage is any SharedStorage { state.release(in: storage, sorts, at: now) }
    self.init(of: state, catalog: catalog, situation: situation, at: max(now, state.time[0]?.latest ?? now))
  }
}

extension CustomerState {
  /// Gives back what was reserved by processes that have ended without committing it.
  /// - Parameter run: The run of this process, if it reserves anything.
  mutating func release(besides run: String = "", in storage: any StateStorage, _ sorts: FactSorts, at now: Date) {
    let lapsed = usage.lapsed(besides: run).filter { storage.hasEnded($0, at: now) }
    if lapsed.isEmpty { return }
    // Reads again, because one of these processes may have written its last record after the first read.
    let last = Journal.load(storage, sorts).state.usage
    for use in lapsed where last.use(use.key, of: use.feature, by: use.subject, in: use.environment) ?? use == use {
      insert(.use(use.released))
    }
  }
}

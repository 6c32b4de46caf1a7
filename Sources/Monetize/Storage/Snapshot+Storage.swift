// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Snapshot {
  /// What a storage says at one moment, for a widget: it asks the same code as the app, waits for no lock and writes no fact. O(facts).
  /// - Parameters:
  ///   - storage: The app's storage, such as a file in the group that both share.
  ///   - catalog: What the app sells, with the same plug-ins.
  ///   - situation: Who asks. What is known of the store is the answer that the app has written.
  ///   - sorts: The sorts of facts that the app brings.
  ///   - now: The time of the question; a later one that was seen counts in its place.
  /// - Throws: ``StorageError`` when it cannot be read, or is damaged: the app closes what is metered then, and writes that down.
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
    self.init(of: loaded.state, catalog: catalog, situation: situation, at: max(now, loaded.state.time[0]?.latest ?? now))
  }
}

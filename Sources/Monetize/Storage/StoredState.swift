// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The content of a state file, read without an app. Reading changes nothing.
package struct StoredState: Sendable {
  /// All valid facts, as stored. Seals are not checked, because their key is on the device.
  package let facts: [Fact]
  /// The records, without the codes of seals.
  package let contents: [Data]
  /// How many records carry the code of a seal.
  package let sealed: Int
  /// The parts of records that this version does not understand, or not fully. An app keeps them.
  package let foreign: [Data]
  /// The number of them without a fact that this version can read.
  package var unknown: Int { foreign.count { Journal.read([$0], sorts).facts.isEmpty } }
  private let removals: Int
  private let sorts: FactSorts
  package let damage: [StateFileContent.Damage]
  /// The length of a torn last line in bytes. An app drops it.
  package let torn: Int

  /// Reads the bytes of a file. O(bytes).
  /// - Throws: ``StorageError`` for a file of a later version.
  package init(_ bytes: [UInt8], sorts: FactSorts = .standard) throws(StorageError) {
    let content = try StateFileContent(bytes)
    self.init(content.records, sorts, content.damage, torn: bytes.count - content.validLength)
  }

  private init(_ records: [Data], _ sorts: FactSorts, _ damage: [StateFileContent.Damage] = [], torn: Int = 0) {
    let parts = records.map(SealedStorage.parts)
    contents = parts.map(\.content)
    sealed = parts.count { $0.code != nil }
    let read = Journal.read(contents, sorts)
    (facts, foreign, removals) = (read.facts, read.foreign, read.removals)
    (self.damage, self.torn, self.sorts) = (damage, torn, sorts)
  }

  /// The state of an app after it has read the file.
  package var state: CustomerState { CustomerState(Fact.forgiven(facts)) }

  /// Removes facts from the file, including those that an app has added since it was read. Running apps discard them.
  /// - Parameters:
  ///   - storage: The file, not used before.
  ///   - rest: The facts that stay.
  ///   - isRemoved: Whether a fact is removed. Decides about facts that this version does not fully understand.
  /// - Returns: The state from which facts were removed; `nil` for a sealed file, which is left as it is.
  package func remove(
    from storage: FileStorage, leaving rest: (StoredState) -> [Fact], _ isRemoved: (Fact) -> Bool
  ) throws(StorageError) -> StoredState? {
    var found: StoredState?
    try storage.change { news in
      let now = StoredState(news.records, sorts)
      guard now.sealed == 0, let packed = try? Journal.packed(rest(now)) else { return nil }
      found = now
      let foreign = now.foreign.filter { !Journal.read([$0], sorts).facts.contains(where: isRemoved) }
      return .replace(packed + foreign + Journal.removals(now.removals.next))
    }
    return found
  }
}

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

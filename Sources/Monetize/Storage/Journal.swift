// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Writes facts to a storage, in order, a group at a time: facts that arrive while one group is made durable share the next.
///
/// Facts that could not be written are kept and go first into the next group, so that a full disk loses nothing while the app runs.
///
/// Some facts also go to a second storage, which a reinstallation does not reach. What that one refuses is kept for the next group in the same
/// way; it never holds up the first.
final class Journal: Sendable {
  /// A storage for some of the facts.
  struct Second: Sendable {
    let storage: any StateStorage
    /// Whether a fact is kept there for its own sake.
    let keeps: @Sendable (Fact) -> Bool

    /// Those of a group that belong there: with the time that goes with them, and nothing when there is only a time.
    func kept(_ facts: [Fact]) -> [Fact] {
      guard facts.contains(where: keeps) else { return [] }
      return facts.filter { if case .time = $0 { true } else { keeps($0) } }
    }
  }

  private struct Waiting: Sendable {
    var facts: [Fact] = []
    var second: [Fact] = []
    var continuations: [CheckedContinuation<Bool, Never>] = []
    var isWriting = false
  }

  private let storage: any StateStorage
  // A sync blocks its thread, and the threads of Swift's pool are too few for that.
  private let queue = DispatchQueue(label: "monetize.journal")
  private let waiting = Locked(Waiting())
  let second: Second?

  init(storage: any StateStorage, second: Second? = nil) {
    self.storage = storage
    self.second = second
  }

  /// Facts on disk when this returns `true`, with all that the disk refused before; `false` when the disk refused.
  func write(_ facts: [Fact]) async -> Bool {
    if facts.isEmpty, waiting.withLock({ !$0.isWriting && $0.facts.isEmpty && $0.second.isEmpty }) { return true }
    return await withCheckedContinuation { continuation in
      let begins = waiting.withLock { waiting in
        waiting.facts += facts
        if let second { waiting.second += second.kept(facts) }
        waiting.continuations.append(continuation)
        defer { waiting.isWriting = true }
        return !waiting.isWriting
      }
      if begins { queue.async { self.writeGroups() } }
    }
  }

  /// Puts facts first in the next group, whatever that is about.
  func hold(_ facts: [Fact], forSecond second: [Fact] = []) {
    waiting.withLock { waiting in
      waiting.facts = facts + waiting.facts
      waiting.second = second + waiting.second
    }
  }

  /// Puts facts in the place of all others, in both storages; what a later version has written stays. Nobody writes meanwhile.
  func replace(with facts: [Fact]) async throws(StorageError) {
    let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, StorageError>, Never>) in
      queue.async { continuation.resume(returning: self.replaceNow(with: facts)) }
    }
    try result.get()
  }

  private func replaceNow(with facts: [Fact]) -> Result<Void, StorageError> {
    do throws(StorageError) {
      // Killed after the first of them, the next launch puts back there what the other one has: as if nothing had been replaced.
      if let second { try Self.replace(second.storage, with: second.kept(facts)) }
      try Self.replace(storage, with: facts)
      waiting.withLock { ($0.facts, $0.second) = ([], []) }
      return .success(())
    } catch { return .failure(error) }
  }

  private static func replace(_ storage: any StateStorage, with facts: [Fact]) throws(StorageError) {
    let foreign = try storage.load().records.filter { (try? JSONDecoder().decode([Fact].self, from: $0)) == nil }
    try storage.replace(with: (facts.isEmpty ? [] : [record(facts)]) + foreign)
  }

  private func writeGroups() {
    while true {
      let group = waiting.withLock { waiting -> Waiting? in
        if waiting.continuations.isEmpty {
          waiting.isWriting = false
          return nil
        }
        defer { (waiting.facts, waiting.second, waiting.continuations) = ([], [], []) }
        return waiting
      }
      guard let group else { return }
      // The second one first: whoever deletes the app in this moment does not get the use back.
      if let second, !group.second.isEmpty, (try? second.storage.append(Self.record(group.second))) == nil {
        hold([], forSecond: group.second)
      }
      let durable = group.facts.isEmpty || (try? storage.append(Self.record(group.facts))) != nil
      if !durable { waiting.withLock { $0.facts = group.facts + $0.facts } }
      for continuation in group.continuations { continuation.resume(returning: durable) }
    }
  }

  static func record(_ facts: [Fact]) throws(StorageError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return try encoder.encode(facts) } catch { throw StorageError("Facts could not be encoded: \(error)") }
  }

  /// All that a storage holds. A record that this version does not understand is from a later one: it is kept, not believed.
  static func load(_ storage: any StateStorage) -> (state: CustomerState, isDamaged: Bool, isReadable: Bool) {
    let stored: StoredRecords
    do throws(StorageError) { stored = try storage.load() } catch { return (CustomerState(), true, false) }
    var state = CustomerState()
    var foreign: [Data] = []
    var all: [Fact] = []
    let decoder = JSONDecoder()
    for record in stored.records {
      guard let facts = try? decoder.decode([Fact].self, from: record) else {
        foreign.append(record)
        continue
      }
      all += facts
    }
    state.insert(contentsOf: all)
    // A damaged file is not compacted: it is replaced with the first record, together with what that says about the damage.
    if stored.damaged == nil { compact(storage, stored.records.count, state, foreign) }
    return (state, stored.damaged != nil, true)
  }

  /// Once the file says everything several times over, a shorter one takes its place. If that fails, the long one is as good.
  private static func compact(_ storage: any StateStorage, _ records: Int, _ state: CustomerState, _ foreign: [Data]) {
    guard records > 256 else { return }
    let facts = state.facts
    guard facts.count < records / 2, let record = try? record(facts) else { return }
    try? storage.replace(with: [record] + foreign)
  }
}

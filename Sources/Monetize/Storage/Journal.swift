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
      return facts.filter { if case .time = $0.sort { true } else { keeps($0) } }
    }
  }

  /// Whose facts they are.
  struct Owner: Sendable {
    /// All that is known, for a storage that lost it.
    let facts: @Sendable () -> [Fact]
    /// The same after sums took the place of uses that are long past, here as well.
    let folded: @Sendable () -> [Fact]
    /// Takes over what other processes have written. Called while no other process writes.
    let takeOver: @Sendable ([Fact]) -> Void
    /// Tells what has changed by that.
    let tell: @Sendable () -> Void
  }

  private struct Order: Sendable {
    /// Makes the facts. Called once, while no other process writes, and after what they have written is known.
    let facts: @Sendable () -> [Fact]
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct Waiting: Sendable {
    var facts: [Fact] = []
    /// Facts that have a record of their own, whatever is written beside them: the order of records never depends on a race.
    var posted: [Fact] = []
    var second: [Fact] = []
    var orders: [Order] = []
    var isWriting = false
    /// What a later version has written.
    var foreign: [Data] = []
    /// How many records there are, and how many there may be before few take their place. None while it is not known what is stored.
    var records = 0
    var longest = Int.max
    var isLong: Bool { records > longest }
  }

  private let storage: any StateStorage
  private let sorts: FactSorts
  // A sync blocks its thread, and the threads of Swift's pool are too few for that.
  private let queue = DispatchQueue(label: "monetize.journal")
  private let waiting = Locked(Waiting())
  private let owner = Locked<Owner?>(nil)
  let second: Second?

  init(storage: any StateStorage, second: Second? = nil, sorts: FactSorts = .standard) {
    (self.storage, self.sorts) = (storage, sorts)
    self.second = second
  }

  func belong(to owner: Owner) {
    self.owner.set(owner)
    // What was long at the start is made short at once, on the queue.
    if waiting.copy.isLong { wake { _ in } }
  }

  /// Marks a run as going on, where other processes look at its reservations.
  func begin(_ run: String) -> Cancellation? { try? (storage as? any SharedStorage)?.begin(run) }

  /// Takes over what other processes have written.
  func catchUp() async { if storage is any SharedStorage { _ = await write { [] } } }

  /// Facts on disk when this returns `true`, with all that the disk refused before; `false` when the disk refused.
  func write(_ facts: [Fact]) async -> Bool {
    let isIdle = waiting.withLock { !$0.isWriting && $0.facts.isEmpty && $0.second.isEmpty && $0.posted.isEmpty }
    return facts.isEmpty && isIdle ? true : await write { facts }
  }

  /// The same for facts that follow from what is known, other processes included: none of them writes between `facts` and the disk.
  func write(_ facts: @escaping @Sendable () -> [Fact]) async -> Bool {
    await withCheckedContinuation { continuation in
      wake { $0.orders.append(Order(facts: facts, continuation: continuation)) }
    }
  }

  /// Writes facts soon, without a caller that waits for it.
  func post(_ fact: Fact) { wake { $0.posted.append(fact) } }

  private func wake(_ change: (inout Waiting) -> Void) {
    let begins = waiting.withLock { waiting in
      change(&waiting)
      defer { waiting.isWriting = true }
      return !waiting.isWriting
    }
    if begins { queue.async { self.writeGroups() } }
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
      if let second { try Self.replace(second.storage, with: second.kept(facts), sorts) }
      try Self.replace(storage, with: facts, sorts)
      waiting.withLock { ($0.facts, $0.second) = ([], []) }
      return .success(())
    } catch { return .failure(error) }
  }

  private static func replace(_ storage: any StateStorage, with facts: [Fact], _ sorts: FactSorts) throws(StorageError) {
    let foreign = try read(storage.load().records, sorts).foreign
    try storage.replace(with: (facts.isEmpty ? [] : packed(facts)) + foreign)
  }

  private func writeGroups() {
    var isRefused = false
    if waiting.copy.isLong { compactNow() }
    while true {
      let group = waiting.withLock { waiting -> Waiting? in
        // What the disk refused waits for the next fact.
        if waiting.orders.isEmpty, waiting.posted.isEmpty || isRefused {
          waiting.isWriting = false
          return nil
        }
        guard waiting.posted.isEmpty else { return Waiting(posted: [waiting.posted.removeFirst()]) }
        defer { (waiting.facts, waiting.second, waiting.orders) = ([], [], []) }
        return waiting
      }
      guard let group else { return }
      isRefused = !write(group)
      for order in group.orders { order.continuation.resume(returning: !isRefused) }
      if !isRefused, waiting.copy.isLong { compactNow() }
    }
  }

  private func write(_ group: Waiting) -> Bool {
    var made: [Fact]?
    var isWritten = true
    var isNews = false
    do throws(StorageError) {
      try storage.changing { news in
        isNews = takeOver(news)
        let facts = make(group)
        made = facts
        if facts.isEmpty, !news.isLost { return nil }
        let everything = news.isLost ? owner.copy?.facts() ?? [] : []
        guard let record = try? Self.record(everything + facts) else {
          isWritten = false
          return nil
        }
        if !news.isLost { return .append(record) }
        return .replace([record] + waiting.copy.foreign)
      }
      if isWritten, made?.isEmpty == false { waiting.withLock { $0.records += 1 } }
    } catch { isWritten = false }
    // Where the storage could not be used at all, nothing is known of other processes.
    let facts = made ?? make(group)
    if !isWritten { hold(facts) }
    if isNews { owner.copy?.tell() }
    return isWritten
  }

  private func takeOver(_ news: StorageNews) -> Bool {
    if news.records.isEmpty { return false }
    let read = Self.read(news.records, sorts)
    waiting.withLock { waiting in
      if news.isLost { (waiting.foreign, waiting.records) = ([], 0) }
      waiting.foreign += read.foreign.filter { !waiting.foreign.contains($0) }
      waiting.records += news.records.count
    }
    owner.copy?.takeOver(read.facts)
    return true
  }

  // MARK: Few records in the place of many

  /// Says what is stored, so that a long file can be made short. A damaged one is not: it is replaced with the first record, together with what
  /// that says about the damage.
  func begin(with loaded: Loaded) {
    waiting.withLock { waiting in
      (waiting.foreign, waiting.records) = (loaded.foreign, loaded.records)
      if !loaded.isDamaged { waiting.longest = Self.longest(loaded.facts) }
    }
  }

  /// A file is written anew seldom enough that this costs each record no more than writing it did.
  private static func longest(_ facts: Int) -> Int { 256 + facts / 8 }

  /// Puts few records in the place of many that say the same. If that fails, the long file is as good.
  private func compactNow() {
    guard let owner = owner.copy else { return }
    var count = 0
    var records: [Data] = []
    try? storage.changing { news in
      _ = takeOver(news)
      let facts = owner.folded()
      count = facts.count
      guard let packed = try? Self.packed(facts) else { return nil }
      if let second, case let kept = second.kept(facts), !kept.isEmpty { try? Self.replace(second.storage, with: kept, sorts) }
      records = packed + waiting.copy.foreign
      return .replace(records)
    }
    waiting.withLock { ($0.records, $0.longest) = (records.count, Self.longest(count)) }
  }

  /// The facts of a group. Those of the second storage go there at once, before the first: whoever deletes the app in this moment does not get
  /// the use back.
  private func make(_ group: Waiting) -> [Fact] {
    var (facts, lasting) = (group.posted + group.facts, group.second)
    for order in group.orders {
      let made = order.facts()
      facts += made
      if let second { lasting += second.kept(made) }
    }
    if let second, !lasting.isEmpty, (try? second.storage.append(Self.record(lasting))) == nil { hold([], forSecond: lasting) }
    return facts
  }

  /// Whether a fact could be read at the next start. One that cannot be encoded would keep others from being written.
  func canRead(_ fact: Fact) -> Bool {
    guard let record = try? Self.record([fact]) else { return false }
    return Self.read([record], sorts).foreign.isEmpty
  }

  /// The fact as it can be read back: without a price that no currency has, such as one in `usd`; `nil` when it cannot be.
  func readable(_ fact: Fact) -> Fact? {
    if canRead(fact) { return fact }
    guard case .transaction(var transaction) = fact.sort, transaction.price != nil else { return nil }
    transaction.price = nil
    return canRead(.transaction(transaction)) ? .transaction(transaction) : nil
  }
}

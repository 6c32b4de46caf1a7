// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Writes facts to a storage in order, in groups: facts that arrive while one group is being written share the next.
///
/// A write that finds no other under way happens on its caller's thread, unless that is the main thread. Later ones wait without a thread,
/// and a task writes them. So at most one thread of Swift's pool waits for the disk for each journal.
///
/// Facts that could not be written are kept and go first into the next group, so that a full disk loses nothing while the app runs.
///
/// Some facts also go to a second storage, which survives a reinstallation. Facts that it refuses are kept for the next group in the same
/// way. It never delays the first storage.
final class Journal: Sendable {
  struct SecureCopy: Sendable {
    let storage: any StateStorage
    /// Whether a fact is kept in this storage.
    let keeps: @Sendable (Fact) -> Bool

    /// The facts of a group that belong in this storage, with the time written along with them. Empty when there is only a time.
    func kept(_ facts: [Fact]) -> [Fact] {
      guard facts.contains(where: keeps) else { return [] }
      return facts.filter { $0.isTime || keeps($0) }
    }
  }

  /// The owner of the facts. It may be gone while its last facts are written. Its facts are then unknown, and the stored facts stay.
  struct Owner: Sendable {
    /// All known facts, for a storage that lost them; `nil` when the owner is gone.
    let facts: @Sendable () -> [Fact]?
    /// The state of all known facts: a copy in O(1). `nil` when the owner is gone.
    let state: @Sendable () -> CustomerState?
    /// All known facts, after replacing uses that are long past with sums, in memory as well; `nil` when the owner is gone.
    let folded: @Sendable () -> [Fact]?
    /// Adopts facts that other processes have written, in place of all known ones if `isAll`. Called while no other process writes.
    let takeOver: @Sendable (_ facts: [Fact], _ isAll: Bool) -> Void
    let announce: @Sendable () -> Void
  }

  private struct WriteRequest: Sendable {
    /// Makes the facts. Called once, while no other process writes, and after adopting the facts of other processes.
    let facts: @Sendable () -> [Fact]
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct Posted: Sendable {
    let fact: Fact
    /// The facts known before it. Facts that are added later have a write of their own.
    let known: CustomerState?
  }

  private struct Waiting: Sendable {
    var facts: [Fact] = []
    /// Facts that get a record of their own, so that the records never depend on a race.
    var posted: [Posted] = []
    var lasting: [Fact] = []
    var requests: [WriteRequest] = []
    var isWriting = false
    var foreign: [Data] = []
    /// How often facts were removed from the storage.
    var removals = 0
    /// The number of records, and the number above which the file is compacted. No limit until the stored content is known.
    var records = 0
    var longest = Int.max
    /// The limit from the next write on, which replaces a damaged file.
    var nextLongest = Int.max
    var isLong: Bool { records > longest }
    var others: [Data] { foreign + Journal.removals(removals) }
  }

  // Used by this journal alone, so that no other reader takes records that this one has not adopted.
  let storage: any StateStorage
  let sorts: FactSorts
  private let waiting = Locked(Waiting())
  private let owner = Locked<Owner?>(nil)
  let secureCopy: SecureCopy?

  init(storage: any StateStorage, secureCopy: SecureCopy? = nil, sorts: FactSorts = .standard) {
    (self.storage, self.sorts, self.secureCopy) = (storage.forReader, sorts, secureCopy)
  }

  private func change<Result>(_ body: (inout Waiting) -> Result) -> Result { waiting.withLock(body) }

  func belong(to owner: Owner) {
    self.owner.set(owner)
    // Compacts a file that is too long at launch.
    if waiting.copy.isLong { writeSoon() }
  }

  /// Marks a run as active for other processes, which look at its reservations.
  func begin(_ run: String) throws(StorageError) -> Cancellation? { try (storage as? any SharedStorage)?.begin(run) }

  func catchUp() async { if storage is any SharedStorage { _ = await write { [] } } }

  /// Writes facts. Returns `true` when they are on disk, together with all facts that the disk refused before, and `false` when the disk
  /// refused them.
  func write(_ facts: [Fact]) async -> Bool {
    let isIdle = change { !$0.isWriting && $0.facts.isEmpty && $0.lasting.isEmpty && $0.posted.isEmpty }
    return facts.isEmpty && isIdle ? true : await write { facts }
  }

  /// Writes facts that depend on all known facts, including those of other processes. No other process writes between the call of `facts`
  /// and the write.
  @concurrent
  func write(_ facts: @escaping @Sendable () -> [Fact]) async -> Bool {
    await withCheckedContinuation { continuation in
      if begins({ $0.requests.append(WriteRequest(facts: facts, continuation: continuation)) }) { writeGroups(isTask: false) }
    }
  }

  /// Writes a fact soon, without waiting.
  func post(_ fact: Fact) {
    let posted = Posted(fact: fact, known: owner.copy?.state())
    writeSoon { $0.posted.append(posted) }
  }

  private func writeSoon(_ add: (inout Waiting) -> Void = { _ in }) {
    if begins(add) { Task(priority: .userInitiated) { writeGroups(isTask: true) } }
  }

  /// Whether no write was under way. The caller then has to write.
  private func begins(_ add: (inout Waiting) -> Void = { _ in }) -> Bool {
    change { waiting in
      add(&waiting)
      defer { waiting.isWriting = true }
      return !waiting.isWriting
    }
  }

  /// Puts facts first in the next group.
  func hold(_ facts: [Fact], forSecureCopy lasting: [Fact] = []) {
    change { waiting in
      waiting.facts = facts + waiting.facts
      waiting.lasting = lasting + waiting.lasting
    }
  }

  /// Removes all facts but these from both storages. Other processes discard them as well. Parts of records from a later version stay.
  /// Called while nothing else writes here.
  @concurrent
  func replace(with facts: [Fact]) async throws(StorageError) {
    while !begins() { _ = await write { [] } }
    defer { writeGroups(isTask: false) }
    try replaceNow(with: facts).get()
  }

  private func replaceNow(with facts: [Fact]) -> Result<Void, StorageError> {
    var failure: StorageError?
    var next = waiting.copy
    next.removals = next.removals.next
    do throws(StorageError) {
      try storage.changing { news in
        hold(takeOver(news)?.facts ?? [])
        do throws(StorageError) {
          if !news.records.isEmpty { throw Self.interference }
          let records = try Self.packed(facts)
          // If the process ends between the two steps, the next launch restores the second storage from the first, as if nothing had been
          // replaced.
          if let secureCopy { try Self.replace(secureCopy.storage, with: secureCopy.kept(facts), sorts) }
          return .replace(records + next.others)
        } catch { failure = error }
        return nil
      }
      if let failure { throw failure }
      change { ($0.facts, $0.lasting, $0.removals) = ([], [], next.removals) }
      return .success(())
    } catch { return .failure(error) }
  }

  private static let interference = StorageError(
    "Another process wrote to the storage meanwhile, or both accounts have the same storage. Nothing was removed; try again with a separate storage."
  )

  private static func replace(_ storage: any StateStorage, with facts: [Fact], _ sorts: FactSorts) throws(StorageError) {
    let foreign = try read(storage.load().records, sorts).foreign
    try storage.replace(with: packed(facts) + foreign)
  }

  /// Writes what waits, group by group. On the thread of the caller of a request, ends with the first group that has a request.
  private func writeGroups(isTask: Bool) {
    var isRefused = false
    while true {
      if isTask, !isRefused, waiting.copy.isLong { compactNow() }
      guard let group = nextGroup(isRefused) else { return }
      isRefused = !write(group)
      for request in group.requests { request.continuation.resume(returning: !isRefused) }
      if !isTask, !group.requests.isEmpty { return leaveToTask(isRefused) }
    }
  }

  /// Takes the next group; ends writing when there is none. Facts that the disk refused are written with the next fact.
  private func nextGroup(_ isRefused: Bool) -> Waiting? {
    change { waiting in
      if waiting.requests.isEmpty, waiting.posted.isEmpty || isRefused {
        waiting.isWriting = false
        return nil
      }
      guard waiting.posted.isEmpty else { return Waiting(posted: [waiting.posted.removeFirst()]) }
      defer { (waiting.facts, waiting.lasting, waiting.requests) = ([], [], []) }
      return waiting
    }
  }

  /// Ends writing on a caller's thread. A task writes what still waits.
  private func leaveToTask(_ isRefused: Bool) {
    let isMore = change { waiting in
      waiting.isWriting = !waiting.requests.isEmpty || !isRefused && (!waiting.posted.isEmpty || waiting.isLong)
      return waiting.isWriting
    }
    if isMore { Task(priority: .userInitiated) { writeGroups(isTask: true) } }
  }

  private func write(_ group: Waiting) -> Bool {
    var made: [Fact]?
    var isWritten = true
    var isNews = false
    do throws(StorageError) {
      try storage.changing { news in
        isNews = !news.records.isEmpty
        let missing = takeOver(news, before: group.posted.first?.known)
        let facts = make(group)
        made = facts
        guard let missing else {
          isWritten = false
          return nil
        }
        if missing.isForgotten { owner.copy?.takeOver(facts, false) }
        if facts.isEmpty, missing.isEmpty, !news.isLost { return nil }
        // What the group adds to the known facts is missing as well.
        let included = Set(missing.facts)
        guard let record = try? Self.record(missing.facts + facts.filter { !included.contains($0) }) else {
          isWritten = false
          return nil
        }
        if news.isLost { return .replace([record] + missing.foreign) }
        return missing.foreign.isEmpty ? .append(record) : .replace(news.records + [record] + missing.foreign)
      }
      if isWritten, made?.isEmpty == false { change { ($0.records, $0.longest) = ($0.records + 1, $0.nextLongest) } }
    } catch { isWritten = false }
    // The storage could not be used at all, so nothing is known about other processes.
    let facts = made ?? make(group)
    if !isWritten { hold(facts) }
    if isNews { owner.copy?.announce() }
    return isWritten
  }

  /// Known facts that the storage no longer has.
  private struct Missing {
    var facts: [Fact] = []
    var foreign: [Data] = []
    /// Whether another process has removed facts, so that the facts held here were discarded.
    var isForgotten = false
    var isEmpty: Bool { facts.isEmpty && foreign.isEmpty }
  }

  /// Adopts what other processes wrote. Returns the known facts that are no longer stored; `nil` when the stored records are to be replaced
  /// and the owner is gone.
  /// - Parameter earlier: The state whose facts are looked for in the storage; `nil` for all.
  private func takeOver(_ news: StorageNews, before earlier: CustomerState? = nil) -> Missing? {
    if news.records.isEmpty, !news.isWhole { return Missing() }
    let read = Self.read(news.records, sorts)
    let isForgotten = read.removals > waiting.copy.removals
    if isForgotten { change { $0.foreign = [] } }
    let before = waiting.copy
    let now = change { waiting in
      if news.isWhole { waiting.records = 0 }
      waiting.records += news.records.count
      waiting.foreign += read.foreign.filter { !before.foreign.contains($0) }
      waiting.removals = max(before.removals, read.removals)
      return waiting
    }
    if !news.records.isEmpty { owner.copy?.takeOver(read.facts, isForgotten) }
    guard news.isWhole else { return Missing(isForgotten: isForgotten) }
    let owned = owner.copy.map { $0.facts() } ?? []
    if news.isLost, owned == nil { return nil }
    let later = earlier.map { Set($0.news(in: owned ?? [])) } ?? []
    let known = (owned ?? []).filter { !later.contains($0) }
    if news.isLost { return Missing(facts: known, foreign: now.others, isForgotten: isForgotten) }
    // Sums of another process's compaction include the uses that are known here.
    return Missing(
      facts: CustomerState(Fact.forgiven(read.facts)).news(in: known),
      foreign: before.foreign.filter { !read.foreign.contains($0) } + (now.removals > read.removals ? Self.removals(now.removals) : []),
      isForgotten: isForgotten)
  }

  // MARK: Compacting

  /// Sets the stored content, so that a long file can be compacted. A damaged file is not compacted: it is replaced with the first record,
  /// which includes the record of the damage.
  func begin(with loaded: Loaded) {
    change { waiting in
      (waiting.foreign, waiting.removals, waiting.records) = (loaded.foreign, loaded.removals, loaded.records)
      waiting.nextLongest = Self.longest(loaded.facts, loaded.foreign.count)
      if !loaded.isDamaged { waiting.longest = waiting.nextLongest }
    }
  }

  /// The number of records above which the file is compacted, so that compacting costs no more per record than writing did.
  private static func longest(_ facts: Int, _ foreign: Int) -> Int { 256 + facts / 8 + foreign }

  /// Replaces many records with few equivalent ones. On failure the long file stays, which is equally valid.
  private func compactNow() {
    guard let owner = owner.copy else { return }
    var count = 0
    var records: [Data] = []
    try? storage.changing { news in
      _ = takeOver(news)
      guard let facts = owner.folded(), let packed = try? Self.packed(facts) else { return nil }
      count = facts.count
      if let secureCopy, case let kept = secureCopy.kept(facts), !kept.isEmpty { try? Self.replace(secureCopy.storage, with: kept, sorts) }
      records = packed + waiting.copy.others
      return .replace(records)
    }
    change {
      $0.nextLongest = Self.longest(count, $0.foreign.count)
      ($0.records, $0.longest) = (records.count, $0.nextLongest)
    }
  }

  /// Makes the facts of a group. Facts of the second storage are written there first, so that deleting the app at this moment does not give
  /// a use back.
  private func make(_ group: Waiting) -> [Fact] {
    var (facts, lasting) = (group.posted.map(\.fact) + group.facts, group.lasting)
    for request in group.requests {
      let made = request.facts()
      facts += made
      if let secureCopy { lasting += secureCopy.kept(made) }
    }
    if let secureCopy, !lasting.isEmpty, (try? secureCopy.storage.append(Self.record(lasting))) == nil { hold([], forSecureCopy: lasting) }
    return facts
  }

  /// Whether a fact can be read at the next launch. A fact that cannot be encoded would keep others from being written.
  func canRead(_ fact: Fact) -> Bool {
    guard let record = try? Self.record([fact]) else { return false }
    return Self.read([record], sorts).foreign.isEmpty
  }

  /// The fact as it can be read back: without a price in an invalid currency such as `usd`. `nil` when it cannot be read back.
  func readable(_ fact: Fact) -> Fact? {
    if canRead(fact) { return fact }
    guard case .transaction(var transaction) = fact.sort, transaction.price != nil else { return nil }
    transaction.price = nil
    return canRead(.transaction(transaction)) ? .transaction(transaction) : nil
  }
}

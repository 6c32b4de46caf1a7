// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import MonetizeJSON

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

  func belong(to owner: Owner) { self.owner.set(owner) }

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
    let decoder = Self.decoder(sorts)
    do throws(StorageError) {
      // Killed after the first of them, the next launch puts back there what the other one has: as if nothing had been replaced.
      if let second { try Self.replace(second.storage, with: second.kept(facts), decoder) }
      try Self.replace(storage, with: facts, decoder)
      waiting.withLock { ($0.facts, $0.second) = ([], []) }
      return .success(())
    } catch { return .failure(error) }
  }

  private static func replace(_ storage: any StateStorage, with facts: [Fact], _ decoder: JSONDecoder) throws(StorageError) {
    let foreign = try storage.load().records.compactMap { Self.read($0, decoder).foreign }
    try storage.replace(with: (facts.isEmpty ? [] : [record(facts)]) + foreign)
  }

  private func writeGroups() {
    var isRefused = false
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
    }
  }

  private func write(_ group: Waiting) -> Bool {
    var made: [Fact]?
    var isWritten = true
    var isNews = false
    do throws(StorageError) {
      try storage.changing { news in
        isNews = takeOver(news.records)
        let facts = make(group)
        made = facts
        if facts.isEmpty, !news.isLost { return nil }
        let everything = news.isLost ? owner.copy?.facts() ?? [] : []
        guard let record = try? Self.record(everything + facts) else {
          isWritten = false
          return nil
        }
        return news.isLost ? .replace([record] + news.records.compactMap { Self.read($0, Self.decoder(sorts)).foreign }) : .append(record)
      }
    } catch { isWritten = false }
    // Where the storage could not be used at all, nothing is known of other processes.
    let facts = made ?? make(group)
    if !isWritten { hold(facts) }
    if isNews { owner.copy?.tell() }
    return isWritten
  }

  private func takeOver(_ records: [Data]) -> Bool {
    if records.isEmpty { return false }
    let decoder = Self.decoder(sorts)
    owner.copy?.takeOver(records.flatMap { Self.read($0, decoder).facts })
    return true
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

  private static func decoder(_ sorts: FactSorts) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.userInfo[.factSorts] = sorts
    return decoder
  }

  static func record(_ facts: [Fact]) throws(StorageError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return try encoder.encode(facts) } catch { throw StorageError("Facts could not be encoded: \(error)") }
  }

  /// All that a storage holds. A record that this version does not understand is from a later one: it is kept, not believed.
  static func load(_ storage: any StateStorage, _ sorts: FactSorts = .standard) -> (
    state: CustomerState, isDamaged: Bool, isReadable: Bool, shorter: [Data]?
  ) {
    let stored: StoredRecords
    do throws(StorageError) { stored = try storage.load() } catch { return (CustomerState(), true, false, nil) }
    var state = CustomerState()
    var foreign: [Data] = []
    var all: [Fact] = []
    let decoder = decoder(sorts)
    for record in stored.records {
      let read = read(record, decoder)
      all += read.facts
      if let rest = read.foreign { foreign.append(rest) }
    }
    state.insert(contentsOf: Fact.forgiven(all))
    // A damaged file is not compacted: it is replaced with the first record, together with what that says about the damage.
    let shorter = stored.damaged == nil ? shorter(than: stored.records.count, state, foreign) : nil
    return (state, stored.damaged != nil, true, shorter)
  }

  /// The facts of a record, and a record of what this version does not understand of it: one fact takes no other with it.
  private static func read(_ record: Data, _ decoder: JSONDecoder) -> (facts: [Fact], foreign: Data?) {
    if let facts = try? decoder.decode([Fact].self, from: record) { return (facts, nil) }
    guard let document = try? JSONDocument(parsing: [UInt8](record)), document.root.kind == .array else { return ([], record) }
    var (facts, foreign) = ([Fact](), [String]())
    for element in document.root.elements {
      let text = element.text()
      if let fact = try? decoder.decode(Fact.self, from: Data(text.utf8)) { facts.append(fact) } else { foreign.append(text) }
    }
    return (facts, foreign.isEmpty ? nil : Data("[\(foreign.joined(separator: ","))]".utf8))
  }

  /// Once the file says everything several times over, a shorter one can take its place.
  private static func shorter(than records: Int, _ state: CustomerState, _ foreign: [Data]) -> [Data]? {
    guard records > 256 else { return nil }
    let facts = state.facts
    guard facts.count < records / 2, let record = try? record(facts) else { return nil }
    return [record] + foreign
  }

  /// Puts records in the place of those that say the same, before anything else is written. If that fails, the long file is as good.
  func compact(to records: [Data]) { queue.async { try? self.storage.replace(with: records) } }

  /// Whether a fact could be read at the next start. One that cannot be encoded would keep others from being written.
  func canRead(_ fact: Fact) -> Bool {
    guard let record = try? Self.record([fact]) else { return false }
    return (try? Self.decoder(sorts).decode([Fact].self, from: record)) != nil
  }

  /// The fact as it can be read back: without a price that no currency has, such as one in `usd`; `nil` when it cannot be.
  func readable(_ fact: Fact) -> Fact? {
    if canRead(fact) { return fact }
    guard case .transaction(var transaction) = fact.sort, transaction.price != nil else { return nil }
    transaction.price = nil
    return canRead(.transaction(transaction)) ? .transaction(transaction) : nil
  }
}

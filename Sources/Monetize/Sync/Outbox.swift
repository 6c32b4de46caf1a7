// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A record that has not been sent.
public struct QueuedRecord: Sendable, Hashable {
  /// The record.
  public let record: SyncRecord
  /// The reason why the other side refused it; `nil` when it has not. A refused record is kept and does not delay others.
  public internal(set) var refusal: String?
}

/// The records to send, in the order of their creation, and the facts that the other side already has. Read from a storage, and written to
/// it with each change. Records lost by the storage are sent and fetched again, which changes nothing.
struct Outbox: Sendable {
  private struct Note: Codable {
    var queued: [SyncRecord]?
    var sent: [String]?
    var refused: [String: String]?
    var received: [Fact]?
    var later: [SyncRecord]?
    var cursor: String?
  }

  private(set) var queue: [QueuedRecord] = []
  /// Received records that were refused or could not be understood yet.
  private(set) var later: [SyncRecord] = []
  private(set) var cursor: String?
  /// The facts that were sent, received or queued.
  private var exchanged = CustomerState()
  /// The facts that the other side has, which may not be stored here yet.
  private var expected: [Fact] = []
  private let storage: any StateStorage
  private let sorts: FactSorts

  /// Continues from a storage. One that cannot be read counts as empty.
  init(_ storage: any StateStorage, _ sorts: FactSorts) {
    (self.storage, self.sorts) = (storage, sorts)
    let decoder = sorts.decoder
    let records = (try? storage.load())?.records ?? []
    for record in records {
      if let note = try? decoder.decode(Note.self, from: record) { apply(note) }
    }
    if records.count > 64 { compact() }
  }

  private func compact() {
    let refused = queue.compactMap { entry in entry.refusal.map { (entry.record.id, $0) } }
    let all = Note(
      queued: queue.map(\.record), refused: Dictionary(refused) { first, _ in first }, received: exchanged.facts, later: later,
      cursor: cursor)
    if let record = try? JSONEncoder().encode(all) { try? storage.replace(with: [record]) }
  }

  private mutating func apply(_ note: Note) {
    for record in note.queued ?? [] {
      queue.append(QueuedRecord(record: record))
      if let fact = record.fact(sorts) { exchanged.insert(fact) }
    }
    let sent = Set(note.sent ?? [])
    if !sent.isEmpty { queue.removeAll { sent.contains($0.record.id) } }
    for index in queue.indices { queue[index].refusal = note.refused?[queue[index].record.id] ?? queue[index].refusal }
    exchanged.insert(contentsOf: note.received ?? [])
    later = note.later ?? later
    cursor = note.cursor ?? cursor
  }

  private mutating func write(_ note: Note) {
    let before = exchanged.removedChildren
    apply(note)
    guard before == exchanged.removedChildren else {
      func isGone(_ record: SyncRecord) -> Bool {
        guard let fact = record.fact(sorts) else { return false }
        if case .child(let child) = fact.sort { return exchanged.children[child.id].map { $0 != child && $0.isRemoved } ?? false }
        return exchanged.isOfRemoved(fact)
      }
      queue = queue.filter { !isGone($0.record) }
      later = later.filter { !isGone($0) }
      return compact()
    }
    if let record = try? JSONEncoder().encode(note) { try? storage.append(record) }
  }

  /// Queues facts that were neither sent nor received. O(n) in all facts.
  /// - Returns: Whether there were any.
  mutating func add(_ facts: [Fact], at now: Date) -> Bool {
    var known = exchanged
    known.insert(contentsOf: expected)
    let news = known.news(in: facts).compactMap { SyncRecord($0, at: now) }
    if !news.isEmpty { write(Note(queued: news)) }
    return !news.isEmpty
  }

  func batch(_ most: Int) -> [SyncRecord] { queue.lazy.filter { $0.refusal == nil }.prefix(most).map(\.record) }

  /// Marks records as received by the other side, except for the refused ones.
  mutating func settle(_ records: [SyncRecord], refused: [String: String]) {
    let ids = records.map(\.id)
    write(Note(sent: ids.filter { refused[$0] == nil }, refused: refused.filter { ids.contains($0.key) }))
  }

  /// Allows refused records to be sent again.
  mutating func allowAgain() {
    for index in queue.indices { queue[index].refusal = nil }
  }

  /// Notes facts that the other side has sent, before they are merged here.
  mutating func expect(_ facts: [Fact]) { expected += facts }

  /// Marks facts as received here, and all pages before the cursor as fetched.
  mutating func receive(_ facts: [Fact], later: [SyncRecord], cursor: String?) {
    let facts = exchanged.news(in: facts)
    expected = []
    if facts.isEmpty, later == self.later, cursor == self.cursor { return }
    write(Note(received: facts, later: later, cursor: cursor))
  }
}

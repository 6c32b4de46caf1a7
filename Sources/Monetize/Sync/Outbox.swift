// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A record that waits to be sent.
public struct QueuedRecord: Sendable, Hashable {
  /// What is sent.
  public let record: SyncRecord
  /// Why the other side refused it; `nil` while nobody has. It is kept, and holds up no other.
  public internal(set) var refusal: String?
}

/// What waits to be sent, in the order in which it was made, and what the other side has already: read from a storage, and written to it with
/// each change. What the storage loses is sent and fetched again, which changes nothing.
struct Outbox: Sendable {
  /// One change, as it is written.
  private struct Note: Codable {
    var queued: [SyncRecord]?
    var sent: [String]?
    var refused: [String: String]?
    var heard: [Fact]?
    var later: [SyncRecord]?
    var cursor: String?
  }

  private(set) var queue: [QueuedRecord] = []
  /// What was received and could not be believed or understood yet.
  private(set) var later: [SyncRecord] = []
  /// Where the next page begins.
  private(set) var cursor: String?
  /// What was sent, received, or waits in the queue.
  private var said = CustomerState()
  private let storage: any StateStorage
  private let sorts: FactSorts

  /// Goes on where the storage is. One that cannot be read counts as empty.
  init(_ storage: any StateStorage, _ sorts: FactSorts) {
    (self.storage, self.sorts) = (storage, sorts)
    let decoder = JSONDecoder()
    decoder.userInfo[.factSorts] = sorts
    let records = (try? storage.load())?.records ?? []
    for record in records {
      if let note = try? decoder.decode(Note.self, from: record) { apply(note) }
    }
    guard records.count > 64 else { return }
    let refused = queue.compactMap { entry in entry.refusal.map { (entry.record.id, $0) } }
    let all = Note(
      queued: queue.map(\.record), refused: Dictionary(refused) { first, _ in first }, heard: said.facts, later: later, cursor: cursor)
    if let record = try? JSONEncoder().encode(all) { try? storage.replace(with: [record]) }
  }

  private mutating func apply(_ note: Note) {
    for record in note.queued ?? [] {
      queue.append(QueuedRecord(record: record))
      if let fact = record.fact(sorts) { said.insert(fact) }
    }
    let sent = Set(note.sent ?? [])
    if !sent.isEmpty { queue.removeAll { sent.contains($0.record.id) } }
    for place in queue.indices { queue[place].refusal = note.refused?[queue[place].record.id] ?? queue[place].refusal }
    said.insert(contentsOf: note.heard ?? [])
    later = note.later ?? later
    cursor = note.cursor ?? cursor
  }

  private mutating func write(_ note: Note) {
    apply(note)
    if let record = try? JSONEncoder().encode(note) { try? storage.append(record) }
  }

  /// Queues what was never said. O(n) in all that there is to say.
  /// - Returns: whether there was something.
  mutating func add(_ facts: [Fact], at now: Date) -> Bool {
    let news = said.news(in: facts).compactMap { SyncRecord($0, at: now) }
    if !news.isEmpty { write(Note(queued: news)) }
    return !news.isEmpty
  }

  /// What may be sent next.
  func batch(_ most: Int) -> [SyncRecord] { queue.lazy.filter { $0.refusal == nil }.prefix(most).map(\.record) }

  /// The other side has these, but for those that it refused.
  mutating func settle(_ records: [SyncRecord], refused: [String: String]) {
    let ids = records.map(\.id)
    write(Note(sent: ids.filter { refused[$0] == nil }, refused: refused.filter { ids.contains($0.key) }))
  }

  /// Lets what was refused be sent again.
  mutating func allowAgain() {
    for place in queue.indices { queue[place].refusal = nil }
  }

  /// These are known here, and so are all pages before the cursor.
  mutating func hear(_ facts: [Fact], later: [SyncRecord], cursor: String?) {
    let facts = said.news(in: facts)
    if facts.isEmpty, later == self.later, cursor == self.cursor { return }
    write(Note(heard: facts, later: later, cursor: cursor))
  }
}

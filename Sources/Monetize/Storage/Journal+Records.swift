// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// Converts facts to the records of a storage, and back.
extension Journal {
  struct Loaded {
    var state = CustomerState()
    /// The parts of records that this version does not understand, from a later version. They are kept and have no effect.
    var foreign: [Data] = []
    /// How often facts were removed from the storage.
    var removals = 0
    var records = 0
    var facts = 0
    var isDamaged = false
    var isReadable = true
  }

  /// Reads a storage without a journal, at a position of its own.
  static func load(_ storage: any StateStorage, _ sorts: FactSorts = .standard) -> Loaded {
    Journal(storage: storage, sorts: sorts).load()
  }

  /// Reads the storage. Later writes adopt what other processes have added since.
  func load() -> Loaded {
    let stored: StoredRecords
    do throws(StorageError) { stored = try storage.load() } catch { return Loaded(isDamaged: true, isReadable: false) }
    var read = Self.read(stored.records, sorts)
    if let sealed = stored.sealed {
      // Without a valid seal, a purchase counts only after the store's next answer, and a grant only if it was written with the key.
      let known = Set(Self.read(Array(stored.records.prefix(sealed)), sorts).facts)
      read.facts.removeAll { $0.needsSeal && !known.contains($0) || $0.isStoreFact }
    }
    var loaded = Loaded(
      foreign: read.foreign, removals: read.removals, records: stored.records.count, facts: read.facts.count,
      isDamaged: stored.damaged != nil)
    loaded.state.insert(contentsOf: Fact.forgiven(read.facts))
    return loaded
  }

  /// The record of how often facts were removed from the storage: none for never. A process with a lower count discards all facts that it
  /// has read, because they include removed ones.
  static func removals(_ number: Int) -> [Data] { number > 0 ? [Data(#"{"removals":\#(number)}"#.utf8)] : [] }

  static func record(_ facts: [Fact]) throws(StorageError) -> Data {
    if let record = UseRecord.of(facts) { return record }
    return try encode(facts)
  }

  /// Encodes facts in few records. Fields that uses share are written once.
  static func packed(_ facts: [Fact]) throws(StorageError) -> [Data] {
    var records: [Data] = []
    // Limits the length of a record, so that it can be read back.
    for start in stride(from: 0, to: facts.count, by: 100_000) {
      let part = facts[start..<min(start + 100_000, facts.count)]
      var (uses, others): ([Shared<Use>], [Fact]) = ([], [])
      for fact in part { if case .use(let use) = fact.sort { uses.append(use) } else { others.append(fact) } }
      let packed = PackedUses.packing(uses)
      if !others.isEmpty { records.append(try encode(others)) }
      if !packed.isEmpty { records.append(try record(packed)) }
    }
    return records
  }

  private static func record(_ packed: [PackedUses]) throws(StorageError) -> Data {
    if let record = UseRecord.of(packed) { return record }
    return try encode(packed.map { ["uses": $0] })
  }

  private static func encode(_ facts: some Encodable) throws(StorageError) -> Data {
    do { return try JSONEncoder.canonical.encode(facts) } catch { throw StorageError("Facts could not be encoded: \(error)") }
  }

  /// Reads the facts of records, and returns the parts that this version does not understand as records of their own. Among them are facts
  /// with a key from a later version, which this version applies without it. Facts of one record are read separately, so that one unreadable
  /// fact does not drop the others.
  static func read(_ records: [Data], _ sorts: FactSorts = .standard) -> (facts: [Fact], foreign: [Data], removals: Int) {
    var (facts, foreign, removals) = ([Fact](), [Data](), 0)
    for record in records {
      guard let document = try? JSONDocument(parsing: [UInt8](record)), document.root.kind == .array else {
        if let number = removalCount(record) { removals = max(removals, number) } else { foreign.append(record) }
        continue
      }
      let reader = JSONReader(document, userInfo: [.factSorts: sorts], isPlain: true)
      for value in document.root.elements {
        let isWhole = reader.read(value) { name, record in
          if let fact = try Fact(name, from: record) {
            facts.append(fact)
          } else if name == "uses" {
            facts.append(contentsOf: try PackedUses(from: record).uses().lazy.map(Fact.use))
          } else {
            return false
          }
          return true
        }
        if isWhole != true { foreign.append(Data("[\(value.text())]".utf8)) }
      }
    }
    return (facts, foreign, removals)
  }

  private static func removalCount(_ record: Data) -> Int? {
    (try? JSONDecoder().decode([String: Int].self, from: record)).flatMap { $0.count == 1 ? $0["removals"] : nil }
  }
}

extension Fact {
  /// Whether it gives access that no store can confirm.
  fileprivate var needsSeal: Bool { if case .grant = sort { true } else { false } }

  /// Whether it came from the store, which can report it again.
  fileprivate var isStoreFact: Bool {
    switch sort {
    case .transaction, .renewal, .pending, .answer: true
    default: false
    }
  }
}

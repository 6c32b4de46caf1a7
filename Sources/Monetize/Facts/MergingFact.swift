// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A fact with an identity. Two copies of a fact merge into one. The merge is associative, commutative and idempotent, so neither the order
/// of facts nor their repetition matters.
public protocol MergingFact: Sendable, Hashable, Codable {
  /// The type of a fact's identity.
  associatedtype Key: Sendable, Hashable, Comparable
  /// The identity of the fact.
  var key: Key { get }
  /// Merges another copy of this fact. Called only with an equal ``key``.
  func merged(with other: Self) -> Self
}

/// The revision of a fact: the later one wins.
///
/// `sequence` orders several revisions with the same date. A device raises it to correct an earlier revision.
public struct Revision: Sendable, Hashable, Comparable, Codable {
  /// The date of the revision, by the clock of its source, such as the store's signature date.
  public var date: Date
  /// The position among revisions of one date, from 0.
  public var sequence: Int

  /// Makes a revision.
  public init(_ date: Date, sequence: Int = 0) { (self.date, self.sequence) = (date, sequence) }

  /// The revision of a change at `date` on a device that has an earlier one. It wins over the earlier revision, even if the clock of that
  /// revision was ahead.
  package static func next(after known: Revision?, at date: Date) -> Revision {
    guard let known else { return Revision(date) }
    let latest = max(date, known.date)
    // A damaged record may have any number.
    if known.sequence == .max { return Revision(latest.next) }
    return Revision(latest, sequence: known.sequence + 1)
  }

  /// Earlier revisions come first.
  public static func < (a: Self, b: Self) -> Bool { (a.date, a.sequence) < (b.date, b.sequence) }
}

/// A fact whose later revision wins.
protocol RevisedFact: MergingFact {
  var revision: Revision { get }
}

extension RevisedFact {
  /// The copy with the later revision. Within one revision the copy that `wins`, and if both or neither do, the canonical winner.
  func later(_ other: Self, orIf wins: (Self) -> Bool) -> Self {
    if revision != other.revision { return revision < other.revision ? other : self }
    if wins(self) != wins(other) { return wins(self) ? self : other }
    return self == other ? self : canonicalWinner(self, other)
  }
}

/// Chooses between two different facts of one key and revision by their canonical text, so that every device chooses the same one. Rare (a
/// store that contradicts itself within one signature), so its cost does not matter.
func canonicalWinner<F: Encodable>(_ a: F, _ b: F) -> F {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  guard let first = try? encoder.encode(a), let second = try? encoder.encode(b) else { return a }
  return first.lexicographicallyPrecedes(second) ? b : a
}

extension JSONEncoder {
  /// Writes equal facts as equal texts.
  static var canonical: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

/// A set of facts of one sort, at most one per key.
public struct FactSet<F: MergingFact>: Sendable, Hashable {
  private var byKey: [F.Key: F] = [:]

  /// An empty set.
  public init() {}

  /// The number of facts.
  public var count: Int { byKey.count }
  /// Whether the set is empty.
  public var isEmpty: Bool { byKey.isEmpty }
  /// All facts, in no order.
  public var values: some Collection<F> { byKey.values }
  /// All facts by key, smallest first. O(n log n).
  public var sorted: [F] { byKey.values.sorted { $0.key < $1.key } }
  /// The fact with this key.
  public subscript(key: F.Key) -> F? { byKey[key] }

  /// Adds a fact, or merges it with the known copy. Returns whether that changed anything. O(1).
  @discardableResult
  public mutating func insert(_ fact: F) -> Bool {
    // One look-up, because most facts are new.
    guard let known = byKey.updateValue(fact, forKey: fact.key) else { return true }
    let merged = known.merged(with: fact)
    if merged != fact { byKey[fact.key] = merged }
    return merged != known
  }
}

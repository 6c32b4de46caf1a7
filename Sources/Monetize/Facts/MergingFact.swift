// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Something that has happened, with an identity. Two copies of one fact merge into one; the merge is associative, commutative and
/// idempotent, so the order in which facts arrive, and how often, never matters.
public protocol MergingFact: Sendable, Hashable, Codable {
  /// What makes two facts the same fact.
  associatedtype Key: Sendable, Hashable, Comparable
  /// What makes two facts the same fact.
  var key: Key { get }
  /// What both copies together say. Only called with facts of one key.
  func merged(with other: Self) -> Self
}

/// When something was said: the later revision wins.
///
/// The date is the sayer's own (a store's signature); the sequence is counted up by the device when it has to contradict itself within one date.
public struct Revision: Sendable, Hashable, Comparable, Codable {
  /// When it was said, by the clock of whoever said it.
  public var date: Date
  /// Which of several statements of one date, from 0.
  public var sequence: Int

  /// Makes a revision.
  public init(_ date: Date, sequence: Int = 0) {
    self.date = date
    self.sequence = sequence
  }

  /// Earlier said comes first.
  public static func < (a: Self, b: Self) -> Bool { (a.date, a.sequence) < (b.date, b.sequence) }
}

/// Picks between two different facts of one key and one revision when nothing else decides: by their canonical text, so that every device
/// picks the same one. Rare (a store that contradicts itself within one signature), so that its cost does not matter.
func canonicalWinner<F: Encodable>(_ a: F, _ b: F) -> F {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  guard let first = try? encoder.encode(a), let second = try? encoder.encode(b) else { return a }
  return first.lexicographicallyPrecedes(second) ? b : a
}

/// A set of facts of one sort, at most one a key.
public struct FactSet<F: MergingFact>: Sendable, Hashable {
  private var byKey: [F.Key: F] = [:]

  /// An empty set.
  public init() {}

  /// How many facts there are.
  public var count: Int { byKey.count }
  /// Whether there are none.
  public var isEmpty: Bool { byKey.isEmpty }
  /// All facts, in no order.
  public var values: some Collection<F> { byKey.values }
  /// All facts by key, smallest first. O(n log n).
  public var sorted: [F] { byKey.values.sorted { $0.key < $1.key } }
  /// The fact of that key.
  public subscript(key: F.Key) -> F? { byKey[key] }

  /// Adds a fact, or what it says beyond the one that is there. Tells whether that changed anything. O(1).
  @discardableResult
  public mutating func insert(_ fact: F) -> Bool {
    let known = byKey[fact.key]
    let merged = known?.merged(with: fact) ?? fact
    if merged == known { return false }
    byKey[fact.key] = merged
    return true
  }

  /// Whether a fact says anything beyond what is known. O(1).
  public func isNews(_ fact: F) -> Bool { byKey[fact.key].map { $0.merged(with: fact) != $0 } ?? true }

  /// Adds all facts of another set. O(n) in the other.
  public mutating func merge(_ other: Self) { byKey.merge(other.byKey) { $0.merged(with: $1) } }
}

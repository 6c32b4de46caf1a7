// SPDX-License-Identifier: Apache-2.0

/// How two values of one field become one: `sync.merge` in a catalog. A join: associative, commutative and idempotent.
///
/// Values are whole numbers. Whether something is done is 0 or 1, a date is in milliseconds since 1970, a length in whatever unit the app takes.
public struct MergeRule: Sendable, Hashable, Codable {
  /// Which of two values wins. Closed.
  public enum Way: String, Sendable, Hashable, Codable, CaseIterable {
    /// The higher one.
    case max
    /// The lower one.
    case min
    /// 1 where either is not 0.
    case or
  }

  /// Which of two values wins.
  public var way: Way
  /// What is not above this is no value, as a best time of 0 is none; `nil` where every number is one.
  public var above: Int?

  /// Makes a rule.
  public init(_ way: Way, above: Int? = nil) { (self.way, self.above) = (way, above) }

  /// The value as it counts; `nil` for one that is none.
  public func value(_ value: Int) -> Int? {
    if let above, value <= above { return nil }
    return way == .or ? (value == 0 ? 0 : 1) : value
  }

  /// What two values come to; what is none, or absent, never beats a value.
  public func joined(_ a: Int?, _ b: Int?) -> Int? {
    guard let a = a.flatMap(value) else { return b.flatMap(value) }
    guard let b = b.flatMap(value) else { return a }
    return way == .min ? Swift.min(a, b) : Swift.max(a, b)
  }

  private enum Key: String, CodingKey, CaseIterable { case rule, above }

  /// Reads `"max"`, or `{ "rule": "min", "above": 0 }`.
  public init(from decoder: any Decoder) throws {
    if (try? decoder.singleValueContainer().decode(String.self)) != nil {
      self.init(try decoder.singleValueContainer().decode(Way.self))
    } else {
      let fields = try decoder.container(keyedBy: Key.self)
      self.init(try fields.decode(Way.self, forKey: .rule), above: try fields.decodeIfPresent(Int.self, forKey: .above))
    }
  }

  /// Writes what it reads, as short as it can be.
  public func encode(to encoder: any Encoder) throws {
    guard above != nil else { return try way.encode(to: encoder) }
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(way, forKey: .rule)
    try fields.encode(above, forKey: .above)
  }
}

/// One value of somebody's progress, as one source knows it: the stars of a level, the best time, how often it was tried.
///
/// It carries its rule, so that a server that has no catalog merges it as well. Sources never add up here: the rule joins them. Coins are no
/// progress: see ``WalletEntry``.
public struct ProgressEntry: MergingFact {
  /// What names a value: one a subject, module, item, field, source and rule.
  public struct Key: Sendable, Hashable, Comparable {
    let subject: SubjectID
    let module: String
    let item: String
    let field: String
    let source: SourceID
    let rule: MergeRule

    /// Sorts by subject, module, item, field, source and rule.
    public static func < (a: Self, b: Self) -> Bool {
      (a.subject, a.module, a.item, a.field, a.source) != (b.subject, b.module, b.item, b.field, b.source)
        ? (a.subject, a.module, a.item, a.field, a.source) < (b.subject, b.module, b.item, b.field, b.source)
        : (a.rule.way.rawValue, a.rule.above ?? Int.min) < (b.rule.way.rawValue, b.rule.above ?? Int.min)
    }
  }

  /// Whose progress it is.
  public var subject: SubjectID
  /// The part of the app that it is made in.
  public var module: String
  /// What it is about, such as a level; empty for the module as a whole.
  public var item: String
  /// What is measured, as `sync.merge` names it.
  public var field: String
  /// Which source knows it.
  public var source: SourceID
  /// How it merges.
  public var rule: MergeRule
  /// The value; see ``MergeRule`` for what the number means.
  public var value: Int

  /// Makes a value.
  public init(
    subject: SubjectID = .customer, module: String, item: String = "", field: String, source: SourceID = .device, rule: MergeRule,
    value: Int
  ) {
    (self.subject, self.module, self.item, self.field) = (subject, module, item, field)
    (self.source, self.rule, self.value) = (source, rule, rule.value(value) ?? value)
  }

  /// One value a subject, module, item, field, source and rule.
  public var key: Key { Key(subject: subject, module: module, item: item, field: field, source: source, rule: rule) }

  /// By its rule. Of two that are no values the higher number is kept, which no reader sees.
  public func merged(with other: Self) -> Self {
    var merged = self
    merged.value = rule.joined(value, other.value) ?? max(value, other.value)
    return merged
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The rule for merging two values of one field: `sync.merge` in a catalog. Associative, commutative and idempotent.
///
/// Values are whole numbers. A flag is 0 or 1, a date is in milliseconds since 1970, and a length is in a unit of the app's choice.
public struct MergeRule: Sendable, Hashable, Codable {
  /// Which of two values wins. Closed.
  public enum Way: String, Sendable, Hashable, Codable, CaseIterable {
    /// The higher one.
    case max
    /// The lower one.
    case min
    /// 1 when either is not 0.
    case or
  }

  /// Which of two values wins.
  public var way: Way
  /// The bound of valid values: only values above it count, as with a best time above 0. `nil` when every number counts, as with `or`.
  public var above: Int?

  /// Makes a rule.
  public init(_ way: Way, above: Int? = nil) { (self.way, self.above) = (way, way == .or ? nil : above) }

  /// The value; `nil` when it is not valid.
  public func value(_ value: Int) -> Int? {
    if way == .or { return value == 0 ? 0 : 1 }
    return above.map { value <= $0 } == true ? nil : value
  }

  /// Merges two values. A valid value wins over an invalid or missing one.
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
      let (way, above) = (try fields.decode(Way.self, forKey: .rule), try fields.decodeIfPresent(Int.self, forKey: .above))
      if way == .or, above != nil { throw decoder.mistake("A flag, which the rule \"or\" merges, has no bound. Remove \"above\".") }
      self.init(way, above: above)
    }
  }

  /// Writes the shortest form that can be read.
  public func encode(to encoder: any Encoder) throws {
    guard above != nil else { return try way.encode(to: encoder) }
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(way, forKey: .rule)
    try fields.encode(above, forKey: .above)
  }
}

/// One progress value of a subject, recorded by one source: the stars of a level, the best time, the number of tries.
///
/// Carries its rule, so that a server without a catalog can merge it. Sources never add up. Coins are not progress; see ``WalletEntry``.
public struct ProgressEntry: MergingFact {
  /// The identity of a value: one per subject, module, item, field, source and rule.
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

  /// The subject of the progress.
  public var subject: SubjectID
  /// The module of the app.
  public var module: String
  /// The item, such as a level; empty for the whole module.
  public var item: String
  /// The measured field, as named in `sync.merge`.
  public var field: String
  /// The source that recorded it.
  public var source: SourceID
  /// The merge rule.
  public var rule: MergeRule
  /// The value. ``MergeRule`` describes its units.
  public var value: Int

  /// Makes a value.
  public init(
    subject: SubjectID = .customer, module: String, item: String = "", field: String, source: SourceID = .device, rule: MergeRule,
    value: Int
  ) {
    (self.subject, self.module, self.item, self.field) = (subject, module, item, field)
    (self.source, self.rule, self.value) = (source, rule, rule.value(value) ?? value)
  }

  /// Reads any value as the rule would merge it: a flag of another app may be any number.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      subject: try fields.decode(SubjectID.self, forKey: .subject), module: try fields.decode(String.self, forKey: .module),
      item: try fields.decode(String.self, forKey: .item), field: try fields.decode(String.self, forKey: .field),
      source: try fields.decode(SourceID.self, forKey: .source), rule: try fields.decode(MergeRule.self, forKey: .rule),
      value: try fields.decode(Int.self, forKey: .value))
  }

  /// One value per subject, module, item, field, source and rule.
  public var key: Key { Key(subject: subject, module: module, item: item, field: field, source: source, rule: rule) }

  /// Merges by the rule. Of two invalid values the higher is kept; readers ignore both.
  public func merged(with other: Self) -> Self {
    var merged = self
    merged.value = rule.joined(value, other.value) ?? max(value, other.value)
    return merged
  }
}

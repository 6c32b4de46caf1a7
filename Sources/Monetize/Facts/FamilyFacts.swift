// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Something given without a purchase: by support, by a promotion, for life or for a while.
public struct ComplimentaryGrant: MergingFact {
  /// What names it.
  public var id: String
  /// The entitlements it gives.
  public var entitlements: [EntitlementID]
  /// From when.
  public var from: Date
  /// Until when, half-open; `nil` for life.
  public var until: Date?
  /// Whether it was taken back.
  public var isRevoked: Bool
  /// When it was last changed, by whoever gives it.
  public var revision: Revision

  /// Makes a grant.
  public init(id: String, entitlements: [EntitlementID], from: Date, until: Date? = nil, isRevoked: Bool = false, revision: Revision? = nil)
  {
    self.id = id
    self.entitlements = entitlements
    self.from = from
    self.until = until
    self.isRevoked = isRevoked
    self.revision = revision ?? Revision(from)
  }

  /// One fact a grant.
  public var key: String { id }

  /// Whether it runs and was not taken back.
  func isActive(at now: Date) -> Bool { !isRevoked && from <= now && now < (until ?? .distantFuture) }

  /// The later word wins; within one the revocation does.
  public func merged(with other: Self) -> Self {
    if revision != other.revision { return revision < other.revision ? other : self }
    if isRevoked != other.isRevoked { return isRevoked ? self : other }
    return self == other ? self : canonicalWinner(self, other)
  }
}

/// A limit that a parent sets for a child. It only narrows: it never allows what the grants deny, and no purchase lifts it.
public struct Cap: MergingFact {
  /// What names a cap: one a feature and subject.
  public struct Key: Sendable, Hashable, Comparable {
    let feature: FeatureID
    let subject: SubjectID
    /// Sorts by feature, then by subject.
    public static func < (a: Self, b: Self) -> Bool { (a.feature, a.subject) < (b.feature, b.subject) }
  }

  /// What is limited.
  public var feature: FeatureID
  /// For whom.
  public var subject: SubjectID
  /// The amount as JSON, in the grammar of the feature's grants: `2`, `"PT30M"`, `false` for not at all; `nil` lifts the cap.
  public var amount: String?
  /// When it was set.
  public var revision: Revision

  /// Makes a cap.
  public init(feature: FeatureID, subject: SubjectID, amount: String?, revision: Revision) {
    self.feature = feature
    self.subject = subject
    self.amount = amount
    self.revision = revision
  }

  /// One cap a feature and subject.
  public var key: Key { Key(feature: feature, subject: subject) }

  /// The later word wins; within one any cap beats none.
  public func merged(with other: Self) -> Self {
    if revision != other.revision { return revision < other.revision ? other : self }
    if (amount == nil) != (other.amount == nil) { return amount == nil ? other : self }
    return self == other ? self : canonicalWinner(self, other)
  }
}

/// That an item, or a part of one, was completed. Completed once is completed for ever; the earliest date is kept.
public struct Completion: MergingFact {
  /// What names a completion: one an item and subject.
  public struct Key: Sendable, Hashable, Comparable {
    let item: ItemPath
    let subject: SubjectID
    /// Sorts by item, then by subject.
    public static func < (a: Self, b: Self) -> Bool { (a.item, a.subject) < (b.item, b.subject) }
  }

  /// What was completed.
  public var item: ItemPath
  /// By whom.
  public var subject: SubjectID
  /// When first; `nil` when nobody knows.
  public var date: Date?

  /// Makes a completion.
  public init(item: ItemPath, subject: SubjectID = .customer, date: Date? = nil) {
    self.item = item
    self.subject = subject
    self.date = date
  }

  /// One completion an item and subject.
  public var key: Key { Key(item: item, subject: subject) }

  /// The earlier date wins; a date wins over none.
  public func merged(with other: Self) -> Self {
    guard let date else { return other }
    guard let second = other.date else { return self }
    return second < date ? other : self
  }
}

/// Coins earned and spent, as one source counted them for one reason. Totals only grow; the balance is earned minus spent, over all entries.
public struct WalletEntry: MergingFact {
  /// What names an entry: a puzzle, a purchase in the shop; together with source and subject.
  public struct Key: Sendable, Hashable, Comparable {
    let id: String
    let subject: SubjectID
    let source: SourceID
    /// Sorts by id, subject and source.
    public static func < (a: Self, b: Self) -> Bool { (a.id, a.subject, a.source) < (b.id, b.subject, b.source) }
  }

  /// What the coins were for.
  public var id: String
  /// Whose they are.
  public var subject: SubjectID
  /// Which source counted them.
  public var source: SourceID
  /// Earned in total for this reason, at least 0.
  public var earned: Int
  /// Spent in total for this reason, at least 0.
  public var spent: Int

  /// Makes an entry.
  public init(id: String, subject: SubjectID = .customer, source: SourceID = .device, earned: Int = 0, spent: Int = 0) {
    self.id = id
    self.subject = subject
    self.source = source
    self.earned = max(0, earned)
    self.spent = max(0, spent)
  }

  /// Bounded, so that no entry makes a sum overflow.
  var balance: Int { earned.clamped(to: 0...Use.unknownAmount) - spent.clamped(to: 0...Use.unknownAmount) }

  /// The id of an entry that pays for an item.
  static func id(paying item: ItemPath) -> String { "item:\(item)" }
  /// The item that it pays for; `nil` for any other reason.
  var boughtItem: String? { id.hasPrefix("item:") ? String(id.dropFirst(5)) : nil }

  /// One entry a reason, subject and source.
  public var key: Key { Key(id: id, subject: subject, source: source) }

  /// The higher total of each wins: a stale device can neither undo a spend nor lose an earning.
  public func merged(with other: Self) -> Self {
    var merged = self
    merged.earned = max(earned, other.earned)
    merged.spent = max(spent, other.spent)
    return merged
  }
}

/// What a clock or the store said about the time. Written only together with another fact.
public struct TimeSeen: MergingFact {
  /// Counted up each time a wrong future was forgiven.
  public var correction: Int
  /// The latest time seen since then.
  public var latest: Date
  /// When the last wrong future was found out; `nil` when there was none.
  public var corrected: Date?

  /// Makes a record of the time.
  public init(correction: Int = 0, latest: Date, corrected: Date? = nil) {
    self.correction = correction
    self.latest = latest
    self.corrected = corrected
  }

  /// There is one clock.
  public var key: Int { 0 }

  /// The later correction wins, then the later time.
  public func merged(with other: Self) -> Self {
    (correction, latest, corrected ?? .distantPast) < (other.correction, other.latest, other.corrected ?? .distantPast) ? other : self
  }
}

/// The store's last answer: which instant it spoke of, and in which environment.
package struct AnswerSeen: MergingFact {
  /// Counted up with each answer.
  package var number: Int
  /// The instant that the answer spoke of.
  package var asOf: Date
  /// The environment that the answer was from, when the store says.
  package var environment: StoreEnvironment?

  /// There is one store.
  package var key: Int { 0 }

  /// The later answer wins.
  package func merged(with other: Self) -> Self {
    (number, asOf, environment?.rawValue ?? "") < (other.number, other.asOf, other.environment?.rawValue ?? "") ? other : self
  }
}

/// The name of this installation of the app: random, stored, and never told to other devices.
package struct Installation: MergingFact {
  /// The name.
  package var id: String

  /// There is one installation.
  package var key: Int { 0 }

  /// Two names of one installation: the first by the alphabet.
  package func merged(with other: Self) -> Self { id <= other.id ? self : other }
}

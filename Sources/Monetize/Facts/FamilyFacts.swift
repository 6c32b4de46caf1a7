// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Access or credits given without a purchase, by support or by a promotion: access for ever or until a date, credits until they are used.
public struct ComplimentaryGrant: MergingFact, RevisedFact {
  /// The id of the grant.
  public var id: String
  /// The entitlements it gives.
  public var entitlements: [EntitlementID]
  /// When it begins.
  public var from: Date
  /// When it ends, half-open; `nil` when it never ends.
  public var until: Date?
  /// Whether it was revoked.
  public var isRevoked: Bool
  /// The revision of the last change, by the clock of its issuer.
  public var revision: Revision
  // Written only when there are any, so that older state files stay unchanged.
  private var amounts: [String: Int]?

  /// The credits that it gives, by counted feature: a number of uses, or seconds where time is counted. At least 0.
  public var credits: [FeatureID: Int] {
    get { Dictionary((amounts ?? [:]).map { (FeatureID($0), $1.clamped(to: 0...Use.unknownAmount)) }, uniquingKeysWith: max) }
    set {
      let given = newValue.filter { $0.value > 0 }
      amounts = given.isEmpty ? nil : Dictionary(given.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: max)
    }
  }

  var hasCredits: Bool { amounts != nil }

  private enum CodingKeys: String, CodingKey { case id, entitlements, from, until, isRevoked, revision, amounts = "credits" }

  /// Makes a grant.
  public init(
    id: String, entitlements: [EntitlementID] = [], credits: [FeatureID: Int] = [:], from: Date, until: Date? = nil,
    isRevoked: Bool = false, revision: Revision? = nil
  ) {
    self.id = id
    self.entitlements = entitlements
    self.from = from
    self.until = until
    self.isRevoked = isRevoked
    self.revision = revision ?? Revision(from)
    self.credits = credits
  }

  /// One fact per grant.
  public var key: String { id }

  func isActive(at now: Date) -> Bool { !isRevoked && from <= now && now < (until ?? .distantFuture) }

  /// The later revision wins. Within one revision, a revocation wins.
  public func merged(with other: Self) -> Self { later(other, orIf: { $0.isRevoked }) }
}

/// A limit that a parent sets for a child. A cap only narrows: it never allows what the grants deny, and no purchase lifts it.
public struct Cap: MergingFact, RevisedFact {
  /// The identity of a cap: one per feature and subject.
  public struct Key: Sendable, Hashable, Comparable {
    let feature: FeatureID
    let subject: SubjectID
    /// Sorts by feature, then by subject.
    public static func < (a: Self, b: Self) -> Bool { (a.feature, a.subject) < (b.feature, b.subject) }
  }

  /// The limited feature.
  public var feature: FeatureID
  /// The member whom it limits.
  public var subject: SubjectID
  /// The amount as JSON, in the grammar of the feature's grants: `2`, `"PT30M"`, or `false` for no access. `nil` lifts the cap.
  public var amount: String?
  /// The revision of the last change.
  public var revision: Revision

  /// Makes a cap.
  public init(feature: FeatureID, subject: SubjectID, amount: String?, revision: Revision) {
    (self.feature, self.subject, self.amount, self.revision) = (feature, subject, amount, revision)
  }

  /// One cap per feature and subject.
  public var key: Key { Key(feature: feature, subject: subject) }

  /// The later revision wins. Within one revision, any cap wins over none.
  public func merged(with other: Self) -> Self { later(other, orIf: { $0.amount != nil }) }
}

/// The completion of an item or a part. A completion is never undone. The earliest date is kept.
public struct Completion: MergingFact {
  /// The identity of a completion: one per item and subject.
  public struct Key: Sendable, Hashable, Comparable {
    let item: ItemPath
    let subject: SubjectID
    /// Sorts by item, then by subject.
    public static func < (a: Self, b: Self) -> Bool { (a.item, a.subject) < (b.item, b.subject) }
  }

  /// The completed item.
  public var item: ItemPath
  /// The member who completed it.
  public var subject: SubjectID
  /// The date of the first completion; `nil` when unknown.
  public var date: Date?

  /// Makes a completion.
  public init(item: ItemPath, subject: SubjectID = .customer, date: Date? = nil) {
    (self.item, self.subject, self.date) = (item, subject, date)
  }

  /// One completion per item and subject.
  public var key: Key { Key(item: item, subject: subject) }

  /// The earlier date wins. Any date wins over none.
  public func merged(with other: Self) -> Self {
    guard let date else { return other }
    guard let second = other.date else { return self }
    return second < date ? other : self
  }
}

/// Coins earned and spent for one reason, as counted by one source. Totals only grow. The balance is earned minus spent over all entries, with each
/// item of a shop paid once.
public struct WalletEntry: MergingFact {
  /// The identity of an entry: its id (a puzzle, a purchase in the shop), subject and source.
  public struct Key: Sendable, Hashable, Comparable {
    let id: String
    let subject: SubjectID
    let source: SourceID
    /// Sorts by id, subject and source.
    public static func < (a: Self, b: Self) -> Bool { (a.id, a.subject, a.source) < (b.id, b.subject, b.source) }
  }

  /// The reason for the coins.
  public var id: String
  /// The owner of the coins.
  public var subject: SubjectID
  /// The source that counted them.
  public var source: SourceID
  /// The total earned for this reason, at least 0.
  public var earned: Int
  /// The total spent for this reason, at least 0.
  public var spent: Int

  /// Makes an entry.
  public init(id: String, subject: SubjectID = .customer, source: SourceID = .device, earned: Int = 0, spent: Int = 0) {
    self.id = id
    self.subject = subject
    self.source = source
    self.earned = max(0, earned)
    self.spent = max(0, spent)
  }

  /// Clamped, so that sums of entries do not overflow.
  var counted: (earned: Int, spent: Int) { (earned.clamped(to: 0...Use.unknownAmount), spent.clamped(to: 0...Use.unknownAmount)) }

  static func id(paying item: ItemPath) -> String { "item:\(item)" }
  /// The item that the entry pays for; `nil` for any other reason.
  var boughtItem: String? { id.hasPrefix("item:") ? String(id.dropFirst(5)) : nil }

  /// One entry per reason, subject and source.
  public var key: Key { Key(id: id, subject: subject, source: source) }

  /// The higher of each total wins, so that a stale device cannot undo a spend or lose an earning.
  public func merged(with other: Self) -> Self {
    var merged = self
    merged.earned = max(earned, other.earned)
    merged.spent = max(spent, other.spent)
    return merged
  }
}

/// A time seen on the clock or in a signature of the store. Written only together with another fact.
public struct TimeSeen: MergingFact {
  /// The number of corrections of a wrong future.
  public var correction: Int
  /// The latest time seen since the last correction.
  public var latest: Date
  /// When the last wrong future was detected; `nil` when there was none.
  public var corrected: Date?

  /// Makes a record of the time.
  public init(correction: Int = 0, latest: Date, corrected: Date? = nil) {
    (self.correction, self.latest, self.corrected) = (correction, latest, corrected)
  }

  /// There is one clock.
  public var key: Int { 0 }

  /// The later correction wins, then the later time.
  public func merged(with other: Self) -> Self {
    (correction, latest, corrected ?? .distantPast) < (other.correction, other.latest, other.corrected ?? .distantPast) ? other : self
  }
}

/// The store's last answer: its date and environment.
package struct AnswerSeen: MergingFact {
  /// The number of answers so far.
  package var number: Int
  /// The date that the answer is about.
  package var asOf: Date
  /// The environment of the answer; `nil` when unknown.
  package var environment: StoreEnvironment?

  package var key: Int { 0 }

  /// The later answer wins.
  package func merged(with other: Self) -> Self {
    (number, asOf, environment?.rawValue ?? "") < (other.number, other.asOf, other.environment?.rawValue ?? "") ? other : self
  }
}

/// The random name of this installation of the app. Stored, and never shared with other devices.
package struct Installation: MergingFact {
  package var id: String

  package var key: Int { 0 }

  /// The alphabetically first name wins.
  package func merged(with other: Self) -> Self { id <= other.id ? self : other }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How much of a feature one source has counted, in all or in one period: what a server or another device says that keeps sums and no single
/// uses.
///
/// **Which limits it counts in.** A total has no moments, but the days of its unit. A limit over all time counts every total; a limit by the
/// calendar those whose days begin in its period; a rolling or an anchored limit counts them as if all had been used when the last of those
/// days ends, the latest that it can have been, so that a device lets too little pass rather than too much. A total for all time names no day
/// and says nothing about a day, a month or any other stretch.
///
/// Of one source the higher total wins, and it holds the uses that this same source recorded one by one: a server that says 2 and one use of
/// it that is known by its key are 2. Sources add up, and two sources that count the same uses have to name them by the same keys instead.
public struct UsageTotal: MergingFact {
  /// What names a total: one a feature, subject, source and period.
  public struct Key: Sendable, Hashable, Comparable {
    let feature: FeatureID
    let subject: SubjectID
    let source: SourceID
    let unit: String
    let day: Int
    /// Sorts by feature, subject, source and period.
    public static func < (a: Self, b: Self) -> Bool {
      (a.feature, a.subject, a.source, a.unit, a.day) < (b.feature, b.subject, b.source, b.unit, b.day)
    }
  }

  /// What was used.
  public var feature: FeatureID
  /// By whom.
  public var subject: SubjectID
  /// Which source counted it.
  public var source: SourceID
  /// How much, at least 0.
  public var amount: Int
  /// The calendar unit that it was counted in; `nil` for all time.
  public var unit: CalendarUnit?
  /// A local day of that unit, in days since 1970-01-01; without meaning for all time.
  public var day: Int

  /// Makes a total.
  public init(
    feature: FeatureID, subject: SubjectID = .customer, source: SourceID, amount: Int, unit: CalendarUnit? = nil, day: Int = 0
  ) {
    self.feature = feature
    self.subject = subject
    self.source = source
    self.amount = max(0, amount)
    self.unit = unit
    self.day = unit == nil ? 0 : day
  }

  /// One total a feature, subject, source and period.
  public var key: Key { Key(feature: feature, subject: subject, source: source, unit: unit?.rawValue ?? "", day: days?.lowerBound ?? 0) }

  /// The days that it is about; `nil` for all.
  var days: Range<Int>? { unit.map { LocalDay.range(of: $0, holding: LocalDay.bounded(day)) } }

  /// When the last of its days is over everywhere on earth; `nil` for all time.
  var latestEnd: Date? {
    days.map { Date(timeIntervalSince1970: TimeInterval($0.upperBound.clamped(to: -100_000_000...100_000_000)) * 86400 + 12 * 3600) }
  }

  /// The higher one wins.
  public func merged(with other: Self) -> Self {
    if amount != other.amount { return amount < other.amount ? other : self }
    // Two days of one period name the same.
    return day <= other.day ? self : other
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The total that a source has counted for a feature, over all time or in one period. For sources without individual uses.
///
/// **Which limits it counts in.** A total has no moments, only the days of its unit. A lifetime limit counts every total. A calendar limit
/// counts the totals whose days begin in its period. A rolling or anchored limit counts a total at the end of its last day, the latest
/// possible time. A device then allows too little rather than too much. A total over all time counts only in lifetime limits.
///
/// For one source the highest total wins. The total includes uses that the source also reported individually, so a total of 2 and one
/// individual use count as 2. Sources add up. Those that count the same uses must report them by the same keys.
public struct ReportedTotal: MergingFact {
  /// The identity of a total: one per feature, subject, source and period.
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

  /// The feature.
  public var feature: FeatureID
  /// The subject of the uses.
  public var subject: SubjectID
  /// The source that counted them.
  public var source: SourceID
  /// The total, at least 0.
  public var amount: Int
  /// The calendar unit of the total; `nil` for all time.
  public var unit: CalendarUnit?
  /// A local day of the period, in days since 1970-01-01; ignored for all time.
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

  /// One total per feature, subject, source and period.
  public var key: Key { Key(feature: feature, subject: subject, source: source, unit: unit?.rawValue ?? "", day: days?.lowerBound ?? 0) }

  /// The days of the period; `nil` for all time.
  var days: Range<Int>? { unit.map { LocalDay.range(of: $0, holding: LocalDay.bounded(day)) } }

  /// When the last of its days has ended in every time zone; `nil` for all time.
  var latestEnd: Date? {
    days.map { Date(timeIntervalSince1970: TimeInterval(LocalDay.bounded($0.upperBound)) * 86400 + 12 * 3600) }
  }

  /// The higher one wins.
  public func merged(with other: Self) -> Self {
    if amount != other.amount { return amount < other.amount ? other : self }
    // Any day of a period identifies it; the earlier one is a defined winner.
    return day <= other.day ? self : other
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A calendar unit for limits. Weeks begin on Monday.
public enum CalendarUnit: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
  /// A local day.
  case day
  /// Monday to Sunday.
  case week
  /// A month of the Gregorian calendar.
  case month
  /// A year of the Gregorian calendar.
  case year

  /// Its length by the calendar.
  var period: Period {
    switch self {
    case .day: Period(days: 1)
    case .week: Period(weeks: 1)
    case .month: Period(months: 1)
    case .year: Period(years: 1)
    }
  }

  /// Shorter units come first.
  public static func < (a: Self, b: Self) -> Bool { a.order < b.order }
  var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Local days as whole numbers, counted from 1970-01-01, in the Gregorian calendar. Computed without a `Calendar`, so that counting uses is
/// fast and the same on every machine.
enum LocalDay {
  /// The computable days: 270,000 years around 1970.
  private static var bounds: ClosedRange<Int> { -100_000_000...100_000_000 }

  /// The day of a date. An infinite date or NaN has one of the outermost days.
  static func of(_ date: Date, in zone: TimeZone) -> Int {
    guard date.timeIntervalSince1970.isFinite else { return date > .distantPast ? bounds.upperBound : bounds.lowerBound }
    let local = date.timeIntervalSince1970 + TimeInterval(zone.secondsFromGMT(for: date))
    return Int((local / 86400).rounded(.down).clamped(to: TimeInterval(bounds.lowerBound)...TimeInterval(bounds.upperBound)))
  }

  /// Clamps a day from a file to the computable ones.
  static func bounded(_ day: Int) -> Int { day.clamped(to: bounds) }

  /// When a local day begins. Not always at midnight, because some clocks skip it.
  static func start(of day: Int, in zone: TimeZone) -> Date {
    let midnight = Date(timeIntervalSince1970: TimeInterval(day) * 86400)
    // On most days no clock changes while it is midnight anywhere, from UTC+14 to UTC-12. Only other days need a calendar.
    let (before, after) = (zone.secondsFromGMT(for: midnight - 15 * 3600), zone.secondsFromGMT(for: midnight + 13 * 3600))
    if before == after { return midnight - TimeInterval(before) }
    let (year, month, dayOfMonth) = civil(day)
    return Calendar.storeCalendar(in: zone).date(from: DateComponents(year: year, month: month, day: dayOfMonth)) ?? midnight
  }

  /// The days of the unit that contains `day`.
  static func range(of unit: CalendarUnit, holding day: Int) -> Range<Int> {
    switch unit {
    case .day: return day..<(day + 1)
    case .week:
      // 1970-01-01 was a Thursday, the fourth day of its week.
      let monday = day - ((day + 3) % 7 + 7) % 7
      return monday..<(monday + 7)
    case .month:
      let (year, month, _) = civil(day)
      return days(year, month, 1)..<(month == 12 ? days(year + 1, 1, 1) : days(year, month + 1, 1))
    case .year:
      let (year, _, _) = civil(day)
      return days(year, 1, 1)..<days(year + 1, 1, 1)
    }
  }

  /// Days since 1970-01-01 of a Gregorian date. Counts years from March, so that a leap day comes last.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
    let z = day + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }
}

extension Comparable {
  func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}

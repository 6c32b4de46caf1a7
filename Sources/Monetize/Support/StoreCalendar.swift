// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Calendar {
  /// The Gregorian calendar that Monetize counts with, in UTC: periods of the store and dates of facts.
  public static let storeCalendar = storeCalendar(in: TimeZone(secondsFromGMT: 0) ?? .current)

  /// The Gregorian calendar in `zone`, with ISO weeks (Monday first). It does not depend on the device's settings, so that changing these
  /// moves no period.
  public static func storeCalendar(in zone: TimeZone) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    calendar.locale = Locale(identifier: "en_US_POSIX")
    calendar.firstWeekday = 2
    calendar.minimumDaysInFirstWeek = 4
    return calendar
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

@Suite("Local days", .timeLimit(.minutes(30)))
struct LocalDayTests {
  /// Zones that change their clocks at midnight, by half an hour, by a whole day, twice around a month, or never.
  static let zones = [
    "UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Beirut", "Africa/Cairo", "Africa/Casablanca", "Pacific/Apia", "Pacific/Kiritimati",
    "Australia/Lord_Howe", "America/St_Johns", "Asia/Kathmandu", "America/Havana", "Asia/Tehran",
  ]

  @Test("a day begins as in the calendar, also when clocks skip midnight or a day", arguments: zones)
  func start(_ name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    let calendar = Calendar.storeCalendar(in: zone)
    for day in LocalDay.days(1985, 1, 1)..<LocalDay.days(2040, 1, 1) {
      let (year, month, dayOfMonth) = LocalDay.civil(day)
      let expected = try #require(calendar.date(from: DateComponents(year: year, month: month, day: dayOfMonth)))
      guard LocalDay.start(of: day, in: zone) == expected else {
        Issue.record("\(name) \(year)-\(month)-\(dayOfMonth): \(LocalDay.start(of: day, in: zone)), not \(expected)")
        return
      }
    }
  }

  @Test("weeks, months and years are the calendar's") func units() throws {
    let zone = try #require(TimeZone(secondsFromGMT: 0))
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = zone
    let components: [CalendarUnit: Calendar.Component] = [.day: .day, .week: .weekOfYear, .month: .month, .year: .year]
    for day in stride(from: LocalDay.days(1890, 1, 1), to: LocalDay.days(2110, 1, 1), by: 3) {
      for (unit, component) in components {
        let date = Date(timeIntervalSince1970: TimeInterval(day) * 86400 + 3600)
        let expected = try #require(calendar.dateInterval(of: component, for: date))
        let range = LocalDay.range(of: unit, holding: day)
        let (start, end) = (LocalDay.start(of: range.lowerBound, in: zone), LocalDay.start(of: range.upperBound, in: zone))
        guard start == expected.start, end == expected.end else {
          Issue.record("\(unit) of \(day): \(range), not \(expected)")
          return
        }
      }
    }
  }

  @Test("each day has one date and each date one day, from long before year 0 to long after") func inverse() {
    var last = (year: Int.min, month: 0, day: 0)
    // Three spans of more than 400 years, over the turn of an era.
    for start in [-1_000_000, -719_468 - 75_000, 2_000_000] {
      for day in start..<start + 150_000 {
        let date = LocalDay.civil(day)
        let isNext = date.day == last.day + 1 || (date.day == 1 && (date.month == last.month + 1 || (date.month == 1 && last.month == 12)))
        guard LocalDay.days(date.year, date.month, date.day) == day, isNext || day == start, (1...12).contains(date.month) else {
          Issue.record("\(day) is \(date)")
          return
        }
        last = date
      }
    }
  }

  @Test("A week of the calendar begins on Monday, and the first of a year has four days in it, as in ISO 8601") func weeks() throws {
    // 2027-01-03 is a Sunday, in the 53rd week of 2026.
    let sunday = Date(timeIntervalSince1970: 1_798_934_400)
    let week = try #require(Calendar.storeCalendar.dateInterval(of: .weekOfYear, for: sunday))
    #expect(week.start == sunday - 6 * 86400 && Calendar.storeCalendar.component(.weekOfYear, from: sunday) == 53)
  }
}

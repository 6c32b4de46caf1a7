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
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// How dates, lengths of time, measures and items are written.
@Suite("Notation", .timeLimit(.minutes(30)))
struct NotationTests {
  private let utc = Calendar.storeCalendar.timeZone
  /// 2026-03-01T00:00:00Z
  private static let midnight = 1_772_323_200.0

  @Test(
    "A date is a day, a local time, or a time with its zone",
    arguments: [
      ("2026-03-01", 0), ("2026-03-01T12:00", 43200), ("2026-03-01T12:00Z", 43200), ("2026-03-01T23:59:59Z", 86399),
      ("2026-03-01T12:00:00+01:30", 37800), ("2026-03-01T12:00:00-00:30", 45000), ("2026-03-01T00:00:00+14:00", -50400),
      ("2026-03-01T00:00:00+00:59", -3540), ("2026-03-01T12:00+01:00", 39600), ("2026-03-01T00:00:00.5Z", 0.5),
      ("2026-03-01T00:00:01.125", 1.125), ("2026-03-01T00:00:00.123456789+00:00", 0.123456789), ("2026-02-28T00:00:00Z", -86400),
    ] as [(String, Double)])
  func dates(text: String, seconds: Double) throws {
    let date = try #require(ISODate.parse(text, in: utc))
    #expect(abs(date.timeIntervalSince1970 - Self.midnight - seconds) < 1e-6)
  }

  @Test(
    "Nothing else is a date",
    arguments: [
      "", "2026", "2026-03", "2026-3-1", "2026/03-01", "2026-03/01", "2026-03-01Z", "2026-03-01 12:00", "2026-03-01T", "2026-03-01T12",
      "2026-03-01T12:",
      "2026-03-01T24:00", "2026-03-01T12:60", "2026-03-01T12:00:60", "2026-03-01T12:00:0", "2026-03-01T12:00:00.Z",
      "2026-03-01T12:00:00.1234567890Z", "2026-03-01T12:00:00.1x", "2026-03-01T12:00:00Zx", "2026-03-01T12:00:00+15:00",
      "2026-03-01T12:00:00+01:60", "2026-03-01T12:00:00+0100", "2026-03-01T12:00:00+1:00", "2026-03-01T12:00:00+01:00x", "2026-02-29",
      "2026-02-30", "2026-00-01", "2026-13-01", "2026-01-00", "2026-01-32", "2o26-01-01", "2026-01-0/", "2026-01-0:",
    ])
  func noDates(text: String) { #expect(ISODate.parse(text, in: utc) == nil) }

  @Test("A local time is one of the zone; a time that the clock skips in spring is the same day's") func local() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    #expect(ISODate.parse("2026-03-01", in: berlin)?.timeIntervalSince1970 == Self.midnight - 3600)
    #expect(ISODate.parse("2026-03-29T02:30", in: berlin).map { ISODate.text($0) } == "2026-03-29T01:30:00Z")
    #expect(ISODate.parse("2026-03-01T00:00:00Z", in: berlin)?.timeIntervalSince1970 == Self.midnight)
    #expect(ISODate.text(Date(timeIntervalSince1970: Self.midnight), in: .storeCalendar(in: berlin)) == "2026-03-01T01:00:00")
  }

  @Test("A length has each unit at most once and in order, and is written with the largest units of its time") func lengths() throws {
    let all = try #require(Period("P1Y2M3W4DT5H6M7S"))
    #expect(all == Period(years: 1, months: 2, weeks: 3, days: 4, hours: 5, minutes: 6, seconds: 7))
    #expect((all.years, all.months, all.days) == (1, 2, 25) && all.seconds == 5 * 3600 + 6 * 60 + 7)
    #expect(Period("PT1M") == Period(minutes: 1) && Period("P1M") == Period(months: 1) && Period("P99999D") == Period(days: 99_999))
    let written = ["P0D", "P1Y", "P1M", "P7D", "PT1H", "PT1M", "PT1S", "PT59M59S", "PT1H1S", "P1Y2M3DT4H5M6S"]
    #expect(written.map { Period($0)?.description } == written)
    #expect(Period("PT60M")?.description == "PT1H" && Period("PT90S")?.description == "PT1M30S" && Period("P2W")?.description == "P14D")
    let wrong = [
      "", "P", "PT", "P1", "D", "1D", "P1D1Y", "P1W1M", "P1DT", "PTT1H", "PT1HT1M", "P1H", "PT1D", "P1D2D", "P123456D", "P1.5D", "P-1D",
      "p1d",
      "P1D ", "PD", "P٣D",
    ]
    for text in wrong { #expect(Period(text) == nil, "\(text)") }
  }

  @Test("Only days and times have fixed seconds; a year is twelve months; a month has at most 31 days") func lengthsInSeconds() throws {
    func period(_ text: String) throws -> Period { try #require(Period(text)) }
    #expect(try period("P1DT1S").fixedSeconds == 86401)
    #expect(try period("P1M").fixedSeconds == nil && period("P1Y").fixedSeconds == nil && period("P0D").fixedSeconds == 0)
    #expect(try period("P1M").longest == 31 * 86400 && period("P1Y1DT1S").longest == (12 * 31 + 1) * 86400 + 1)
    for (a, b, isSame) in [
      ("P1Y", "P12M", true), ("P1Y1M", "P13M", true), ("P1W", "P7D", true), ("P1M", "P30D", false), ("P1D", "PT24H", false),
      ("P1D", "P2D", false), ("P1M", "P2M", false),
    ] {
      #expect(try period(a).isSame(as: period(b)) == isSame, "\(a) \(b)")
    }
    #expect(Period(fixed: 90_061) == Period(days: 1, hours: 1, minutes: 1, seconds: 1) && Period(fixed: 86_400) == Period(days: 1))
    #expect(Period().isZero && !Period(seconds: 1).isZero)
  }

  @Test("A rolling period has a second or more, and one from a purchase has any length but none") func shortest() throws {
    func read(_ json: String) -> Measure? { try? JSONDecoder().decode(Measure.self, from: Data(json.utf8)) }
    #expect(read(#""PT1S""#) == .rolling(seconds: 1) && read(#""P0D""#) == nil)
    #expect(read(#"{ "anchored": "PT1S" }"#) == .anchored(Period(seconds: 1), from: nil) && read(#"{ "anchored": "P0D" }"#) == nil)
  }

  @Test("Measures are sorted: for ever, by the calendar, rolling, from a purchase; the shorter first") func measures() throws {
    let (first, second) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1))
    let sorted: [Measure] = [
      .lifetime, .calendar(.day), .calendar(.week), .calendar(.month), .calendar(.year), .rolling(seconds: 1), .rolling(seconds: 2),
      .anchored(Period(hours: 24), from: nil), .anchored(Period(days: 1), from: nil), .anchored(Period(days: 1), from: first),
      .anchored(Period(days: 1), from: second), .anchored(Period(months: 1), from: nil), .anchored(Period(months: 12), from: nil),
      .anchored(Period(years: 1), from: nil),
    ]
    for (a, one) in sorted.enumerated() {
      for (b, other) in sorted.enumerated() { #expect((one < other) == (a < b), "\(one) \(other)") }
    }
    let month = Measure.anchored(Period(months: 12), from: second)
    #expect(month.length == Measure.anchored(Period(years: 1), from: first).length && Measure.lifetime.length == .infinity)
    #expect(Measure.calendar(.day).length == 86400 && Measure.rolling(seconds: 86400).length == 86400)
    #expect(Measure.calendar(.day).unit == .day && Measure.lifetime.unit == nil)
    #expect(Measure.anchored(Period(days: 1), from: nil).waitsForAnchor && !month.waitsForAnchor)
  }

  @Test("An item is collection/item or collection/item/part, and no piece is empty") func items() {
    let (item, part): (ItemPath, ItemPath) = ("a/1", "a/1/b")
    #expect((item.collection, item.item, item.part) == ("a", "1", nil) && (part.item, part.part) == ("1", "b"))
    #expect(part.whole == item && item.whole == item && part.description == "a/1/b" && item < part && !(part < item))
    for text in ["", "a", "/", "/1", "a/", "a//b", "a/1/", "/1/b", "a/1/b/c"] { #expect(ItemPath(text) == nil, "\(text)") }
  }
}

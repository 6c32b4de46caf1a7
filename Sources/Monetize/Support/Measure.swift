// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

/// The measure of a limit: the time span over which uses count.
public enum Measure: Sendable, Hashable, Comparable {
  /// All uses since the first.
  case lifetime
  /// A calendar unit in the customer's zone.
  case calendar(CalendarUnit)
  /// The last so many seconds before each question.
  case rolling(seconds: Int)
  /// Consecutive periods since the purchase that grants it. The date is `nil` until the grant is in force.
  case anchored(Period, from: Date?)

  /// Whether its purchase date is not filled in yet.
  var waitsForAnchor: Bool {
    if case .anchored(_, nil) = self { true } else { false }
  }

  /// The length of a period in seconds, with months of 31 days; infinite for a lifetime.
  var length: TimeInterval {
    switch self {
    case .lifetime: .infinity
    case .calendar(let unit): unit.period.longest
    case .rolling(let seconds): TimeInterval(seconds)
    case .anchored(let period, _): period.longest
    }
  }

  /// The period in a text such as "3 stories per month": `month`, `7 days`. `nil` for a lifetime.
  func words(in language: Language) -> String? {
    switch self {
    case .lifetime: nil
    case .calendar(let unit): unit.period.each(in: language)
    case .rolling(let seconds): Period(fixed: seconds).each(in: language)
    case .anchored(let period, _): period.each(in: language)
    }
  }

  /// Whether it is a rolling limit, which gets its uses back one after the other.
  package var isRolling: Bool { if case .rolling = self { true } else { false } }

  var unit: CalendarUnit? {
    if case .calendar(let unit) = self { unit } else { nil }
  }

  /// Lifetime first, then calendar units, rolling and anchored measures; shorter before longer.
  public static func < (a: Self, b: Self) -> Bool { a.order < b.order }

  private var order: (Int, Double, Date, Int, Int, Int) {
    switch self {
    case .lifetime: return (0, 0, .distantPast, 0, 0, 0)
    case .calendar(let unit): return (1, Double(unit.order), .distantPast, 0, 0, 0)
    case .rolling(let seconds): return (2, Double(seconds), .distantPast, 0, 0, 0)
    case .anchored(let period, let from):
      // Orders equal lengths that are written differently (P1D, PT24H). Law 1 needs a defined winner, or equal joins would differ in order.
      return (3, period.longest, from ?? .distantPast, period.years, period.months, period.days)
    }
  }
}

extension Measure: Decodable, JSONPlaceholder {
  private enum CodingKeys: String, CodingKey { case anchored }

  /// Reads `"lifetime"`, a calendar unit, an ISO 8601 length without months (rolling), or `{ "anchored": "P1M" }` (from the purchase).
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      if text == "lifetime" {
        self = .lifetime
      } else if let unit = CalendarUnit(rawValue: text) {
        self = .calendar(unit)
      } else if let length = Period(text)?.fixedSeconds, let seconds = Int32(exactly: length), seconds > 0 {
        // Limited to 32 bits, the size of an `Int` on an Apple Watch.
        self = .rolling(seconds: Int(seconds))
      } else {
        throw decoder.mistake(
          "\"\(text)\" is not a period. Write \"lifetime\", \"day\", \"week\", \"month\", \"year\", "
            + "a rolling length such as \"P7D\" (months have no fixed length, and 68 years are the most), or { \"anchored\": \"P1M\" }.")
      }
      return
    }
    let period = try decoder.container(keyedBy: CodingKeys.self).decode(Period.self, forKey: .anchored)
    if period.isZero { throw decoder.mistake("A period needs a length, such as P1M.") }
    self = .anchored(period, from: nil)
  }

  package static var jsonPlaceholder: Measure { .lifetime }
}

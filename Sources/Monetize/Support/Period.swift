// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

/// A calendar length of time in the format of ISO 8601: `P1M`, `P7D`, `PT20H`, `P1DT12H`.
///
/// Months and years have no fixed number of seconds. A calendar adds them.
public struct Period: Sendable, Hashable, LosslessStringConvertible {
  /// Calendar years.
  public var years = 0
  /// Calendar months.
  public var months = 0
  /// Days. A week counts as seven days.
  public var days = 0
  /// Seconds, including hours and minutes.
  public var seconds = 0

  /// Makes a length from its parts. A week counts as seven days.
  public init(years: Int = 0, months: Int = 0, weeks: Int = 0, days: Int = 0, hours: Int = 0, minutes: Int = 0, seconds: Int = 0) {
    self.years = years
    self.months = months
    self.days = days + weeks * 7
    self.seconds = seconds + minutes * 60 + hours * 3600
  }

  /// Makes a length of whole days of 24 hours and the remaining seconds.
  package init(fixed seconds: Int) { self.init(days: seconds / 86400, seconds: seconds % 86400) }

  /// Parses ISO 8601 such as `P1Y`, `P2W`, `P1DT12H`. Returns `nil` for anything else, including signs, fractions, and numbers over 99,999.
  public init?(_ description: String) {
    var rest = description.unicodeScalars[...]
    guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
    var units: ArraySlice<Unicode.Scalar> = ["Y", "M", "W", "D"]
    var inTime = false
    while let first = rest.first {
      if first == "T" {
        guard !inTime, rest.count > 1 else { return nil }
        rest.removeFirst()
        inTime = true
        units = ["H", "M", "S"]
        continue
      }
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest[digits.endIndex...]
      // Accepts each unit at most once and in order, because `units` shrinks.
      guard !digits.isEmpty, digits.count <= 5, let number = Int(Substring(digits)), let unit = rest.popFirst(),
        let index = units.firstIndex(of: unit)
      else { return nil }
      units = units[(index + 1)...]
      switch (unit, inTime) {
      case ("Y", false): years = number
      case ("M", false): months = number
      case ("W", false): days += number * 7
      case ("D", false): days += number
      case ("H", true): seconds += number * 3600
      case ("M", true): seconds += number * 60
      default: seconds += number
      }
    }
  }

  /// The shortest ISO 8601 form: `P7D`, `P1Y`, `PT1H30M`; `P0D` for zero.
  public var description: String {
    var text = "P"
    if years != 0 { text += "\(years)Y" }
    if months != 0 { text += "\(months)M" }
    if days != 0 { text += "\(days)D" }
    if seconds != 0 {
      text += "T"
      if seconds >= 3600 { text += "\(seconds / 3600)H" }
      if seconds % 3600 >= 60 { text += "\(seconds % 3600 / 60)M" }
      if seconds % 60 != 0 { text += "\(seconds % 60)S" }
    }
    return text == "P" ? "P0D" : text
  }

  /// The length in English, for logs and the command line: `7 days`, `1 month`, `20 hours`.
  public var words: String { words(in: .english) }

  /// Whether the length is zero.
  public var isZero: Bool { self == Period() }

  /// Whether both are the same length, however written: a year is twelve months, and a week is seven days.
  public func isSame(as other: Period) -> Bool {
    years * 12 + months == other.years * 12 + other.months && days == other.days && seconds == other.seconds
  }

  /// The length in seconds, with days of 24 hours; `nil` when months or years make it depend on the date.
  public var fixedSeconds: TimeInterval? { years == 0 && months == 0 ? TimeInterval(days) * 86400 + TimeInterval(seconds) : nil }

  /// The longest length in seconds that it can have, with months of 31 days.
  var longest: TimeInterval { TimeInterval((years * 12 + months) * 31 + days) * 86400 + TimeInterval(seconds) }

  /// Adds the length `times` times to `date`. Counts from `date` itself, so that the 31st stays the anchor: one month after January 31 is
  /// February 28, two months after is March 31.
  public func added(to date: Date, times: Int = 1, in calendar: Calendar) -> Date {
    var parts = DateComponents()
    parts.year = years * times
    parts.month = months * times
    parts.day = days * times
    parts.second = seconds * times
    return calendar.date(byAdding: parts, to: date) ?? date
  }
}

extension Period: Codable, JSONPlaceholder {
  /// Decodes the ISO 8601 form.
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let period = Period(text) else {
      throw decoder.mistake("\"\(text)\" is not a length of time. Write ISO 8601, such as P7D, P1M or P1Y.")
    }
    self = period
  }

  /// Encodes the ISO 8601 form.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }

  package static var jsonPlaceholder: Period { Period(days: 1) }
  package static var jsonForm: String? { "a length of time such as \"P7D\", \"P1M\" or \"P1Y\"" }
}

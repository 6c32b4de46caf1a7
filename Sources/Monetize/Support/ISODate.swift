// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Conversions between dates and ISO 8601 text.
public enum ISODate: Sendable {
  /// Parses `2026-03-01T12:00:00Z`, or with an offset such as `+01:00`. Without either it is a local time in `zone`; a date alone means
  /// midnight. Seconds may have a fraction of up to nine digits. Returns `nil` for anything else, including a day that does not exist.
  public static func parse(_ text: String, in zone: TimeZone) -> Date? {
    let bytes = Array(text.utf8)
    func number(_ from: Int, _ count: Int) -> Int? {
      from + count <= bytes.count ? digits(bytes[from..<(from + count)]) : nil
    }
    func sign(_ at: Int, _ character: Character) -> Bool { at < bytes.count && bytes[at] == character.asciiValue }
    guard let year = number(0, 4), sign(4, "-"), let month = number(5, 2), sign(7, "-"), let day = number(8, 2) else { return nil }
    var parts = DateComponents(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
    var (index, fraction) = (10, 0.0)
    if index < bytes.count {
      guard sign(10, "T"), let hour = number(11, 2), sign(13, ":"), let minute = number(14, 2), hour < 24, minute < 60 else { return nil }
      (parts.hour, parts.minute, index) = (hour, minute, 16)
      if sign(16, ":") {
        guard let second = number(17, 2), second < 60 else { return nil }
        (parts.second, index) = (second, 19)
        if sign(19, ".") {
          guard let (part, count) = Self.fraction(bytes[20...]) else { return nil }
          (fraction, index) = (part, 20 + count)
        }
      }
    }
    var calendar = Calendar.storeCalendar(in: zone)
    if index < bytes.count {
      if sign(index, "Z"), index + 1 == bytes.count {
        calendar = .storeCalendar
      } else if sign(index, "+") || sign(index, "-"), let hours = number(index + 1, 2), sign(index + 3, ":"),
        let minutes = number(index + 4, 2),
        index + 6 == bytes.count, hours <= 14, minutes < 60,
        let offset = TimeZone(secondsFromGMT: (sign(index, "-") ? -1 : 1) * (hours * 3600 + minutes * 60))
      {
        calendar = Calendar.storeCalendar(in: offset)
      } else {
        return nil
      }
    }
    guard let date = calendar.date(from: parts) else { return nil }
    // A calendar turns February 30 into March 2, so the result is checked. Hours may move, because clocks skip some in spring.
    let back = calendar.dateComponents([.month, .day], from: date)
    return back.month == month && back.day == day ? date.addingTimeInterval(fraction) : nil
  }

  /// The fraction at the beginning of a text, with the number of its digits; `nil` unless there are one to nine.
  private static func fraction(_ bytes: ArraySlice<UInt8>) -> (value: Double, count: Int)? {
    let written = bytes.prefix { (48...57).contains($0) }
    guard (1...9).contains(written.count), let value = digits(written) else { return nil }
    return (Double(value) / pow(10, Double(written.count)), written.count)
  }

  /// The value of a run of digits; `nil` when there is another character.
  private static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
    bytes.reduce(0) { value, byte in value.flatMap { (48...57).contains(byte) ? $0 * 10 + Int(byte - 48) : nil } }
  }

  /// Formats a date as `2026-03-01T12:00:00Z`, always with seconds and without fractions.
  public static func text(_ date: Date) -> String { text(date, in: .storeCalendar) + "Z" }

  /// Formats a date as `2026-03-01T13:00:00`, in the zone of `calendar`.
  public static func text(_ date: Date, in calendar: Calendar) -> String {
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    func padded(_ number: Int?, _ width: Int = 2) -> String {
      let digits = String(number ?? 0)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(parts.year, 4))-\(padded(parts.month))-\(padded(parts.day))"
      + "T\(padded(parts.hour)):\(padded(parts.minute)):\(padded(parts.second))"
  }
}

/// The earlier of two dates; `nil` means never. Avoids an array, because every judgement calls it.
func earlier(_ a: Date?, _ b: Date?) -> Date? {
  guard let a, let b else { return a ?? b }
  return min(a, b)
}

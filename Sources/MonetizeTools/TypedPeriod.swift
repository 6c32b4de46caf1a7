// SPDX-License-Identifier: Apache-2.0
public import Monetize

extension Period {
  /// Reads a length of time as a person types it: `7d`, `20 min`, `1 month`, `an hour`, `2 weeks`, or ISO 8601 in any case, such as `PT20M`.
  /// - Parameters:
  ///   - text: The text, with at most one space.
  ///   - isFixed: Whether only a fixed number of seconds makes sense, so that `3m` has minutes and not months.
  /// - Returns: `nil` for anything else.
  public init?(typed text: String, isFixed: Bool = false) {
    if let period = Period(text.uppercased()) {
      self = period
      return
    }
    let words = text.lowercased().split(separator: " ", omittingEmptySubsequences: false)
    guard let first = words.first, words.count <= 2 else { return nil }
    let digits = first.prefix { $0.isASCII && $0.isNumber }
    let isArticle = first == "a" || first == "an"
    let unit = isArticle ? "" : first.dropFirst(digits.count)
    // One unit, in the first word or in the second.
    guard unit.isEmpty == (words.count == 2), let make = Self.unit(String(words.count == 2 ? words[1] : unit), isFixed) else { return nil }
    guard let number = digits.isEmpty ? 1 : Int(digits), number < 100_000 else { return nil }
    self = make(number)
  }

  private static func unit(_ name: String, _ isFixed: Bool) -> ((Int) -> Period)? {
    switch name {
    case "s", "sec", "second", "seconds": { Period(seconds: $0) }
    case "min", "minute", "minutes": { Period(minutes: $0) }
    case "h", "hour", "hours": { Period(hours: $0) }
    case "d", "day", "days": { Period(days: $0) }
    case "w", "week", "weeks": { Period(weeks: $0) }
    case "m": isFixed ? { Period(minutes: $0) } : { Period(months: $0) }
    case "mo", "month", "months": { Period(months: $0) }
    case "y", "year", "years": { Period(years: $0) }
    default: nil
    }
  }
}

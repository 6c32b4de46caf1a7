// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How far back a history is visible, such as the last seven days. Older things are hidden, not deleted. Source: "sees only sessions from
/// last 7 days in history".
///
/// Grants: `"P7D"`, a length without months and years. The window slides: `P7D` is the 168 hours before the question, to the second,
/// including the first moment and regardless of daylight saving. With `"wholeDays": true` it moves at midnight: `P7D` is today and the six
/// days before, by the customer's calendar and zone. A request without a date is allowed, and ``Decision/cutoff`` is the date to filter by.
/// A request with ``AccessRequest/date`` is about one dated thing.
public struct WindowShape: AllowanceShape {
  /// `window`.
  public static let name = "window"
  /// `true`.
  public static let isAboutDates = true

  /// Whether the window begins at midnight instead of sliding.
  let wholeDays: Bool?

  /// Decodes an ISO 8601 length without months and years, for `wholeDays` without hours.
  public func grant(from decoder: any Decoder) throws -> Grant {
    let seconds: Int
    do { seconds = try FixedLength(from: decoder).seconds } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
      throw decoder.mistake("Expected a length such as \"P7D\", or \"unlimited\".")
    }
    guard seconds > 0 else { throw decoder.mistake("A window needs a length, such as P7D. To show nothing, remove the grant.") }
    let isByDay = wholeDays == true
    guard !isByDay || seconds % 86400 == 0 else { throw decoder.mistake("Expected whole days, such as P7D, because of \"wholeDays\".") }
    return Grant(seconds: seconds, isByDay: isByDay)
  }

  /// The length of the window.
  public struct Grant: Allowance {
    let seconds: Int
    let isByDay: Bool

    /// `true`, because the window moves.
    public var changesWithTime: Bool { true }

    /// The longer window.
    public func joined(with other: Self) -> Self { seconds < other.seconds ? other : self }

    /// Allowed for things no older than the window.
    public func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      var verdict = Verdict.allowed
      if let date = request.date {
        let end = isByDay ? midnight(of: date, after: seconds / 86400, in: context.zone) : (date + TimeInterval(seconds)).next
        verdict = Verdict(isAllowed: context.now < end, reason: .outsideWindow)
        if verdict.isAllowed { verdict.changesAt = end }
      }
      verdict.window = TimeInterval(seconds)
      guard isByDay else { return verdict }
      verdict.cutoff = midnight(of: context.now, after: 1 - seconds / 86400, in: context.zone)
      verdict.changesAt = earlier(verdict.changesAt, midnight(of: context.now, after: 1, in: context.zone))
      return verdict
    }

    private func midnight(of date: Date, after days: Int, in zone: TimeZone) -> Date {
      LocalDay.start(of: LocalDay.of(date, in: zone) + days, in: zone)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How far back a history is visible, such as the last seven days. Older things are hidden, not deleted. Source: "sees only sessions from
/// last 7 days in history".
///
/// Grants: `"P7D"`, a length without months and years. The window slides: `P7D` is the 168 hours before the question, to the second,
/// including the first moment and regardless of daylight saving. A request without a date is allowed, and ``Decision/cutoff`` is the date
/// to filter by. A request with ``AccessRequest/date`` is about one dated thing.
public struct WindowShape: AllowanceShape {
  /// `window`.
  public static let name = "window"
  /// `true`.
  public static let isAboutDates = true

  /// The length of the window.
  public struct Grant: Allowance, Decodable {
    let seconds: Int

    private init(seconds: Int) { self.seconds = seconds }

    /// Decodes an ISO 8601 length without months and years.
    public init(from decoder: any Decoder) throws {
      do { seconds = try FixedLength(from: decoder).seconds } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
        throw decoder.mistake("Expected a length such as \"P7D\", or \"unlimited\".")
      }
      guard seconds > 0 else {
        throw decoder.mistake("A window needs a length, such as P7D. To show nothing, remove the grant.")
      }
    }

    /// `true`, because the window slides.
    public var changesWithTime: Bool { true }

    /// The longer window.
    public func joined(with other: Self) -> Self { Grant(seconds: max(seconds, other.seconds)) }

    /// Allowed for things no older than the window.
    public func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      let length = TimeInterval(seconds)
      var verdict = Verdict.allowed
      if let date = request.date {
        let last = date + length
        verdict = Verdict(isAllowed: context.now <= last, reason: .outsideWindow)
        // Still visible at `last`, so the answer changes at the next representable moment.
        if verdict.isAllowed { verdict.changesAt = last.next }
      }
      verdict.window = length
      return verdict
    }
  }
}

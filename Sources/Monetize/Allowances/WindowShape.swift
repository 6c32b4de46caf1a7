// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How far back one may look: the last seven days of a history. Nothing is deleted; what is older is only not shown. Source: "sees only
/// sessions from last 7 days in history".
///
/// Grants: `"P7D"`, a length without months and years. The window slides: `P7D` are the 168 hours before the question, to the second and
/// including their first moment, whatever clocks do in between. Without a date the answer is allowed, with ``Decision/cutoff`` to filter
/// by; with ``AccessRequest/date`` it is about one dated thing.
public struct WindowShape: AllowanceShape {
  /// `window`.
  public static let name = "window"

  /// The length of the window.
  public struct Grant: Allowance, Decodable {
    let seconds: Int

    private init(seconds: Int) { self.seconds = seconds }

    /// Reads an ISO 8601 length without months and years.
    public init(from decoder: any Decoder) throws {
      do { seconds = try FixedLength(from: decoder).seconds } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
        throw decoder.mistake("Expected a length such as \"P7D\", or \"unlimited\".")
      }
      guard seconds > 0 else {
        throw decoder.mistake("A window must have a length, such as P7D. What nobody may see is not granted at all.")
      }
    }

    /// It slides.
    public var changesWithTime: Bool { true }

    /// The longer window.
    public func joined(with other: Self) -> Self { Grant(seconds: max(seconds, other.seconds)) }

    /// Allowed for what is not older than the window is long.
    public func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      let length = TimeInterval(seconds)
      var verdict = Verdict.allowed
      if let date = request.date {
        let last = date + length
        verdict = Verdict(isAllowed: context.now <= last, reason: .outsideWindow)
        // It is still visible at `last`, so that the answer changes at the next moment there is.
        if verdict.isAllowed { verdict.changesAt = Date(timeIntervalSinceReferenceDate: last.timeIntervalSinceReferenceDate.nextUp) }
      }
      verdict.window = length
      return verdict
    }
  }
}

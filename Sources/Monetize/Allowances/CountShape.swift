// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

/// A number of uses, in total or per period.
///
/// Grants: `3`, or `{ "limit": 3, "per": "week" }` to count by another period than the feature's.
public struct CountShape: AllowanceShape {
  /// `count`.
  public static let name = "count"
  /// `true`.
  public static let isMetered = true

  let per: Measure?

  /// Decodes a number, or a limit with its own period.
  public func grant(from decoder: any Decoder) throws -> MeteredGrant {
    try MeteredGrant(
      from: decoder, per: per, expected: "Expected a number of uses, { \"limit\": 3, \"per\": \"week\" }, or \"unlimited\"."
    ) { try $0.amount(Int(from: $0)) }
  }

  /// The day within the feature's own period.
  public func day(in context: AllowanceContext) -> (day: Int, zone: TimeZone) { context.today(within: per?.unit) }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
import MonetizeJSON

/// A number of uses: ever, or in each period.
///
/// Grants: `3`, or `{ "limit": 3, "per": "week" }` to count by another period than the feature's.
public struct CountShape: AllowanceShape {
  /// `count`.
  public static let name = "count"
  /// Uses are counted.
  public static let isMetered = true

  let per: Measure?

  /// A number, or a limit with its own period.
  public func grant(from decoder: any Decoder) throws -> MeteredGrant {
    try MeteredGrant(
      from: decoder, per: per, expected: "Expected a number of uses, { \"limit\": 3, \"per\": \"week\" }, or \"unlimited\"."
    ) { try $0.amount(Int(from: $0)) }
  }

  /// The day of the period that the feature is counted by.
  public func day(in context: AllowanceContext) -> (day: Int, zone: TimeZone) { context.today(within: per?.unit) }
}

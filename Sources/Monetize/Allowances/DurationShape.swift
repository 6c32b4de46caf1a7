// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// An amount of time, in total or per period. Source: daily time limits that a parent sets for a child.
///
/// Grants: `"PT30M"`, or `{ "limit": "PT30M", "per": "day" }` to count by another period than the feature's. Uses are counted in seconds:
/// spend 60 for a minute. A request without a count is allowed while at least one second is left.
public struct DurationShape: AllowanceShape {
  /// `duration`.
  public static let name = "duration"
  /// `true`. Seconds are counted.
  public static let isMetered = true
  /// `true`.
  public static let countsSeconds = true

  let per: Measure?

  /// Decodes a length without months and years, or one with its own period.
  public func grant(from decoder: any Decoder) throws -> MeteredGrant {
    try MeteredGrant(
      from: decoder, per: per,
      expected: "Expected a length such as \"PT30M\", { \"limit\": \"PT30M\", \"per\": \"day\" }, or \"unlimited\"."
    ) { try $0.singleValueContainer().decode(FixedLength.self).seconds }
  }

  /// The day within the feature's own period.
  public func day(in context: AllowanceContext) -> (day: Int, zone: TimeZone) { context.today(within: per?.unit) }

  /// Decodes a length, such as `"PT1H"`, into seconds.
  public func credits(from decoder: any Decoder) throws -> Int { try FixedLength(from: decoder).seconds }

  /// The length in words, such as `30 minutes`.
  public func words(for amount: Int, in language: Language) -> String? { Period(fixed: amount).words(in: language) }
}

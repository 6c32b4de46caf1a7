// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Time that may be spent: ever, or in each period. Source: daily time limits that a parent sets for a child.
///
/// Grants: `"PT30M"`, or `{ "limit": "PT30M", "per": "day" }` to count by another period than the feature's. Uses are counted in seconds:
/// spend 60 for a minute. Asked without a count it is allowed while a second is left.
public struct DurationShape: AllowanceShape {
  /// `duration`.
  public static let name = "duration"
  /// Seconds are counted.
  public static let isMetered = true

  let per: Measure?

  /// A length without months and years, or one with its own period.
  public func grant(from decoder: any Decoder) throws -> MeteredGrant {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      return MeteredGrant(limit: try FixedLength(text, decoder).seconds, per: per ?? .lifetime)
    }
    let own = try MeteredGrant.OwnPeriodKeys.container(
      decoder, "Expected a length such as \"PT30M\", { \"limit\": \"PT30M\", \"per\": \"day\" }, or \"unlimited\".")
    let limit = try own.decode(FixedLength.self, forKey: .limit).seconds
    return MeteredGrant(limit: limit, per: try own.decodeIfPresent(Measure.self, forKey: .per) ?? per ?? .lifetime)
  }

  /// The day of the period that the feature is counted by.
  public func day(in context: AllowanceContext) -> (day: Int, zone: TimeZone) { context.today(within: (per ?? .lifetime).unit) }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeSimulator

/// The values of options that several commands have: who asks, where and when. Every front reads them in this way.
public enum ToolOption: Sendable {
  /// A date and time. A text without an offset is a local time in the zone.
  /// - Parameters:
  ///   - text: The value of the option.
  ///   - zone: The zone of a local time.
  ///   - name: The name of the option, for the message.
  public static func time(_ text: String, in zone: TimeZone, _ name: String = "at") throws(ToolProblem) -> Date {
    if let date = ISODate.parse(text, in: zone) {
      // As in scenarios: no calendar is trusted further.
      if (1970..<3000).contains(Calendar.storeCalendar.component(.year, from: date)) { return date }
      throw ToolProblem("--\(name): \"\(text)\" is not within the years 1970 to 2999. Write a time in this range.")
    }
    throw ToolProblem("--\(name): \"\(text)\" is not a date and time. Write 2026-03-01T12:00:00Z, or a local time without the Z.")
  }

  /// A time zone by its name.
  public static func zone(_ text: String, _ name: String = "zone") throws(ToolProblem) -> TimeZone {
    if let zone = TimeZone(identifier: text) { return zone }
    throw ToolProblem("--\(name): There is no time zone \"\(text)\". Write one such as Europe/Berlin.")
  }

  /// A person; the customer without a text.
  public static func member(_ text: String?, _ name: String = "as") throws(ToolProblem) -> Member {
    guard let text else { return .customer }
    if let member = Member(text: text) { return member }
    throw ToolProblem("--\(name): Unknown person \"\(text)\". Write child:max, parent, guest, demo or customer.")
  }
}

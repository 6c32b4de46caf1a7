// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A period of use without a pause of five minutes, from its first to its last event.
public struct ActivitySession: Sendable, Hashable {
  /// The pause that ends a session, in seconds.
  public static let pause: TimeInterval = 300

  /// When it began.
  public let start: Date
  /// The date of its last event. An app that was ended without an event counts only until then.
  public private(set) var end: Date
  /// The number of events.
  public private(set) var events = 1

  /// The sessions of one person's events, oldest first. Two events five minutes apart belong to two sessions. An event named
  /// ``MonetizeEvent/Name/sessionEnded`` is the last of its session. O(n log n).
  public static func all(_ events: some Sequence<(date: Date, name: MonetizeEvent.Name)>) -> [ActivitySession] {
    var sessions: [ActivitySession] = []
    var isOpen = false
    for event in events.sorted(by: { $0.date < $1.date }) {
      if isOpen, let last = sessions.last, event.date.timeIntervalSince(last.end) < pause {
        sessions[sessions.count - 1].end = event.date
        sessions[sessions.count - 1].events += 1
      } else {
        sessions.append(ActivitySession(start: event.date, end: event.date))
      }
      isOpen = event.name != .sessionEnded
    }
    return sessions
  }
}

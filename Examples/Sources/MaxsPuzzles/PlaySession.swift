// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// One visit to a module: from entering it to the return to the hub, or to five minutes in which nothing happened.
///
/// It is computed from the times of what was done, because a process in the background is suspended and no timer fires there. Save it
/// whenever the app goes to the background: whoever reads it after the app was killed finds the end at the last thing that was done.
public struct PlaySession: Sendable, Hashable, Codable {
  /// After this much inactivity, in seconds, a session is over; at exactly this much it is.
  public static let inactivity: TimeInterval = 300

  /// The module that was entered.
  public let module: String
  /// When.
  public let began: Date
  /// When something was last done in it.
  public private(set) var lastActivity: Date
  /// Seconds that were played; pauses are not.
  public private(set) var secondsPlayed: TimeInterval = 0
  private var isPaused = false
  private var returned: Date?

  /// Enters a module.
  public init(module: String, at now: Date) {
    self.module = module
    began = now
    lastActivity = now
  }

  /// When it ended: with the return to the hub, or with the last thing that was done in it; `nil` while it runs.
  public func end(at now: Date) -> Date? { returned ?? (now >= lastActivity + Self.inactivity ? lastActivity : nil) }

  /// Something is done; it goes on after a pause.
  /// - Returns: whether it still runs. When it is over nothing changes: begin another one.
  @discardableResult
  public mutating func act(at now: Date) -> Bool {
    guard end(at: now) == nil else { return false }
    if !isPaused { secondsPlayed += max(0, now.timeIntervalSince(lastActivity)) }
    lastActivity = max(lastActivity, now)
    isPaused = false
    return true
  }

  /// The app is inactive or in the background: the timer stands still.
  public mutating func pause(at now: Date) { if act(at: now) { isPaused = true } }

  /// Back to the hub.
  public mutating func returnToHub(at now: Date) { if act(at: now) { returned = now } }
}

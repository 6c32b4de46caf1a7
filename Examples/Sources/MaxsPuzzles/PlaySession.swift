// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A visit to a module: from entering it to the return to the hub, or to five minutes of inactivity.
///
/// It is computed from the times of actions, because a process in the background is suspended and no timer fires there. Save it whenever
/// the app goes to the background. If the app was killed, the saved session ends at the last action.
public struct PlaySession: Sendable, Hashable, Codable {
  /// The inactivity in seconds that ends a session; exactly this length ends it.
  public static let inactivity: TimeInterval = 300

  /// The visited module.
  public let module: String
  /// The time of entering.
  public let began: Date
  /// The time of the last action.
  public private(set) var lastActivity: Date
  /// Seconds of play, without pauses.
  public private(set) var secondsPlayed: TimeInterval = 0
  private var isPaused = false
  private var returned: Date?

  /// Enters a module.
  public init(module: String, at now: Date) {
    self.module = module
    began = now
    lastActivity = now
  }

  /// The end: the return to the hub, or the last action; `nil` while the session runs.
  public func end(at now: Date) -> Date? { returned ?? (now >= lastActivity + Self.inactivity ? lastActivity : nil) }

  /// Records an action, which also ends a pause.
  /// - Returns: Whether the session still runs. After its end nothing changes: begin another one.
  @discardableResult
  public mutating func act(at now: Date) -> Bool {
    guard end(at: now) == nil else { return false }
    if !isPaused { secondsPlayed += max(0, now.timeIntervalSince(lastActivity)) }
    lastActivity = max(lastActivity, now)
    isPaused = false
    return true
  }

  /// Pauses the timer: the app is inactive or in the background.
  public mutating func pause(at now: Date) { if act(at: now) { isPaused = true } }

  /// Returns to the hub.
  public mutating func returnToHub(at now: Date) { if act(at: now) { returned = now } }
}

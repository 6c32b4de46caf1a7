// SPDX-License-Identifier: Apache-2.0

// UIKit's announcements. They are here, because a module named UIKit would be seen by every target of the build.

/// UIKit's functions for VoiceOver.
@MainActor public enum UIAccessibility {
  /// What is told.
  public struct Notification: Sendable {
    /// A text to speak.
    public static let announcement = Notification()
  }

  /// The texts that were spoken, for tests.
  public private(set) static var announcements: [String] = []

  /// Speaks a text.
  public static func post(notification: Notification, argument: Any?) {
    if let text = argument as? String { announcements.append(text) }
  }
}
